"""Every way a model call can go, against a real HTTP server."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from src.answerer.client import CapReachedError, ChatClient, ModelError, Reply, StoppedError
from src.cost import CostMeter
from src.settings import Settings, read_settings
from tests.openai_server import Mode, openai_server

MESSAGES = [{"role": "user", "content": "Say something about cranes."}]


_OPEN: list[ChatClient] = []


@pytest.fixture(autouse=True)
def _clients_closed_and_backing_off_fast(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("src.answerer.client.BACKOFF_SECONDS", 0.05)
    yield
    while _OPEN:
        _OPEN.pop().close()


def client_for(url: str, **options: Any) -> ChatClient:
    settings = Settings(openai_base_url=url, model="made-1", **{"model_seconds": 5.0, **options})
    _OPEN.append(ChatClient(settings, CostMeter(settings)))
    return _OPEN[-1]


def ask(reply: Any, **options: Any) -> Reply:
    with openai_server(reply) as server:
        return client_for(server.url, **options).complete(MESSAGES)


def failure(*replies: Any, **options: Any) -> ModelError:
    with openai_server(*replies) as server, pytest.raises(ModelError) as caught:
        client_for(server.url, **options).complete(MESSAGES)
    message = caught.value.message
    assert message.endswith(".") or "made" in message or ":" in message
    assert "\n" not in message
    assert "Traceback" not in message
    return caught.value


def test_streams_text_and_counts_what_the_server_counted() -> None:
    seen: list[str] = []
    with openai_server("The crane at berth 2 lifts 40 tonnes.") as server:
        reply = client_for(server.url, price_prompt=1.0, price_completion=10.0).complete(
            MESSAGES, on_text=seen.append
        )
        body = server.requests[0]
    assert reply.text == "The crane at berth 2 lifts 40 tonnes."
    assert seen[-1] == reply.text
    assert body["stream"] is True
    assert (reply.usage.completion_tokens, reply.usage.calls, reply.usage.estimated) == (20, 1, False)
    assert reply.usage.cost == pytest.approx((reply.usage.prompt_tokens + 200) / 1e6)


def test_a_server_without_key_is_called_without_one_and_a_key_is_sent() -> None:
    with openai_server("Yes.") as server:
        client_for(server.url).complete(MESSAGES)
        client_for(server.url, openai_api_key="sk-secret").complete(MESSAGES)
        assert server.keys == ["Bearer none", "Bearer sk-secret"]


def test_usage_missing_in_the_stream_is_estimated_and_said_so() -> None:
    reply = ask(Mode("Twelve words of text that the server does not count for us.", usage=False))
    assert reply.usage.estimated
    assert 10 <= reply.usage.completion_tokens <= 20
    assert reply.usage.prompt_tokens > 5


@pytest.mark.parametrize("name", ["max_tokens", "temperature", "stream_options", "stream"])
def test_a_refused_parameter_is_left_out_and_the_server_remembered(name: str) -> None:
    with openai_server(Mode("Fine.", refuses=(name,))) as server:
        client = client_for(server.url)
        assert client.complete(MESSAGES).text == "Fine."
        before = len(server.requests)
        assert client.complete(MESSAGES).text == "Fine."
        assert len(server.requests) == before + 1
        assert name not in server.requests[-1]
        if name == "max_tokens":
            assert server.requests[-1]["max_completion_tokens"] == 700


def test_all_parameters_refused_at_once() -> None:
    refuses = ("stream_options", "temperature", "max_tokens")
    assert ask(Mode("Fine.", refuses=refuses)).text == "Fine."


def test_a_request_refused_whatever_is_left_out() -> None:
    error = failure(Mode(status=400, error="this server is closed on Mondays"))
    assert error.kind == "refused"
    assert "closed on Mondays" in error.message


def test_a_server_that_does_not_stream() -> None:
    assert ask(Mode("In one piece.", stream=False)).text == "In one piece."


def test_bad_key() -> None:
    error = failure(Mode(status=401, error="Incorrect API key provided: sk-abc"), openai_api_key="sk-abc")
    assert error.kind == "bad_key"
    assert "sk-abc" not in error.message


def test_unknown_model() -> None:
    error = failure(Mode(status=404, error="The model `made-1` does not exist", code="model_not_found"))
    assert error.kind == "unknown_model"
    assert "made-1" in error.message


def test_wrong_path() -> None:
    with openai_server("never") as server, pytest.raises(ModelError) as caught:
        client_for(server.url.removesuffix("/v1")).complete(MESSAGES)
    assert caught.value.kind == "wrong_path"
    assert "OPENAI_BASE_URL" in caught.value.message


@pytest.mark.parametrize("status", [200, 404])
def test_html_instead_of_an_answer(status: int) -> None:
    assert failure(Mode(html="<!doctype html><h1>Welcome</h1>", status=status)).kind == "wrong_path"


@pytest.mark.parametrize("raw", ["{}", "[]", "null", '{"choices": []}', "no json", '"text"'])
def test_json_that_is_no_completion(raw: str) -> None:
    assert failure(Mode(raw=raw)).kind == "wrong_path"


def test_rate_limit_is_waited_for_as_long_as_the_server_asks() -> None:
    busy = Mode(status=429, error="slow down", headers=(("retry-after", "0.3"),))
    with openai_server(busy, busy, "Now.") as server:
        started = time.monotonic()
        assert client_for(server.url).complete(MESSAGES).text == "Now."
        assert time.monotonic() - started >= 0.6
        assert len(server.requests) == 3


def test_rate_limit_that_stays() -> None:
    busy = Mode(status=429, error="slow down", headers=(("retry-after", "0.05"),))
    assert failure(busy).kind == "rate_limit"


def test_rate_limit_longer_than_the_time_left_is_not_waited_for() -> None:
    busy = Mode(status=429, error="slow down", headers=(("retry-after", "3600"),))
    started = time.monotonic()
    assert failure(busy).kind == "rate_limit"
    assert time.monotonic() - started < 2


def test_no_credit_is_not_retried() -> None:
    with openai_server(Mode(status=429, error="You exceeded your current quota")) as server:
        with pytest.raises(ModelError) as caught:
            client_for(server.url).complete(MESSAGES)
        assert caught.value.kind == "no_credit"
        assert len(server.requests) == 1


def test_server_error_then_success() -> None:
    assert ask(Mode("Ok.", status=200)).text == "Ok."
    with openai_server(Mode(status=503, error="down"), "Up again.") as server:
        assert client_for(server.url).complete(MESSAGES).text == "Up again."


def test_nothing_listens() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}/v1"
        with pytest.raises(ModelError) as caught:
            client_for(url, model_retries=0).complete(MESSAGES)
    assert caught.value.kind == "no_network"


def test_unknown_host() -> None:
    with pytest.raises(ModelError) as caught:
        client_for("http://no-such-host.invalid/v1", model_retries=0).complete(MESSAGES)
    assert caught.value.kind == "no_network"
    assert "no-such-host.invalid" in caught.value.message


def test_https_to_a_server_that_speaks_http() -> None:
    with openai_server("never") as server, pytest.raises(ModelError) as caught:
        client_for(server.url.replace("http:", "https:"), model_retries=0).complete(MESSAGES)
    assert caught.value.kind == "wrong_path"
    assert "http://" in caught.value.message


def test_a_private_certificate(tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificate")
    command = (
        "openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 1 -subj /CN=localhost"
    )
    subprocess.run(command.split(), cwd=tmp_path, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    with openai_server("never", tls=context) as server, pytest.raises(ModelError) as caught:
        client_for(server.url, model_retries=0).complete(MESSAGES)
    assert caught.value.kind == "certificate"
    assert "SSL_CERT_FILE" in caught.value.message


def test_silence_ends_in_a_timeout() -> None:
    error = failure(Mode("Late.", pause_first=3), model_seconds=0.4)
    assert error.kind == "timeout"
    assert "too slow" in error.message
    assert "0.4 seconds" in error.message
    assert "DOCENGINE_MODEL_SECONDS" in error.message


def test_a_small_model_on_a_cpu_has_two_minutes_for_its_first_word() -> None:
    assert read_settings({}, env_file=None).model_seconds == 120


def test_silence_in_the_middle_of_the_stream() -> None:
    error = failure(Mode("Word by word by word.", pause=2), model_seconds=0.4)
    assert error.kind == "timeout"


def test_the_deadline_of_the_whole_answer() -> None:
    with openai_server(Mode("word " * 200, pause=0.05)) as server, pytest.raises(ModelError) as caught:
        client_for(server.url).complete(MESSAGES, deadline=time.monotonic() + 0.5)
    assert caught.value.kind == "timeout"


def test_empty_answer_and_content_filter() -> None:
    assert failure(Mode("")).kind == "empty"
    assert failure(Mode("", finish="content_filter")).kind == "filtered"
    assert failure(Mode(status=400, error="blocked by the content filter policy")).kind == "filtered"


def test_thoughts_that_used_up_the_limit_get_more_room_once() -> None:
    thinking = Mode("", finish="length", reasoning="hm " * 50)
    with openai_server(thinking, "After all: yes.") as server:
        assert client_for(server.url).complete(MESSAGES).text == "After all: yes."
        assert server.requests[1]["max_tokens"] == 2800


def test_too_long_for_the_model() -> None:
    message = "This model's maximum context length is 4096 tokens, your messages exceed it"
    assert failure(Mode(status=400, error=message, code="context_length_exceeded")).kind == "context"


def test_error_inside_the_stream_and_broken_connection() -> None:
    assert failure(Mode(error_in_stream="the GPU fell over")).kind == "server"
    assert failure(Mode("word " * 40, cut=3)).kind == "broken"
    assert failure(Mode("word " * 40, cut=3, reset=True)).kind == "broken"


def test_stop_ends_the_call_and_the_servers_work() -> None:
    cancel = threading.Event()
    seen: list[str] = []

    def on_text(text: str) -> None:
        seen.append(text)
        if len(seen) == 5:
            cancel.set()

    with openai_server(Mode("word " * 2000, pause=0.02)) as server:
        client = client_for(server.url)
        with pytest.raises(StoppedError) as caught:
            client.complete(MESSAGES, on_text=on_text, cancel=cancel)
        assert server.broken_off.wait(2), "the server went on writing"
    assert caught.value.reply.text.startswith("word word")
    assert client.meter.used_today > 0


def test_stop_while_the_server_is_silent() -> None:
    cancel = threading.Event()
    with openai_server(Mode("Late.", pause_first=5)) as server:
        threading.Timer(0.3, cancel.set).start()
        started = time.monotonic()
        with pytest.raises(StoppedError):
            client_for(server.url, model_seconds=30).complete(MESSAGES, cancel=cancel)
        assert time.monotonic() - started < 0.8


def test_daily_cap_stops_before_the_call() -> None:
    with openai_server("Yes.") as server:
        client = client_for(server.url, daily_tokens=1000)
        client.complete(MESSAGES)
        client.meter.settle(0, Reply("", client.meter.session().usage).usage)
        client.meter.settle(0, type(client.meter.session().usage)(400, 400, 1))
        with pytest.raises(CapReachedError, match="1,000"):
            client.complete(MESSAGES)
        assert len(server.requests) == 1


def test_a_failed_call_gives_its_reservation_back() -> None:
    with openai_server(Mode(status=401, error="no")) as server:
        client = client_for(server.url, daily_tokens=1000)
        for _ in range(5):
            with pytest.raises(ModelError):
                client.complete(MESSAGES)
        assert client.meter.used_today == 0


def test_close_ends_the_thread_and_a_later_call_starts_again() -> None:
    def threads() -> int:
        return sum(t.name == "model-calls" for t in threading.enumerate())

    before = threads()
    with openai_server("Yes.") as server:
        client = client_for(server.url)
        client.complete(MESSAGES)
        assert threads() == before + 1
        client.close()
        assert threads() == before
        assert client.complete(MESSAGES).text == "Yes."
