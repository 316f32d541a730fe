"""Hosts of static files as people have them: nginx as Debian has it, caddy, `serve`, `sirv`, Python."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from diablerie.engine.sources import cache_root

HERE = Path(__file__).parent
HOSTS = ("nginx", "caddy", "serve", "sirv", "python", "python below")
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
NGINX = """
daemon off; pid {work}/pid; error_log stderr; {user}
events {{}}
http {{
    include /etc/nginx/mime.types; default_type application/octet-stream; gzip on; access_log off;
    {temporary}
    server {{
        listen 127.0.0.1:{port};
        root {folder};
        index index.html index.htm index.nginx-debian.html;
        location / {{ try_files $uri $uri/ =404; }}
    }}
}}
"""


@contextmanager
def hosted(kind: str, folder: Path, work: Path) -> Iterator[str]:
    """The address at which a host serves the folder. work: an empty folder for what it needs."""
    port = _free_port()
    below = f"{folder.name}/" if kind == "python below" else ""
    process = subprocess.Popen(
        _command(kind, folder, port, work),
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(work), "XDG_DATA_HOME": str(work)},
    )
    try:
        _wait_for(port, process)
        yield f"http://localhost:{port}/{below}"
    finally:
        process.terminate()
        process.wait()


def _command(kind: str, folder: Path, port: int, work: Path) -> list[str]:
    if kind == "nginx":
        file = work / "nginx.conf"
        temporary = " ".join(f"{one}_temp_path {work}/{one};" for one in TEMPORARY)
        user = "user root;" if os.geteuid() == 0 else ""
        told = NGINX.format(work=work, folder=folder, port=port, temporary=temporary, user=user)
        file.write_text(told, "utf-8")
        return [_found("nginx"), "-e", "stderr", "-c", str(file)]
    if kind == "caddy":
        return [
            _found("caddy"),
            "file-server",
            "--listen",
            f"127.0.0.1:{port}",
            "--root",
            str(folder),
        ]
    if kind in ("serve", "sirv"):
        return [_found("node"), str(_packages() / "host.mjs"), kind, str(folder), str(port)]
    served = folder.parent if kind == "python below" else folder
    python = [sys.executable, "-m", "http.server", "--bind", "127.0.0.1"]
    return [*python, "--directory", str(served), str(port)]


def _found(program: str) -> str:
    path = shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin")
    if not path:
        missing(f"there is no {program}")
    assert path
    return path


def missing(what: str) -> None:
    """Skip a test, or in CI fail."""
    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(what)


def _packages() -> Path:
    """The folder of `host.mjs` and its packages, which npm fetches once, by version and digest."""
    folder = cache_root() / "hosts"
    if not (folder / "node_modules").exists():
        shutil.copytree(HERE, folder, dirs_exist_ok=True)
        command = [_found("npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            shutil.rmtree(folder)
            missing(done.stderr.strip().splitlines()[-1])
    shutil.copy(HERE / "host.mjs", folder)
    return folder


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until somebody listens at a port."""
    while process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(f"the host ended: {process.returncode}")
