"""Publications on platforms: orders, changes, readings and differences."""
