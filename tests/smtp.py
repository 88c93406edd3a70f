"""A mail server of the tests' own: as much of SMTP as Django's client speaks."""

from __future__ import annotations

import email
import socketserver
import threading
from email.message import Message
from types import TracebackType
from typing import Self


class MailServer:
    """Takes mails on a port of this machine and keeps them; refuses those to `refused`."""

    def __init__(self, refused: str = "") -> None:
        self.mails: list[Message] = []
        outer = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                self.wfile.write(b"220 test\r\n")
                while line := self.rfile.readline():
                    word = line.strip().upper()
                    if word.startswith(b"RCPT") and refused and refused.upper().encode() in word:
                        self.wfile.write(b"550 no such person\r\n")
                    elif word == b"DATA":
                        self.wfile.write(b"354 go on\r\n")
                        self._take()
                    elif word == b"QUIT":
                        self.wfile.write(b"221 bye\r\n")
                        return
                    else:
                        self.wfile.write(b"250 fine\r\n")

            def _take(self) -> None:
                lines = []
                while (line := self.rfile.readline()) != b".\r\n":
                    lines.append(line)
                outer.mails.append(email.message_from_bytes(b"".join(lines)))
                self.wfile.write(b"250 taken\r\n")

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
