"""`labelwright emulate`: recruitment platforms on this machine, for trying things out and for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from labelwright.outside.emulators.web import EmulatedPlatform

PORT = Annotated[int, typer.Option(help="The port on 127.0.0.1; 0 takes a free one.", min=0, max=65535)]


def register(app: typer.Typer) -> None:
    """Adds `labelwright emulate`."""
    emulate = typer.Typer(no_args_is_help=True, help="Emulate a recruitment platform on this machine.")
    emulate.command("prolific")(prolific)
    emulate.command("mturk")(mturk)
    app.add_typer(emulate, name="emulate")


def prolific(
    port: PORT = 8610,
    participants: Annotated[int, typer.Option(help="How many participants there are.", min=0)] = 5,
    balance: Annotated[
        int, typer.Option(help="The balance of the workspace, in whole units.", min=0)
    ] = 10_000,
    currency: Annotated[str, typer.Option(help="USD or GBP.")] = "USD",
    token: Annotated[str, typer.Option(help="The token that the API asks for.")] = "emulated-token",  # noqa: S107
) -> None:
    """Emulate Prolific: its API, its participants' pages, its ledger and its webhooks. Nobody is paid."""
    from labelwright.outside.emulators.prolific import ProlificEmulator, ProlificSettings

    settings = ProlificSettings(token=token, currency=currency, balance_cents=balance * 100)
    emulator = ProlificEmulator(settings)
    emulator.add_participants(participants)
    typer.echo(f"{'Token:':<14}{token}")
    _serve(emulator, port, ("API", "/api/v1/"), ("Participants", "/"))


def mturk(
    port: PORT = 8611,
    workers: Annotated[int, typer.Option(help="How many workers there are.", min=0)] = 5,
    balance: Annotated[int, typer.Option(help="The balance of the account, in dollars.", min=0)] = 10_000,
    sandbox: Annotated[bool, typer.Option("--sandbox", help="Behave like the service for trials.")] = False,
) -> None:
    """Emulate Mechanical Turk, whose public service closed on 30 September 2026. Nobody is paid."""
    from labelwright.outside.emulators.mturk import MturkEmulator, MturkSettings

    settings = MturkSettings(sandbox=sandbox, balance_cents=balance * 100)
    emulator = MturkEmulator(settings)
    emulator.add_workers(workers)
    typer.echo(f"{'Access key:':<14}{settings.access_key}")
    typer.echo(f"{'Secret key:':<14}{settings.secret_key}")
    _serve(emulator, port, ("API", "/"), ("Workers", "/"))


def _serve(platform: EmulatedPlatform, port: int, *addresses: tuple[str, str]) -> None:
    from labelwright.outside.emulators.web import EmulatorServer

    with EmulatorServer(platform, port) as server:
        for name, path in (*addresses, ("Controls", "/_emu/")):
            typer.echo(f"{name + ':':<14}{server.address}{path}")
        typer.echo("Stop with Ctrl+C. Nothing is stored.")
        try:
            server.wait()
        except KeyboardInterrupt:
            typer.echo("Stopped.")
