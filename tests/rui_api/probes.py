"""DATA: bytes that clients may send, and the expected responses in order.

A response is its status, followed by the error code of its body. `head` after it means that the body is omitted.
No response means that the service closes the connection. `...` means that the client stops sending and waits.
"""

from rui_common.vocabulary.rules import MAX_BODY_BYTES
from tests.rui_api.live import UUID

HOST = b"Host: a\r\n"
GET = b"GET /api/health HTTP/1.1\r\n" + HOST
POST = b"POST /api/validate HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n"
FORM = b"POST / HTTP/1.1\r\n" + HOST + b"Content-Type: FORM\r\n"
MULTIPART = b"multipart/form-data; boundary=x"
END = b"\r\n"
NONSENSE = ["400 BAD_REQUEST"]
NO_JSON = ["400 INVALID_JSON"]
GONE = ["404 NOT_FOUND"]
FINE = ["200"]


def target(text: bytes, method: bytes = b"GET", version: bytes = b"HTTP/1.1") -> bytes:
    return method + b" " + text + b" " + version + b"\r\n" + HOST + END


def sent(body: bytes, head: bytes = POST) -> bytes:
    return head + b"Content-Length: %d\r\n\r\n" % len(body) + body


TARGETS = {
    "plain": (target(b"/api/health"), FINE),
    "query": (target(b"/api/health?x=1"), FINE),
    "thousands of query parameters": (target(b"/api/health?" + b"a=1&" * 2000), FINE),
    "the same with a body": (sent(b"{}", target(b"/api/validate?" + b"a[]=1&" * 1300, b"POST")[:-2]), NO_JSON),
    "query that is none": (target(b"/api/health?%zz&&=&%00"), FINE),
    "query of a page that is no UTF-8": (target(b"/specs/" + UUID.encode() + b"?q=%ff%00&open=%ed%a0%80"), ["404"]),
    "thousands of values for one": (target(b"/api/schema?type=" + b"a," * 3000), ["404 NOT_FOUND"]),
    "a value that nobody knows": (target(b"/api/schema?form=%ff&form=%00"), ["400 BAD_REQUEST"]),
    "metrics for nobody": (target(b"/metrics?name[]=%ff&name[]=x"), FINE),
    "comparison with itself": (target(b"/specs/%b/compare/%b" % (UUID.encode(), UUID.encode())), ["404"]),
    "comparison with nothing": (target(b"/specs/" + UUID.encode() + b"/compare/%00"), ["400"]),
    "target of 8,192 bytes": (target(b"/" + b"a" * 8191), GONE),
    "target of 8,193 bytes": (target(b"/" + b"a" * 8192), NONSENSE),
    "target of 1 MB": (target(b"/" + b"a" * 1_000_000), NONSENSE),
    "id of 8 KB": (target(b"/api/specs/" + b"a" * 8000), ["400 INVALID_SPEC_ID"]),
    "two slashes": (target(b"//api/health"), GONE),
    "two slashes inside": (target(b"/api//health"), GONE),
    "a slash at the end": (target(b"/api/health/"), GONE),
    "slashes only": (target(b"/" * 4000), GONE),
    "two slashes, to store": (sent(b"{}", POST.replace(b"/api/validate", b"//api//specs//")), GONE),
    "two slashes, encoded": (target(b"/api/%2Fhealth"), GONE),
    "a slash after a page": (target(b"/specs/" + UUID.encode() + b"/"), GONE),
    "dots": (target(b"/api/../api/health"), GONE),
    "dots to a file": (target(b"/../../../etc/passwd"), GONE),
    "dots, encoded": (target(b"/%2e%2e/%2e%2e/etc/passwd"), GONE),
    "slash, encoded": (target(b"/api%2Fhealth"), FINE),
    "slash in an id, encoded": (target(b"/api/specs/a%2Fb"), GONE),
    "dots as an id": (target(b"/api/specs/.."), ["400 INVALID_SPEC_ID"]),
    "NUL, encoded": (target(b"/api/health%00"), GONE),
    "NUL in an id, encoded": (target(b"/api/specs/" + UUID.encode() + b"%00"), ["400 INVALID_SPEC_ID"]),
    "line end, encoded": (target(b"/api/health%0d%0aX:%20y"), GONE),
    "line end in an id, encoded": (target(b"/api/specs/" + UUID.encode() + b"%0a"), ["400 INVALID_SPEC_ID"]),
    "no UTF-8, encoded": (target(b"/api/specs/%ff%fe"), ["400 INVALID_SPEC_ID"]),
    "surrogate, encoded": (target(b"/api/specs/%ed%a0%80"), ["400 INVALID_SPEC_ID"]),
    "percent at the end": (target(b"/api/specs/%"), ["400 INVALID_SPEC_ID"]),
    "braces": (target(b"/api/specs/{id}"), ["400 INVALID_SPEC_ID"]),
    "backslash": (target(b"\\api\\health"), NONSENSE),
    "backslash inside": (target(b"/api\\health"), GONE),
    "bytes beyond ASCII": (target(b"/\xc3\xa9"), NONSENSE),
    "NUL": (target(b"/a\0b"), NONSENSE),
    "tab": (target(b"/a\tb"), NONSENSE),
    "space": (target(b"/a b"), NONSENSE),
    "fragment": (target(b"/api/health#x"), FINE),
    "no slash": (target(b"api/health"), NONSENSE),
    "empty": (target(b""), NONSENSE),
    "absolute": (target(b"http://b/api/health"), FINE),
    "absolute without a path": (target(b"http://b"), FINE),
    "absolute with a port": (target(b"http://b:80/api/health"), FINE),
    "absolute with a port that is none": (target(b"http://b:99999/api/health"), NONSENSE),
    "absolute, IPv6": (target(b"http://[::1]:80/api/health"), FINE),
    "absolute with a user": (target(b"http://u:p@b/api/health"), NONSENSE),
    "absolute, other scheme": (target(b"ftp://b/api/health"), NONSENSE),
    "absolute without a host": (target(b"http:///api/health"), NONSENSE),
    "authority": (target(b"a:80"), NONSENSE),
    "asterisk": (target(b"*"), GONE),
    "asterisk with OPTIONS": (target(b"*", b"OPTIONS"), GONE),
}

METHODS = {
    "HEAD": (target(b"/api/health", b"HEAD"), ["200 head"]),
    "HEAD of nothing": (target(b"/nope", b"HEAD"), ["404 head"]),
    "HEAD of what takes POST": (target(b"/api/validate", b"HEAD"), ["405 head"]),
    "HEAD of a page": (target(b"/specs/x", b"HEAD"), ["400 head"]),
    "HEAD of an id that is none": (target(b"/api/specs/x", b"HEAD"), ["400 head"]),
    "HEAD with a body": (sent(b"{}", target(b"/api/health", b"HEAD")[:-2]), ["200 head"]),
    "OPTIONS": (target(b"/api/validate", b"OPTIONS"), ["204 head"]),
    "OPTIONS of nothing": (target(b"/nope", b"OPTIONS"), GONE),
    "TRACE": (target(b"/api/health", b"TRACE"), ["405 METHOD_NOT_ALLOWED"]),
    "CONNECT": (target(b"a:443", b"CONNECT"), NONSENSE),
    "CONNECT to a path": (target(b"/api/health", b"CONNECT"), NONSENSE),
    "PROPFIND": (target(b"/api/health", b"PROPFIND"), ["405 METHOD_NOT_ALLOWED"]),
    "unknown": (target(b"/api/health", b"BREW"), NONSENSE),
    "lower case": (target(b"/api/health", b"get"), NONSENSE),
    "very long": (target(b"/api/health", b"G" * 100_000), NONSENSE),
    "no token": (target(b"/api/health", b"G(T"), NONSENSE),
    "none": (b" /api/health HTTP/1.1\r\n\r\n", NONSENSE),
    "form of 500 KB": (
        sent(
            b"rui=" + b"a" * 250_000 + b"&x=" + b"b" * 250_000,
            FORM.replace(b"FORM", b"application/x-www-form-urlencoded"),
        ),
        FINE,
    ),
    "form beyond its limit": (
        sent(b"rui=" + b"a" * 900_000, FORM.replace(b"FORM", b"application/x-www-form-urlencoded")),
        ["400"],
    ),
    "form without an end": (sent(b"--x\r\nContent-Disposition: form-data", FORM.replace(b"FORM", MULTIPART)), ["400"]),
    "form whose parts are none": (sent(b"\0\xff" * 100, FORM.replace(b"FORM", MULTIPART)), ["400"]),
    "form without a boundary": (sent(b"--", FORM.replace(b"FORM", b"multipart/form-data")), ["400"]),
    "form with a NUL in a name": (
        sent(
            b'--x\r\nContent-Disposition: form-data; name="a\0"\r\n\r\n\xff\r\n--x--\r\n',
            FORM.replace(b"FORM", MULTIPART),
        ),
        FINE,
    ),
    "form with thousands of fields": (
        sent(b"a=b&" * 10_000, FORM.replace(b"FORM", b"application/x-www-form-urlencoded")),
        ["400"],
    ),
    "form without content": (sent(b"", FORM.replace(b"FORM", b"\xff")), ["400"]),
    "GET with a body": (sent(b"{}", GET), FINE),
    "GET with a long body": (sent(b" " * (MAX_BODY_BYTES + 1), GET), FINE),
}

VERSIONS = {
    "1.0": (b"GET /api/health HTTP/1.0\r\n\r\n", FINE),
    "1.0, kept alive": (b"GET /api/health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" * 2, FINE),
    "1.0 with a body": (sent(b"{}", POST.replace(b"1.1", b"1.0").replace(HOST, b"")), ["200"]),
    "1.0, chunked": (CHUNKED.replace(b"1.1", b"1.0") + b"\r\n0\r\n\r\n", NONSENSE),
    "0.9": (b"GET /api/health\r\n\r\n", NONSENSE),
    "0.9, bare": (b"GET /api/health\n", NONSENSE),
    "1.2": (target(b"/api/health", version=b"HTTP/1.2"), NONSENSE),
    "2.0": (target(b"/api/health", version=b"HTTP/2.0"), NONSENSE),
    "9.9": (target(b"/api/health", version=b"HTTP/9.9"), NONSENSE),
    "none": (target(b"/api/health", version=b"HTTP/"), NONSENSE),
    "lower case": (target(b"/api/health", version=b"http/1.1"), NONSENSE),
    "RTSP": (target(b"/api/health", version=b"RTSP/1.0"), FINE),
    "HTTP/2 preface": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0", NONSENSE),
    "TLS hello": (bytes.fromhex("160301020001000001fc0303") + bytes(range(256)), NONSENSE),
    "SSH": (b"SSH-2.0-OpenSSH_9.6\r\n", NONSENSE),
    "zeros": (b"\0" * 10_000, NONSENSE),
    "words": (b"hello there\r\n\r\n", NONSENSE),
    "empty lines first": (b"\r\n\r\n" + GET + END, FINE),
    "empty lines for ever": (b"\r\n" * 50_000, []),
    "nothing": (b"", []),
}

HEADERS = {
    "bare LF": (GET.replace(b"\r\n", b"\n") + b"\n", NONSENSE),
    "bare LF at the end of the head": (GET + b"\n", NONSENSE),
    "bare CR": (GET + b"X: a\rb\r\n\r\n", NONSENSE),
    "NUL in a value": (GET + b"X: a\0b\r\n\r\n", NONSENSE),
    "NUL in a name": (GET + b"X\0: a\r\n\r\n", NONSENSE),
    "control character in a value": (GET + b"X: a\x01b\r\n\r\n", NONSENSE),
    "bytes beyond ASCII in a value": (GET + b"X: \xff\xfe\r\n\r\n", FINE),
    "bytes beyond ASCII in a name": (GET + b"X\xff: a\r\n\r\n", NONSENSE),
    "space before the colon": (GET + b"X : a\r\n\r\n", NONSENSE),
    "space before the name": (GET + b" X: a\r\n\r\n", NONSENSE),
    "folded": (GET + b"X: a\r\n b\r\n\r\n", NONSENSE),
    "no colon": (GET + b"X\r\n\r\n", NONSENSE),
    "no name": (GET + b": a\r\n\r\n", NONSENSE),
    "no value": (GET + b"X:\r\n\r\n", FINE),
    "as many as may be": (GET + b"X: a\r\n" * 99 + END, FINE),
    "one too many": (GET + b"X: a\r\n" * 100 + END, NONSENSE),
    "100,000": (GET + b"X: a\r\n" * 100_000 + END, NONSENSE),
    "long": (GET + b"X: " + b"a" * 60_000 + b"\r\n\r\n", FINE),
    "too long": (GET + b"X: " + b"a" * 66_000 + b"\r\n\r\n", NONSENSE),
    "1 MB": (GET + b"X: " + b"a" * 1_000_000 + b"\r\n\r\n", NONSENSE),
    "long name": (GET + b"X" * 66_000 + b": a\r\n\r\n", NONSENSE),
    "no Host": (b"GET /api/health HTTP/1.1\r\n\r\n", NONSENSE),
    "two Hosts": (GET + HOST + END, NONSENSE),
    "empty Host": (b"GET /api/health HTTP/1.1\r\nHost:\r\n\r\n", FINE),
    "Host that is none": (b"GET /api/health HTTP/1.1\r\nHost: a/b\r\n\r\n", NONSENSE),
    "Host beyond ASCII": (b"GET /api/health HTTP/1.1\r\nHost: \xff\r\n\r\n", NONSENSE),
    "Host with a user": (b"GET /api/health HTTP/1.1\r\nHost: u@b\r\n\r\n", FINE),
    "long Host": (b"GET /api/docs HTTP/1.1\r\nHost: " + b"a" * 60_000 + b"\r\n\r\n", FINE),
    "X-Request-ID beyond ASCII": (GET + b"X-Request-ID: \xff\xfe\r\n\r\n", FINE),
    "X-Request-ID of 60 KB": (GET + b"X-Request-ID: " + b"a" * 60_000 + b"\r\n\r\n", FINE),
    "X-Request-ID that would be a header": (GET + b"X-Request-ID: a%0d%0aX: b\r\n\r\n", FINE),
    "traceparent that is none": (GET + b"traceparent: 00-\xff-x-01\r\n\r\n", FINE),
    "If-None-Match beyond ASCII": (
        b"GET /inspector.css HTTP/1.1\r\n" + HOST + b'If-None-Match: "\xff"\r\n\r\n', FINE),
    "Accept beyond ASCII": (b"GET /api/docs HTTP/1.1\r\n" + HOST + b"Accept: \xff/\xfe;q=\xfd\r\n\r\n", FINE),
    "Accept of 60 KB": (b"GET /api/docs HTTP/1.1\r\n" + HOST + b"Accept: " + b"a/b;q=1," * 7500 + b"\r\n\r\n", FINE),
    "Origin beyond ASCII": (GET + b"Origin: \xff\r\n\r\n", FINE),
    "Cookie that is none": (GET + b"Cookie: =;;=a;\xff\r\n\r\n", FINE),
    "forwarded by nobody": (GET + b"X-Forwarded-For: \xff\r\nX-Forwarded-Proto: x\r\nForwarded: x\r\n\r\n", FINE),
    "method override": (GET + b"X-HTTP-Method-Override: DELETE\r\n\r\n", FINE),
    "Range": (GET + b"Range: bytes=0-1\r\n\r\n", FINE),
    "Upgrade": (GET + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n", FINE),
    "Upgrade, and more": (GET + b"Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n" + GET + END, ["200", "200"]),
    "Upgrade with a body": (sent(b"{}", POST + b"Connection: Upgrade\r\nUpgrade: h2c\r\n") + GET + END, ["200", "200"]),
    "Connection that is none": (GET + b"Connection: \xff, keep-alive, close,,\r\n\r\n" + GET + END, FINE),
    "Expect that nobody knows": (GET + b"Expect: coffee\r\n\r\n", FINE),
}  # fmt: skip

LENGTHS = {
    "twice the same": (sent(b"{}", POST + b"Content-Length: 2\r\n"), NONSENSE),
    "twice": (sent(b"{}", POST + b"Content-Length: 3\r\n"), NONSENSE),
    "in a list": (POST + b"Content-Length: 2, 2\r\n\r\n{}", NONSENSE),
    "negative": (POST + b"Content-Length: -2\r\n\r\n{}", NONSENSE),
    "with a sign": (POST + b"Content-Length: +2\r\n\r\n{}", NONSENSE),
    "hexadecimal": (POST + b"Content-Length: 0x2\r\n\r\n{}", NONSENSE),
    "with an underscore": (POST + b"Content-Length: 1_0\r\n\r\n{}", NONSENSE),
    "a fraction": (POST + b"Content-Length: 2.0\r\n\r\n{}", NONSENSE),
    "empty": (POST + b"Content-Length:\r\n\r\n{}", NONSENSE),
    "zeros in front": (POST + b"Content-Length: 002\r\n\r\n{}", ["200"]),
    "of 30 digits": (POST + b"Content-Length: " + b"9" * 30 + b"\r\n\r\n{}", NO_JSON),
    "beyond the limit": (POST + b"Content-Length: 262145\r\n\r\n", NO_JSON),
    "far beyond the limit": (POST + b"Content-Length: 9223372036854775807\r\n\r\n{}", NO_JSON),
    "beyond the limit, all sent": (sent(b" " * 1_000_000), NO_JSON),
    "beyond the limit, for nothing": (sent(b" " * 1_000_000, POST.replace(b"validate", b"nope")), GONE),
    "at the limit": (sent(b" " * MAX_BODY_BYTES), NO_JSON),
    "none": (POST + END, NO_JSON),
    "zero": (POST + b"Content-Length: 0\r\n\r\n", NO_JSON),
    "more than sent": (POST + b"Content-Length: 10\r\n\r\n{}", NO_JSON),
    "more than sent, for nothing": (POST.replace(b"validate", b"nope") + b"Content-Length: 10\r\n\r\n{}", GONE),
    "more than sent, for the form": (FORM + b"Content-Length: 10\r\n\r\n{}", ["400"]),
    "more than sent...": (POST + b"Content-Length: 10\r\n\r\n{}", NO_JSON),
    "less than sent": (POST + b"Content-Length: 2\r\n\r\n{}{}", ["200", *NONSENSE]),
    "with Transfer-Encoding": (sent(b"0\r\n\r\n", CHUNKED), NONSENSE),
    "before Transfer-Encoding": (POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", NONSENSE),
    "with Transfer-Encoding that is none": (
        POST + b"Content-Length: 2\r\nTransfer-Encoding: identity\r\n\r\n{}", NONSENSE),
}  # fmt: skip

CHUNKS = {
    "one": (CHUNKED + b"\r\n2\r\n{}\r\n0\r\n\r\n", ["200"]),
    "capitals": (CHUNKED.replace(b"chunked", b"CHUNKED") + b"\r\n2\r\n{}\r\n0\r\n\r\n", ["200"]),
    "extensions": (CHUNKED + b'\r\n2;a=b;c="d"\r\n{}\r\n0\r\n\r\n', ["200"]),
    "of one byte each": (CHUNKED + END + b"1\r\n \r\n" * 100_000 + b"0\r\n\r\n", NO_JSON),
    "of one byte each, beyond the limit": (CHUNKED + END + b"1\r\n \r\n" * 262_145 + b"0\r\n\r\n", NO_JSON),
    "with much around them": (CHUNKED + END + (b"1;" + b"x" * 1000 + b"\r\n \r\n") * 3000 + b"0\r\n\r\n", NONSENSE),
    "an extension without an end": (CHUNKED + END + b"1;" + b"x" * 3_000_000, NONSENSE),
    "no number": (CHUNKED + b"\r\nzz\r\n", NONSENSE),
    "huge number": (CHUNKED + b"\r\n" + b"f" * 17 + b"\r\n", NONSENSE),
    "negative number": (CHUNKED + b"\r\n-1\r\n", NONSENSE),
    "too short": (CHUNKED + b"\r\n1\r\n{}\r\n0\r\n\r\n", NONSENSE),
    "bare LF": (CHUNKED + b"\r\n2\n{}\n0\n\n", NONSENSE),
    "no end": (CHUNKED + b"\r\n2\r\n{}\r\n", NO_JSON),
    "no end...": (CHUNKED + b"\r\n2\r\n{}\r\n", NO_JSON),
    "announced beyond the limit...": (CHUNKED + b"\r\n40001\r\n{}", NO_JSON),
    "trailer": (CHUNKED + b"\r\n2\r\n{}\r\n0\r\nX: a\r\n\r\n", ["200"]),
    "Content-Type as a trailer": (
        CHUNKED.replace(b"Content-Type: application/json\r\n", b"")
        + b"\r\n2\r\n{}\r\n0\r\nContent-Type: application/json\r\n\r\n", NO_JSON),
    "Content-Length as a trailer": (CHUNKED + b"\r\n2\r\n{}\r\n0\r\nContent-Length: 5\r\n\r\n", NONSENSE),
    "many trailers": (CHUNKED + b"\r\n2\r\n{}\r\n0\r\n" + b"X: a\r\n" * 100_000 + END, NONSENSE),
    "twice": (CHUNKED + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", NONSENSE),
    "twice in a line": (CHUNKED.replace(b"chunked", b"chunked, chunked") + b"\r\n2\r\n{}\r\n0\r\n\r\n", NONSENSE),
    "compressed": (CHUNKED.replace(b"chunked", b"gzip, chunked") + b"\r\n2\r\n{}\r\n0\r\n\r\n", NONSENSE),
    "compressed alone": (CHUNKED.replace(b"chunked", b"gzip") + b"\r\n{}", NONSENSE),
    "identity": (CHUNKED.replace(b"chunked", b"identity") + b"\r\n{}", NONSENSE),
    "nearly": (CHUNKED.replace(b"chunked", b"xchunked") + b"\r\n2\r\n{}\r\n0\r\n\r\n", NONSENSE),
    "with a tab": (CHUNKED.replace(b" chunked", b"\tchunked") + b"\r\n2\r\n{}\r\n0\r\n\r\n", ["200"]),
}  # fmt: skip

BODIES = {
    "compressed": (sent(b"\x1f\x8b", POST + b"Content-Encoding: gzip\r\n"), NO_JSON),
    "compressed, by its header": (sent(b"{}", POST + b"Content-Encoding: identity, br\r\n"), NO_JSON),
    "not compressed": (sent(b"{}", POST + b"Content-Encoding: identity\r\n"), ["200"]),
    "Content-Encoding beyond ASCII": (sent(b"{}", POST + b"Content-Encoding: \xff\r\n"), NO_JSON),
    "Content-Type beyond ASCII": (sent(b"{}", POST.replace(b"application/json", b"\xff")), NO_JSON),
    "two Content-Types": (sent(b"{}", POST + b"Content-Type: application/json\r\n"), NO_JSON),
    "a form": (sent(b"a=b", POST.replace(b"application/json", b"application/x-www-form-urlencoded")), NO_JSON),
    "waiting for 100": (sent(b"{}", POST + b"Expect: 100-continue\r\n"), ["100", "200"]),
    "waiting for 100, beyond the limit": (POST + b"Expect: 100-continue\r\nContent-Length: 300000\r\n\r\n", NO_JSON),
    "waiting for 100 without a body": (GET + b"Expect: 100-continue\r\n\r\n", FINE),
    "waiting for 100 in 1.0": (sent(b"{}", POST.replace(b"1.1", b"1.0") + b"Expect: 100-continue\r\n"), ["200"]),
}

PIPELINES = {
    "three": ((GET + END) * 3, ["200"] * 3),
    "as many as wait": ((GET + END) * 33, ["200"] * 33),
    "a body between": (GET + END + sent(b"{}") + GET + END, ["200"] * 3),
    "nothing between": (GET + END + target(b"/nope") + GET + END, ["200", *GONE, "200"]),
    "garbage behind": (GET + END + b"garbage", ["200", *NONSENSE]),
    "garbage behind two": ((GET + END) * 2 + b"\0", ["200", "200", *NONSENSE]),
    "garbage behind the last": (GET + b"Connection: close\r\n\r\ngarbage", FINE),
    "more behind the last": (GET + b"Connection: close\r\n\r\n" + GET + END, FINE),
    "half a request behind": (GET + END + GET, ["200", *NONSENSE]),
    "half a request behind...": (GET + END + GET, ["200", *NONSENSE]),
    "behind too long a body": (sent(b" " * 300_000) + GET + END, NO_JSON),
    "smuggled": (
        POST + b"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX" + GET + END, NONSENSE),
    "HEAD between": (GET + END + target(b"/api/docs", b"HEAD") + GET + END, ["200", "200 head", "200"]),
}  # fmt: skip

PROBES = {
    f"{kind}: {name}": probe
    for kind, probes in {
        "target": TARGETS, "method": METHODS, "version": VERSIONS, "header": HEADERS, "length": LENGTHS,
        "chunks": CHUNKS, "body": BODIES, "pipeline": PIPELINES,
    }.items()
    for name, probe in probes.items()
}  # fmt: skip
