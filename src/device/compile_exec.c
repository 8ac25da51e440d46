// compile_exec.c: nvcc and clang, run as programs without a shell.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "device/compile.h"

// Runs a program and gathers its standard output and error; returns its exit status, -1 if it could not start.
static int capture(char *const argv[], LsText *output) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 1);
    dup2(ends[1], 2);
    int null = open("/dev/null", O_RDONLY);
    if (null >= 0) dup2(null, 0);
    execvp(argv[0], argv);
    _exit(127);
  }
  close(ends[1]);
  char buffer[4096];
  ssize_t n;
  while (child > 0 && ((n = read(ends[0], buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR)))
    if (n > 0 && output->length < 1 << 20) ls_text_addn(output, buffer, (size_t)n);
  close(ends[0]);
  int status = 0;
  if (child < 0) return -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// The first of the candidate programs that answers --version; its name, or NULL.
static const char *first_working(const char *const *candidates, int count, LsText *version) {
  for (int i = 0; i < count; i++) {
    char *argv[] = {(char *)candidates[i], "--version", NULL};
    ls_text_clear(version);
    if (capture(argv, version) == 0) return candidates[i];
  }
  return NULL;
}

static const char *const nvcc_names[] = {"nvcc", "/usr/local/cuda/bin/nvcc"};
static const char *const clang_names[] = {"clang", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14"};

// Where -o points: a fresh temporary file (caller unlinks and frees).
static char *temporary(LsErr *err) {
  const char *dir = getenv("TMPDIR");
  char *path = ls_format("%s/lanescope-XXXXXX", dir && *dir ? dir : "/tmp");
  int file = mkstemp(path);
  if (file < 0) {
    ls_fail(err, LS_EIO, "cannot make a temporary file in %s: %s", dir && *dir ? dir : "/tmp", strerror(errno));
    free(path);
    return NULL;
  }
  close(file);
  return path;
}

// Runs a compiler whose argv has "-o", OUT at the end, and reads what it wrote.
static char *run_compiler(const char *name, char *const argv[], const char *path, const char *out, size_t *length, LsErr *err) {
  LsText messages = {0};
  int status = capture(argv, &messages);
  char *text = NULL;
  if (status == 0) {
    text = ls_file_read(out, 256u << 20, length, err);
  } else if (status == 127 || status < 0) {
    ls_fail(err, LS_EENV, "%s did not start", name);
  } else {
    ls_fail(err, LS_EREQUEST, "%s does not compile:", path);
    ls_err_append(err, "%s", ls_text_str(&messages));
  }
  ls_text_free(&messages);
  return text;
}

static bool nvcc_find(char *where, size_t size) {
  LsText version = {0};
  const char *name = first_working(nvcc_names, LS_COUNT(nvcc_names), &version);
  const char *release = strstr(ls_text_str(&version), "release ");
  if (name) snprintf(where, size, "%s, %.*s", name, release ? (int)strcspn(release, "\n,") : 0, release ? release : "");
  ls_text_free(&version);
  return name != NULL;
}

static char *nvcc_compile(const char *path, DevCut cut, const char *kernel, size_t *length, LsErr *err) {
  (void)kernel;
  LsText version = {0};
  const char *name = first_working(nvcc_names, LS_COUNT(nvcc_names), &version);
  ls_text_free(&version);
  char *out = name ? temporary(err) : NULL;
  if (!name) ls_fail(err, LS_EENV, "nvcc is not here");
  if (!out) return NULL;
  char arch[40];
  snprintf(arch, sizeof arch, "-arch=compute_%.8s", compile_arch(NULL));
  char *argv[] = {(char *)name, "-ptx", arch, cut == DEV_WRITTEN ? "-G" : "-lineinfo",
                  "-std=c++17", (char *)path, "-o", out, NULL};
  char *text = run_compiler("nvcc", argv, path, out, length, err);
  unlink(out);
  free(out);
  return text;
}

static bool clang_find(char *where, size_t size) {
  LsText version = {0};
  const char *name = first_working(clang_names, LS_COUNT(clang_names), &version);
  if (name) snprintf(where, size, "%s, %.*s", name, (int)strcspn(ls_text_str(&version), "\n"), ls_text_str(&version));
  ls_text_free(&version);
  return name != NULL;
}

// Without CUDA's headers clang still knows the language's built-ins; this stands in for the few names that every
// kernel uses. Line numbers of the user's file do not move, since it is a header of its own.
static const char clang_prelude[] =
    "#pragma once\n"
    "#define __global__ __attribute__((global))\n#define __device__ __attribute__((device))\n"
    "#define __host__ __attribute__((host))\n#define __shared__ __attribute__((shared))\n"
    "#define __constant__ __attribute__((constant))\n#define __forceinline__ inline __attribute__((always_inline))\n"
    "#define __noinline__ __attribute__((noinline))\n"
    "#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))\n"
    "struct uint3 { unsigned x, y, z; };\nstruct dim3 { unsigned x, y, z; };\n"
    "struct float2 { float x, y; };\nstruct float4 { float x, y, z, w; };\n"
    "struct int2 { int x, y; };\nstruct int4 { int x, y, z, w; };\n"
    "#include <__clang_cuda_builtin_vars.h>\n"
    "__device__ static inline void __syncwarp(unsigned m = ~0u) { __nvvm_bar_warp_sync(m); }\n"
    "__device__ static inline int atomicAdd(int *p, int v) { return __nvvm_atom_add_gen_i(p, v); }\n"
    "__device__ static inline float atomicAdd(float *p, float v) { return __nvvm_atom_add_gen_f(p, v); }\n";

static char *clang_compile(const char *path, DevCut cut, const char *kernel, size_t *length, LsErr *err) {
  (void)kernel;
  LsText version = {0};
  const char *name = first_working(clang_names, LS_COUNT(clang_names), &version);
  ls_text_free(&version);
  char *out = name ? temporary(err) : NULL, *prelude = out ? temporary(err) : NULL;
  if (!name) ls_fail(err, LS_EENV, "clang is not here");
  char *text = NULL;
  if (prelude && ls_file_write(prelude, clang_prelude, sizeof clang_prelude - 1, err)) {
    char arch[40];
    snprintf(arch, sizeof arch, "--cuda-gpu-arch=sm_%.8s", compile_arch(NULL));
    char *argv[] = {(char *)name, "-x", "cuda", "--cuda-device-only", arch, "-nocudainc",
                    "-nocudalib", "-Wno-unknown-cuda-version", "-fms-extensions", "-std=c++17", "-S",
                    cut == DEV_WRITTEN ? "-O0" : "-O2", cut == DEV_WRITTEN ? "-g" : "-gline-tables-only", "-include", prelude, (char *)path, "-o", out, NULL};
    text = run_compiler("clang", argv, path, out, length, err);
  }
  if (out) unlink(out);
  if (prelude) unlink(prelude);
  free(out);
  free(prelude);
  return text;
}

const Compiler compiler_nvcc = {.name = "nvcc", .find = nvcc_find, .compile = nvcc_compile};
const Compiler compiler_clang = {.name = "clang", .find = clang_find, .compile = clang_compile};
