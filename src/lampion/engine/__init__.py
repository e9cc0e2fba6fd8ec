"""Compile the rules of any game and run them fast: all that knows Numba and LLVM.

`compile` has the decorators of compiled functions, `linking` turns what they reach into one piece of machine code, and
`cache` keeps it on disk. `dispatch` calls the function of the game whose state is given, `rules` lists these functions,
and `ranking`, `playout`, `event_log`, `bits` and `rng` are what all games share. `wasm` makes a WebAssembly module of
them, and `module` calls one in a page, where `arrays` does without NumPy. Nothing here imports a game.
"""
