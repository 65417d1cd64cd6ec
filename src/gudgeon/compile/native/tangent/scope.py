"""What a function is made of: its source, its names and those from outside, and which of its variables carry a
derivative."""

from __future__ import annotations

import ast
import builtins
import copy
import inspect
import types
from typing import TYPE_CHECKING, Any, NoReturn

from gudgeon.compile.native.source import Unreadable, parse
from gudgeon.compile.native.tangent.slopes import STEPS, spelling
from gudgeon.quantity import GudgeonError

if TYPE_CHECKING:
    from gudgeon.compile.native.tangent.program import TangentProgram

PLAIN = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Subscript, ast.Tuple,
         ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context)  # fmt: skip
ADVICE = (
    "an implicit method needs the derivatives of every law: use float arithmetic, branches, loops, math and helpers"
)


class Scope:
    def __init__(self, program: TangentProgram, function: Any, active: frozenset[int]) -> None:
        self.program, self.function = program, function
        code = function.__code__
        self.file, self.offset = code.co_filename, code.co_firstlineno - 1
        self.tree = self._parse()
        arguments = self.tree.args
        if arguments.vararg or arguments.kwarg:
            self.refuse(self.tree, "it takes any number of arguments")
        self.parameters = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        names = [node for node in ast.walk(self.tree) if isinstance(node, ast.Name)]
        self.local = {n.id for n in names if isinstance(n.ctx, ast.Store)} | set(self.parameters)
        self.companion, self.prefix = "d_", "v_"
        while any(name.startswith((self.companion, self.prefix)) for name in self.local):
            self.companion, self.prefix = f"d{self.companion}", f"v{self.prefix}"
        self.seeds = [self.parameters[k] for k in sorted(active)]
        self.active = set(self.seeds)
        self._spread()

    def _parse(self) -> ast.FunctionDef:
        try:
            tree, self.offset = parse(self.function)
        except Unreadable as reason:
            self.refuse(ast.Pass(lineno=1), str(reason))
        return tree

    def refuse(self, node: Any, what: str) -> NoReturn:
        place = f"{self.file}:{self.offset + node.lineno}"
        raise GudgeonError(f"{self.function.__qualname__} ({place}) cannot be differentiated: {what}; {ADVICE}")

    # -- names from outside ---------------------------------------------------------------------------------

    def lookup(self, node: ast.expr) -> Any:
        """The object behind a name from outside the function, or behind module.name."""
        if isinstance(node, ast.Attribute):
            base = self.lookup(node.value)
            if isinstance(base, types.ModuleType) and hasattr(base, node.attr):
                return getattr(base, node.attr)
            self.refuse(node, f"{ast.unparse(node)} is not a name of a module")
        if not isinstance(node, ast.Name) or node.id in self.local:
            self.refuse(node, f"{ast.unparse(node)} is not a name from outside")
        cells = zip(self.function.__code__.co_freevars, self.function.__closure__ or (), strict=True)
        enclosing = {name: cell.cell_contents for name, cell in cells}
        for scope in (enclosing, self.function.__globals__, vars(builtins)):
            if node.id in scope:
                return scope[node.id]
        self.refuse(node, f"{node.id} is not defined")

    def callee(self, node: ast.Call) -> Any:
        function = self.lookup(node.func)
        return getattr(function, "py_func", function)  # behind a kernel, or what a user compiled by Numba

    def plain(self, node: ast.expr) -> str:
        """An expression that carries no derivative, with names from outside written out."""
        return ast.unparse(_Plain(self).visit(copy.deepcopy(node)))

    def arguments(self, node: ast.Call) -> dict[str, ast.expr]:
        """Arguments of the call of a helper by its parameters' names, in their order, defaults filled in."""
        if any(isinstance(x, ast.Starred) for x in node.args) or any(k.arg is None for k in node.keywords):
            self.refuse(node, f"{ast.unparse(node)} passes a list of arguments")
        signature = inspect.signature(self.callee(node))
        try:
            given = signature.bind(*node.args, **{k.arg: k.value for k in node.keywords if k.arg}).arguments
        except TypeError as error:
            self.refuse(node, f"{ast.unparse(node)}: {error}")
        arguments = {}
        for name, parameter in signature.parameters.items():
            text = "" if name in given else self.program.literal(parameter.default)
            if text is None:
                self.refuse(node, f"the default of {name} is no number but {parameter.default!r}")
            arguments[name] = given[name] if name in given else ast.parse(text, mode="eval").body
        return arguments

    # -- what depends on the chosen argument ----------------------------------------------------------------

    def _spread(self) -> None:
        """Mark every variable that is anywhere set from a marked one."""
        before = -1
        while before != len(self.active):
            before = len(self.active)
            for node in ast.walk(self.tree):
                if isinstance(node, ast.Assign):
                    for target in node.targets:
                        self._mark(target, node.value)
                elif isinstance(node, ast.AugAssign | ast.AnnAssign) and node.value is not None:
                    self._mark(node.target, node.value)
                elif isinstance(node, ast.For):
                    self._mark(node.target, node.iter)

    def _mark(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for item, part in zip(target.elts, value.elts, strict=True):
                self._mark(item, part)
        elif self.varies(value):
            self.active |= {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}

    def varies(self, node: ast.expr) -> bool:
        """Whether the derivative of an expression may be other than zero."""
        if isinstance(node, ast.Name):
            return node.id in self.active
        if isinstance(node, ast.Compare):
            return False
        if isinstance(node, ast.IfExp):
            return self.varies(node.body) or self.varies(node.orelse)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv):
            return False
        if isinstance(node, ast.Call):
            inside = [*node.args, *(k.value for k in node.keywords)]
            return spelling(self.callee(node)) not in STEPS and any(self.varies(x) for x in inside)
        return any(self.varies(x) for x in ast.iter_child_nodes(node) if isinstance(x, ast.expr))


class _Plain(ast.NodeTransformer):
    """Writes out what an expression takes from outside its function."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Name | ast.Attribute):
            return self._value(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        if not isinstance(node, PLAIN):
            self.scope.refuse(node, f"{ast.unparse(node)} is not arithmetic")
        return self.generic_visit(node)

    def _value(self, node: ast.Name | ast.Attribute) -> ast.expr:
        if isinstance(node, ast.Name) and node.id in self.scope.local:
            return node
        value = self.scope.lookup(node)
        text = self.scope.program.literal(value)
        if text is None:
            self.scope.refuse(node, f"{ast.unparse(node)} is no number but {type(value).__name__}")
        return ast.parse(text, mode="eval").body

    def _call(self, node: ast.Call) -> ast.expr:
        function, inside = self.scope.callee(node), list(node.args)
        name = spelling(function)
        if isinstance(function, types.FunctionType):
            inside = list(self.scope.arguments(node).values())
            name = self.scope.program.rewrite(function, frozenset()).name
        elif name is None or node.keywords:
            self.scope.refuse(node, f"{ast.unparse(node)} is not known")
        return ast.parse(f"{name}({', '.join(ast.unparse(self.visit(x)) for x in inside)})", mode="eval").body
