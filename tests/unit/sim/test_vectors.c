// test_vectors.c: every form of every opcode that was measured on an H200, asked again through parser and emulator.
//
//   tests/unit/sim/test_vectors               all opcodes, a test each
//   tests/unit/sim/test_vectors cvt.rn        forms whose name contains cvt.rn
//   tests/unit/sim/test_vectors --print FORM  the PTX that asks it
#include "base/mem.h"
#include "check.h"
#include "ptx/module.h"
#include "sim/sim.h"
#include "launch/launch.h"
#include "vec.h"

typedef struct Opcode { char *path, name[32]; VecForm *forms; int count; } Opcode;
static Opcode *opcodes;
static int opcode_count;
static const char *wanted = "";

static bool is_wanted(const VecForm *form) { return strstr(form->name, wanted) != NULL; }

// ---- one form ------------------------------------------------------------------------------------------------------

static LaunchType unsigned_of(PtxType type) {
  switch (ptx_type_size(type)) {
    case 1: return LAUNCH_U8;
    case 2: return LAUNCH_U16;
    case 4: return LAUNCH_U32;
    default: return LAUNCH_U64;
  }
}

static void add_buffer(Launch *launch, PtxType type, const uint64_t *values) {
  size_t size = (size_t)ptx_type_size(type);
  LaunchArg arg = {.type = unsigned_of(type), .is_buffer = true, .count = VEC_ROWS};
  arg.init = values ? LAUNCH_DATA : LAUNCH_ZERO;
  if (values) {
    arg.data = malloc(VEC_ROWS * size);
    for (int i = 0; i < VEC_ROWS; i++) memcpy(arg.data + (size_t)i * size, &values[i], size);  // low bytes first
  }
  LS_PUSH(launch->args, launch->arg_count, launch->arg_capacity, arg);
}

static int rows_wrong(const VecForm *form, const Sim *sim) {
  uint64_t bytes;
  size_t size = (size_t)ptx_type_size(form->out);
  const uint8_t *result = sim_buffer(sim, form->sources, &bytes);
  if (!result || bytes != VEC_ROWS * size) return VEC_ROWS;
  int wrong = 0;
  for (int i = 0; i < VEC_ROWS; i++) {
    uint64_t got = 0;
    memcpy(&got, result + (size_t)i * size, size);
    if (got == form->outputs[i]) continue;
    if (wrong++ >= 4) continue;
    printf("  %s, row %d:", form->name, i);
    for (int s = 0; s < form->sources; s++) printf(" %llx", (unsigned long long)form->inputs[s][i]);
    printf(" = %llx, got %llx\n", (unsigned long long)form->outputs[i], (unsigned long long)got);
  }
  return wrong;
}

// A division by zero is told as a fault, and goes on; nothing else may be told.
static bool has_only_divisions_by_zero(const VecForm *form, const Sim *sim) {
  int count;
  const TraceFault *faults = sim_faults(sim, &count);
  for (int i = 0; i < count; i++) {
    if (faults[i].kind == FAULT_DIVIDE_BY_ZERO) continue;
    printf("  %s: fault %d\n", form->name, (int)faults[i].kind);
    return false;
  }
  return true;
}

static bool run(const VecForm *form, const PtxModule *module, LsErr *err) {
  Launch launch;
  SimOptions options;
  TraceSink nobody = {0};
  launch_init(&launch);
  launch.block[0] = VEC_ROWS;
  for (int s = 0; s < form->sources; s++) add_buffer(&launch, form->in[s], form->inputs[s]);
  add_buffer(&launch, form->out, NULL);
  sim_options_init(&options);
  Sim *sim = sim_new(module, 0, &launch, &options, err);
  bool ok = sim && sim_run(sim, &nobody, err);
  int wrong = ok ? rows_wrong(form, sim) : VEC_ROWS;
  ok = ok && has_only_divisions_by_zero(form, sim) && wrong == 0;
  sim_free(sim);
  launch_fini(&launch);
  return ok;
}

static bool check_form(const VecForm *form) {
  LsText text = {0};
  LsErr err = {0};
  char message[1024];
  vec_ptx(form, &text);
  PtxModule *module = ptx_parse(form->name, ls_text_str(&text), text.length, &err);
  bool ok = module && run(form, module, &err);
  ls_err_text(&err, message, sizeof message);
  if (!ok) printf("  %s: %s\n", form->name, *message ? message : "differs from the GPU");
  ptx_module_free(module);
  ls_text_free(&text);
  return ok;
}

// ---- one opcode: the running test's name says which ----------------------------------------------------------------

static void check_opcode(void) {
  const char *name = CU_get_current_test()->pName;
  for (int o = 0; o < opcode_count; o++) {
    if (strcmp(opcodes[o].name, name) != 0) continue;
    for (int f = 0; f < opcodes[o].count; f++)
      if (is_wanted(&opcodes[o].forms[f])) CHECK(check_form(&opcodes[o].forms[f]));
  }
}

static bool read_opcodes(void) {
  char **paths = vec_files(&opcode_count);
  opcodes = calloc((size_t)opcode_count + 1, sizeof *opcodes);
  bool ok = opcode_count > 0;
  for (int i = 0; i < opcode_count; i++) {
    LsErr err = {0};
    Opcode *o = &opcodes[i];
    o->path = paths[i];
    const char *base = strrchr(o->path, '/') + 1;
    snprintf(o->name, sizeof o->name, "%.*s", (int)strcspn(base, "."), base);
    o->forms = vec_read(o->path, &o->count, &err);
    if (o->forms) continue;
    fprintf(stderr, "%s\n", err.message);
    ok = false;
  }
  free(paths);
  return ok;
}

static int print_form(const char *name) {
  for (int o = 0; o < opcode_count; o++)
    for (int f = 0; f < opcodes[o].count; f++) {
      if (strcmp(opcodes[o].forms[f].name, name) != 0) continue;
      LsText text = {0};
      vec_ptx(&opcodes[o].forms[f], &text);
      fputs(ls_text_str(&text), stdout);
      ls_text_free(&text);
      return 0;
    }
  fprintf(stderr, "no form is named %s\n", name);
  return 1;
}

static int run_tests(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (CU_initialize_registry() != CUE_SUCCESS) return 99;
  CU_pSuite suite = CU_add_suite("vectors", NULL, NULL);
  for (int o = 0; suite && o < opcode_count; o++) {
    bool any = false;
    for (int f = 0; f < opcodes[o].count; f++) any |= is_wanted(&opcodes[o].forms[f]);
    if (any && !CU_add_test(suite, opcodes[o].name, check_opcode)) return 99;
  }
  CU_basic_set_mode(CU_BRM_VERBOSE);
  CU_basic_run_tests();
  unsigned failed = CU_get_number_of_failures(), ran = CU_get_number_of_tests_run();
  CU_cleanup_registry();
  if (ran == 0) fprintf(stderr, "no form's name contains %s\n", wanted);
  return failed || !ran;
}

int main(int argc, char **argv) {
  bool ok = read_opcodes();
  bool print = argc == 3 && strcmp(argv[1], "--print") == 0;
  if (argc == 2) wanted = argv[1];
  int status = !ok ? 99 : print ? print_form(argv[2]) : run_tests();
  for (int o = 0; o < opcode_count; o++) {
    free(opcodes[o].path);
    free(opcodes[o].forms);
  }
  free(opcodes);
  return status;
}
