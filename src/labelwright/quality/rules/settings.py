"""Types of settings that several rules have."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

Share = Annotated[float, Field(gt=0, le=1)]
FROM_DISAGREEMENT = "disagreement with other raters alone is no ground against anyone"
