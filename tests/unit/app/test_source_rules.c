// test_source_rules.c: which sources may be compiled for marks: rows of text, refused with a line and a piece of what
// is
// said, or taken.
#include <string.h>

#include "app/practice/source_rules.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"

typedef struct Row { const char *text; int line; const char *why; } Row;

static void check_row(const Row *row, size_t size) {
  LsText why = {0};
  int line = 0;
  bool holds = source_rules_hold(row->text, size, &line, &why);
  bool fine = holds == !row->why && line == (row->why ? row->line : 0) && (holds || strstr(ls_text_str(&why),
      row->why));
  if (!fine) printf("\n%s\n  line %d: %s\n", row->text, line, ls_text_str(&why));
  CHECK(fine);
  ls_text_free(&why);
}

static void check_rows(const Row *rows, int count) {
  for (int i = 0; i < count; i++) check_row(&rows[i], strlen(rows[i].text));
}

static void other_files_are_refused(void) {
  static const Row rows[] = {
      {"#include \"/etc/passwd\"\n", 1, "headers of CUDA"},
      {"\n\n  #  include </etc/passwd>\n", 3, "headers of CUDA"},
      {"#include \"exercise.lua\"\n", 1, "headers of CUDA"},
      {"#include <../../etc/passwd>\n", 1, "headers of CUDA"},
      {"#include <cuda_runtime.h/../../x>\n", 1, "headers of CUDA"},
      {"#include_next <stdio.h>\n", 1, "directive"},
      {"#import <stdio.h>\n", 1, "directive"},
      {"#embed \"/etc/passwd\"\n", 1, "directive"},
      {"const char s[] = {\n#embed \"/etc/passwd\"\n};\n", 2, "directive"},
      {"#line 1 \"/etc/passwd\"\n", 1, "directive"},
      {"# 1 \"/etc/passwd\"\n", 1, "directive"},
      {"%:include \"/etc/passwd\"\n", 1, "headers of CUDA"},
      {"?\?=include \"/etc/passwd\"\n", 1, "Trigraphs"},
      {"#inc\\\nlude \"/etc/passwd\"\n", 2, "headers of CUDA"},
      {"#\\\r\ninclude \"/etc/passwd\"\n", 2, "headers of CUDA"},
      {"#inc\\ \nlude <stdio.h>\n", 1, "backslash"},
      {"#inc?\?/\nlude \"/etc/passwd\"\n", 1, "Trigraphs"},
      {"/* a */ # /* b\n c */ include /* d */ \"/etc/passwd\"\n", 2, "headers of CUDA"},
      {"#define H \"/etc/passwd\"\n#include H\n", 2, "no macro"},
      {"#include\n", 1, "no macro"},
      {"#include <stdio.h> \"/etc/passwd\"\n", 1, "Nothing may follow"},
      {"#include <stdio.h\n", 1, "does not end"},
      {"#if __has_include(\"/etc/passwd\")\n#endif\n", 1, "does not ask"},
      {"#if defined(__has_embed) && __has_embed(\"/etc/passwd\")\n#endif\n", 1, "does not ask"},
      {"#define P(a, b) a##b\n", 1, "pasted"},
      {"#define __HEADER_OF_IT \"/etc/passwd\"\n#include <vector>\n", 1, "belong to the compiler"},
      {"#undef _CCCL_HEADER\n", 1, "belong to the compiler"},
      {"#define P(a, b) a %:%: b\n", 1, "pasted"},
      {"#pragma GCC dependency \"/etc/passwd\"\n", 1, "pragmas"},
      {"#pragma include_alias(<stdio.h>, \"/etc/passwd\")\n", 1, "pragmas"},
      {"_Pragma(\"GCC dependency \\\"/etc/passwd\\\"\")\n", 1, "_Pragma"},
      {"#define D(x) _Pragma(#x)\n", 1, "_Pragma"},
      {"asm(\".incbin \\\"/etc/passwd\\\"\");\n", 1, "Assembly"},
  };
  check_rows(rows, LS_COUNT(rows));
}

// What would make us read another text than the compiler does.
static void two_readings_are_refused(void) {
  static const Row rows[] = {
      {"const char *s = R\"(\"\n#include \"/etc/passwd\"\n//)\";\n", 1, "Raw strings"},
      {"const char *s = u8R\"x(/*)x\";\n#include \"/etc/passwd\"\n/* */\n", 1, "Raw strings"},
      {"const char *s = \"/*\";\n#include \"/etc/passwd\"\n//*/\n", 2, "headers of CUDA"},
      {"char c = '\"';\n#include \"/etc/passwd\"\nchar d = '\"';\n", 2, "headers of CUDA"},
      {"char c = '\\'';\n#include \"/etc/passwd\"\n", 2, "headers of CUDA"},
      {"int n = 1'000'000;\n#include \"/etc/passwd\"\nint m = 1'0;\n", 2, "headers of CUDA"},
      {"// joined \\\n#include \"/etc/passwd\"\n#include \"x\"\n", 3, "headers of CUDA"},
      {"// not joined\n#include \"/etc/passwd\"\n", 2, "headers of CUDA"},
      {"int a; // \\\\\n#include \"x\"\n#include \"/etc/passwd\"\n", 3, "headers of CUDA"},
      {"int a;\r#include \"/etc/passwd\"\r\n", 1, "carriage return"},
      {"const char *s = \"open\n#include <stdio.h>\n", 1, "quote"},
      {"int isn't;\n", 1, "quote"},
      {"/* open\n#include <stdio.h>\n", 1, "comment"},
      {"\\u0023include \"/etc/passwd\"\n", 1, "backslash"},
      {"int a \\ ;\n", 1, "backslash"},
  };
  check_rows(rows, LS_COUNT(rows));
  check_row(&(Row){"int a;\n\0#include \"/etc/passwd\"", 2, "zero byte"}, 20);
}

static void kernels_are_taken(void) {
  static const Row rows[] = {
      {"", 0, NULL},
      {"#include <cuda_runtime.h>\n#include \"mma.h\" // tensor cores\n  # include <cooperative_groups.h>\n", 0, NULL},
      {"#define N 32\n#if N > 4 && defined(__CUDACC__)\n#pragma unroll\n#endif\n#undef N\n#\n", 0, NULL},
      {"// #include \"mine.h\"\n/* #include \"mine.h\"\n#embed */ int a;\n", 0, NULL},
      {"const char *s = \"#include \\\"x\\\"\"; char q = '\\\"', h = '#';\n", 0, NULL},
      {"float a = 1.5e-3f + 0x1p-4f + .5f, b = 1'000'000;\n", 0, NULL},
      {"#define LOOP(n) \\\n  for (int i = 0; i < n; i++) \\\n    _Pragma(\"unroll 4\")\n", 0, NULL},
      {"asm volatile(\"cp.async.wait_group %0;\" :: \"n\"(1));\r\n// Gr\xc3\xbc\xc3\x9f e, don't, \xfc\n", 0, NULL},
      {"#define STR(x) #x\n#error \"no\"\n", 0, NULL},
      {"#ifdef A\n#elif B\n#else\n#endif\n#pragma once\n#pragma nv_diag_suppress 177\n", 0, NULL},
  };
  check_rows(rows, LS_COUNT(rows));
}

// All solutions that come with lanescope keep the rules.
static void solutions_are_taken(void) {
  static const char *const names[] = {"01_map/reference", "07_transpose/reference", "15_look_back/reference",
                                      "26_async/reference", "27_wmma/reference", "28_grid_sync/reference"};
  for (int i = 0; i < LS_COUNT(names); i++) {
    char *relative = ls_format("lessons/practice/%s.cu", names[i]), *path = ls_data_path(relative, NULL);
    size_t size = 0;
    char *text = path ? ls_file_read(path, 1 << 20, &size, NULL) : NULL;
    CHECK(text != NULL);
    if (text) check_row(&(Row){text, 0, NULL}, size);
    free(text);
    free(path);
    free(relative);
  }
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"other files are refused", other_files_are_refused},
      {"two readings are refused", two_readings_are_refused},
      {"kernels are taken", kernels_are_taken},
      {"solutions are taken", solutions_are_taken},
  };
  return check_main("source rules", checks, LS_COUNT(checks), argc, argv);
}
