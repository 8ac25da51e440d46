// test_own.c: a launch guessed from a signature, filled in, kept and printed; host code; editors; compilers' messages.
#include <unistd.h>

#include "app/own/changes.h"
#include "app/own/editor.h"
#include "app/own/kept.h"
#include "app/own/reading.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "launch/settle.h"
#include "source_dir.h"

static OwnFile *kernels;

static const Signature *kernel(const char *name) {
  int found = sigfile_find(kernels->kernels, name);
  CHECK(found >= 0);
  return &kernels->kernels->items[LS_MAX(found, 0)];
}

// ---- signatures and guesses -----------------------------------------------------------------------------------------

static void signatures_are_the_authors(void) {
  static const struct { const char *name, *title; int line, dims; long long shared; const char *dynamic; } cases[] = {
      {"saxpy", "saxpy(int n, float a, const float *x, float *y)", 5, 1, 0, NULL},
      {"blur", "blur(const unsigned char *in, unsigned char *out, int width, int height)", 10, 2, 0, NULL},
      {"transpose", "transpose(double *out, const double *in, int n)", 23, 2, 16 * 17 * 8, NULL},
      {"reduce", "reduce(const int *data, int *sum)", 31, 1, 0, "part"},
      {"box", "box(float *cells, int nx, int ny, int nz)", 48, 3, 0, NULL},
      {"nothing", "nothing()", 53, 1, 0, NULL},
      {"fill<int, 32>", "fill<int, 32>(int *out, int value)", 55, 1, 0, NULL},
  };
  CHECK_INT(kernels->kernels->count, 9);
  for (int i = 0; i < LS_COUNT(cases); i++) {
    const Signature *sig = kernel(cases[i].name);
    CHECK_STR(sig->name, cases[i].name);
    CHECK_STR(sig->title, cases[i].title);
    CHECK_INT(sig->line, cases[i].line);
    CHECK_INT(sig->dims, cases[i].dims);
    CHECK_INT(sig->shared, cases[i].shared);
    CHECK(!sig->dynamic == !cases[i].dynamic && (!sig->dynamic || strcmp(sig->dynamic, cases[i].dynamic) == 0));
  }
}

// grid, block, shared, then the arguments as -a takes them.
static const struct { const char *kernel, *fields[9]; } guesses[] = {
    {"saxpy", {"4", "256", "0", "i32=1000", "f32=2.0", "f32[1000]=iota", "f32[1000]=random:1"}},
    {"blur", {"4,3", "16,16", "0", "u8[3072]=iota", "u8[3072]=none", "i32=64", "i32=48"}},
    {"product", {"3,4", "16,16", "0", "f32[2048]=iota", "f32[1536]=random:1", "f32[3072]=none", "i32=64", "i32=48",
                 "i32=32"}},
    {"transpose", {"4,4", "16,16", "0", "f64[4096]=none", "f64[4096]=iota", "i32=64"}},
    {"reduce", {"4", "256", "1024", "i32[1024]=iota", "i32[1024]=none"}},
    {"bodies", {"8", "128", "0", "u8[16000]=zero", "f32[4000]=iota", "u8=1", "f64=1.0", "u64=1000", "i32=1"}},
    {"box", {"4,2,4", "8,8,4", "0", "f32[8192]=none", "i32=32", "i32=16", "i32=16"}},
    {"nothing", {"4", "256", "0"}},
    {"fill", {"4", "256", "0", "i32[1024]=none", "i32=1"}},
};

// The same argument: what the launch is, not how its type is spelled.
static bool same_argument(const char *a, const char *b) {
  Launch one, other;
  launch_init(&one);
  launch_init(&other);
  bool same = launch_add_arg(&one, a, NULL) && launch_add_arg(&other, b, NULL);
  if (same) {
    const LaunchArg *x = &one.args[0], *y = &other.args[0];
    int size = launch_type_size(x->type);
    uint64_t bytes = x->count * (uint64_t)size, others = y->count * (uint64_t)launch_type_size(y->type);
    same = x->is_buffer == y->is_buffer && bytes == others && x->init == y->init &&
           x->init_value == y->init_value && x->scalar == y->scalar &&
               launch_type_is_float(x->type) == launch_type_is_float(y->type);
  }
  launch_fini(&one);
  launch_fini(&other);
  return same;
}

static void guesses_run(void) {
  for (int i = 0; i < LS_COUNT(guesses); i++) {
    Form form;
    Launch launch;
    LsErr err = {0};
    form_init(&form, kernel(guesses[i].kernel), NULL);
    for (int row = FORM_GRID; row <= FORM_SHARED; row++) CHECK_STR(form.fields[row].text, guesses[i].fields[row]);
    for (int p = 0; p < form.sig->param_count; p++) {
      LsText text = {0};
      form_argument(&form, p, &text);
      bool same = same_argument(ls_text_str(&text), guesses[i].fields[FORM_FIRST_ARG + p]);
      if (!same) printf("%s: %s, not %s\n", guesses[i].kernel, ls_text_str(&text),
                        guesses[i].fields[FORM_FIRST_ARG + p]);
      CHECK(same);
      ls_text_free(&text);
    }
    CHECK_INT(form_wrong(&form), -1);
    CHECK(form_launch(&form, &launch, &err));
    launch_fini(&launch);
    form_fini(&form);
  }
}

static int field_of(const Form *form, const char *key) {
  char name[96];
  for (int i = 0; i < form->count; i++) {
    form_key(form, i, name, sizeof name);
    if (strcmp(name, key) == 0) return i;
  }
  CU_FAIL("there is no such field");
  return 0;
}

static const char *text_of(const Form *form, const char *key) { return form->fields[field_of(form, key)].text; }
static void enter(Form *form, const char *key, const char *text) {
  form_enter(form, field_of(form, key), text, FROM_TYPING);
}

static void guesses_follow_what_is_entered(void) {
  Form form;
  form_init(&form, kernel("saxpy"), NULL);
  enter(&form, "arg n", "5000");
  CHECK_STR(text_of(&form, "grid"), "20");
  CHECK_STR(text_of(&form, "arg x count"), "5000");
  enter(&form, "block", "100");
  CHECK_STR(text_of(&form, "grid"), "50");
  CHECK(strstr(form.why[FORM_BLOCK], "4 warps, the last one not full") != NULL);
  enter(&form, "arg y count", "10");
  enter(&form, "arg n", "");   // a guess again
  CHECK_STR(text_of(&form, "arg n"), "1000");
  CHECK_STR(text_of(&form, "arg x count"), "1000");
  CHECK_STR(text_of(&form, "arg y count"), "10");
  enter(&form, "grid", "2");
  CHECK(strstr(form.why[FORM_GRID], "200 threads for 1000 elements") != NULL);
  form_fini(&form);
  form_init(&form, kernel("reduce"), NULL);
  enter(&form, "block", "64");
  CHECK_STR(text_of(&form, "shared"), "256");
  CHECK_STR(text_of(&form, "arg data count"), "256");
  form_fini(&form);
}

static void what_equals_its_guess_follows(void) {
  static const char *const args[] = {"int=2000", "float=3", "float[2000]=iota", "float[2000]=zero"};
  FormGiven given = {.grid = "8", .block = "256", .shared = "0", .args = args, .arg_count = LS_COUNT(args)};
  Form form;
  form_init(&form, kernel("saxpy"), NULL);
  CHECK(form_take(&form, &given, NULL));
  form_loosen(&form);
  CHECK_STR(text_of(&form, "grid"), "8");
  CHECK_STR(text_of(&form, "arg a"), "3");
  CHECK_STR(text_of(&form, "arg y"), "zero");
  enter(&form, "arg n", "4000");
  CHECK_STR(text_of(&form, "grid"), "16");
  CHECK_STR(text_of(&form, "arg y count"), "4000");
  CHECK_STR(text_of(&form, "arg y"), "zero");
  form_fini(&form);
}

// tile[32][33] says how large its author's blocks are.
static void tiles_tell_blocks(void) {
  static const struct { const char *kernel, *source, *block; } cases[] = {
      {"transpose", "#define T 32\n__shared__ double tile[T][T + 1];", "32,32"},
      {"transpose", "__shared__ double tile[8][8];", "8,8"},
      {"transpose", "__shared__ double tile[16 * 17];", "16,16"}, {"transpose", "double tile[32][33];", "16,16"},
      {"transpose", "__shared__ double tile[64][64];", "16,16"},
      {"transpose", "// __shared__ double tile[32][32];", "16,16"},
      {"transpose", "__shared__ double tile[N][N], other[32][32];", "16,16"},
      {"reduce", "__shared__ int part[64];", "256"},
  };
  for (int i = 0; i < LS_COUNT(cases); i++) {
    Form form;
    form_init(&form, kernel(cases[i].kernel), cases[i].source);
    CHECK_STR(text_of(&form, "block"), cases[i].block);
    form_fini(&form);
  }
}

static void choices_go_round(void) {
  Form form;
  form_init(&form, kernel("saxpy"), NULL);
  int x = field_of(&form, "arg x");
  for (int i = 0; i < form_choices(); i++) CHECK(form_choose(&form, x, 1));
  CHECK_STR(form.fields[x].text, "iota");
  CHECK(form_choose(&form, x, -1));
  CHECK_STR(form.fields[x].text, "zero");
  CHECK(form_choose(&form, FORM_BLOCK, -1));
  CHECK_STR(form.fields[FORM_BLOCK].text, "128");
  CHECK(form_choose(&form, FORM_BLOCK, 1));
  CHECK_STR(form.fields[FORM_BLOCK].text, "256");
  form_fini(&form);
  form_init(&form, kernel("bodies"), NULL);
  int swap = field_of(&form, "arg swap");
  CHECK(form_choose(&form, swap, 1));
  CHECK_STR(form.fields[swap].text, "0");
  form_fini(&form);
}

static void mistakes_stand_at_their_field(void) {
  static const struct { const char *key, *text, *says; } cases[] = {
      {"grid", "0", ""}, {"grid", "x", ""}, {"block", "2000", ""}, {"shared", "-4", "bytes"}, {"arg n", "1.5", ""},
      {"arg n", "99999999999", ""}, {"arg a", "two", ""}, {"arg x count", "0", "elements"},
      {"arg x count", "3*", "elements"},
      {"arg x count", "99999999999999", ""}, {"arg x", "iota:", ""}, {"arg x", "file:", "path"},
      {"arg x", "file:/no/such", ""},
  };
  for (int i = 0; i < LS_COUNT(cases); i++) {
    Form form;
    Launch launch;
    LsErr err = {0};
    form_init(&form, kernel("saxpy"), NULL);
    enter(&form, cases[i].key, cases[i].text);
    const char *error = form.fields[field_of(&form, cases[i].key)].error;
    if (!error[0] || !strstr(error, cases[i].says)) printf("%s %s: %s\n", cases[i].key, cases[i].text, error);
    CHECK(error[0] && strstr(error, cases[i].says) != NULL);
    CHECK_INT(form_wrong(&form), field_of(&form, cases[i].key));
    CHECK(!form_launch(&form, &launch, &err) && err.message[0] != 0);
    launch_fini(&launch);
    form_fini(&form);
  }
}

static void the_command_line_wins(void) {
  static const char *const args[] = {"i32=77", "f32=3", "f32[99]=const:4", "y=f32[80]=zero"};
  FormGiven given = {.block = "32", .args = args, .arg_count = LS_COUNT(args)};
  Form form;
  LsErr err = {0};
  form_init(&form, kernel("saxpy"), NULL);
  CHECK(form_take(&form, &given, &err));
  CHECK_STR(text_of(&form, "block"), "32");
  CHECK_STR(text_of(&form, "grid"), "3");
  CHECK_STR(text_of(&form, "arg n"), "77");
  CHECK_STR(text_of(&form, "arg a"), "3");
  CHECK_STR(text_of(&form, "arg x count"), "99");
  CHECK_STR(text_of(&form, "arg x"), "const:4");
  CHECK_STR(text_of(&form, "arg y"), "zero");
  form_fini(&form);
  form_init(&form, kernel("saxpy"), NULL);
  static const char *const wrong[] = {"f32[3]=zero"};
  given = (FormGiven){.args = wrong, .arg_count = 1};
  CHECK(!form_take(&form, &given, &err) && strstr(err.message, "int n") != NULL);
  form_fini(&form);
}

// A long file is not read again for every key, but before the run, and while something is wrong with it.
static void files_are_read_once(void) {
  char folder[200], path[300], init[320];
  if (!check_folder(folder, sizeof folder)) { CU_FAIL("no folder"); return; }
  snprintf(path, sizeof path, "%s/x.bin", folder);
  snprintf(init, sizeof init, "file:%s", path);
  Form form;
  Launch launch;
  form_init(&form, kernel("saxpy"), NULL);
  enter(&form, "arg x count", "2");
  enter(&form, "arg x", init);
  CHECK(form.fields[field_of(&form, "arg x")].error[0] != 0);
  CHECK(ls_file_write(path, "12345678", 8, NULL));
  enter(&form, "block", "64");
  CHECK_INT(form_wrong(&form), -1);
  unlink(path);
  enter(&form, "block", "32");
  CHECK_INT(form_wrong(&form), -1);
  CHECK(!form_launch(&form, &launch, NULL));
  launch_fini(&launch);
  enter(&form, "arg x count", "3");
  CHECK(form.fields[field_of(&form, "arg x")].error[0] != 0);
  form_fini(&form);
}

// What a file only declares is no kernel of it, and no first guess.
static void kernels_of_other_files(void) {
  static const char text[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                             ".extern .entry elsewhere(.param .u64 p);\n"
                             ".visible .entry here(.param .u64 p)\n{\nret;\n}\n";
  LsErr err = {0};
  PtxModule *module = ptx_parse("two.ptx", text, strlen(text), &err);
  SigFile *file = sigfile_new(module);
  CHECK_INT(file->count, 1);
  CHECK_STR(file->items[0].name, "here");
  sigfile_free(file);
}

// A struct is guessed member by member; variables of the module go with the launch, and with the line.
static void structs_and_variables(void) {
  static const char *const args[] = {"@table=iota", "@counter>counter.bin", "p=struct:n=8,out=float[8]=zero"};
  FormGiven given = {.args = args, .arg_count = LS_COUNT(args)};
  size_t length;
  LsErr err = {0};
  char *text = ls_file_read(LS_SOURCE_DIR "/tests/unit/sim/kernels/arguments.g.ptx", 1 << 20, &length, &err);
  PtxModule *module = text ? ptx_parse("arguments.g.ptx", text, length, &err) : NULL;
  free(text);
  CHECK(module != NULL);
  if (!module) return;
  SigFile *file = sigfile_new(module);
  Form form;
  Launch launch;
  form_init(&form, &file->items[0], NULL);
  CHECK_STR(text_of(&form, "arg p"), "struct:n=256,out=float[256]=zero,in=float[256]=iota,d=1,c=1,b=1");
  CHECK_STR(text_of(&form, "arg w"), "struct:x=1,y=1");
  CHECK_INT(form_wrong(&form), -1);
  CHECK(form_take(&form, &given, &err));
  CHECK_STR(text_of(&form, "arg p"), "struct:n=8,out=float[8]=zero");
  CHECK(form_launch(&form, &launch, &err) && launch_parameters(&launch) == 3 && launch.arg_count == 7);
  CHECK(launch_settle(module, file->items[0].entry, &launch, NULL, &err));
  launch_fini(&launch);
  FormWords words;
  form_words(&form, false, &words);
  CHECK_INT(words.count, 2 + 3 + 4);
  static const char *const variables[] = {"-a @coefficients=iota", "-a @table=iota", "-a @deep::coefficients=iota",
                                          "-a '@counter>counter.bin'"};
  for (int i = 0; i < LS_COUNT(variables) && words.count == 9; i++) CHECK_STR(words.items[5 + i], variables[i]);
  form_words_free(&words);
  form_fini(&form);
  sigfile_free(file);
}

// What the line says is what the form runs: it is parsed by the launch's own parser.
static void the_line_is_the_launch(void) {
  Form form;
  FormWords words;
  Launch launch, typed;
  form_init(&form, kernel("fill"), NULL);
  enter(&form, "arg value", "7");
  form_words(&form, true, &words);
  CHECK_STR(words.items[0], "-k 'fill<int, 32>'");
  CHECK_STR(words.items[1], "-g 4");
  CHECK(form_launch(&form, &launch, NULL));
  launch_init(&typed);
  for (int i = 3; i < words.count; i++) {
    char text[64];
    snprintf(text, sizeof text, "%s", words.items[i] + 3 + (words.items[i][3] == '\''));
    if (text[strlen(text) - 1] == '\'') text[strlen(text) - 1] = 0;
    CHECK(launch_add_arg(&typed, text, NULL));
  }
  CHECK_INT(typed.arg_count, launch.arg_count);
  for (int i = 0; i < LS_MIN(typed.arg_count, launch.arg_count); i++) {
    CHECK_INT(typed.args[i].count, launch.args[i].count);
    CHECK_INT(typed.args[i].scalar, launch.args[i].scalar);
  }
  launch_fini(&typed);
  launch_fini(&launch);
  form_words_free(&words);
  form_fini(&form);
}

// ---- kept -----------------------------------------------------------------------------------------------------------

static void entered_values_are_kept(void) {
  static const char file[] = "saxpy.cu";
  char last[64];
  Form form, again, other;
  Kept *kept = kept_open(":memory:");
  form_init(&form, kernel("saxpy"), NULL);
  form_init(&again, kernel("saxpy"), NULL);
  form_init(&other, kernel("blur"), NULL);
  CHECK_INT(kept_load(kept, file, &form), 0);
  CHECK(!kept_kernel(kept, file, last, sizeof last));
  enter(&form, "arg n", "500");
  enter(&form, "arg x", "const:2");
  enter(&form, "block", "64");
  kept_save(kept, file, &form);
  CHECK_INT(kept_load(kept, file, &again), 3);
  for (int i = 0; i < form.count; i++) CHECK_STR(again.fields[i].text, form.fields[i].text);
  CHECK(kept_kernel(kept, file, last, sizeof last) && strcmp(last, "saxpy") == 0);
  CHECK_INT(kept_load(kept, file, &other), 0);       // of another kernel
  CHECK_INT(kept_load(kept, "blur.cu", &other), 0);  // of another file
  form_fini(&again);
  form_init(&again, kernel("saxpy"), NULL);
  form_enter(&again, field_of(&again, "arg n"), "9", FROM_COMMAND);
  CHECK_INT(kept_load(kept, file, &again), 2);       // what the command line gives stays
  CHECK_STR(text_of(&again, "arg n"), "9");
  kept_forget(kept, file, "saxpy");
  form_fini(&again);
  form_init(&again, kernel("saxpy"), NULL);
  CHECK_INT(kept_load(kept, file, &again), 0);
  form_fini(&other);
  form_fini(&again);
  form_fini(&form);
  kept_close(kept);
}

// A file, from one start of the program to the next, by another way to the same place.
static void kept_in_a_file(void) {
  char folder[200], path[300], file[300], roundabout[400];
  if (!check_folder(folder, sizeof folder)) { CU_FAIL("no folder"); return; }
  snprintf(path, sizeof path, "%s/launches.db", folder);
  snprintf(file, sizeof file, "%s/saxpy.cu", folder);
  snprintf(roundabout, sizeof roundabout, "%s/../%s/saxpy.cu", folder, ls_path_base(folder));
  CHECK(ls_file_write(file, "x", 1, NULL));
  Form form, again;
  form_init(&form, kernel("saxpy"), NULL);
  enter(&form, "arg a", "-0.5");
  Kept *kept = kept_open(path);
  kept_save(kept, file, &form);
  kept_close(kept);
  kept = kept_open(path);
  form_init(&again, kernel("saxpy"), NULL);
  CHECK_INT(kept_load(kept, roundabout, &again), 1);
  CHECK_STR(text_of(&again, "arg a"), "-0.5");
  kept_close(kept);
  form_fini(&again);
  form_fini(&form);
  unlink(path);
  unlink(file);
  rmdir(folder);
}

// ---- host code ------------------------------------------------------------------------------------------------------

static void host_code_tells_launches(void) {
  static const char source[] =
      "#define BLOCK 128   // threads\n"
      "const int n = 4 * 1024;\n"
      "/* scale<<<1, 1>>>(); */\n"
      "void f() {\n"
      "  dim3 block(16, BLOCK / 16), grid((n + 15) / 16, 2);\n"
      "  scale<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, 2.5f, n);\n"
      "  blur<<<grid, block, 4 * BLOCK>>>(p);\n"
      "  printf(\"late<<<9, 9>>>\");\n"
      "  late<<<count(), dim3(8, 8)>>>();\n"
      "  ns::deep<int, 4><<<2, 32, bytes, stream>>>();\n"
      "}\n";
  static const struct { const char *kernel; int line; uint32_t grid[2], block[2]; long long shared; } cases[] = {
      {"scale", 6, {32, 1}, {128, 1}, 0}, {"blur", 7, {256, 2}, {16, 8}, 512}, {"late", 9, {0, 0}, {8, 8}, 0},
      {"ns::deep<int, 4>", 10, {2, 1}, {32, 1}, -1}, {"none", 0, {0, 0}, {0, 0}, -1}, {"cale", 0, {0, 0}, {0, 0}, -1},
  };
  for (int i = 0; i < LS_COUNT(cases); i++) {
    HostLaunch launch;
    hostcode_launch(source, cases[i].kernel, &launch);
    CHECK_INT(launch.line, cases[i].line);
    for (int d = 0; d < 2; d++) {
      CHECK_INT(launch.grid[d], cases[i].grid[d]);
      CHECK_INT(launch.block[d], cases[i].block[d]);
    }
    CHECK_INT(launch.shared, cases[i].shared);
  }
  HostLaunch launch;
  hostcode_launch(source, "scale", &launch);
  CHECK_STR(launch.text, "(n + BLOCK - 1) / BLOCK, BLOCK");
  CHECK_STR(launch.args[0], "");
  CHECK_STR(launch.args[1], "2.5");
  CHECK_STR(launch.args[2], "4096");
  CHECK(!hostcode_has_main(source));
  CHECK(hostcode_has_main("int main(void) { }"));
  CHECK(!hostcode_has_main("// int main() in a comment\nint domain(); char *s = \"main()\";"));
}

// Whatever stands in a file, looking at it ends.
static void host_code_may_be_anything(void) {
  static const char *const texts[] = {"", "a<<<", "a<<<>>>", "a<<<(((,>>>(",
                                      "a<<<a, b>>>()\n#define a b\n#define b a\n", "\"", "/*", "a<<<1/0, 1<<99>>>(",
                                      "a<<<99999999999999999999, -3>>>(1.", "const int a = a + 1;\na<<<a, a>>>(a, a);",
                                      "#define B 2147483647\na<<<B * B + B * B + B * B, (1 - 2) << 3>>>(1.0e300f);"};
  for (int i = 0; i < LS_COUNT(texts); i++) {
    HostLaunch launch;
    hostcode_launch(texts[i], "a", &launch);
    hostcode_has_main(texts[i]);
    CHECK(launch.grid[0] != 3);
  }
}

static void main_gives_what_it_says(void) {
  Form form;
  form_init(&form, kernel("saxpy"),
            "int main() { const int n = 3000; saxpy<<<(n + 127) / 128, 128>>>(n, 4.0f, x, y); }");
  CHECK_STR(text_of(&form, "block"), "128");
  CHECK_STR(text_of(&form, "arg n"), "3000");
  CHECK_STR(text_of(&form, "arg a"), "4.0");
  CHECK_STR(text_of(&form, "grid"), "24");
  CHECK_INT(form_wrong(&form), -1);
  form_fini(&form);
  // too much to look at
  form_init(&form, kernel("saxpy"), "int main() { saxpy<<<1 << 20, 256>>>(1 << 28, 4.0f, x, y); }");
  CHECK_STR(text_of(&form, "arg n"), "1000");
  form_fini(&form);
}

// ---- editors and compilers ------------------------------------------------------------------------------------------

static void editors_open_at_the_line(void) {
  static const struct { const char *visual, *editor, *line; } cases[] = {
      {NULL, NULL, "vi +7 'my file.cu'"},          {"", "nano", "nano +7 'my file.cu'"},
      {"code --wait", "nano", "code --wait -g 'my file.cu':7"},
      {"/usr/bin/emacs -nw", NULL, "/usr/bin/emacs -nw +7 'my file.cu'"},
      {"hx", NULL, "hx 'my file.cu':7"},           {"my-own-editor", NULL, "my-own-editor 'my file.cu'"},
  };
  for (int i = 0; i < LS_COUNT(cases); i++) {
    if (cases[i].visual) setenv("VISUAL", cases[i].visual, 1); else unsetenv("VISUAL");
    if (cases[i].editor) setenv("EDITOR", cases[i].editor, 1); else unsetenv("EDITOR");
    char *line = editor_command("my file.cu", 7);
    CHECK_STR(line, cases[i].line);
    free(line);
  }
  setenv("VISUAL", "vim", 1);
  char *line = editor_command("-x.cu", 0);
  CHECK_STR(line, "vim ./-x.cu");
  free(line);
  CHECK_STR(editor_name(), "vim");
}

static void the_first_error_of_a_compiler(void) {
  static const struct { const char *message; int line; const char *words; } cases[] = {
      {"saxpy.cu does not compile:\nsaxpy.cu(7): error: expected a \";\"\n    }\n    ^\n1 error detected", 7,
       "expected a \";\""},
      {"a.cu does not compile:\na.cu:3:14: warning: unused\na.cu:9:3: error: use of undeclared identifier 'y'", 9,
       "use of undeclared identifier 'y'"},
      {"a.cu does not compile:\na.cu(12): catastrophic error: cannot open source file \"b.h\"", 12,
       "cannot open source file \"b.h\""},
      {"the compiler has vanished", 0, "the compiler has vanished"},
  };
  for (int i = 0; i < LS_COUNT(cases); i++) {
    LsErr err = {.kind = LS_EREQUEST};
    char words[200];
    snprintf(err.message, sizeof err.message, "%s", cases[i].message);
    CHECK_INT(changes_compile_error(&err, words, sizeof words), cases[i].line);
    CHECK_STR(words, cases[i].words);
  }
}

// ---- a run before and after an edit ---------------------------------------------------------------------------------

static Run *run_of(const char *grid, const char *block, const char *x) {
  const char *const args[] = {"i32=1000", "f32=2", x, "f32[1000]=random:1"};
  FormGiven given = {.grid = grid, .block = block, .args = args, .arg_count = LS_COUNT(args)};
  Form form;
  RunRequest request;
  LsErr err = {0};
  run_request_init(&request);
  request.what = ls_strdup(kernels->path);
  form_init(&form, kernel("saxpy"), NULL);
  CHECK(form_take(&form, &given, &err));
  launch_fini(&request.launch);
  CHECK(form_launch(&form, &request.launch, &err));
  Run *run = run_new(&request, NULL, &err);
  CHECK(run != NULL);
  if (!run) printf("%s\n", err.message);
  run_request_fini(&request);
  form_fini(&form);
  return run;
}

static void what_an_edit_changed(void) {
  LsText words = {0};
  Run *good = run_of("4", "256", "f32[1000]=iota"), *bad = run_of("4", "256", "f32[900]=iota");
  if (good && bad) {
    changes_words(bad, good, &words);
    CHECK(ls_starts_with(ls_text_str(&words), "1 fault gone"));
    ls_text_clear(&words);
    changes_words(good, bad, &words);
    CHECK(ls_starts_with(ls_text_str(&words), "1 new fault"));
    ls_text_clear(&words);
    changes_words(good, good, &words);
    CHECK_STR(ls_text_str(&words), "the same faults and counters as before");
    ls_text_clear(&words);
    changes_words(bad, bad, &words);
    CHECK_STR(ls_text_str(&words), "the same 1 fault");
  }
  ls_text_free(&words);
  run_free(good);
  run_free(bad);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"signatures are the author's", signatures_are_the_authors},
      {"guesses run", guesses_run},
      {"guesses follow what is entered", guesses_follow_what_is_entered},
      {"what equals its guess follows", what_equals_its_guess_follows},
      {"tiles tell blocks", tiles_tell_blocks},
      {"choices go round", choices_go_round},
      {"mistakes stand at their field", mistakes_stand_at_their_field},
      {"the command line wins", the_command_line_wins},
      {"files are read once", files_are_read_once},
      {"structs and variables", structs_and_variables},
    {"kernels of other files", kernels_of_other_files},
      {"the line is the launch", the_line_is_the_launch},
      {"entered values are kept", entered_values_are_kept},
      {"kept in a file", kept_in_a_file},
      {"host code tells launches", host_code_tells_launches},
      {"host code may be anything", host_code_may_be_anything},
      {"main gives what it says", main_gives_what_it_says},
      {"editors open at the line", editors_open_at_the_line},
      {"the first error of a compiler", the_first_error_of_a_compiler},
      {"what an edit changed", what_an_edit_changed},
  };
  LsErr err = {0};
  char *path = ls_path_join(source_dir(), "tests/unit/app/own/kernels.g.ptx");
  kernels = ownfile_read(path, &err);
  free(path);
  if (!kernels) return printf("%s\n", err.message), 1;
  int status = check_main("own", checks, LS_COUNT(checks), argc, argv);
  ownfile_free(kernels);
  return status;
}
