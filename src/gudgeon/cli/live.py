"""A page that follows something being computed: a small server for this computer only.

It listens on 127.0.0.1 at a port of the system's choice. Its address holds a token that no other page can guess; a
request with another host or origin in its head is refused, so that no site a user visits can read along.
"""

from __future__ import annotations

import secrets
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

__all__ = ["Live"]

# a new page is shown at the same moment of time as the old one
FOLLOW = """<script>(() => {
  const was = "%s";
  const view = () => window.gudgeonViewer;
  const kept = sessionStorage.getItem("gudgeon-follow");
  const wait = setInterval(() => {
    if (!view()) return;
    clearInterval(wait);
    if (kept === null || kept === "end") view().go(view().span[1]); else view().go(Number(kept));
  }, 50);
  setInterval(async () => {
    const now = await fetch("stamp").then((r) => r.text()).catch(() => was);
    if (now === was) return;
    if (view()) sessionStorage.setItem("gudgeon-follow", view().t >= view().span[1] ? "end" : view().t);
    location.reload();
  }, 1000);
})();</script>"""


class _Server(ThreadingHTTPServer):
    """A visitor who leaves before the page has come is no error."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class Live:
    """Serves the newest page that `show` was given."""

    def __init__(self) -> None:
        self._page, self._stamp = "<!doctype html><title>gudgeon</title><p>computing ...</p>", 0
        self._token = secrets.token_urlsafe(16)
        self._server = _Server(("127.0.0.1", 0), self._handler())
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/{self._token}/"

    def show(self, page: str) -> None:
        """From now on this page."""
        self._page, self._stamp = page, self._stamp + 1

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str, host: str | None, origin: str | None) -> tuple[int, str, str]:
        """Status, kind and text of the answer to a request."""
        home = f"127.0.0.1:{self.port}"
        if host != home or (origin is not None and origin != f"http://{home}"):
            return 403, "text/plain", "this page is for this computer only"
        if path == f"/{self._token}/stamp":
            return 200, "text/plain", str(self._stamp)
        if path != f"/{self._token}/":
            return 404, "text/plain", "nothing here"
        follow = FOLLOW % self._stamp
        # the page may ask its own server, and nobody else
        page = self._page.replace("default-src 'none';", "default-src 'none'; connect-src 'self';", 1)
        return 200, "text/html", page.replace("</body>", f"{follow}</body>") if "</body>" in page else page + follow

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        live = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, kind, text = live.answer(self.path, self.headers.get("Host"), self.headers.get("Origin"))
                data = text.encode()
                self.send_response(status)
                for name, value in (("Content-Type", f"{kind}; charset=utf-8"), ("Content-Length", str(len(data))),
                                    ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
                                    ("Referrer-Policy", "no-referrer")):  # fmt: skip
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *arguments: object) -> None:
                """Nothing: the terminal belongs to the user."""

        return Handler
