// assemble.c: ptxas, and what it says of the kernel.
#include "device/compile/assemble.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/random.h"
#include "device/compile/compile.h"

enum { MOST_REGISTERS = 255 };
static const char *const names[] = {"ptxas", "/usr/local/cuda/bin/ptxas"};

// "ptxas info    : Used 12 registers, used 1 barriers"; with --entry there is one such line.
static int registers_in(const char *said) {
  const char *used = strstr(said, "Used ");
  int registers = 0;
  if (!used || sscanf(used, "Used %d registers", &registers) != 1) return 0;
  return registers > 0 && registers <= MOST_REGISTERS ? registers : 0;
}

static int ask(const char *ptx, size_t length, const char *kernel, int cc, const _Atomic bool *cancel) {
  char arch[24];
  CompileFolder *folder = compile_folder_new(NULL);
  char *path = folder ? ls_path_join(compile_folder_path(folder), "kernel.ptx") : NULL;
  int registers = 0, status = -1;
  snprintf(arch, sizeof arch, "-arch=sm_%d", cc);
  bool written = path && ls_file_write(path, ptx, length, NULL);
  for (int i = 0; written && i < LS_COUNT(names) && (status < 0 || status == COMPILE_NOT_FOUND); i++) {
    LsText said = {0};
    const char *argv[] = {names[i], "-v", arch, "--entry", kernel, path, "-o", "/dev/null", NULL};
    status = compile_capture((char *const *)argv, folder, cancel, &said);
    if (status == 0) registers = registers_in(ls_text_str(&said));
    ls_text_free(&said);
    if (status == COMPILE_CANCELED) break;
  }
  compile_folder_free(folder);
  free(path);
  return registers;
}

static char *cache_path(const char *ptx, size_t length, const char *kernel, int cc) {
  char *name = ls_format("registers/%016" PRIx64 "-%016" PRIx64 "-%d", ls_hash64(ptx, length), ls_hash64(kernel, strlen(kernel)), cc);
  char *path = ls_xdg_path("CACHE", name);
  free(name);
  return path;
}

// A cache that cannot be written is no error.
static void keep(const char *path, int registers) {
  char text[16], *folder = ls_strndup(path, (size_t)(ls_path_base(path) - path));
  int length = snprintf(text, sizeof text, "%d\n", registers);
  if (ls_make_dirs(folder, NULL)) ls_file_write(path, text, (size_t)length, NULL);
  free(folder);
}

int assemble_registers(const char *ptx, size_t length, const char *kernel, int cc, const _Atomic bool *cancel) {
  char *path = cache_path(ptx, length, kernel, cc);
  char *kept = path && ls_file_exists(path) ? ls_file_read(path, 16, NULL, NULL) : NULL;
  int registers = kept ? atoi(kept) : 0;
  if (registers <= 0 || registers > MOST_REGISTERS) {
    registers = ask(ptx, length, kernel, cc, cancel);
    if (registers && path) keep(path, registers);
  }
  free(kept);
  free(path);
  return registers;
}
