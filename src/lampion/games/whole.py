"""How compiled functions become one piece of machine code.

Numba makes machine code of every function by itself, with a way in from Python, and optimises it again in every function
that calls it. Here only a door, a function that is called from Python, becomes machine code. What it calls, directly or
not, stays an intermediate text until a door needs it, and is then optimised once, together with the door, as a compiler
of C would do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from llvmlite.binding import Linkage
from numba.core import sigutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher


class Part(JITCodeLibrary):
    """A function on its own, not optimised; it names what it calls."""

    def finalize(self) -> None:
        """Nothing is made of it yet."""
        self._finalized = True

    def reach(self) -> Iterator[Any]:
        """The libraries of all functions that it calls, directly or not, and its own."""
        found = {id(self): self}
        left = [self]
        while left:
            for library in left.pop()._linking_libraries:
                if id(library) not in found:
                    found[id(library)] = library
                    if isinstance(library, Part):
                        left.append(library)
        yield from found.values()

    def _get_module_for_linking(self) -> Any:
        """For a function of Numba's own or another's, which knows nothing of parts: with all that it calls."""
        if self._shared_module is None:
            whole = self._final_module.clone()
            for library in self.reach():
                if library is not self:
                    module = library._final_module if isinstance(library, Part) else library._get_module_for_linking()
                    whole.link_in(module, preserve=True)
            for function in whole.functions:
                if not function.is_declaration and function.linkage == Linkage.external:
                    function.linkage = "linkonce_odr"
            self._shared_module = whole
        return self._shared_module


class Whole(JITCodeLibrary):
    """A door with all that it reaches."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._parts: dict[int, Part] = {}

    def add_linking_library(self, library: Any) -> None:
        """Take a function in, and all that it calls."""
        if isinstance(library, Part):
            for reached in library.reach():
                if isinstance(reached, Part):
                    self._parts[id(reached)] = reached
                else:
                    super().add_linking_library(reached)
        else:
            super().add_linking_library(library)

    def finalize(self) -> None:
        """Link all parts; nobody else can call them."""
        for part in self._parts.values():
            self._final_module.link_in(part._final_module, preserve=True)
        super().finalize()

    def _optimize_final_module(self) -> None:
        for part in self._parts.values():
            for function in part._final_module.functions:
                if not function.is_declaration:
                    self._final_module.get_function(function.name).linkage = "internal"
        super()._optimize_final_module()


class PartCompiler(Compiler):
    """Compiles up to the intermediate text."""

    def define_pipelines(self) -> Any:
        state = self.state
        state.flags.no_cpython_wrapper = state.flags.no_cfunc_wrapper = state.flags.no_compile = True
        state.library = Part(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().define_pipelines()


class DoorCompiler(Compiler):
    """Compiles to machine code."""

    def define_pipelines(self) -> Any:
        state = self.state
        state.flags.no_cfunc_wrapper = True
        state.library = Whole(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().define_pipelines()


class Inner(CPUDispatcher):
    """A compiled function as other compiled functions call it."""

    def compile(self, sig: Any) -> Any:
        args, return_type = sigutils.normalize_signature(sig)
        if args not in self.overloads:
            made = self._compiler.compile(args, return_type)
            made = made._replace(entry_point=object())
            self.targetctx.insert_user_function(made.entry_point, made.fndesc, [made.library])
            self.overloads[args] = made
        return self.overloads[args].entry_point
