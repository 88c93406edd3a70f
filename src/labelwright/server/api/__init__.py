"""The public API, made of the areas' actions. Its document is at /api/v1/openapi.json."""
