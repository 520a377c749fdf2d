"""Projects and files of a package index (PEP 503, PEP 691), without pip, which builds an sdist to download it."""

from __future__ import annotations

import base64
import functools
import http.client
import json
import os
import re
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag, urljoin, urlsplit, urlunsplit

from benchmarks.primer.errors import FetchError, Unreachable

_DEFAULT = "https://pypi.org/simple"
_ACCEPT = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1"
_TRIES = 2
_SECONDS = 60


@dataclass(frozen=True, slots=True)
class File:
    """A file of a project; the sha256 is empty and the size 0 if the index does not say."""

    name: str
    url: str
    sha256: str
    size: int

    @property
    def is_wheel(self) -> bool:
        return self.name.endswith(".whl")


def download(project: str, file: str) -> bytes:
    """The content of a file of a project, from the index that pip is configured to use."""
    address, listed = _listed(project)
    url = next((one.url for one in listed if one.name == file), None)
    if url is None:
        raise FetchError(f"the package index has no {file}")
    same_host = urlsplit(url).netloc == urlsplit(address).netloc
    return _get(url, _credentials(_page(project)) if same_host else None)[0]


def files(project: str) -> list[File]:
    """The files of a project."""
    return _listed(project)[1]


def projects() -> list[str]:
    """The names of all projects."""
    page = _page("")
    body, _, is_json = _get(_without_credentials(page), _credentials(page))
    if is_json:
        return [one["name"] for one in json.loads(body)["projects"]]
    return [text for _, text in _links(body.decode())]


def normalized(project: str) -> str:
    """The name as addresses have it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", project).lower()


def _page(project: str) -> str:
    index = (_pip_setting("index-url") or _DEFAULT).rstrip("/")
    return f"{index}/{normalized(project)}/" if project else f"{index}/"


def _listed(project: str) -> tuple[str, list[File]]:
    """The address of the page of a project after redirects, and the files that it lists."""
    page = _page(project)
    body, address, is_json = _get(_without_credentials(page), _credentials(page))
    return address, list((_json_files if is_json else _html_files)(body.decode(), address))


def _json_files(body: str, address: str) -> Iterator[File]:
    for one in json.loads(body)["files"]:
        sha256 = one.get("hashes", {}).get("sha256", "")
        yield File(one["filename"], urljoin(address, one["url"]), sha256, one.get("size") or 0)


def _html_files(body: str, address: str) -> Iterator[File]:
    for target, _ in _links(body):
        url, fragment = urldefrag(urljoin(address, target))
        sha256 = fragment.removeprefix("sha256=") if fragment.startswith("sha256=") else ""
        yield File(unquote(urlsplit(url).path.rpartition("/")[2]), url, sha256, 0)


def _links(body: str) -> list[tuple[str, str]]:
    parser = _Links()
    parser.feed(body)
    return parser.found


class _Links(HTMLParser):
    """The targets and texts of the links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self._target = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self._target = dict(attrs).get("href") or ""

    def handle_data(self, data: str) -> None:
        if self._target:
            self.found.append((self._target, data))
            self._target = ""


def _get(url: str, credentials: str | None) -> tuple[bytes, str, bool]:
    """The body, the address after redirects, and whether the body is JSON."""
    headers = {"Accept": _ACCEPT, "User-Agent": "shapecheck-primer"}
    request = urllib.request.Request(url, headers=headers)
    if credentials:
        request.add_unredirected_header("Authorization", f"Basic {credentials}")
    for attempt in range(_TRIES):
        try:
            with urllib.request.urlopen(request, timeout=_SECONDS, context=_context()) as answer:
                return answer.read(), answer.url, answer.headers.get_content_type().endswith("json")
        except urllib.error.HTTPError as error:
            if error.code < http.client.INTERNAL_SERVER_ERROR:
                raise FetchError(f"{urlsplit(url).hostname} answered with status {error.code}") from None
            reason = f"status {error.code}"
        except (OSError, http.client.HTTPException) as error:
            reason = str(getattr(error, "reason", "") or error)
        if attempt == _TRIES - 1:
            raise Unreachable(f"cannot reach {urlsplit(url).hostname}: {reason}")
    raise AssertionError("not reached")


@functools.cache
def _context() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=_pip_setting("cert") or None)


def _pip_setting(name: str) -> str:
    """An option of pip, from the environment or its configuration files; empty if it is not set."""
    return os.environ.get(f"PIP_{name.upper().replace('-', '_')}") or _configured(name)


@functools.cache
def _configured(name: str) -> str:
    command = [sys.executable, "-m", "pip", "config", "get", f"global.{name}"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def _credentials(url: str) -> str | None:
    """The name and password of `https://name:password@host/`, encoded for a header."""
    userinfo = unquote(urlsplit(url).netloc.rpartition("@")[0])
    return base64.b64encode(userinfo.encode()).decode() if userinfo else None


def _without_credentials(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
