"""The error responses of the service. Handlers raise them, and `rui_api.routes.errors` sends them."""

from collections.abc import Mapping

from rui_api.contract.errors import INVALID_JSON, ErrorSpec
from rui_common.vocabulary.rules import MESSAGES


class ServiceError(Exception):
    """An error response."""

    def __init__(
        self,
        error: ErrorSpec,
        message: str = "",
        *,
        spec_id: str = "",
        headers: Mapping[str, str] | None = None,
        title: str = "",
        cause: str = "",
    ) -> None:
        super().__init__(error.code)
        self.code = error.code
        self.status = error.status
        self.is_unclear = error.is_unclear  # whether the request may have had its effect
        self.headers = dict(headers or {})
        if error.retry_after:
            self.headers["retry-after"] = str(error.retry_after)
        self.title = title or error.title  # the title of its page, by default that of the error
        message = message or error.message
        self.cause = cause or message  # the text of its page, by default the message
        # whether it is a page for every client outside of the API, not only for those that prefer HTML
        self.is_page = bool(cause)
        # the JSON. With an id of a spec, it has that in place of a message (section 4.3).
        self.body: dict[str, object] = {"error": error.code, "message": message}
        if spec_id:
            self.body = {"error": error.code, "specId": spec_id}


class InvalidBody(ServiceError):  # noqa: N818  an error of the client
    """400: the body contains no RUI (section 4.1), or no form. The hint contains `reason`."""

    def __init__(self, reason: str, *, is_incomplete: bool = False) -> None:
        # The connection is closed, because a part of the body was not read.
        super().__init__(INVALID_JSON, reason, headers={"connection": "close"} if is_incomplete else {})
        message, hint = MESSAGES[self.code]
        item = {"path": "", "code": self.code, "message": message, "hint": f"{hint} {reason}"}
        self.body = {"valid": False, "errors": [item]}
