"""The API that the scripts of the page call: forecasts, trainings, downloads, and runs of claims."""

from dataclasses import asdict

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ..api.check import check_many
from ..errors import BadInput
from ..lab import Runner, Store
from ..lab.machine import relieve
from . import downloads
from .config import TrainingConfig, parse_config, parse_configs, query_fields
from .finished import FinishedTraining
from .milestones import MilestoneTracker
from .queue import QueueFull, Task, TaskFunction
from .security import FIGURE_POLICY
from .services import Services, services_of
from .streams import EventStream
from .training import train

MEDIA_TYPES = {"csv": "text/csv", "svg": "image/svg+xml", "png": "image/png", "py": "text/x-python"}


async def forecast(request: Request) -> Response:
    """The time axis and the forecast of a training, as JSON."""
    config, services = parse_config(query_fields(request.scope["query_string"])), services_of(request)
    forecasts = services.forecasts
    preview = forecasts.cached(config)
    if preview is None:
        preview = await services.run_in_thread(request, lambda: forecasts.get(config), slow=True)
    return JSONResponse({**config.as_json(), **preview}, background=BackgroundTask(services.compile_default, config))


async def training(request: Request) -> Response:
    """The curves of a training as a stream of events."""
    config = parse_config(query_fields(request.scope["query_string"]))
    return stream(request, training_task(config, services_of(request)))


def stream(request: Request, function: TaskFunction) -> Response:
    """The events of a task, unless the queue is full."""
    queue = services_of(request).queue
    if queue.full:
        raise QueueFull
    return EventStream(queue, function)


def training_task(config: TrainingConfig, services: Services) -> TaskFunction:
    """Train, send each chunk and each milestone, and keep the finished training for downloads."""

    def run(task: Task) -> None:
        if services.forecasts.cached(config) is None:
            task.send("state", state="forecasting")
        preview = services.forecasts.get(config)
        predicted, chunks, tracker = preview["forecast"], [], None
        for chunk in train(config, lambda state: task.send("state", state=state)):
            if "outcome" in chunk:
                break
            chunks.append(chunk)
            tracker = tracker or MilestoneTracker(chunk["measure"], predicted)
            task.send("points", **chunk)
            for name, time in tracker.update(chunk).items():
                task.send("milestone", name=name, time=time)
        curves = {name: tuple(x for one in chunks for x in one[name]) for name in ("time", "train", "test")}
        assert tracker is not None, "a training has at least two times"
        measured = asdict(tracker.finish())
        result = {**curves, "milestones": tracker.times, "outcome": chunk["outcome"]}
        finished = FinishedTraining(config, preview["measure"], preview["time_label"], forecast=predicted, **result)
        services.finished.add(finished)
        task.send("done", **chunk, milestones=tracker.times, measured=measured, updates=len(chunks))
        relieve()

    return run


async def download(request: Request) -> Response:
    """One or two finished trainings as a file; the Python script needs no finished training."""
    kind, configs = request.path_params["kind"], parse_configs(query_fields(request.scope["query_string"]))
    if kind not in MEDIA_TYPES:
        raise BadInput(needed=f"a download is one of {', '.join(MEDIA_TYPES)}", given=repr(kind[:20]), cure="Choose one of them.")
    services = services_of(request)

    def create() -> str | bytes:
        if kind == "py":
            return downloads.python_script(configs)
        trainings = [services.finished.get(config) for config in configs]
        return downloads.csv_table(trainings) if kind == "csv" else downloads.figure(trainings, kind)

    content = await services.run_in_thread(request, create)
    return file_response(content, kind, configs[0].experiment)


def file_response(content: str | bytes, kind: str, name: str) -> Response:
    """A file that the browser saves."""
    headers = {"content-disposition": f'attachment; filename="{name}.{kind}"'}
    if kind == "svg":
        headers["content-security-policy"] = FIGURE_POLICY
    return Response(content, media_type=MEDIA_TYPES[kind], headers=headers)


async def run_claim(request: Request) -> Response:
    """Check a claim at quick size, as a stream of events; the result is stored."""
    services, name = services_of(request), request.path_params["name"]
    if query_fields(request.scope["query_string"]):
        raise BadInput(
            needed="the page runs a claim at its own parameters", given="other parameters", cure="Use `lazyrich run --set`."
        )
    claim = await services.run_in_thread(request, lambda: services.claims.entry(name).claim)
    return stream(request, claim_task(claim.id, services.store))


def claim_task(claim_id: str, store: Store) -> TaskFunction:
    """Check a claim, send the progress, and store the result."""

    def run(task: Task) -> None:
        runner = Runner(lambda what, done, total: task.send("progress", what=what, done=done, total=total))
        task.on_cancel(runner.halt)
        task.send("state", state="running")
        (checked,) = check_many([claim_id], size="quick", seed=0, changes={}, runner=runner, store=store)
        result = checked.as_json()
        names = ("verdict", "reason", "seconds", "run")
        task.send("done", **{name: result[name] for name in names})

    return run
