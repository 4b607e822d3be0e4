"""POST /api/validate with FastAPI and pydantic."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from benchmarks.peers.pydantic_contract import Rui

app = FastAPI()


class Valid(BaseModel):
    valid: bool = True
    validationVersion: str = "0.1"
    registryVersion: str = "0.1"
    normalizedRui: Rui


@app.post("/api/validate", response_model_exclude_unset=True)
async def validate(rui: Rui) -> Valid:
    return Valid(valid=True, validationVersion="0.1", registryVersion="0.1", normalizedRui=rui)


@app.exception_handler(RequestValidationError)
async def invalid(_: Request, fault: RequestValidationError) -> JSONResponse:
    errors = [
        {"path": ".".join(map(str, error["loc"][1:])), "code": error["type"], "message": error["msg"], "hint": ""}
        for error in fault.errors()[:50]
    ]
    return JSONResponse({"valid": False, "errors": errors, "truncated": len(fault.errors()) > 50})
