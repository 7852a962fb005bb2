# Stage 1: the packages, exactly those that requirements.txt pins and hashes; with
# `--build-arg REQUIREMENTS=requirements-postgres.txt` those for a PostgreSQL server too.
FROM python:3.12-slim AS packages
ARG REQUIREMENTS=requirements.txt
COPY ${REQUIREMENTS} /tmp/requirements.txt
RUN python -m venv /opt/venv \
    && /opt/venv/bin/pip install --no-cache-dir --require-hashes -r /tmp/requirements.txt

# Stage 2: the bot.
FROM python:3.12-slim
COPY --from=packages /opt/venv /opt/venv
RUN useradd --uid 10001 --create-home cuatro \
    && mkdir /data /opt/kernels \
    && chown cuatro:cuatro /data /opt/kernels
# The kernels are compiled for any processor of this architecture, not for the one that happens to
# build the image, so that the cache is found wherever the image runs. It costs about 7 % of speed.
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    NUMBA_CPU_NAME=generic \
    NUMBA_CPU_FEATURES="" \
    NUMBA_CACHE_DIR=/opt/kernels \
    DATABASE_URL=sqlite+aiosqlite:////data/cuatro.db \
    CUATRO_METRICS_ADDRESS=0.0.0.0
WORKDIR /app
COPY LICENSE README.md pyproject.toml ./
COPY engine engine
COPY cluster cluster
COPY renderers renderers
COPY bot bot
USER cuatro
RUN python -c "from engine.kernels import compile_all; compile_all()"
VOLUME /data
# Asks the running bot on its loopback port (CUATRO_HEALTH_PORT) whether it is well. Metrics are off
# until CUATRO_METRICS_PORT is set.
HEALTHCHECK --interval=30s --timeout=15s --start-period=60s CMD ["python", "-m", "bot", "health"]
STOPSIGNAL SIGTERM
CMD ["python", "-m", "bot"]
