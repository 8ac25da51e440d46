#!/bin/sh
# check_ptx.sh: the shipped PTX of the lecture kernels, and that of the probe, is what their sources compile to (skipped
# without nvcc). What has the checksums of its last compilation is not compiled again, unless CHECK_LONG is set.
set -eu
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] || { echo "check_ptx: no nvcc here, so nothing to compare with"; exit 77; }
NVCC=$nvcc sh "${srcdir:-.}/assets/make-probe" --check "${srcdir:-.}/src/device/probe/probe.cu" "${srcdir:-.}/src/device/probe/probe_runtime.inc"
make_ptx() { NVCC=$nvcc sh "${srcdir:-.}/assets/make-ptx" "$@"; }
make_ptx --check "${srcdir:-.}/kernels" "${srcdir:-.}/assets/ptx"

# One kernel: made, found whole, compiled again, and found changed.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/kernels"
cp "${srcdir:-.}/kernels/reduce_sync.cu" "${srcdir:-.}/kernels/reduce_sync.lua" "$work/kernels"
make_ptx "$work/kernels" "$work/ptx"
make_ptx --check "$work/kernels" "$work/ptx"
CHECK_LONG=1 make_ptx --check "$work/kernels" "$work/ptx"
for made in "$work"/ptx/*.ptx; do cmp "$made" "${srcdir:-.}/assets/ptx/${made##*/}"; done
echo '//' >>"$work/ptx/reduce_sync.ptx"
! make_ptx --check "$work/kernels" "$work/ptx" >"$work/said" || { echo 'check_ptx: PTX changed by hand is not found' >&2; exit 1; }
grep -q 'reduce_sync.ptx' "$work/said"
