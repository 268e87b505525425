"""A sweep on a cluster that Slurm runs: workers as batch jobs, one process each, and one coordinator wherever you are.

python examples/slurm.py --script                 # print the batch script of a worker, and stop
python examples/slurm.py --jobs 8                 # start eight jobs, sweep, and release them

Needs the cluster extra: pip install -e '.[cluster]' in the checkout.
The store must be in a folder that every node sees: workers write their parts there.
If a job or the coordinator is ended by the queue, `lazyrich sweep --resume RUN` computes what is missing.
"""

import argparse


def cluster(*, partition: str, hours: int, memory: str, gpu: bool):
    """Workers as Slurm jobs: one process with one thread each, its own GPU where one is asked for."""
    from dask_jobqueue import SLURMCluster

    return SLURMCluster(
        queue=partition,
        cores=1,
        processes=1,
        memory=memory,
        walltime=f"{hours:02d}:00:00",
        job_extra_directives=["--gres=gpu:1"] if gpu else [],  # Slurm shows each job its own GPU alone
        job_script_prologue=[
            "export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 EQX_ON_ERROR=nan",
            "export LAZYRICH_CACHE=$HOME/.cache/lazyrich/programs",  # compiled once, read by all
        ],
        worker_extra_args=["--lifetime", f"{60 * hours - 5}m"],  # go before the queue ends the job
    )


def main() -> None:
    """Start the jobs, sweep a claim over scale and weight decay, and print where it is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--partition", default="normal")
    parser.add_argument("--hours", type=int, default=4)
    parser.add_argument("--memory", default="8GB")
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--store", default="lazyrich-runs")
    parser.add_argument("--script", action="store_true")
    asked = parser.parse_args()
    with cluster(partition=asked.partition, hours=asked.hours, memory=asked.memory, gpu=asked.gpu) as workers:
        if asked.script:
            print(workers.job_script())
            return
        import numpy as np

        import lazyrich as lz

        workers.scale(jobs=asked.jobs)
        workers.wait_for_workers(1)
        over = {"alpha": np.geomspace(4, 4e3, 50).tolist(), "weight_decay": np.geomspace(1e-3, 0.1, 50).tolist()}
        changes = {"horizon": 300.0}
        found = lz.sweep("lyu2024/figure_1a", over, changes=changes, store=asked.store, engine=workers.scheduler_address)
        print(f"{found.done} points, {found.failed} failed: lazyrich show {found.run} --store {asked.store}")


if __name__ == "__main__":
    main()
