"""What docs/hosting.md tells who runs a server: commands work, files fit the program."""

import os
import re
import shlex
import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import yaml

from diablerie import cli
from diablerie.table.authority import Authority
from diablerie.table.commands import lobby
from diablerie.table.doctor import DatabaseUnderCheck
from diablerie.table.state.visitors import visitor_of
from diablerie.table.storage import database
from diablerie.table.storage.store import Store
from diablerie.web.process import sockets
from tests import postgres
from tools import setup

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "hosting.md").read_text("utf-8")
SOURCES = "".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))


def test_a_backup_is_made_while_the_server_runs_and_is_whole(tmp_path: Path) -> None:
    path, backup = tmp_path / "tables.db", tmp_path / "backup.db"
    store = Store(path, durable=False)
    authority = Authority(store)
    table = lobby.open_table(authority, visitor_of("ann"), "coals", ["me", "me"]).id
    found = re.search(r"^python3 -c '([^']*)'", PAGE, re.MULTILINE)
    assert found
    command = [sys.executable, "-c", found[1], str(path), str(backup)]
    subprocess.run(command, check=True, env={"PYTHONWARNINGS": "ignore"})
    lobby.delete_table(authority, table, visitor_of("ann"))
    store.close()
    patient = DatabaseUnderCheck(str(backup))
    assert list(patient.findings()) == []
    assert patient.count == 1
    again = Store(backup, durable=False)  # restored
    assert Authority(again).live(table).status == "running"
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("SELECT count(*) FROM matches").fetchone() == (0,)
    again.close()


def test_a_backup_of_postgresql_is_restored_beside_it_and_is_whole(
    server: postgres.Server, tmp_path: Path
) -> None:
    store = Store(server.create("original"))
    authority = Authority(store)
    table = lobby.open_table(authority, visitor_of("ann"), "coals", ["me", "me"]).id
    store.close()
    blocks = re.findall(r"^```console by=tests/test_hosting.py\n(.*?)^```", PAGE, re.M | re.S)
    (block,) = [block for block in blocks if "pg_dump" in block]
    *lines, doctor = block.splitlines()
    here = f"//devil@/\\1?host={server.folder}"
    script = re.sub(r"//devil@db\.example/(\w+)", here, "\n".join(lines))
    path = f"{Path(postgres.program('pg_dump')).parent}{os.pathsep}{os.environ['PATH']}"
    command = ["sh", "-ec", script.replace("/tables?", "/original?")]
    subprocess.run(command, check=True, cwd=tmp_path, env=os.environ | {"PATH": path})
    assert stat.S_IMODE((tmp_path / "backup.dump").stat().st_mode) == 0o600
    assert doctor.startswith("diablerie doctor --db")
    patient = DatabaseUnderCheck(server.url("restored"))
    assert list(patient.findings()) == []
    assert patient.count == 1
    again = Store(server.url("restored"))
    assert Authority(again).live(table).status == "running"
    again.close()


def test_the_variables_that_are_named_are_read() -> None:
    named = set(re.findall(r"DIABLERIE_[A-Z_]+", PAGE + (ROOT / "Containerfile").read_text()))
    named -= {"DIABLERIE_NAME", "DIABLERIE_PASSWORD"}  # of compose.yaml itself
    assert len(named) >= 8
    assert [name for name in named if f'"{name}"' not in SOURCES] == []


def test_the_compose_file_fits_the_program() -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    assert (ROOT / services["table"]["build"]["dockerfile"]).exists()
    assert "FORWARDED_ALLOW_IPS" in services["table"]["environment"]
    assert "ports" not in services["table"], "only the proxy is reached from outside"
    container = (ROOT / "Containerfile").read_text()
    port = next(p for p in cli.serve.params if p.name == "port").default
    assert f"DIABLERIE_PORT={port}" in container
    assert f"--to table:{port}" in services["proxy"]["command"]
    bots = services["bots"]["command"]
    assert f'{bots[0]}", "serve' in container
    assert bots[1] in cli.commands.commands
    for service in ("table", "bots"):
        told = services[service]["environment"]
        ours = [name for name in told if name.startswith("DIABLERIE_")]
        assert [name for name in ours if f'"{name}"' not in SOURCES] == []
        address = database.url_of(told["DIABLERIE_DB"])
        made = services["database"]["environment"]
        assert (address.host, address.username) == ("database", made["POSTGRES_USER"])
        assert address.database == made["POSTGRES_DB"]
        assert told["PGPASSWORD"] == made["POSTGRES_PASSWORD"]
    assert "--pins container" in container
    assert "postgres" in setup.EXTRAS["container"]
    for words in re.findall(r"^COPY (?!--from)(.*) \S+$", container, re.MULTILINE):
        assert all((ROOT / word).exists() for word in words.split())


def test_the_container_has_what_links_in_the_sources_lead_to() -> None:
    container = (ROOT / "Containerfile").read_text()
    links = [path for path in (ROOT / "src").rglob("*") if path.is_symlink()]
    assert links
    for link in links:
        name = link.resolve().relative_to(ROOT.resolve())
        assert f"COPY {name} {name}" in container


@pytest.mark.skipif(not shutil.which("ssh"), reason="needs OpenSSH")
def test_the_tunnel_is_one_that_ssh_understands() -> None:
    (command,) = re.findall(r"^ +ssh (-N.*)$", PAGE, re.MULTILINE)
    *options, where = shlex.split(command)
    read = subprocess.run(
        ["ssh", "-G", *options, where], capture_output=True, text=True, check=True
    )
    port = next(p for p in cli.serve.params if p.name == "port").default
    assert f"remoteforward [127.0.0.1]:{port} [127.0.0.1]:{port}" in read.stdout
    assert "exitonforwardfailure yes" in read.stdout
    (upstream,) = re.findall(r"reverse_proxy (\S+)", PAGE)
    assert upstream == f"127.0.0.1:{port}"


def test_all_containers_start_again_and_have_rights_and_limits() -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    assert len(services) == 4
    for name, service in services.items():
        assert service["restart"] == "unless-stopped"
        assert "no-new-privileges:true" in service["security_opt"]
        assert service["mem_limit"]
        assert ("cpu_shares" in service) == (name == "table"), "one thread serves"
        assert service["pids_limit"]
        if name in ("table", "bots"):
            assert service["read_only"] is True
            assert service["cap_drop"] == ["ALL"]
            assert service["ulimits"]["nofile"] >= sockets.WANTED


def unit() -> dict[str, list[str]]:
    """The settings of the systemd unit; what may be said several times is a list."""
    settings: dict[str, list[str]] = {}
    for line in (ROOT / "diablerie.service").read_text().splitlines():
        name, there, value = line.partition("=")
        if there and not line.startswith("#"):
            settings.setdefault(name, []).append(value)
    return settings


def test_the_unit_fits_the_program_and_starts_it_again() -> None:
    told = unit()
    program, command, *options = told["ExecStart"][0].split()
    assert program.endswith("/diablerie")
    assert command in cli.commands.commands
    assert not options
    named = re.findall(r"(DIABLERIE_\w+)=", " ".join(told["Environment"]))
    assert [name for name in named if f'"{name}"' not in SOURCES] == []
    assert told["Restart"] == ["always"]
    assert told["StartLimitIntervalSec"] == ["0"], "it is never given up"
    assert int(told["LimitNOFILE"][0]) >= sockets.WANTED
    assert {"CPUWeight", "MemoryMax", "TasksMax", "NoNewPrivileges", "ProtectSystem"} <= set(told)
    assert "MemoryDenyWriteExecute" not in told, "compiled rules are code in memory"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    text = (ROOT / "diablerie.service").read_text()
    here = tmp_path / "diablerie.service"
    here.write_text(re.sub("(?m)^ExecStart=[^ ]*", f"ExecStart={sys.executable}", text))
    done = subprocess.run(
        ["systemd-analyze", "verify", str(here)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.count(here.name)) == (0, 0), done.stderr


def test_limits_and_deadlines_are_as_told() -> None:
    from diablerie.table.presence.hub import MOST_LISTENERS, MOST_STREAMS_OF_CLIENT
    from diablerie.web.edges.forms import FORM_SECONDS, LONGEST_FORM_BYTES
    from diablerie.web.process.sockets import HEADERS_SECONDS

    form = f"{FORM_SECONDS:.0f} s, {LONGEST_FORM_BYTES // 1024} kB"
    assert f"headers ({HEADERS_SECONDS:.0f} s) and forms ({form})" in PAGE
    assert f"({MOST_STREAMS_OF_CLIENT} per address, {MOST_LISTENERS:,} in all)" in PAGE
    assert f"limit on open files to {sockets.WANTED:,}" in PAGE


def test_calls_and_reports_are_bounded_as_told() -> None:
    from diablerie.table import outbound
    from diablerie.table.commands import chat, subscriptions
    from diablerie.web.notifications import messages, scheduler

    assert "ports {} and {} only".format(*outbound.OUTBOUND_PORTS) in PAGE
    assert (outbound.POST_SECONDS, "after ten seconds" in PAGE) == (10, True)
    assert (scheduler.WEBHOOK_DELAY_SECONDS, "a minute after it began" in PAGE) == (60, True)
    assert (subscriptions.GIVEN_UP, "after ten failures" in PAGE) == (10, True)
    assert f"kept for at most {chat.REPORTS_KEPT / 86400:.0f} days" in PAGE
    assert f"tables.db{messages.KEY_FILE_ENDING}" in PAGE
