"""What handlers get from Litestar by the name of a parameter; `rui_api.app` provides it."""

from __future__ import annotations

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from rui_api.store.base import Store
from rui_api.work_thread import WorkThread

StoreDependency = NamedDependency[SkipValidation[Store]]
"""The parameter `store`."""

WorkThreadDependency = NamedDependency[SkipValidation[WorkThread]]
"""The parameter `work_thread`."""
