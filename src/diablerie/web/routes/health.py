"""Health: what a supervisor or a load balancer asks a server."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

import diablerie
from diablerie.table.bots.compile_rules import RulesCompiler
from diablerie.table.storage.health import Health


async def healthz(request: Request) -> Response:
    """GET /healthz: whether all is well, and how far the rules are compiled.

    It waits for no thread and no database: what is known of that was found before.
    """
    health: Health = request.app.state.health
    warm: RulesCompiler | None = request.app.state.warm
    steps = warm.progress() if warm else {}
    rules = {name: {"done": step.done, "of": step.of} for name, step in steps.items()}
    said = {"version": diablerie.__version__, "rules": rules}
    if health.trouble:
        return JSONResponse({"status": "unhealthy", "database": health.trouble, **said}, 503)
    return JSONResponse({"status": "ok", **said})
