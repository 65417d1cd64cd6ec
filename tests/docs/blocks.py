"""Code blocks of Markdown pages, and how each kind is carried out.

Blocks of a page share one folder and one namespace, in their order:

  python   is run
  yaml     is a model file or a study file, named by its first line "# file: NAME", and must be valid
  sh       `gudgeon` commands are run; of `make TARGET` the target must exist; what installs things is not run
  text, bibtex, mermaid and blocks without a language are for reading

A comment `<!-- slow -->` above a block keeps it for `make test-all`. What a block prints is handed back: the tests of
the pages drop it, the build of the documentation sets it below the block (docs/extensions/outputs.py).
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import types
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

from gudgeon.cli import app

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^(?P<slow><!-- slow -->\n+)?(?P<ticks>`{3,})(?P<word>[\w{}-]*)[^\n]*\n(?P<text>.*?)^(?P=ticks)$",
                   re.MULTILINE | re.DOTALL)  # fmt: skip
READ_ONLY = {"", "text", "bibtex", "mermaid", "html"}
INSTALLS = ("pip ", "git ", "python -m venv", "python -m pip", "cd ", ". ", "source ")


@dataclass(frozen=True)
class Block:
    """Its language, its text, the line where it begins, whether it is slow, and where in the page it ends."""

    word: str
    text: str
    line: int
    slow: bool
    end: int


def blocks(path: Path) -> list[Block]:
    text = path.read_text(encoding="utf-8")
    listed = []
    for match in FENCE.finditer(text):
        word = match["word"]
        if word.startswith("{"):  # a directive of MyST
            continue
        line = text.count("\n", 0, match.start("text")) + 1
        listed.append(Block(word, match["text"], line, bool(match["slow"]), match.end()))
    return listed


class Page:
    """What the blocks of one page have in common: a folder, in which the examples can be reached, and a module."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path, self.folder = path, folder
        # a module, for what asks a class where it is from
        self.module = types.ModuleType(f"page_{path.stem.replace('-', '_')}")
        sys.modules[self.module.__name__] = self.module
        (folder / "examples").symlink_to(ROOT / "examples")
        # a script that stands in a page is also a file: laws of one's own are read from their source
        self.count = 0

    def run(self, block: Block) -> str:
        """Carry a block out; what it prints."""
        if block.word in READ_ONLY:
            return ""
        doer = {"python": self.python, "sh": self.shell, "yaml": self.yaml}.get(block.word)
        assert doer is not None, f"{self.path.name}:{block.line}: nobody runs {block.word!r}"
        return doer(block)

    def python(self, block: Block) -> str:
        self.count += 1
        script = self.folder / f"block{self.count}.py"
        script.write_text("\n" * (block.line - 1) + block.text, encoding="utf-8")
        with redirect_stdout(io.StringIO()) as printed:
            exec(compile(script.read_text(encoding="utf-8"), str(script), "exec"), vars(self.module))
        return printed.getvalue()

    def yaml(self, block: Block) -> str:
        match = re.match(r"# file: (\S+)\n", block.text)
        assert match, f"{self.path.name}:{block.line}: a file begins with its name, # file: press.yaml"
        path = self.folder / match[1]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")
        if "\nbodies:" in block.text:
            from gudgeon.model import Mechanism

            Mechanism.from_file(path)
        else:
            from gudgeon.study import load

            load(path)
        return ""

    def shell(self, block: Block) -> str:
        printed = ""
        targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
        for line in block.text.replace("\\\n", " ").splitlines():
            command = line.split("#")[0].strip()
            if not command or command.startswith(INSTALLS):
                continue
            if command.startswith("make "):
                assert set(command.split()[1:]) <= targets, f"{self.path.name}: {command}"
                continue
            assert command.startswith(("gudgeon ", "python ")), f"{self.path.name}:{block.line}: {command}"
            if "| jq" in command and shutil.which("jq") is None:
                command = command.split("|")[0]
            printed += self._call(command, block)
        return printed

    def _call(self, command: str, block: Block) -> str:
        """In this process where no shell is needed: starting the program takes longer than most commands."""
        if command.startswith("gudgeon ") and not set("|><&;$*`") & set(command):
            with contextlib.chdir(self.folder):
                run = CliRunner().invoke(app, shlex.split(command)[1:], env={"BROWSER": "true"})
            assert run.exit_code == 0, f"{self.path.name}:{block.line}: {command}\n{run.output[-2000:]}"
            return run.stdout
        program = command.replace("gudgeon ", f"{sys.executable} -m gudgeon ", 1)
        program = program.replace("python ", f"{sys.executable} ", 1) if command.startswith("python ") else program
        environment = os.environ | {"BROWSER": "true", "PYTHONPATH": str(ROOT / "src"), "MPLBACKEND": "agg"}
        done = subprocess.run(["bash", "-c", program], cwd=self.folder, env=environment, capture_output=True, text=True,
                              check=False)  # fmt: skip
        message = f"{self.path.name}:{block.line}: {command}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        assert done.returncode == 0, message
        return done.stdout
