"""How compiled functions become one piece of machine code.

Numba makes machine code of every function by itself, each with a way in from Python, and optimises it again in every
function that calls it. Here only a door, a function that Python calls, becomes machine code. What it reaches stays an
intermediate text, a part, until a door is made, and is then optimised once and together, as a compiler of C would do.
Parts are kept on disk too, so that the next door does not start from the Python text again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from llvmlite.binding import Linkage, parse_bitcode
from numba.core import sigutils, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, compile_result
from numba.core.registry import CPUDispatcher
from numba.core.runtime.nrt import rtsys


def _mangled(record: Any) -> tuple[str, tuple[int]]:
    """The name of a record type in symbols, the same in every process.

    Numba's is a number in the order in which a process happens to meet its types: a part on disk would call what
    another process called so, for another game.
    """
    return "Record", (int.from_bytes(hashlib.sha256(record.name.encode()).digest()[:8]),)


_record_type: Any = types.Record
_record_type.mangling_args = property(_mangled)


class Part(JITCodeLibrary):
    """The text of a function, not optimised. It knows which parts it calls; what else it calls, it holds."""

    origin: Any = None
    """The name of its function and the types of the arguments."""

    def finalize(self) -> None:
        """Take in what is not a part, under names that nobody else sees; make nothing of it yet."""
        others = [library for library in dict.fromkeys(self._linking_libraries) if not isinstance(library, Part)]
        self._linking_libraries = [part for part in dict.fromkeys(self._linking_libraries) if isinstance(part, Part)]
        own = {function.name for function in self._final_module.functions if not function.is_declaration}
        for library in others:
            if library is not rtsys.library:  # which every door links
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        for function in self._final_module.functions:
            if function.name not in own and not function.is_declaration:
                function.linkage = "internal"
        self._finalize_dynamic_globals()
        self._finalized = True

    def reach(self) -> list[Part]:
        """Itself and all parts that it calls, directly or not."""
        found: dict[Part, None] = {self: None}
        left = [self]
        while left:
            called = [part for part in left.pop()._linking_libraries if part not in found]
            found.update(dict.fromkeys(called))
            left += called
        return list(found)

    def _get_module_for_linking(self) -> Any:
        """For a function that is not ours and knows nothing of parts: the text with all that it calls."""
        if self._shared_module is None:
            self._ensure_finalized()
            module = self._final_module.clone()
            for part in self.reach()[1:]:
                module.link_in(part._final_module, preserve=True)
            for function in module.functions:
                if not function.is_declaration and function.linkage == Linkage.external:
                    function.linkage = "linkonce_odr"
            self._shared_module = module
        return self._shared_module


class Whole(JITCodeLibrary):
    """A door with all that it reaches."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._parts: dict[Part, None] = {}

    def add_linking_library(self, library: Any) -> None:
        """Take a function in, and all that it reaches."""
        if isinstance(library, Part):
            self._parts.update(dict.fromkeys(library.reach()))
        else:
            super().add_linking_library(library)

    def finalize(self) -> None:
        """Link all parts, optimise, and make machine code."""
        for part in self._parts:
            self._final_module.link_in(part._final_module, preserve=True)
        super().finalize()

    def _optimize_final_module(self) -> None:
        """As Numba does; but nobody else can call a part, so its arguments and results are free to change."""
        names = {function.name for part in self._parts for function in part._final_module.functions}
        for function in self._final_module.functions:
            if function.name in names and not function.is_declaration:
                function.linkage = "internal"
        super()._optimize_final_module()


class PartCompiler(Compiler):
    """Compiles to the intermediate text, without a way in from Python."""

    def define_pipelines(self) -> Any:
        state = self.state
        state.flags.no_cpython_wrapper = state.flags.no_cfunc_wrapper = state.flags.no_compile = True
        state.library = Part(state.targetctx.codegen(), state.func_id.func_qualname)
        if is_named(state.func_id.func):
            state.func_id.unique_id = 0  # the same name in every process: parts on disk call each other
        return super().define_pipelines()


def is_named(function: Any) -> bool:
    """Whether module and name tell a function from all others."""
    return "<locals>" not in function.__qualname__


class DoorCompiler(Compiler):
    """Compiles to machine code, with a way in from Python."""

    def define_pipelines(self) -> Any:
        state = self.state
        state.flags.no_cfunc_wrapper = True
        state.library = Whole(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().define_pipelines()


class _KeptParts(CompileResultCacheImpl):
    """A part as it is kept on disk: its text, what its callers need to know, and what it calls."""

    def get_filename_base(self, *args: Any) -> str:
        return f"part.{super().get_filename_base(*args)}"  # its door has a file of the plain name

    def check_cachable(self, made: Any) -> bool:
        parts = [made.library, *made.library._linking_libraries]
        return all(part.origin for part in parts) and not made.library.has_dynamic_globals

    def reduce(self, made: Any) -> Any:
        made.fndesc.typemap = made.fndesc.calltypes = None
        called = [part.origin for part in made.library._linking_libraries]
        return made.library.name, made.library._final_module.as_bitcode(), made.fndesc, made.signature, called

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        name, text, description, signature, called = payload
        if any(function not in INNER for function, _ in called):
            return None
        part = Part(target_context.codegen(), name)
        part._final_module = parse_bitcode(text)
        for function, args in called:
            part.add_linking_library(INNER[function]().part(args).library)
        return compile_result(
            library=part,
            fndesc=description,
            signature=signature,
            objectmode=False,
            target_context=target_context,
            typing_context=target_context.typing_context,
        )


class _OneFileEach(IndexDataCacheFile):
    """A file a signature, named by it. Numba numbers its files in an index: two processes that add to one at once, each
    for a game of its own, gave the same number to both, and the machine code of one was called for the other."""

    def _file(self, key: Any) -> str:
        named = repr((self._version, self._source_stamp, key))
        return f"{self._index_name.removesuffix('.nbi')}.{hashlib.sha256(named.encode()).hexdigest()[:24]}.nbc"

    def save(self, key: Any, data: Any) -> None:
        self._save_data(self._file(key), data)

    def load(self, key: Any) -> Any:
        try:
            return self._load_data(self._file(key))
        except OSError:
            return None


def keep_apart(cache: Any) -> None:
    """Let a cache have a file for every signature."""
    if hasattr(cache, "_cache_file"):
        cache._cache_file.__class__ = _OneFileEach


class _PartCache(FunctionCache):
    _impl_class = _KeptParts


INNER: dict[tuple[str, str], Callable[[], Inner]] = {}
"""By module and name, so that a part on disk can say what it calls."""


class Inner(CPUDispatcher):
    """A compiled function as other compiled functions know it."""

    _compiler: Any

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        super().__init__(function, targetoptions=options, pipeline_class=PartCompiler)
        self._cache = _PartCache(function)
        keep_apart(self._cache)

    def part(self, args: tuple[Any, ...]) -> Any:
        """What was compiled for these types, now or earlier."""
        if args not in self.overloads:
            made = self._cache.load_overload(args, self.targetctx)
            is_new = made is None
            if is_new:
                made = self._compiler.compile(args, None)
            function = self.py_func
            if is_named(function):
                made.library.origin = ((function.__module__, function.__qualname__), args)
            made.library._ensure_finalized()
            if is_new:
                self._cache.save_overload(args, made)
            made = made._replace(entry_point=object())
            self.targetctx.insert_user_function(made.entry_point, made.fndesc, [made.library])
            self.overloads[args] = made
        return self.overloads[args]

    def compile(self, sig: Any) -> Any:
        """As Numba asks for it: the key under which callers find the part."""
        return self.part(sigutils.normalize_signature(sig)[0]).entry_point
