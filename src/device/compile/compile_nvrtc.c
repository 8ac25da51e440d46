// compile_nvrtc.c: NVRTC, opened at run time. Types and numbers are those of nvrtc.h (CUDA 11 to 13).
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "device/compile/compile.h"
#include "device/compile/nvrtc_place.h"
#include "device/library.h"

typedef struct Program *NvrtcProgram;
typedef struct Nvrtc {
  void *library;
  const char *path;   // of the library if it was found in a Python package, or named; else NULL
#define NVRTC_CALL(member, symbol, arguments) int (*member) arguments;
#include "device/compile/nvrtc.def"
} Nvrtc;

static const char *const library_names[] = {
    "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "/usr/local/cuda/lib64/libnvrtc.so.13", "/usr/local/cuda/lib64/libnvrtc.so.12",
    "/usr/local/cuda/lib64/libnvrtc.so", "libnvrtc.so",
};

static char *package;   // of Python, with the library; NULL: none

static void find_package(void) { package = nvrtc_place(); }

// NVRTC opens its other half by name alone, and the linker knows neither: it is to be there already.
static void open_at(Nvrtc *rtc, const char *path) {
  char *builtins = nvrtc_builtins(path);
  if (builtins) dlopen(builtins, RTLD_NOW | RTLD_LOCAL);
  free(builtins);
  rtc->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  rtc->path = rtc->library ? path : NULL;
}

// LANESCOPE_NVRTC is the library that is meant, if it is set; else one that the linker knows or the toolkit has; else
// that of a Python package.
static void open_library(Nvrtc *rtc) {
  const char *named = getenv("LANESCOPE_NVRTC");
  if (named && *named) { open_at(rtc, named); return; }
  for (int i = 0; i < LS_COUNT(library_names) && !rtc->library; i++)
    rtc->library = dlopen(library_names[i], RTLD_NOW | RTLD_LOCAL);
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (!rtc->library) pthread_once(&once, find_package);
  if (!rtc->library && package) open_at(rtc, package);
}

// The library stays loaded: memory that it keeps for itself would be lost with it.
static bool load(Nvrtc *rtc) {
  *rtc = (Nvrtc){0};
  open_library(rtc);
  if (!rtc->library) return false;
  bool all = true;
#define NVRTC_CALL(member, symbol, arguments) all = all && library_symbol(rtc->library, #symbol, &rtc->member);
#include "device/compile/nvrtc.def"
  return all;
}

static bool nvrtc_find(char *where, size_t size) {
  Nvrtc rtc;
  int major = 0, minor = 0;
  bool found = load(&rtc) && rtc.version(&major, &minor) == 0;
  if (found) snprintf(where, size, "NVRTC %d.%d%s%s", major, minor, rtc.path ? ", " : "", rtc.path ? rtc.path : "");
  return found;
}

static void report_log(const Nvrtc *rtc, NvrtcProgram program, const char *path, LsErr *err) {
  size_t size = 0;
  ls_fail(err, LS_EREQUEST, "%s does not compile:", LS_QUOTE_PATH(path));
  if (rtc->log_size(program, &size) != 0 || size > 1 << 24) return;
  char *text = ls_alloc(size + 1);
  if (rtc->log(program, text) == 0) ls_err_append(err, "%s", text);
  free(text);
}

static char *take_ptx(const Nvrtc *rtc, NvrtcProgram program, size_t *length, LsErr *err) {
  size_t size = 0;
  if (rtc->ptx_size(program, &size) != 0 || size == 0) {
    ls_fail(err, LS_EENV, "NVRTC gave no PTX");
    return NULL;
  }
  char *text = ls_alloc(size + 1);
  rtc->ptx(program, text);
  *length = strlen(text);
  return text;
}

static char *compile_with(const Nvrtc *rtc, const DevSource *source, const char *code, size_t *length, LsErr *err) {
  NvrtcProgram program = NULL;
  const char *path = source->path;
  if (rtc->create(&program, code, path, 0, NULL, NULL) != 0) {
    ls_fail(err, LS_EENV, "NVRTC cannot start");
    return NULL;
  }
  char include[4200];
  const char *base = ls_path_base(path);
  snprintf(include, sizeof include, "-I%.*s", base == path ? 1 : (int)(base - path), base == path ? "." : path);
  char arch[40], macro[COMPILE_DEFINE];
  const char *define = compile_define(source, macro);
  snprintf(arch, sizeof arch, "--gpu-architecture=compute_%.8s", compile_arch(source, NULL));
  enum { FIXED = 5 };
  const char *options[FIXED + NVRTC_MOST_INCLUDES + 2] = {arch, source->cut == DEV_WRITTEN ? "-G" : "-lineinfo",
                                                          "-std=c++17",
                                                          "-default-device", include};
  char *headers[NVRTC_MOST_INCLUDES];
  int found = rtc->path ? nvrtc_includes(rtc->path, headers) : 0, count = FIXED;
  for (int i = 0; i < found; i++) options[count++] = headers[i];
  options[count++] = "-I/usr/local/cuda/include";   // after those that belong to the library
  if (define) options[count++] = define;
  if (source->kernel && strchr(source->kernel, '<')) rtc->add_name(program, source->kernel);
  char *text = NULL;
  if (rtc->compile(program, count, options) != 0) report_log(rtc, program, path, err);
  else text = take_ptx(rtc, program, length, err);
  rtc->destroy(&program);
  for (int i = 0; i < found; i++) free(headers[i]);
  return text;
}

static char *compile_here(const DevSource *source, size_t *length, LsErr *err) {
  Nvrtc rtc;
  char *text = NULL;
  if (!load(&rtc)) {
    ls_fail(err, LS_EENV, "NVRTC is not here");
  } else {
    char *code = ls_file_read(source->path, 64u << 20, NULL, err);
    if (code) text = compile_with(&rtc, source, code, length, err);
    free(code);
  }
  return text;
}

bool compile_serve(const DevSource *source, const char *out, LsErr *err) {
  size_t length = 0;
  char *text = compile_here(source, &length, err);
  bool ok = text && ls_file_write(out, text, length, err);
  free(text);
  return ok;
}

// In a process that can be ended: a second lanescope.
static char *compile_there(const DevSource *source, size_t *length, LsErr *err) {
  CompileFolder *folder = compile_folder_new(err);
  if (!folder) return NULL;
  char *out = ls_path_join(compile_folder_path(folder), "out.ptx");
  char *define = ls_format("define=%s", source->define ? source->define : "");
  char *arch = ls_format("arch=%s", source->arch ? source->arch : "");
  const char *argv[] = {"/proc/self/exe", "serve-compile", "--code", source->cut == DEV_WRITTEN ? "written" : "compiled",
                        "--kernel", source->kernel ? source->kernel : "", "--param", define,
                        "--param", arch, "--output", out, "--", source->path, NULL};
  char *text = compile_run("NVRTC", (char *const *)argv, source, folder, out, length, err);
  compile_folder_free(folder);
  free(define);
  free(arch);
  free(out);
  return text;
}

static char *nvrtc_compile(const DevSource *source, size_t *length, LsErr *err) {
  return source->cancel ? compile_there(source, length, err) : compile_here(source, length, err);
}

const Compiler compiler_nvrtc = {.name = "nvrtc", .find = nvrtc_find, .compile = nvrtc_compile};
