// judge_code.c: a student's file from its bytes to code that may run.
#include "app/practice/judge_code.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "ptx/module.h"

char *judge_read(const char *path, LsErr *err) {
  size_t size = 0;
  char *text = ls_file_read(path, JUDGE_SOURCE_LIMIT, &size, err);
  if (!text || strlen(text) == size) return text;
  ls_fail(err, LS_EREQUEST, "%s is no source text: it has a zero byte at %zu", LS_QUOTE_PATH(path), strlen(text));
  free(text);
  return NULL;
}

// The source that is compiled.
static char *source_of(const Exercise *exercise, const char *text, uint64_t *id, LsErr *err) {
  if (!exercise->given) return ls_strdup(text);
  char *path = ls_path_join(exercise->folder, exercise->given), *given = judge_read(path, err);
  free(path);
  if (!given || exercise->keep_text(exercise, text, id, err)) return given;
  free(given);
  return NULL;
}

bool judge_request(const Exercise *exercise, const char *text, RunRequest *request, uint64_t *id, LsErr *err) {
  *id = 0;
  char *source = source_of(exercise, text, id, err);
  if (!source) return false;
  run_request_init(request);
  request->what = ls_strdup(exercise->name);
  request->recipe = exercise->recipe;
  recipe_defaults(exercise->recipe, &request->values);
  run_request_set_text(request, source);
  free(source);
  run_request_set_device(request, "emu");
  request->cut = DEV_COMPILED;
  request->cut_given = true;
  request->record = false;
  request->order = SIM_WHOLE;
  request->order_given = true;
  request->budget = exercise->budget;
  request->threads = 1;
  free(request->profile);
  request->profile = ls_strdup(exercise->profile);
  return true;
}

static void fail(VerdictFailure *failure, VerdictHow how, const char *kind, char *message, int line) {
  *failure = (VerdictFailure){.how = how, .kind = ls_strdup(kind), .index = -1, .order = -1, .element = -1,
                              .message = message, .line = line, .step = UINT64_MAX};
}

static const char head[] = " does not compile:";   // what every compiler's errors begin with, behind the file's name

// ---- compiling -----------------------------------------------------------------------------------------------------

static bool is_blank(const char *text) {
  while (isspace((unsigned char)*text)) text++;
  return !*text;
}

// The line in "transpose.cu(12): error: ..." (nvcc, NVRTC) or "transpose.cu:12:7: error: ..." (clang); 0: none.
static int line_in(const char *message, const char *name) {
  for (const char *at = message; (at = strstr(at, name));) {
    at += strlen(name);
    if (*at == '(' || *at == ':') return (int)strtol(at + 1, NULL, 10);
  }
  return 0;
}

// Without "transpose.cu does not compile:", which is said anyway. The file goes by the student's name for it, not by
// the exercise's.
static char *with_own_name(const char *message, const char *name, const char *path) {
  LsText out = {0};
  if (ls_starts_with(message, name) && ls_starts_with(message + strlen(name), head))
    message += strlen(name) + sizeof head - 1;
  message += strspn(message, " \n");
  const char *own = ls_path_base(path);
  for (const char *found; (found = strstr(message, name)); message = found + strlen(name)) {
    ls_text_addn(&out, message, (size_t)(found - message));
    ls_text_add(&out, own);
  }
  size_t length = strlen(message);
  while (length && isspace((unsigned char)message[length - 1])) length--;
  ls_text_addn(&out, message, length);
  return ls_text_take(&out);
}

// ---- rules ---------------------------------------------------------------------------------------------------------

// What the code declares itself, whichever kernel uses it: dynamic arrays have no size.
static int64_t shared_bytes_of(const PtxModule *module) {
  int64_t end = 0;
  for (int i = 0; i < module->var_count; i++) {
    const PtxVar *var = &module->vars[i];
    int64_t align = LS_MAX(var->align, 1);
    if (var->space == PTX_SHARED && var->count >= 0) end = (end + align - 1) / align * align + var->size;
  }
  return end;
}

static bool keeps_rules(const Exercise *e, const PtxModule *module, const RunCode *code, VerdictFailure *failure,
                        bool *failed, LsErr *err) {
  int64_t bytes = shared_bytes_of(module);
  if (e->shared_bytes >= 0 && bytes > e->shared_bytes) {
    fail(failure, VERDICT_RULE, "shared bytes",
         ls_format("The kernel declares %lld bytes of shared memory; %lld are allowed here.", (long long)bytes,
                   (long long)e->shared_bytes), 0);
    failure->value = bytes;
    failure->bound = e->shared_bytes;
    return *failed = true;
  }
  for (int i = 0; i < e->rule_count; i++) {
    const ExerciseRule *rule = &e->rules[i];
    bool found;
    if (!e->has_pattern(e, code->ptx, code->length, rule->pattern, &found, err)) return false;
    if (found != rule->forbidden) continue;
    fail(failure, VERDICT_RULE, rule->name,
         ls_format(rule->forbidden ? "The compiled code has %s, which is not wanted here."
                                   : "The compiled code has no %s.", rule->name), 0);
    return *failed = true;
  }
  return true;
}

// ---- the whole -----------------------------------------------------------------------------------------------------

static bool check_module(const Exercise *e, const PtxModule *module, const RunCode *code, VerdictFailure *failure,
                         bool *failed, LsErr *err) {
  for (int i = 0; !e->given && i < e->kernel_count && !*failed; i++) {
    LsText why = {0};
    *failed = !judge_signature(module, e->kernels[i], &why);
    if (*failed) fail(failure, VERDICT_LAUNCH, "launch", ls_text_take(&why), 0);
    ls_text_free(&why);
  }
  return *failed || keeps_rules(e, module, code, failure, failed, err);
}

static bool refused(const Exercise *e, const char *path, const LsErr *why, VerdictFailure *failure) {
  const char *name = e->recipe->forms[0].source;
  char *message = with_own_name(why->message, name, path);
  fail(failure, VERDICT_COMPILE, "compile", message, line_in(message, ls_path_base(path)));
  return true;
}

bool judge_code(const Exercise *e, const char *path, const char *text, RunRequest *request, RunProgress *progress,
                VerdictFailure *failure, bool *failed, LsErr *err) {
  LsErr why = {0};
  *failed = is_blank(text);
  if (*failed) {
    fail(failure, VERDICT_COMPILE, "compile",
         ls_format("The file is empty. Wanted: %s%s", e->given ? "" : "__global__ ", e->kernels[0]), 0);
    return true;
  }
  if (!run_request_compile(request, progress, &why)) {
    *failed = why.kind == LS_EREQUEST && strstr(why.message, head);   // else it is the request that is wrong
    if (*failed) return refused(e, path, &why, failure);
    if (err) *err = why;
    return false;
  }
  PtxModule *module = ptx_parse(request->code->path, request->code->ptx, request->code->length, &why);
  bool ok = module ? check_module(e, module, request->code, failure, failed, err) : (*failed = true, refused(e, path,
      &why, failure));
  ptx_module_free(module);
  return ok;
}
