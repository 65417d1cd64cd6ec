"""`LawTangent`: one function of a law, rewritten statement by statement."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from gudgeon.compile.native.tangent.expressions import TangentExpressions

if TYPE_CHECKING:
    from gudgeon.compile.native.tangent.program import TangentProgram


class LawTangent(TangentExpressions):
    """It takes companions behind its arguments and returns values, then their derivatives; the entry takes no
    companions and returns the derivative alone."""

    def __init__(self, program: TangentProgram, function: Any, active: frozenset[int], entry: bool,
                 number: int) -> None:  # fmt: skip
        super().__init__(program, function, active)
        self.entry, self.name = entry, f"{function.__name__}_{number}"
        self.width: int | None = None  # how many values it returns; known when it is written
        self.depends = False  # whether anything it returns carries a derivative

    def text(self) -> str:
        companions = [] if self.entry else [self.companion + name for name in self.seeds]
        for name in self.parameters:
            if name in self.active and (self.entry or name not in self.seeds):
                self.emit(f"{self.companion}{name} = {1.0 if name in self.seeds else 0.0}")
        self.block(self.tree.body, indent=0)
        head = f"def {self.name}({', '.join([*self.parameters, *companions])}):"
        return "\n".join([head, *self.lines, "", ""])

    def block(self, body: Iterable[ast.stmt], indent: int = 1) -> None:
        self.depth += indent
        before = len(self.lines)
        for statement in body:
            self.statement(statement)
        if len(self.lines) == before:
            self.emit("pass")
        self.depth -= indent

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Pass() | ast.Expr(value=ast.Constant()) | ast.AnnAssign(value=None):
                pass
            case ast.Break() | ast.Continue() | ast.Raise():
                self.emit(ast.unparse(node))
            case ast.Assign():
                self.assign(node.targets, node.value)
            case ast.AnnAssign(value=ast.expr() as value):
                self.assign([node.target], value)
            case ast.AugAssign(target=ast.Name(id=name)):
                old = ast.copy_location(ast.Name(name, ast.Load()), node)
                self.assign([node.target], ast.copy_location(ast.BinOp(old, node.op, node.value), node))
            case ast.If():
                self.emit(f"if {self.plain(node.test)}:")
                self.block(node.body)
                if node.orelse:
                    self.emit("else:")
                    self.block(node.orelse)
            case ast.While(orelse=[]):
                self.emit(f"while {self.plain(node.test)}:")
                self.block(node.body)
            case ast.For(orelse=[], target=ast.Name(id=name)):
                self.loop(name, node)
            case ast.Return(value=ast.expr()):
                self.leave(node)
            case _:
                self.refuse(node, f'"{ast.unparse(node).splitlines()[0]}" has no derivative')

    def loop(self, name: str, node: ast.For) -> None:
        if isinstance(node.iter, ast.Tuple) and name in self.active:
            pairs = [f"({v}, {d or '0.0'})" for v, d in self.several(node.iter)]
            self.emit(f"for {name}, {self.companion}{name} in ({', '.join(pairs)},):")
        elif self.varies(node.iter):
            self.refuse(node, f"a loop over {ast.unparse(node.iter)} has no derivative")
        else:
            self.emit(f"for {name} in {self.plain(node.iter)}:")
            if name in self.active:
                self.emit(f"    {self.companion}{name} = 0.0")
        self.block(node.body)

    def leave(self, node: ast.Return) -> None:
        assert node.value is not None
        duals = self.several(node.value)
        if self.width not in (None, len(duals)):
            self.refuse(node, "it returns one number here and several there")
        if self.entry and len(duals) > 1:
            self.refuse(node, "it returns several numbers")
        self.width = len(duals)
        self.depends |= any(d is not None for _, d in duals)
        values = [] if self.entry else [v for v, _ in duals]
        self.emit(f"return {', '.join([*values, *((d or '0.0') for _, d in duals if self.seeds)])}")

    def assign(self, targets: list[ast.expr], value: ast.expr) -> None:
        groups = [target.elts if isinstance(target, ast.Tuple) else [target] for target in targets]
        if not all(isinstance(item, ast.Name) for group in groups for item in group):
            self.refuse(value, f"{' = '.join(map(ast.unparse, targets))} is set")
        unpacked = isinstance(targets[0], ast.Tuple)
        if unpacked and not isinstance(value, ast.Tuple | ast.Call) and not self.varies(value):
            self.emit(f"{' = '.join(map(ast.unparse, targets))} = {self.plain(value)}")
            return
        duals = self.several(value) if unpacked else [self.dual(value)]
        if any(len(group) != len(duals) for group in groups):
            self.refuse(value, "there are not as many names as values")
        if len(groups) > 1:
            duals = [(self.atom(v), d) for v, d in duals]
        for group in groups:
            names = [item.id for item in group if isinstance(item, ast.Name)]
            pairs = list(zip(names, (v for v, _ in duals), strict=True))
            slopes = zip(names, (d or "0.0" for _, d in duals), strict=True)
            pairs += [(self.companion + name, d) for name, d in slopes if name in self.active]
            if unpacked:  # all at once: a, b = b, a
                pairs = [(", ".join(name for name, _ in pairs), ", ".join(text for _, text in pairs))]
            for name, text in pairs:
                self.emit(f"{name} = {text}")
