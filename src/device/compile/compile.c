// compile.c: CUDA source to PTX: the cache, and the compilers in turn.
#include "device/compile/compile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/random.h"

static const Compiler *const compilers[] = {&compiler_nvrtc, &compiler_nvcc, &compiler_clang};

const char *compile_arch(LsErr *err) {
  const char *wanted = getenv("LANESCOPE_ARCH");
  if (!wanted || !*wanted) return "75";
  size_t digits = strspn(wanted, "0123456789"), letters = strspn(wanted + digits, "af");
  if (digits >= 2 && digits <= 3 && letters <= 1 && !wanted[digits + letters]) return wanted;
  ls_fail(err, LS_EREQUEST, "LANESCOPE_ARCH is a compute capability without its point, like 75, 80 or 90a, not '%s'",
          LS_QUOTE(wanted));
  return NULL;
}

// Names the compiled text of this source, options and kernel. The name of the source file is in the PTX, so it counts too.
// Headers that it includes are not part of the name, so sources that include their own headers (with quotes) are compiled
// every time.
static char *cache_path(const char *path, const char *source, size_t size, DevCut cut, const char *kernel, const char *compiler) {
  if (strstr(source, "#include \"")) return NULL;
  uint64_t hash = ls_hash64(source, size);
  char *key = ls_format("%016" PRIx64 " %zu %d %s %s %s %s", hash, size, (int)cut, kernel ? kernel : "", compiler, compile_arch(NULL),
                        ls_path_base(path));
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

static char *compile_cached(const Compiler *compiler, const DevSource *source, const char *text, size_t size, size_t *length, LsErr *err) {
  char *cached = cache_path(source->path, text, size, source->cut, source->kernel, compiler->name);
  char *ptx = cached && ls_file_exists(cached) ? ls_file_read(cached, 256u << 20, length, NULL) : NULL;
  if (!ptx) {
    if (source->starts) source->starts(source->context, compiler->name);
    ptx = compiler->compile(source, length, err);
    if (ptx && cached) cache_store(cached, ptx, *length);
  }
  free(cached);
  return ptx;
}

static char *compile_with_any(const DevSource *source, const char *text, size_t size, size_t *length, LsErr *err) {
  char *ptx = NULL;
  bool missing = true;
  for (int i = 0; i < LS_COUNT(compilers) && !ptx; i++) {
    LsErr attempt = {0};
    ptx = compile_cached(compilers[i], source, text, size, length, &attempt);
    if (ptx || attempt.kind == LS_EENV) continue;
    // A whole compiler's word counts more than NVRTC's, and clang stands in only where neither is there.
    bool last = compilers[i] == &compiler_nvcc || attempt.kind == LS_ECANCEL;
    if (err && (missing || last)) *err = attempt;
    missing = false;
    if (last) break;
  }
  if (!ptx && missing)
    ls_fail(err, LS_EENV,
            "no CUDA compiler is here, so %s cannot become PTX.\n"
            "Install the CUDA Toolkit (nvcc or libnvrtc), or clang 14 or later; or compile it elsewhere with\n"
            "  nvcc -ptx -arch=compute_75 -G %s\nand open the .ptx.", source->path, source->path);
  return ptx;
}

char *dev_compile(const DevSource *source, size_t *length, LsErr *err) {
  size_t size;
  char *text = compile_arch(err) ? ls_file_read(source->path, 64u << 20, &size, err) : NULL;
  char *ptx = text ? compile_with_any(source, text, size, length, err) : NULL;
  free(text);
  return ptx;
}

int dev_compilers(LsText *out) {
  int found = 0;
  for (int i = 0; i < LS_COUNT(compilers); i++) {
    char where[256];
    if (!compilers[i]->find(where, sizeof where)) continue;
    ls_text_addf(out, "%s\n", where);
    found++;
  }
  return found;
}
