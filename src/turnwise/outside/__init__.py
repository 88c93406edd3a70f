"""The world: platforms, language models, engines. Everything that opens a socket."""
