"""The engine's jobs on a Dask cluster: the only package that imports Dask (docs/cluster.md).

The bot sends single jobs with `cluster.link`, the engine's commands send batch work with
`cluster.batch`, and workers load `cluster.worker`. `cluster.outcome` does not import Dask.
"""
