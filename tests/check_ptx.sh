#!/bin/sh
# check_ptx.sh: the shipped PTX of the lecture kernels, and that of the probe, is what their sources compile to (skipped
# without nvcc).
set -eu
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] || { echo "check_ptx: no nvcc here, so nothing to compare with"; exit 77; }
NVCC=$nvcc sh "${srcdir:-.}/assets/make-probe" --check "${srcdir:-.}/src/device/probe/probe.cu" "${srcdir:-.}/src/device/probe/probe_runtime.inc"
NVCC=$nvcc exec sh "${srcdir:-.}/assets/make-ptx" --check "${srcdir:-.}/kernels" "${srcdir:-.}/assets/ptx"
