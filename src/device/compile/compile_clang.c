// compile_clang.c: clang with lanescope's own device headers (assets/cuda), without any file of the CUDA Toolkit.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/random.h"
#include "device/compile/compile.h"
#include "device/compile/tidy.h"

enum { OLDEST = 14 };
static const char *const names[] = {"clang",    "clang-22", "clang-21", "clang-20", "clang-19", "clang-18",
                                    "clang-17", "clang-16", "clang-15", "clang-14"};

// The first release of PTX that knows a device (PTX ISA, "Release Notes"). clang takes the oldest that it writes for it
// unless it is told.
static const struct { int cc; const char *release; } ptx_releases[] = {
    {120, "+ptx87"}, {100, "+ptx86"}, {89, "+ptx78"}, {87, "+ptx74"}, {86, "+ptx71"}, {0, "+ptx70"}};

static const char *ptx_release(const char *arch) {
  int i = 0;
  while (atoi(arch) < ptx_releases[i].cc) i++;
  bool accelerated = strchr(arch, 'a') && i > 1;   // 90a came later than 90
  return accelerated ? "+ptx80" : ptx_releases[i].release;
}

// "Debian clang version 14.0.6", "clang version 19.1.7 (...)"; 0: no such words.
static int version_number(const char *words) {
  const char *at = strstr(words, "clang version ");
  return at ? atoi(at + strlen("clang version ")) : 0;
}

// The program, and its first line in words; NULL: none is here, or none that is new enough.
static const char *clang_program(LsText *version) {
  for (int i = 0; i < LS_COUNT(names); i++)
    if (compile_first_working(&names[i], 1, version) && version_number(ls_text_str(version)) >= OLDEST) return names[i];
  return NULL;
}

static bool clang_find(char *where, size_t size) {
  LsText version = {0};
  const char *name = clang_program(&version);
  if (name) snprintf(where, size, "%s, %.*s", name, (int)strcspn(ls_text_str(&version), "\n"), ls_text_str(&version));
  ls_text_free(&version);
  return name != NULL;
}

static const char *const header_folders[] = {"assets/cuda", "assets/cuda/cooperative_groups"};

// The files of a folder as one number, whatever their order in it.
static uint64_t folder_hash(const char *relative) {
  uint64_t sum = 0;
  char *folder = ls_data_path(relative, NULL);
  DIR *dir = folder ? opendir(folder) : NULL;
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    size_t size;
    char *path = ls_path_join(folder, entry->d_name);
    char *text = ls_ends_with(path, ".h") ? ls_file_read(path, 1 << 20, &size, NULL) : NULL;
    if (text) sum += ls_hash64(text, size) ^ ls_hash64(entry->d_name, strlen(entry->d_name));
    free(text);
    free(path);
  }
  if (dir) closedir(dir);
  free(folder);
  return sum;
}

static uint64_t headers_hash(void) {
  uint64_t sum = 0;
  for (int i = 0; i < LS_COUNT(header_folders); i++) sum = sum * 31 + folder_hash(header_folders[i]);
  return sum;
}

// In clang's words.
static bool launches_kernels(const char *message) {
  return strstr(message, "reference to __global__ function") && strstr(message, "in __global__ function");
}

// The headers stand for CUDA's, and a toolkit that is here is not looked at: the same PTX with and without.
static char *clang_in(const char *name, const DevSource *source, const char *headers, CompileFolder *folder,
                      size_t *length, LsErr *err) {
  char *out = ls_path_join(compile_folder_path(folder), "out.ptx"), *include = ls_path_join(headers, "cuda_runtime.h");
  char arch[40], toolkit[4200], define[COMPILE_DEFINE];
  bool written = source->cut == DEV_WRITTEN;
  snprintf(arch, sizeof arch, "--cuda-gpu-arch=sm_%.8s", compile_arch(source, NULL));
  snprintf(toolkit, sizeof toolkit, "--cuda-path=%s", headers);
  const char *argv[] = {name, "-x", "cuda", "--cuda-device-only", arch, toolkit, "-nocudainc", "-nocudalib",
                        "-Wno-unknown-cuda-version", "-Xclang", "-target-feature", "-Xclang",
                        ptx_release(compile_arch(source, NULL)), "-std=c++17", "-S",
                        written ? "-O0" : "-O2", written ? "-g" : "-gline-tables-only", "-fno-color-diagnostics",
                        "-isystem", headers, "-include", include, source->path, "-o", out,
                        compile_define(source, define), NULL};
  char *text = compile_run("clang", (char *const *)argv, source, folder, out, length, err);
  if (!text && err && launches_kernels(err->message))
    ls_fail(err, LS_EREQUEST, "%s does not compile: a kernel of it launches kernels, which clang cannot compile. "
            "nvcc or NVRTC can.", LS_QUOTE_PATH(source->path));
  if (text) {
    char *tidy = written ? tidy_stack(text, length) : tidy_branches(text, length);
    free(text);
    text = tidy;
  }
  free(include);
  free(out);
  return text;
}

static char *clang_compile(const DevSource *source, size_t *length, LsErr *err) {
  LsText version = {0};
  const char *name = clang_program(&version);
  ls_text_free(&version);
  char *headers = name ? ls_data_path(header_folders[0], err) : NULL, *text = NULL;
  CompileFolder *folder = headers ? compile_folder_new(err) : NULL;
  if (!name) ls_fail(err, LS_EENV, "clang %d or later is not here", (int)OLDEST);
  if (folder) text = clang_in(name, source, headers, folder, length, err);
  compile_folder_free(folder);
  free(headers);
  return text;
}

const Compiler compiler_clang = {.name = "clang", .find = clang_find, .made_of = headers_hash,
                                 .compile = clang_compile};
