"""The static site: the rules of the games as WebAssembly modules, and what runs them without a server."""
