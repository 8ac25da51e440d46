// test_ptx_errors.c: what the parser says about bad PTX, to the letter; and that no input makes it fall over.
#include "ptx/cfg.h"
#include "ptx/debuginfo.h"
#include "ptx_check.h"

// Body of the kernel in ptx_kernel (its first line is line 15 of the text), and the message.
static const struct { const char *body, *message; } bodies[] = {
  {"ad.u32 %r1, %r2, %r3;", "t.ptx:15:1: unknown opcode 'ad'; did you mean 'add'?\nad.u32 %r1, %r2, %r3;\n^"},
  {"\tadd.u23 %r1, %r2, %r3;", "t.ptx:15:5: 'add' has no modifier '.u23'; did you mean '.u32'?\n\tadd.u23 %r1, %r2, %r3;\n\t   ^"},
  {"ld.gloabl.u32 %r1, [%rd1];",
   "t.ptx:15:3: 'ld' has no modifier '.gloabl'; did you mean '.global'?\nld.gloabl.u32 %r1, [%rd1];\n  ^"},
  {"add.global.lt.u32 %r1, %r2, 3;", "t.ptx:15:11: 'add' has no modifier '.lt'\nadd.global.lt.u32 %r1, %r2, 3;\n          ^"},
  {"add.u32 %r1, %r2;", "t.ptx:15:1: 'add' takes 3 operands, not 2\nadd.u32 %r1, %r2;\n^"},
  {"add.u32 %r1, %r2, %r9;", "t.ptx:15:19: '%r9' is not declared\nadd.u32 %r1, %r2, %r9;\n                  ^"},
  {"add.u32 %r1 + 1, %r2, %r3;",
   "t.ptx:15:13: a result goes into a register, not into a sum\nadd.u32 %r1 + 1, %r2, %r3;\n            ^"},
  {"mov.u32 %r1, %tid.w;", "t.ptx:15:14: '%tid.w' is not declared; did you mean '%tid.x'?\nmov.u32 %r1, %tid.w;\n             ^"},
  {"add.u32 %r1, %r2, %r3\nsub.u32 %r1, %r2, %r3;",
   "t.ptx:15:22: expected ';' before the end of the line\nadd.u32 %r1, %r2, %r3\n                     ^"},
  {"bra L1;", "t.ptx:15:5: no label 'L1' in this function\nbra L1;\n    ^"},
  {"call nobody;", "t.ptx:15:6: 'nobody' is no function that is declared before here\ncall nobody;\n     ^"},
  {"@%r1 bra L;", "t.ptx:15:2: '%r1' is a .b32 register; a guard is a predicate\n@%r1 bra L;\n ^"},
  {"mov.f32 %f1, 0f12;", "t.ptx:15:14: a float is 0f and 8 hexadecimal digits\nmov.f32 %f1, 0f12;\n             ^"},
  {"mov.u32 %r1, 12ab;", "t.ptx:15:14: this is no number\nmov.u32 %r1, 12ab;\n             ^"},
  {"mov.u64 %rd1, 99999999999999999999;",
   "t.ptx:15:15: this number does not fit into 64 bits\nmov.u64 %rd1, 99999999999999999999;\n              ^"},
  {"ld.global.u32 %r1, [%rd1;", "t.ptx:15:25: expected ']', found ';'\nld.global.u32 %r1, [%rd1;\n                        ^"},
  {"mov.u32 %r1, 1/0;", "t.ptx:15:15: division by zero\nmov.u32 %r1, 1/0;\n              ^"},
  {".reg .b32 %r1;", "t.ptx:15:11: '%r1' is declared twice\n.reg .b32 %r1;\n          ^"},
  {".reg .b32 %x<99999999>;", "t.ptx:15:14: more than 262144 registers\n.reg .b32 %x<99999999>;\n             ^"},
  // Under what the line looks like, not under its bytes.
  {"/* \033[2J */ ad.u32 %r1;", "t.ptx:15:12: unknown opcode 'ad'; did you mean 'add'?\n/* \\e[2J */ ad.u32 %r1;\n            ^"},
  {"/* \346\274\242 */\tad.u32 %r1;",
   "t.ptx:15:11: unknown opcode 'ad'; did you mean 'add'?\n/* \346\274\242 */\tad.u32 %r1;\n        \t^"},
  {"/* open", "t.ptx:15:1: this comment has no end\n/* open\n^"},
};

static const struct { const char *text, *message; } texts[] = {
  {"", "t.ptx:1:1: this is no PTX: it has no .version, no function and no variable"},
  {".gobal .u32 x;", "t.ptx:1:1: unknown directive '.gobal'; did you mean '.global'?\n.gobal .u32 x;\n^"},
  {"int main() {}", "t.ptx:1:1: expected a directive such as .visible, .entry or .global, found 'int'\nint main() {}\n^"},
  {".address_size 32",
   "t.ptx:1:15: PTX with addresses of 32 bits is not supported; compile for 64 bits\n.address_size 32\n              ^"},
  {".global .u32 x = {1, 2};", "t.ptx:1:22: more values than 'x' has room for\n.global .u32 x = {1, 2};\n                     ^"},
  {".global .b8 x[99999999999999];", "t.ptx:1:15: this size is out of range\n.global .b8 x[99999999999999];\n              ^"},
  {".visible .entry k(\n{ ret; }", "t.ptx:2:1: expected '.param' or ')', found '{'\n{ ret; }\n^"},
  {".entry k() { ret; }\n.entry k() { ret; }", "t.ptx:2:12: 'k' is defined twice\n.entry k() { ret; }\n           ^"},
  {".func f() { ret; }\n.alias g, f;", "t.ptx:2:8: 'g' is no function that is declared before here\n.alias g, f;\n       ^"},
  {".func f() { ret; }\n.func g() { ret; }\n.alias g, f;",
   "t.ptx:3:8: 'g' has a body: it cannot be another name\n.alias g, f;\n       ^"},
  {".func f();\n.func g();\n.alias g, f;", "t.ptx:3:8: 'f' has no body: it cannot have another name\n.alias g, f;\n       ^"},
  {".func f() { ret; }\n.func g(.param .b32 x);\n.alias g, f;",
   "t.ptx:3:8: 'g' and 'f' take or return something different\n.alias g, f;\n       ^"},
  {".func f();\n.entry k() { ret; }\n.alias f, k;",
   "t.ptx:3:8: only a .func has another name, not a kernel\n.alias f, k;\n       ^"},
  {".entry k() { ret;", "t.ptx:1:18: expected '}', but the file ends here\n.entry k() { ret;\n                 ^"},
};

static void check_message(const char *text, const char *expected) {
  LsErr err = {0};
  char got[4096];
  PtxModule *m = ptx_parse("t.ptx", text, strlen(text), &err);
  CHECK(m == NULL);
  ptx_module_free(m);
  ls_err_text(&err, got, sizeof got);
  CHECK_STR(got, expected);
  CHECK_INT(err.kind, LS_EPARSE);
}

static void messages_show_the_place(void) {
  for (int i = 0; i < LS_COUNT(bodies); i++) {
    char *text = ptx_kernel(bodies[i].body);
    check_message(text, bodies[i].message);
    free(text);
  }
  for (int i = 0; i < LS_COUNT(texts); i++) check_message(texts[i].text, texts[i].message);
}

static int count_lines_with(const char *text, const char *what) {
  int count = 0;
  for (const char *p = strstr(text, what); p; p = strstr(p + 1, what)) count++;
  return count;
}

static void parsing_goes_on_after_an_error(void) {
  char *text = ptx_kernel("ad.u32 %r1;\nadd.u32 %r1, %r2, %r3;\nmov.b64 %rd1, {%r1, %r9};\nsub.u32 %r1, %r2;");
  LsErr err = {0};
  CHECK(ptx_parse("t.ptx", text, strlen(text), &err) == NULL);
  CHECK_INT(err.line, 15);
  CHECK_INT(count_lines_with(err.message, "t.ptx:"), 2);
  CHECK(strstr(err.message, "t.ptx:17:21: '%r9'") && strstr(err.message, "t.ptx:18:1: 'sub' takes"));
  free(text);
  LsText many = {0};
  for (int i = 0; i < 50; i++) ls_text_addf(&many, "nonsense%d;\n", i);
  text = ptx_kernel(ls_text_str(&many));
  CHECK(ptx_parse("t.ptx", text, strlen(text), &err) == NULL);
  CHECK_INT(count_lines_with(err.message, "unknown opcode"), 8);
  CHECK(ptx_parse("t.ptx", text, strlen(text), NULL) == NULL);
  free(text);
  ls_text_free(&many);
}

static void depth_is_bounded(void) {
  static const char *const repeated[] = {"{", "mov.u32 %r1, (", "mov.u32 %r1, -(", "mov.u32 %r1, 1?", "mov.b64 %rd1, {",
                                         "mov.u32 %r1, ~"};
  for (int i = 0; i < LS_COUNT(repeated); i++) {
    const char *tail = strrchr(repeated[i], ' ') ? strrchr(repeated[i], ' ') + 1 : repeated[i];
    LsText body = {0};
    ls_text_add(&body, repeated[i]);
    for (int k = 0; k < 100000; k++) ls_text_add(&body, tail);
    char *text = ptx_kernel(ls_text_str(&body));
    LsErr err = {0};
    CHECK(ptx_parse("t.ptx", text, strlen(text), &err) == NULL);
    CHECK(err.message[0] != 0);
    free(text);
    ls_text_free(&body);
  }
  LsErr err = {0};
  CHECK(ptx_parse("t.ptx", "", (size_t)65 << 20, &err) == NULL);
  CHECK(strstr(err.message, "limit") != NULL);
}

// Parses, and walks over all that came out; failing is fine, falling over is not.
static void survive(const char *text, size_t size) {
  char *copy = ls_strndup(text, size);   // so that a read past the end is seen by the address sanitizer
  LsErr err = {0};
  PtxModule *m = ptx_parse("t.ptx", copy, size, &err);
  free(copy);
  CHECK(m || err.message[0]);
  if (!m) return;
  LsText out = {0};
  LsArena *arena = ls_arena_new();
  for (int pc = 0; pc < m->code_count; pc++) ptx_print_instr(m, pc, &out);
  for (int f = 0; f < m->func_count; f++) {
    if (!m->funcs[f].is_extern) ptx_cfg_new(m, f, arena);
    for (int p = 0; p < m->funcs[f].param_count; p++) ptx_param_source_type(m, f, p);
  }
  ls_arena_free(arena);
  ls_text_free(&out);
  ptx_module_free(m);
}

static char *read_sample(const char *relative, size_t *size) {
  char *path = ls_path_join(LS_SOURCE_DIR, relative), *text = ls_file_read(path, PTX_FILE_LIMIT, size, NULL);
  CHECK(text != NULL);
  free(path);
  return text;
}

static void truncation_is_survived(void) {
  size_t size = 0;
  char *text = read_sample("assets/ptx/reduce1.g.ptx", &size);
  for (size_t n = 0; text && n < size; n++) survive(text, n);
  free(text);
  text = read_sample("tests/unit/ptx/inputs/dialect.ptx", &size);
  for (size_t n = 0; text && n < size; n++) survive(text, n);
  free(text);
}

static uint32_t next_random(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static void mutate(char *text, size_t size, uint32_t *state) {
  static const char marks[] = "{}()[]<>,.;:%@!|+-*/\"_$ \n0123456789abfLU";
  for (uint32_t edits = 1 + next_random(state) % 4; edits; edits--) {
    size_t at = next_random(state) % size, from = next_random(state) % size;
    size_t wanted = next_random(state) % 24, length = LS_MIN(wanted, size - LS_MAX(at, from));
    switch (next_random(state) % 3) {
      case 0: text[at] = marks[next_random(state) % (sizeof marks - 1)]; break;
      case 1: memmove(text + at, text + from, length); break;
      default: text[at] = (char)next_random(state); break;
    }
  }
}

static void mutate_file(const char *relative, int rounds) {
  size_t size = 0;
  uint32_t state = 20261120;
  char *text = read_sample(relative, &size);
  if (!text) return;
  for (int i = 0; i < rounds; i++) {
    char *copy = ls_strndup(text, size);
    mutate(copy, size, &state);
    survive(copy, size);
    free(copy);
  }
  free(text);
}

static void mutation_is_survived(void) {
  mutate_file("assets/ptx/reduce1.g.ptx", 3000);
  mutate_file("tests/unit/ptx/inputs/dialect.ptx", 3000);
  mutate_file("tests/unit/ptx/inputs/features.g.ptx", 100);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
    {"messages show the place", messages_show_the_place},
    {"parsing goes on after an error", parsing_goes_on_after_an_error},
    {"depth is bounded", depth_is_bounded},
    {"truncation is survived", truncation_is_survived},
    {"mutation is survived", mutation_is_survived},
  };
  return check_main("ptx errors", checks, LS_COUNT(checks), argc, argv);
}
