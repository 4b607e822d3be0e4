"""Run `rui serve` with other limits of time: `python -m tests.rui_api.patient_serve OPTION…`.

A busy machine exceeds the limits of the service, which tests of other things do not expect. Worker processes import
this module, too, so that it imports the service only when it is needed.
"""

import sys
from functools import partial

SECONDS = 180.0


def allow_time() -> None:
    """Set the limits of this process."""
    from rui_api import app, work_process
    from rui_api.commands import server
    from rui_api.http import limits
    from rui_api.observability import logs
    from rui_api.store import factory
    from rui_api.store.availability import StoreOptions
    from rui_common import task_process

    app.StoreOptions = partial(StoreOptions, deadline=SECONDS)
    factory.PREPARE_SECONDS = SECONDS
    limits.DISCARD_SECONDS = SECONDS
    logs.STOP_SECONDS = SECONDS
    server.STOP_SECONDS = SECONDS
    server.START_SECONDS = 2 * SECONDS  # a test that waits for less finds that the end of a worker is not noticed
    task_process.MAX_START_SECONDS = SECONDS
    work_process.MAX_SECONDS = SECONDS


def create_process_app(settings: object) -> object:
    """Return the application of a process, which may be a worker, with these limits."""
    from rui_api.commands import server

    allow_time()
    return getattr(server, "own_create_process_app", server.create_process_app)(settings)


def listening(settings: object) -> object:
    """Set the limits when the service has handlers of signals, before it reads the limits."""
    from rui_api.commands import server

    allow_time()
    server.own_create_process_app = server.create_process_app
    server.create_process_app = create_process_app
    return own_listening(settings)


if __name__ == "__main__":
    from rui_api.commands import serve

    own_listening = serve.listening
    serve.listening = listening
    sys.exit(serve.main())
