"""Compile entry points to a WebAssembly module, from the same fragments that become machine code.

A function of the module takes plain numbers: for an array its address and its lengths, for a named tuple its fields one
after another, for None nothing. The module works in a memory that it is given, such as that of Python in a page, and
allocates nothing. Where compiled code would raise, it traps.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numba
from numba.core import types

from lampion.engine.linking import EntryPoint, Fragment

TRIPLE = "wasm32-unknown-emscripten"
FEATURES = "+bulk-memory,+bulk-memory-opt,+sign-ext,+nontrapping-fptoint,+mutable-globals,+multivalue,+simd128"
LINKER = [sys.executable, "-m", "ziglang", "wasm-ld"]
AS_SHARED = ["-shared", "--experimental-pic", "--no-entry", "--import-memory", "--gc-sections", "--strip-all"]
HELPERS = """
declare double @llvm.sqrt.f64(double)
declare void @llvm.trap()
define double @sqrt(double %x) {
  %root = call double @llvm.sqrt.f64(double %x)
  ret double %root
}
define i64 @strlen(ptr %text) noinline "no-builtins" {
entry:
  br label %more
more:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %at = getelementptr i8, ptr %text, i64 %i
  %byte = load i8, ptr %at
  %next = add i64 %i, 1
  %is_end = icmp eq i8 %byte, 0
  br i1 %is_end, label %out, label %more
out:
  ret i64 %i
}
"""
"""The square root as an instruction, and `strlen`, which LLVM calls in place of some loops over bytes."""


class Export(NamedTuple):
    """A function of a module: its name, the entry point, and arguments of the types that it is called with."""

    name: str
    function: Any
    arguments: tuple[Any, ...]


def leaves(value: Any) -> Iterator[Any]:
    """Yield the arrays and numbers that an argument holds, in the order in which a function takes them."""
    if isinstance(value, tuple):
        for part in value:
            yield from leaves(part)
    elif value is not None:
        yield value


class ArgumentPassing:
    """How the arguments of one function go from plain numbers to what Numba's calling convention wants."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.given: list[str] = []
        self.body: list[str] = []

    def add(self, kind: Any) -> None:
        """Add an argument of a type."""
        at = len(self.taken)
        if isinstance(kind, types.Array):
            self._add_array(kind, at)
        elif hasattr(kind, "types"):  # a tuple
            for part in kind.types:
                self.add(part)
        elif isinstance(kind, types.NoneType):
            self.given.append("ptr null")
        else:
            own = "double" if isinstance(kind, types.Float) else "i64"
            self.taken.append(f"{own} %p{at}")
            self.given.append(f"{own} %p{at}")

    def _add_array(self, kind: Any, at: int) -> None:
        """Add a contiguous array without an owner."""
        self.taken.append(f"ptr %p{at}")
        size = kind.dtype.size if isinstance(kind.dtype, types.Record) else kind.dtype.bitwidth // 8
        lengths = [f"%n{at}_{axis}" for axis in range(kind.ndim)]
        for length in lengths:
            self.taken.append(f"i32 {length}_")
            self.body.append(f"  {length} = zext i32 {length}_ to i64")
        steps = [str(size)]
        for axis in reversed(range(kind.ndim)):
            self.body.append(f"  %s{at}_{axis} = mul i64 {steps[0]}, {lengths[axis]}")
            steps.insert(0, f"%s{at}_{axis}")
        self.body.append(f"  %t{at} = udiv i64 {steps[0]}, {size}")
        self.given += ["ptr null", "ptr null", f"i64 %t{at}", f"i64 {size}", f"ptr %p{at}"]
        self.given += [f"i64 {number}" for number in lengths + steps[1:]]


def result_types(result: Any) -> tuple[str, str, str]:
    """Return a result's type in a fragment and in an export, and the LLVM text that returns the one as the other."""
    if isinstance(result, types.NoneType):
        return "ptr", "void", "ret void"
    if isinstance(result, types.Float):
        return "double", "double", "ret double %value"
    if result.bitwidth == 64:
        return "i64", "i64", "ret i64 %value"
    widen = "sext" if result.signed else "zext"
    return f"i{result.bitwidth}", "i64", f"%wide = {widen} i{result.bitwidth} %value to i64\n  ret i64 %wide"


def export_text(name: str, symbol: str, kinds: tuple[Any, ...], result: Any) -> str:
    """Return the LLVM text of an exported function that calls a fragment and traps where that fails."""
    passing = ArgumentPassing()
    for kind in kinds:
        passing.add(kind)
    own, given_back, back = result_types(types.unliteral(result))
    given = ", ".join(passing.given)
    declared = ", ".join(part.split()[0] for part in passing.given)
    return "\n".join([
        f'declare i32 @"{symbol}"(ptr, ptr, {declared})',
        f"define {given_back} @{name}({', '.join(passing.taken)}) {{",
        f"  %result = alloca {own}\n  %raised = alloca ptr",
        *passing.body,
        f'  %status = call i32 @"{symbol}"(ptr %result, ptr %raised, {given})',
        "  %failed = icmp ne i32 %status, 0\n  br i1 %failed, label %trap, label %done",
        "trap:\n  call void @llvm.trap()\n  unreachable",
        f"done:\n  %value = load {own}, ptr %result\n  {back}\n}}",
    ])  # fmt: skip


def target_machine() -> Any:
    """Return LLVM's WebAssembly machine, for code that is placed anywhere in a memory."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(TRIPLE).create_target_machine(
        features=FEATURES, opt=3, reloc="pic", codemodel="default"
    )


def linked(exports: list[Export], machine: Any) -> Any:
    """Return one LLVM module with the exported functions and all fragments that they reach."""
    layout = str(machine.target_data)
    head = f'target triple = "{TRIPLE}"\ntarget datalayout = "{layout}"\n'
    module = llvm.parse_assembly(head)
    fragments: dict[Fragment, None] = {}
    text, symbols = [head, HELPERS], set()
    for name, function, arguments in exports:
        if not isinstance(function, EntryPoint):
            raise TypeError(f"{name} is not compiled")
        kinds = tuple(types.unliteral(numba.typeof(value)) for value in arguments)
        made = function.callee().fragment(kinds)
        fragments.update(dict.fromkeys(made.library.reachable()))
        symbols.add(made.fndesc.llvm_func_name)
        text.append(export_text(name, made.fndesc.llvm_func_name, kinds, made.signature.return_type))
    for fragment in fragments:
        code = llvm.parse_bitcode(fragment._final_module.as_bitcode())
        code.triple, code.data_layout = TRIPLE, layout
        module.link_in(code)
    for thing in (*module.functions, *module.global_variables):
        if not thing.is_declaration and thing.name not in symbols:
            thing.linkage = "internal"  # Numba's environments are "common", which WebAssembly does not know
    module.link_in(llvm.parse_assembly("\n".join(text)))
    for function in module.functions:
        if not function.is_declaration and (function.name in symbols or function.name == "sqrt"):
            function.linkage = "internal"
    module.verify()
    return module


def optimise(module: Any, machine: Any) -> None:
    """Optimise a module as a whole: with vectors, which keep the order in which floats are added."""
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    for _ in range(2):
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)
    missing = [one.name for one in module.functions if one.is_declaration and not one.name.startswith("llvm.")]
    if missing:
        raise RuntimeError(f"compiled code calls what a page does not have: {', '.join(missing)}")


def build(exports: list[Export]) -> bytes:
    """Return a WebAssembly module with these functions. Needs the linker of the package `ziglang`."""
    machine = target_machine()
    module = linked(exports, machine)
    optimise(module, machine)
    with tempfile.TemporaryDirectory() as folder:
        made, out = Path(folder, "module.o"), Path(folder, "module.wasm")
        made.write_bytes(machine.emit_object(module))
        names = [f"--export={export.name}" for export in exports]
        subprocess.run([*LINKER, str(made), "-o", str(out), *AS_SHARED, *names], check=True)
        return out.read_bytes()
