"""The names that `rui_common` exports."""

import subprocess
import sys

import rui_common
from rui_common import apply_safe_fixes, diagnose, format_document, read, validate

TEXT = '{"version": "0.1", "meta": {}, "navigation": {"items": []}, "pages": [],}'


def test_functions_work_together() -> None:
    assert set(rui_common.__all__) == {"apply_safe_fixes", "diagnose", "format_document", "read", "validate"}
    document = apply_safe_fixes(read(TEXT))
    assert document.valid
    assert len(diagnose(document)) == len(list(validate(document.value)))
    assert read(format_document(document)).value == document.value


def test_importing_the_package_imports_no_module_of_it() -> None:
    program = "import rui_common, sys; print([name for name in sys.modules if name.startswith('rui_common.')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
