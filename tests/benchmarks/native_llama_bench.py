"""Builds llama.cpp's own `llama-bench` against the shared libraries that the engine runs.

The sources come from the sdist of the installed llama-cpp-python; only the tool and llama.cpp's
`common` are compiled, so that both sides run the very same kernels.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import platformdirs

_VERSION = importlib.metadata.version("llama-cpp-python")
_CMAKE = """\
cmake_minimum_required(VERSION 3.21)
project(native_llama_bench C CXX)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(BUILD_SHARED_LIBS OFF)
set(LLAMA_BUILD_COMMON ON)
set(LLAMA_BUILD_NUMBER 0)
set(LLAMA_BUILD_COMMIT vendored)
find_package(Threads REQUIRED)
list(APPEND CMAKE_MODULE_PATH ${SOURCE} ${SOURCE}/cmake)
file(CREATE_LINK ${SOURCE}/ggml ${CMAKE_CURRENT_SOURCE_DIR}/ggml SYMBOLIC)
include(${SOURCE}/cmake/common.cmake)
include(license)
foreach(name llama ggml ggml-base ggml-cpu)
    add_library(${name} SHARED IMPORTED GLOBAL)
    set_target_properties(${name} PROPERTIES
        IMPORTED_LOCATION ${LIBRARIES}/lib${name}.so
        INTERFACE_INCLUDE_DIRECTORIES "${SOURCE}/include;${SOURCE}/ggml/include")
endforeach()
set_property(TARGET llama PROPERTY INTERFACE_LINK_LIBRARIES "ggml;ggml-cpu;ggml-base")
add_subdirectory(${SOURCE}/vendor vendor)
add_subdirectory(${SOURCE}/common common)
add_subdirectory(${SOURCE}/tools/llama-bench bench)
"""


def build() -> Path:
    """The program, built on the first call and kept in the person's cache folder. Linux only."""
    folder = Path(platformdirs.user_cache_path("oscillama-bench")) / _VERSION
    program = folder / "build" / "bench" / "llama-bench"
    if program.exists():
        return program
    folder.mkdir(parents=True, exist_ok=True)
    source = _sources(folder)
    (folder / "CMakeLists.txt").write_text(_CMAKE)
    configure = [
        *("cmake", "-S", str(folder), "-B", str(folder / "build")),
        *(f"-DSOURCE={source}", f"-DLIBRARIES={_libraries()}", "-DCMAKE_CXX_FLAGS=-O2"),
    ]
    jobs = str(os.cpu_count() or 1)
    for command in (
        configure,
        ["cmake", "--build", str(folder / "build"), "--target", "llama-bench", "-j", jobs],
    ):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return program


def run(
    program: Path,
    model: str,
    *,
    n_prompt: int,
    n_output: int,
    depth: int,
    n_threads: int,
    flash: bool,
    repeat: int,
) -> list[float]:
    """Tokens per second of each repetition after llama-bench's own warm-up."""
    command = [
        *(str(program), "-m", model, "-p", str(n_prompt), "-n", str(n_output), "-d", str(depth)),
        *("-t", str(n_threads), "-fa", str(int(flash)), "-r", str(repeat), "-o", "json"),
    ]
    environment = os.environ | {"LD_LIBRARY_PATH": str(_libraries())}
    done = subprocess.run(
        command, check=True, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    (row,) = json.loads(done.stdout)
    return [float(sample) for sample in row["samples_ts"]]


def _sources(folder: Path) -> Path:
    source = folder / f"llama_cpp_python-{_VERSION}" / "vendor" / "llama.cpp"
    if not source.exists():
        subprocess.run(
            [
                *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"),
                *("--no-binary", "llama-cpp-python"),
                *("-d", str(folder), f"llama-cpp-python=={_VERSION}"),
            ],
            check=True,
        )
        with tarfile.open(folder / f"llama_cpp_python-{_VERSION}.tar.gz") as archive:
            archive.extractall(folder, filter="data")
    return source


def _libraries() -> Path:
    package = importlib.metadata.distribution("llama-cpp-python")
    return Path(str(package.locate_file("llama_cpp"))) / "lib"
