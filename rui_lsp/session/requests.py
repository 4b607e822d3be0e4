"""The requests of the other documents of the workspace, from which completion learns.

Those of files are known when their diagnostics have been computed; no text is read for completion.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from rui_common.editing.requests import Request, requests_in
from rui_lsp.session.diagnostics import FileResult
from rui_lsp.session.documents import OpenDocument, OpenDocuments
from rui_lsp.session.files import cached_results
from rui_lsp.session.uris import name_of, path_from_uri


def requests_of_others(document: OpenDocument, documents: OpenDocuments) -> Iterator[Request]:
    """Yield the requests of other documents: of the open ones, edited last first, then of files, changed last first."""
    for other in sorted(documents, key=lambda one: -one.edited_ns):
        if other is not document:
            for request in requests_in(other.analysis):
                yield request._replace(source=name_of(other.uri))
    seen = {one.real_path for one in documents}
    roots = [path_from_uri(uri) for uri in documents.folder_uris]
    folders = tuple(os.path.join(root, "") for root in roots if root is not None)  # noqa: PTH118
    for path, result in cached_results():
        real_path = os.path.realpath(path)
        if real_path not in seen and path.startswith(folders) and isinstance(result, FileResult):
            seen.add(real_path)
            for request in result.requests:
                yield request._replace(source=os.path.basename(path))  # noqa: PTH119
