# Wheels are installed in a stage of their own; the image that runs has no compiler and no build tools.
FROM python:3.11-slim AS wheels
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/venv
COPY requirements.txt .
RUN /opt/venv/bin/pip install --only-binary :all: -r requirements.txt

FROM python:3.11-slim
# PNG and PDF are drawn with the fonts of the machine; these have the widths of Arial and Helvetica.
RUN apt-get update \
    && apt-get install -y --no-install-recommends fontconfig fonts-liberation \
    && rm -rf /var/lib/apt/lists/* \
    && fc-cache -f \
    && useradd --system --uid 10001 --no-create-home --home-dir /tmp espalier
COPY --from=wheels /opt/venv /opt/venv

# The root file system may be read-only: bytecode is written here and never later, and whatever
# looks for a home or a cache finds /tmp.
ENV PATH=/opt/venv/bin:$PATH HOME=/tmp XDG_CACHE_HOME=/tmp PYTHONUNBUFFERED=1
WORKDIR /app
COPY app.py ./
COPY .streamlit .streamlit
COPY engine engine
COPY datasets datasets
COPY drawing drawing
COPY widgets widgets
COPY pages pages
RUN python -m compileall -q .
ENV PYTHONDONTWRITEBYTECODE=1

USER espalier
EXPOSE 8501
HEALTHCHECK --interval=10s --timeout=4s --start-period=15s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=3)"]
CMD ["python", "-m", "streamlit", "run", "app.py", \
     "--server.port=8501", "--server.address=0.0.0.0", "--server.fileWatcherType=none"]
