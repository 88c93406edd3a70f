"""Any panel whose people come by an address with ids, go back by an address or a code, and are paid from a list."""

from __future__ import annotations

from typing import ClassVar

from labelwright.crowd.platform import PayRoute, Platform, platform


@platform
class PanelPlatform(Platform):
    """A recruiter that needs no call: the study file says how people come and go back."""

    name: ClassVar[str] = "panel"
    pay_route: ClassVar[PayRoute] = PayRoute.LIST
