"""Calling a bot from compiled code through the address of its compiled function.

All bots, compiled or not, sit behind one signature, so the kernels never have to be compiled again for a
new bot. The signature is the one Numba itself uses between compiled functions of type
``int64(parameters, view)``: it returns a status (0: fine) and writes the answer where it is told to. That
way an exception inside a compiled bot comes back as a status; with C callbacks it would be lost.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ..moves import FAULT


@intrinsic  # type: ignore[untyped-decorator]
def call_bot(typing_context: Any, address: Any, parameters: Any, view: Any) -> Any:
    """Ask the function at an address for a move.

    Parameters
    ----------
    address : int64
        Of a function as `harness.strategy` makes them.
    parameters : int64
        Address of the bot's parameters.
    view : record

    Returns
    -------
    int64
        The answer, or `FAULT` if the function raised.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        number, pointer = ir.IntType(64), ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.IntType(32), [number.as_pointer(), pointer.as_pointer(), pointer, pointer])
        function = builder.inttoptr(args[0], kind.as_pointer())
        answer = cgutils.alloca_once(builder, number)
        raised = cgutils.alloca_once(builder, pointer)
        status = builder.call(
            function,
            [answer, raised, builder.inttoptr(args[1], pointer), builder.bitcast(args[2], pointer)],
        )
        fine = builder.icmp_signed("==", status, ir.Constant(ir.IntType(32), 0))
        return builder.select(fine, builder.load(answer), ir.Constant(number, FAULT))

    return types.int64(types.int64, types.int64, view), codegen
