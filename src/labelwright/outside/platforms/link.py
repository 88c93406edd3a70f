"""Own raters, who come by a personal link and are paid outside, from a pay list."""

from __future__ import annotations

from typing import ClassVar

from labelwright.crowd.platform import PayRoute, Platform, platform


@platform
class LinkPlatform(Platform):
    """Raters whom you invite yourself. No platform stands between, so there is no fee unless the study file says so."""

    name: ClassVar[str] = "link"
    pay_route: ClassVar[PayRoute] = PayRoute.LIST
