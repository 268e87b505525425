"""Simulations for another machine: written as a job here, judged and stored when they come back."""

import pathlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..claims import Result, find
from ..claims import check as judge
from ..claims.judge import control_params
from ..claims.registry import module_of
from ..errors import BadInput
from ..lab import Runner, Store
from ..lab.jobs.job import Job, require_fit, unpack
from ..lab.machine import environment
from ..lab.provenance.source import source
from .check import Say, keep, no_place, require


def write_job(identity: str, *, size: str, seed: int, changes: Mapping[str, Any], file: pathlib.Path) -> None:
    """Write a claim's simulation as a job for another machine: its own parameters and those of its controls."""
    size = require(size, seed)
    claim = find(identity)
    if claim.kind == "drawing":
        raise BadInput(needed="a job holds a simulation", given=f"{identity}, a drawing of a model", cure="Draw it with run.")
    params = claim.resolve(size, changes)
    wanted = [dict(params.values)]
    for control in claim.controls:
        contrast, _ = control_params(claim, control, size, params)
        wanted += [dict(contrast.values)] if contrast.values not in wanted else []
    job = Job(claim.id, module_of(claim.id) or "", size, seed, dict(changes), wanted, source())
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(job.as_json(), encoding="utf-8")
    except OSError as error:
        raise no_place(file, error) from error


def import_job(file: pathlib.Path, store: Store, *, say: Say) -> Result:
    """Judge and store a simulation that was made on another machine."""
    job, blocks, made = unpack(file)
    claim = find(job.id)
    simulation, runner = claim.simulation, Runner()
    for params, runs in zip(job.all_params(simulation), blocks, strict=True):
        require_fit(simulation, params, runs, file)
        runner.learn(simulation, params, job.seed, runs)
    here = environment()
    if job.source != here["source"]:
        say(f"{file} was made by another version of lazyrich ({job.source}) than the one that judges it ({here['source']})")
    store.require_writable()
    changes = {name: tuple(value) if isinstance(value, list) else value for name, value in job.changes.items()}
    result = judge(claim, size=require(job.size, job.seed), seed=job.seed, changes=changes, runner=runner)
    there = {**made["environment"], "elsewhere": {**made, "judged_by": here}}
    whole = replace(result, seconds=made["seconds"] + result.seconds)  # to simulate there, to predict and judge here
    return keep(whole, store, say=say, made=there)
