// ptx_check.h: shared by the tests of ptx/: texts around instructions, files, comparing what was parsed.
#ifndef LS_TESTS_PTX_CHECK_H
#define LS_TESTS_PTX_CHECK_H

#include "base/file.h"
#include "check.h"
#include "ptx/module.h"

enum { PTX_FILE_LIMIT = 4 << 20 };

static inline PtxModule *ptx_of(const char *text) {
  LsErr err = {0};
  PtxModule *module = ptx_parse("t.ptx", text, strlen(text), &err);
  if (!module) printf("\n%d:%d: %s\n", err.line, err.col, err.message);
  CHECK(module != NULL);
  return module;
}

// Parses a file below the source directory; NULL (and a failed check) if that fails.
static inline PtxModule *ptx_of_file(const char *relative) {
  char *path = ls_path_join(LS_SOURCE_DIR, relative);
  LsErr err = {0};
  size_t size;
  char *text = ls_file_read(path, PTX_FILE_LIMIT, &size, &err);
  PtxModule *module = text ? ptx_parse(relative, text, size, &err) : NULL;
  if (!module) printf("\n%s:%d:%d: %s\n", relative, err.line, err.col, err.message);
  CHECK(module != NULL);
  free(text);
  free(path);
  return module;
}

// A kernel around a body, with registers of all sizes: %p0-3, %h0-7, %r0-7, %rd0-7, %f0-7, %fd0-7; shared sh, global g.
static inline char *ptx_kernel(const char *body) {
  return ls_format(
      ".version 9.0\n.target sm_90\n.address_size 64\n.global .align 8 .b8 g[64];\n.global .texref image;\n"
      ".visible .entry k(.param .u64 a)\n{\n.reg .pred %%p<4>;\n.reg .b16 %%h<8>;\n.reg .b32 %%r<8>;\n.reg .b64 %%rd<8>;\n"
      ".reg .f32 %%f<8>;\n.reg .f64 %%fd<8>;\n.shared .align 16 .b8 sh[256];\n%s\nL:\nret;\n}\n",
      body);
}

#endif
