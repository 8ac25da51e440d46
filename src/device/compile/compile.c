// compile.c: CUDA source to PTX: the cache, and the compilers in turn.
#include "device/compile/compile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/random.h"
#include "launch/launch.h"

static const Compiler *const compilers[] = {&compiler_nvrtc, &compiler_nvcc, &compiler_clang};

// Headers whose asynchronous copies are plain loads and stores, done at once, for devices before 80: a wait that is
// too weak would never be seen.
static const char *const headers_of_copies[] = {"cuda_pipeline.h", "cuda_pipeline_primitives.h", "cuda/pipeline",
                                                "cuda/barrier", "cooperative_groups/memcpy_async.h"};

static bool copies_asynchronously(const char *path) {
  size_t size;
  bool found = false;
  char *text = ls_file_read(path, 64u << 20, &size, NULL);
  for (const char *hash = text; hash && (hash = strchr(hash, '#')); hash++) {
    const char *end = hash + strcspn(hash, "\n");
    for (int i = 0; i < LS_COUNT(headers_of_copies); i++) {
      const char *name = strstr(hash, headers_of_copies[i]);
      found |= name && name < end;
    }
  }
  free(text);
  return found;
}

const char *compile_define(const DevSource *source, char out[COMPILE_DEFINE]) {
  if (!source->define || !*source->define) return NULL;
  snprintf(out, COMPILE_DEFINE, "-D%.*s", COMPILE_DEFINE - 3, source->define);
  return out;
}

const char *compile_arch(const DevSource *source, LsErr *err) {
  const char *wanted = getenv("LANESCOPE_ARCH");
  if (!wanted || !*wanted) wanted = source->arch;
  if (!wanted || !*wanted) return copies_asynchronously(source->path) ? "80" : "75";
  size_t digits = strspn(wanted, "0123456789"), letters = strspn(wanted + digits, "af");
  if (digits >= 2 && digits <= 3 && letters <= 1 && !wanted[digits + letters]) return wanted;
  ls_fail(err, LS_EREQUEST, "LANESCOPE_ARCH is a compute capability without its point, like 75, 80 or 90a, not '%s'",
          LS_QUOTE(wanted));
  return NULL;
}

// Whether it includes what is no header of the system: "own.h", or a macro that may be one.
static bool has_own_headers(const char *text) {
  for (const char *hash = text; (hash = strchr(hash, '#')); hash++) {
    const char *p = hash + 1 + strspn(hash + 1, " \t");
    if (!ls_starts_with(p, "include")) continue;
    p += strlen("include");
    if (p[strspn(p, " \t")] != '<') return true;
  }
  return false;
}

// Names the compiled text of this source, options and kernel. The name of the source file is in the PTX: it counts,
// too. Headers that it includes are not part of the name, so sources that include their own headers are compiled every
// time.
static char *cache_path(const DevSource *source, const char *text, size_t size, const Compiler *compiler) {
  if (has_own_headers(text)) return NULL;
  uint64_t hash = ls_hash64(text, size), made_of = compiler->made_of ? compiler->made_of() : 0;
  char *key = ls_format("%016" PRIx64 " %zu %d %s %s %016" PRIx64 " %s %s %s", hash, size, (int)source->cut,
                        source->kernel ? source->kernel : "", compiler->name, made_of, compile_arch(source, NULL),
                        ls_path_base(source->path), source->define ? source->define : "");
  char *name = ls_format("ptx/%016" PRIx64 "-%016" PRIx64 ".ptx", hash, ls_hash64(key, strlen(key)));
  char *cached = ls_xdg_path("CACHE", name);
  free(key);
  free(name);
  return cached;
}

// A cache that cannot be written is no error. Written aside first: another lanescope may be reading it, or writing it too.
static void cache_store(const char *path, const char *text, size_t length) {
  char *dir = ls_strndup(path, (size_t)(ls_path_base(path) - path));
  char *part = ls_format("%s.%ld", path, (long)getpid());
  if (ls_make_dirs(dir, NULL) && (!ls_file_write(part, text, length, NULL) || rename(part, path) != 0)) remove(part);
  free(part);
  free(dir);
}

static char *compile_cached(const Compiler *compiler, const DevSource *source, const char *text, size_t size,
                            size_t *length, LsErr *err) {
  char *cached = cache_path(source, text, size, compiler);
  char *ptx = cached && ls_file_exists(cached) ? ls_file_read(cached, 256u << 20, length, NULL) : NULL;
  if (!ptx) {
    if (source->starts) source->starts(source->context, compiler->name);
    ptx = compiler->compile(source, length, err);
    if (ptx && cached) cache_store(cached, ptx, *length);
  }
  free(cached);
  return ptx;
}

// LANESCOPE_COMPILER: the name of the only one to be asked; empty: any.
static bool is_wanted(const Compiler *compiler) {
  const char *wanted = getenv("LANESCOPE_COMPILER");
  return !wanted || !*wanted || strcmp(wanted, compiler->name) == 0;
}

static bool wish_is_known(LsErr *err) {
  bool known = false;
  for (int i = 0; i < LS_COUNT(compilers); i++) known |= is_wanted(compilers[i]);
  if (!known)
    ls_fail(err, LS_EREQUEST, "LANESCOPE_COMPILER is nvrtc, nvcc or clang, not '%s'",
            LS_QUOTE(getenv("LANESCOPE_COMPILER")));
  return known;
}

static void fail_without_compiler(const char *path, LsErr *err) {
  LsText word = {0};
  launch_quote(path, &word);
  ls_fail(err, LS_EENV,
          "no CUDA compiler is here, so %s cannot become PTX.\n"
          "Install clang 14 or later, which needs no CUDA Toolkit ('apt install clang'), or the toolkit "
          "(lanescope doctor says more);\n"
          "or compile it elsewhere with\n  nvcc -ptx -arch=compute_75 -G %s\nand open the .ptx.", LS_QUOTE_PATH(path),
          ls_text_str(&word));
  ls_text_free(&word);
}

static char *compile_with_any(const DevSource *source, const char *text, size_t size, size_t *length, LsErr *err) {
  char *ptx = NULL;
  bool missing = true, only_nvrtc = false;
  for (int i = 0; i < LS_COUNT(compilers) && !ptx; i++) {
    LsErr attempt = {0};
    if (!is_wanted(compilers[i])) continue;
    ptx = compile_cached(compilers[i], source, text, size, length, &attempt);
    if (ptx || attempt.kind == LS_EENV) continue;
    // A whole compiler's word counts more than NVRTC's, and clang stands in only where there is no nvcc.
    bool last = compilers[i] != &compiler_nvrtc || attempt.kind == LS_ECANCEL;
    if (err && (missing || last)) *err = attempt;
    missing = false;
    only_nvrtc = !last;
    if (last) break;
  }
  if (!ptx && only_nvrtc && strstr(text, "#include <"))
    ls_err_append(err, "%s", "\nNVRTC reads kernels only: a file that includes headers of the host, or has main(), needs "
                             "clang or nvcc");
  if (!ptx && missing) fail_without_compiler(source->path, err);
  return ptx;
}

char *dev_compile(const DevSource *source, size_t *length, LsErr *err) {
  size_t size;
  char *text = compile_arch(source, err) && wish_is_known(err) ? ls_file_read(source->path, 64u << 20, &size, err) : NULL;
  char *ptx = text ? compile_with_any(source, text, size, length, err) : NULL;
  free(text);
  return ptx;
}

static const char install_clang[] =
    "apt install clang (dnf, pacman and zypper call it so, too): kernels and whole programs, without the CUDA Toolkit";
static const char install_rest[] =
    "pip install nvidia-cuda-nvrtc-cu12 nvidia-cuda-runtime-cu12: NVIDIA's NVRTC, for files without host code, and no "
    "root is needed\n"
    "the CUDA Toolkit: nvcc, exactly what a GPU would run";

static void say_meaning(LsText *meaning, int found, bool whole_programs) {
  if (!found)
    ls_text_addf(meaning, "lecture kernels and .ptx files work; for your own .cu one of these is enough:\n%s\n%s",
                 install_clang, install_rest);
  else if (!whole_programs)
    ls_text_addf(meaning, "your own .cu files can be explored if they have kernels only; for programs with main():\n%s",
                 install_clang);
  else
    ls_text_add(meaning, "your own .cu files can be explored");
}

int dev_compilers(LsText *out, LsText *meaning) {
  int found = 0;
  bool whole_programs = false;
  for (int i = 0; i < LS_COUNT(compilers); i++) {
    char where[512];
    if (!is_wanted(compilers[i]) || !compilers[i]->find(where, sizeof where)) continue;
    ls_text_addf(out, "%s%s\n", where, compilers[i] == &compiler_clang ? ", with lanescope's own CUDA headers" : "");
    whole_programs |= compilers[i] != &compiler_nvrtc;
    found++;
  }
  say_meaning(meaning, found, whole_programs);
  return found;
}
