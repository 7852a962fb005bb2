# Stage 1: the packages, exactly those that the requirements pin and hash, and the bot as a wheel.
# `--build-arg REQUIREMENTS="requirements-postgres.txt requirements-cluster.txt"` takes several files.
FROM python:3.12-slim AS packages
ARG REQUIREMENTS=requirements.txt
WORKDIR /build
COPY requirements*.txt ./
RUN python -m venv /opt/venv \
    && for file in ${REQUIREMENTS}; do set -- "$@" --requirement "$file"; done \
    && /opt/venv/bin/pip install --no-cache-dir --no-compile --require-hashes "$@" \
    && python -m venv /opt/building \
    && /opt/building/bin/pip install --no-cache-dir --require-hashes --requirement requirements-build.txt
# Only what .dockerignore lets through.
COPY . ./
# Compiled kernels belong to sources of a certain time. Not every registry keeps fractions of a
# second, so there are none.
RUN /opt/building/bin/pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /wheels . \
    && /opt/venv/bin/pip install --no-cache-dir --no-deps --no-compile /wheels/*.whl \
    && find /opt/venv -path '*/site-packages/engine/*' -name '*.py' -exec touch --date=2000-01-01 {} +
# What the bot does not use stays behind: symbols, tests and headers of packages, languages that it
# does not speak, and parts that nothing imports. docs/data/image-sizes.csv has the sizes; .ci/image.py tries
# what is left and refuses an image that has grown. Libraries in `*.libs` were edited after they were
# linked, and stripping would break them.
RUN if ! command -v strip > /dev/null; then \
        apt-get update && apt-get install --yes --no-install-recommends binutils; \
    fi \
    && /opt/venv/bin/pip uninstall --quiet --yes pygments pip \
    && cd /opt/venv/lib/python3.*/site-packages \
    && find . -type f -name '*.so*' ! -path '*.libs/*' -exec strip --strip-unneeded {} + \
    && find . -type d -name tests -prune -exec rm -r {} + \
    && find . -type f -regex '.*\.\(pyi\|pxd\|pyx\|c\|h\|cpp\|hpp\|a\|dll\)' -delete \
    && find babel/locale-data -type f ! -name 'root.dat' ! -name 'en*' ! -name 'es*' -delete \
    && rm -r numba/cuda numpy/f2py numpy/_core/_simd.* \
        PIL/_avif.* pillow.libs/libavif-* bitbully_databases/assets/book_12ply.dat \
        simcord/preview/static/fonts/noto-sans-sc-* \
    && /opt/venv/bin/python -m compileall -q /opt/venv/lib

# Stage 2: the bot.
FROM python:3.12-slim
COPY --from=packages /opt/venv /opt/venv
RUN useradd --uid 10001 --create-home cuatro \
    && mkdir /app /data /opt/kernels \
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
# By number, which Kubernetes can see is not root's.
USER 10001:10001
RUN python -c "from engine.core.compiled import compile_all; from engine.core.registry import compiled_modules; compile_all(compiled_modules())"
# The image may run with a read-only root file system: /data, /opt/kernels and /tmp are written to.
VOLUME /data
# Asks the running bot on its loopback port (CUATRO_HEALTH_PORT) whether it is well. Metrics are off
# until CUATRO_METRICS_PORT is set.
HEALTHCHECK --interval=30s --timeout=15s --start-period=60s CMD ["cuatro", "health"]
STOPSIGNAL SIGTERM
CMD ["cuatro"]
