"""The engine's work on a Dask cluster: the only package that knows Dask.

`cluster.link` sends single jobs there from the bot, `cluster.batch` the pieces of long work from
the engine's commands, and `cluster.worker` is what a worker loads (docs/cluster.md).
"""
