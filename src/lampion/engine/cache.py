"""Keep compiled code on disk, and notice every change of what it was made from."""

from __future__ import annotations

import hashlib
import sys
from typing import Any

import numpy as np
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, InTreeCacheLocator

from lampion.engine.cache_folder import cache_folder, compiled_sources


class FolderLocator(InTreeCacheLocator):
    """Locates the cache of a function in `cache_folder`.

    By the module's name, so that copies of the same sources share compiled code, as they share the folder; by the path
    of a module that is not part of the folder's hash.
    """

    def __init__(self, py_func: Any, py_file: str) -> None:
        super().__init__(py_func, py_file)
        name = py_func.__module__
        self._is_hashed = name in compiled_sources()
        its_own = name if self._is_hashed else self.get_suitable_cache_subpath(py_file)
        self._cache_path = str(cache_folder() / its_own)

    def get_source_stamp(self) -> Any:
        """Return what the code depends on besides the sources, whose hash names the folder."""
        return (sys.version_info[:2], np.__version__) if self._is_hashed else super().get_source_stamp()


class EntryPointCacheImpl(CompileResultCacheImpl):
    """How Numba caches a function, in our folder where that can be written."""

    _locator_classes = [FolderLocator, *CompileResultCacheImpl._locator_classes]  # noqa: RUF012 - as Numba declares it


class FilePerSignature(IndexDataCacheFile):
    """A cache that has a file for each signature, named by a hash of it.

    Numba numbers its files in an index. Two processes that add to one index at the same time give the same number to
    two files, and the machine code of one is then called in place of the other's.
    """

    def _file(self, key: Any) -> str:
        named = repr((self._version, self._source_stamp, key))
        return f"{self._index_name.removesuffix('.nbi')}.{hashlib.sha256(named.encode()).hexdigest()[:24]}.nbc"

    def save(self, key: Any, data: Any) -> None:
        """Write the data of a signature."""
        self._save_data(self._file(key), data)

    def load(self, key: Any) -> Any:
        """Return the data of a signature, or None."""
        try:
            return self._load_data(self._file(key))
        except OSError:
            return None


class EntryPointCache(FunctionCache):
    """The cache of one function that Python calls."""

    _impl_class: Any = EntryPointCacheImpl

    def __init__(self, py_func: Any) -> None:
        super().__init__(py_func)
        self._cache_file = FilePerSignature(
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base,
            source_stamp=self._impl.locator.get_source_stamp(),
        )
