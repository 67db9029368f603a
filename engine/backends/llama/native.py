"""The native library: loaded when a model is, with the few ggml functions its bindings lack."""

import ctypes
import importlib
import importlib.metadata
import importlib.util
import os
import sys
import types
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from engine.errors import EngineError, ErrorCode


class DeviceKind(IntEnum):
    """`enum ggml_backend_dev_type` of ggml-backend.h."""

    CPU = 0
    GPU = 1
    INTEGRATED_GPU = 2
    ACCELERATOR = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeDevice:
    """A device that this build of ggml can compute on."""

    name: str
    description: str
    kind: int
    free_bytes: int
    total_bytes: int


# Turns a thread of libgomp spins at a barrier before it sleeps. By default it spins for
# milliseconds, and where several programs want the cores it waits for one that is not running.
# Measured with two threads on two cores: 23 to 44 against 6 to 11 tok/s on a busy machine, 97
# against 93 on an idle one.
_SPIN_COUNT = "1000"
_PACKAGE = "llama_cpp"


def import_llama() -> Any:  # noqa: ANN401 - a module of untyped bindings
    """The bindings, `llama_cpp.llama_cpp`, without the package around them.

    Importing the package takes several times as long: it loads numpy and a chat server.

    Sets GOMP_SPINCOUNT for this process, which libgomp reads when it is loaded, unless the person
    has a policy of their own.

    Raises:
        EngineError: BACKEND_MISSING if it is not installed or its library cannot be loaded.
    """
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ.setdefault("GOMP_SPINCOUNT", _SPIN_COUNT)
    try:
        if _PACKAGE in sys.modules:
            return importlib.import_module(f"{_PACKAGE}.llama_cpp")
        spec = importlib.util.find_spec(_PACKAGE)
        if spec is None or spec.submodule_search_locations is None:
            raise ImportError("llama-cpp-python is not installed")  # noqa: TRY301 - same remedy
        package = types.ModuleType(_PACKAGE)
        package.__path__ = list(spec.submodule_search_locations)
        sys.modules[_PACKAGE] = package
        try:
            return importlib.import_module(f"{_PACKAGE}.llama_cpp")
        finally:
            # Whoever imports the package later gets the real one.
            del sys.modules[_PACKAGE]
    except (ImportError, OSError, RuntimeError) as error:
        raise EngineError(
            ErrorCode.BACKEND_MISSING, f"llama_cpp: {error}", backend="llama", reason=str(error)
        ) from error


def build_text(llama: Any) -> str:  # noqa: ANN401
    """Version of the bindings and of llama.cpp, and the CPU features it was built with."""
    version = importlib.metadata.version("llama-cpp-python")
    features = " ".join(
        part.split("=")[0].strip()
        for part in llama.llama_print_system_info().decode().replace("CPU :", "").split("|")
        if part.strip().endswith("= 1")
    )
    return f"llama-cpp-python {version} ({features})"


def list_devices(llama: Any) -> list[NativeDevice]:  # noqa: ANN401
    """Every device of this build, through the ggml libraries beside libllama."""
    base, registry = _library(llama, "ggml-base"), _library(llama, "ggml")
    registry.ggml_backend_dev_count.restype = ctypes.c_size_t
    registry.ggml_backend_dev_get.argtypes = [ctypes.c_size_t]
    registry.ggml_backend_dev_get.restype = ctypes.c_void_p
    for name in ("ggml_backend_dev_name", "ggml_backend_dev_description"):
        getattr(base, name).argtypes = [ctypes.c_void_p]
        getattr(base, name).restype = ctypes.c_char_p
    base.ggml_backend_dev_type.argtypes = [ctypes.c_void_p]
    base.ggml_backend_dev_type.restype = ctypes.c_int
    base.ggml_backend_dev_memory.argtypes = [
        ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_size_t),
        ctypes.POINTER(ctypes.c_size_t),
    ]
    base.ggml_backend_dev_memory.restype = None
    devices = []
    for index in range(registry.ggml_backend_dev_count()):
        device = registry.ggml_backend_dev_get(index)
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        base.ggml_backend_dev_memory(device, ctypes.byref(free), ctypes.byref(total))
        devices.append(
            NativeDevice(
                name=base.ggml_backend_dev_name(device).decode("utf-8", "replace"),
                description=base.ggml_backend_dev_description(device).decode("utf-8", "replace"),
                kind=int(base.ggml_backend_dev_type(device)),
                free_bytes=free.value,
                total_bytes=total.value,
            )
        )
    return devices


def gpus(llama: Any) -> list[NativeDevice]:  # noqa: ANN401
    """The GPUs of this build; none where it was built without one."""
    if not llama.llama_supports_gpu_offload():
        return []
    kinds = (DeviceKind.GPU, DeviceKind.INTEGRATED_GPU)
    return [device for device in list_devices(llama) if device.kind in kinds]


def _library(llama: Any, name: str) -> ctypes.CDLL:  # noqa: ANN401
    folder = Path(llama.__file__).parent / "lib"
    for file in (f"lib{name}.so", f"lib{name}.dylib", f"{name}.dll"):
        if (folder / file).exists():
            return ctypes.CDLL(str(folder / file))
    raise EngineError(ErrorCode.BACKEND_MISSING, f"no {name} library in the folder of llama_cpp")
