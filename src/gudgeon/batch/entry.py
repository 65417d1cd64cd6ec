"""Where a kernel is entered: by every thread of a GPU, or by a loop over trajectories on the processor."""

from __future__ import annotations

from llvmlite import ir

from gudgeon.compile.python.values import LONG

__all__ = ["gpu_entry", "host_entry"]


def gpu_entry(kernel: ir.Function, one: ir.Function) -> None:
    kernel.calling_convention = "ptx_kernel"
    b = ir.IRBuilder(kernel.append_basic_block("entry"))
    word = ir.IntType(32)

    def register(name: str) -> ir.Value:
        read = ir.Function(kernel.module, ir.FunctionType(word, []), f"llvm.nvvm.read.ptx.sreg.{name}")
        return b.zext(b.call(read, []), LONG)

    block, size, place = register("ctaid.x"), register("ntid.x"), register("tid.x")
    thread = b.add(b.mul(block, size), place)
    with b.if_then(b.icmp_signed("<", thread, kernel.args[0])):
        b.call(one, [thread, *kernel.args])
    b.ret_void()


def host_entry(loop: ir.Function, one: ir.Function) -> None:
    """The first two arguments say from which trajectory to which."""
    entry, test, body, end = (loop.append_basic_block(name) for name in ("entry", "test", "body", "end"))
    b = ir.IRBuilder(entry)
    b.branch(test)
    b.position_at_end(test)
    thread = b.phi(LONG)
    thread.add_incoming(loop.args[0], entry)
    b.cbranch(b.icmp_signed("<", thread, loop.args[1]), body, end)
    b.position_at_end(body)
    b.call(one, [thread, *loop.args[2:]])
    thread.add_incoming(b.add(thread, LONG(1)), b.block)
    b.branch(test)
    b.position_at_end(end)
    b.ret_void()
