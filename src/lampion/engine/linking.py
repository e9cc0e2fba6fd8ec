"""Link compiled functions into one piece of machine code.

Numba makes machine code of every function by itself, each with an entry point for Python, and optimises it again in
every function that calls it. Here only an entry point, a function that Python calls, becomes machine code. What it
reaches stays LLVM's intermediate code, a fragment, until an entry point is compiled, and is then optimised once and
together, as a compiler of C would do. Fragments are kept on disk too, so that the next entry point does not start from
the Python text again.
"""

from __future__ import annotations

import hashlib
from typing import Any

from llvmlite.binding import Linkage, parse_bitcode
from numba.core import itanium_mangler, sigutils, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, compile_result
from numba.core.registry import CPUDispatcher
from numba.core.runtime.nrt import rtsys

from lampion.engine.cache import EntryPointCache, EntryPointCacheImpl


def symbol(name: str, args: Any, *, abi_tags: Any = (), uid: int | None = None) -> str:
    """Return the linker symbol of a function for these argument types, the same in every process.

    Numba's symbol has a number for each record type, in the order in which a process happens to meet them: a fragment
    from disk would call whatever has its number in this process, perhaps of another game.
    """
    kinds = hashlib.sha256(repr([kind.name for kind in args]).encode()).hexdigest()[:16]
    mangled: str = itanium_mangler.mangle(name, (), abi_tags=(*abi_tags, kinds), uid=uid)
    return mangled


class Fragment(JITCodeLibrary):
    """The intermediate code of a function, not optimised. It lists the fragments that it calls and contains all else
    that it calls."""

    origin: Any = None
    """The name of its function and the types of the arguments."""

    def finalize(self) -> None:
        """Link what is not a fragment under internal names; generate no machine code yet."""
        others = [library for library in dict.fromkeys(self._linking_libraries) if not isinstance(library, Fragment)]
        self._linking_libraries = [one for one in dict.fromkeys(self._linking_libraries) if isinstance(one, Fragment)]
        own = {function.name for function in self._final_module.functions if not function.is_declaration}
        for library in others:
            if library is not rtsys.library:  # which every entry point links
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        for function in self._final_module.functions:
            if function.name not in own and not function.is_declaration:
                function.linkage = "internal"
        self._finalize_dynamic_globals()
        self._finalized = True

    def reachable(self) -> list[Fragment]:
        """Return itself and all fragments that it calls, directly or not."""
        found: dict[Fragment, None] = {self: None}
        left = [self]
        while left:
            called = [fragment for fragment in left.pop()._linking_libraries if fragment not in found]
            found.update(dict.fromkeys(called))
            left += called
        return list(found)

    def _get_module_for_linking(self) -> Any:
        """Return its code with all that it calls, for a foreign function that knows nothing of fragments."""
        if self._shared_module is None:
            self._ensure_finalized()
            module = self._final_module.clone()
            for fragment in self.reachable()[1:]:
                module.link_in(fragment._final_module, preserve=True)
            for function in module.functions:
                if not function.is_declaration and function.linkage == Linkage.external:
                    function.linkage = "linkonce_odr"
            self._shared_module = module
        return self._shared_module


class LinkedModule(JITCodeLibrary):
    """An entry point linked with all fragments that it reaches."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._fragments: dict[Fragment, None] = {}

    def add_linking_library(self, library: Any) -> None:
        """Add a called function and all that it reaches."""
        if isinstance(library, Fragment):
            self._fragments.update(dict.fromkeys(library.reachable()))
        else:
            super().add_linking_library(library)

    def finalize(self) -> None:
        """Link all fragments, optimise, and generate machine code."""
        for fragment in self._fragments:
            self._final_module.link_in(fragment._final_module, preserve=True)
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Optimise as Numba does, with fragments internal: LLVM may then change their arguments and results."""
        names = {function.name for fragment in self._fragments for function in fragment._final_module.functions}
        for function in self._final_module.functions:
            if function.name in names and not function.is_declaration:
                function.linkage = "internal"
        super()._optimize_final_module()


class FragmentCompiler(Compiler):
    """Compiles a function to a fragment, without an entry point for Python."""

    def define_pipelines(self) -> Any:
        """Return Numba's passes, after the library and the symbols were replaced for this one compilation."""
        state = self.state
        state.flags.no_cpython_wrapper = state.flags.no_cfunc_wrapper = state.flags.no_compile = True
        state.library = Fragment(state.targetctx.codegen(), state.func_id.func_qualname)
        state.targetctx = state.targetctx.subtarget(mangler=symbol)
        if has_unique_name(state.func_id.func):
            state.func_id.unique_id = 0  # the same symbol in every process: fragments on disk call each other
        return super().define_pipelines()


class EntryPointCompiler(Compiler):
    """Compiles a function to machine code, with an entry point for Python."""

    def define_pipelines(self) -> Any:
        """Return Numba's passes, after the library and the symbols were replaced for this one compilation."""
        state = self.state
        state.flags.no_cfunc_wrapper = True
        state.library = LinkedModule(state.targetctx.codegen(), state.func_id.func_qualname)
        state.targetctx = state.targetctx.subtarget(mangler=symbol)
        state.library.enable_object_caching()
        return super().define_pipelines()


def has_unique_name(function: Any) -> bool:
    """Return whether no other function has the same module and qualified name."""
    return "<locals>" not in function.__qualname__


class _FragmentCacheImpl(EntryPointCacheImpl):
    """Writes a fragment to disk: its code, its signature, and the names of the fragments that it calls."""

    def get_filename_base(self, *args: Any) -> str:
        return f"fragment.{super().get_filename_base(*args)}"  # the entry point has a file of the plain name

    def check_cachable(self, made: Any) -> bool:
        fragments = [made.library, *made.library._linking_libraries]
        return all(fragment.origin for fragment in fragments) and not made.library.has_dynamic_globals

    def reduce(self, made: Any) -> Any:
        made.fndesc.typemap = made.fndesc.calltypes = None
        called = [fragment.origin for fragment in made.library._linking_libraries]
        return made.library.name, made.library._final_module.as_bitcode(), made.fndesc, made.signature, called

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        name, bitcode, description, signature, called = payload
        if any(function not in ENTRY_POINTS for function, _ in called):
            return None
        fragment = Fragment(target_context.codegen(), name)
        fragment._final_module = parse_bitcode(bitcode)
        for function, args in called:
            fragment.add_linking_library(ENTRY_POINTS[function].callee().fragment(args).library)
        return compile_result(
            library=fragment,
            fndesc=description,
            signature=signature,
            objectmode=False,
            target_context=target_context,
            typing_context=target_context.typing_context,
        )


class _FragmentCache(EntryPointCache):
    _impl_class: Any = _FragmentCacheImpl


def widened(args: Any) -> tuple[Any, ...]:
    """Return argument types with constants and narrow integers as int64.

    Numba would compile a function again for every constant and every narrow type that it is called with.
    """
    plain = map(types.unliteral, args)
    return tuple(
        types.int64 if isinstance(kind, types.Integer) and getattr(kind, "bitwidth", 64) < 64 else kind
        for kind in plain
    )


class Callee(CPUDispatcher):
    """A compiled function as other compiled functions call it."""

    _compiler: Any

    def __init__(
        self, py_func: Any, locals: Any = None, targetoptions: Any = None, pipeline_class: Any = FragmentCompiler
    ) -> None:
        super().__init__(py_func, locals or {}, targetoptions or {}, pipeline_class)
        self._cache = _FragmentCache(py_func)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Resolve a call as Numba does, of the widened types."""
        return super().get_call_template(widened(args), kws)

    def fragment(self, args: tuple[Any, ...]) -> Any:
        """Return the compile result for these types: compiled now or earlier, or loaded from disk."""
        if args not in self.overloads:
            made = self._cache.load_overload(args, self.targetctx)
            is_new = made is None
            if is_new:
                made = self._compiler.compile(args, None)
            function = self.py_func
            if has_unique_name(function):
                made.library.origin = ((function.__module__, function.__qualname__), args)
            made.library._ensure_finalized()
            if is_new:
                self._cache.save_overload(args, made)
            made = made._replace(entry_point=object())
            self.targetctx.insert_user_function(made.entry_point, made.fndesc, [made.library])
            self.overloads[args] = made
        return self.overloads[args]

    def compile(self, sig: Any) -> Any:
        """Return the key under which Numba finds the fragment for callers."""
        return self.fragment(sigutils.normalize_signature(sig)[0]).entry_point


ENTRY_POINTS: dict[tuple[str, str], EntryPoint] = {}
"""Compiled functions by module and name, so that a fragment on disk can name what it calls."""


class EntryPoint(CPUDispatcher):
    """A compiled function as Python calls it; compiled code that calls it links its `callee`."""

    def __init__(
        self, py_func: Any, locals: Any = None, targetoptions: Any = None, pipeline_class: Any = EntryPointCompiler
    ) -> None:
        super().__init__(py_func, locals or {}, targetoptions or {}, pipeline_class)
        self._cache = EntryPointCache(py_func)
        self._callee: Callee | None = None
        ENTRY_POINTS[py_func.__module__, py_func.__qualname__] = self

    def callee(self) -> Callee:
        """Return the function as compiled code calls it, made when first asked for."""
        if self._callee is None:
            self._callee = Callee(self.py_func, targetoptions=self.targetoptions)
        return self._callee

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Resolve a call from compiled code to the callee."""
        return self.callee().get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        """Return the key of the callee's fragment."""
        return self.callee().get_overload(sig)
