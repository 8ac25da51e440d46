// program_against.c: the memory that two programs have behind each launch, side by side.
#include "app/run/program_against.h"

#include <inttypes.h>
#include <string.h>

#include "app/run/program_memory.h"
#include "base/mem.h"

typedef struct Sides { const uint8_t *left, *right, *written; } Sides;   // written NULL: all of it is

static bool is_same(const Sides *s, uint64_t at, uint64_t size) {
  bool unwritten = s->written && memchr(s->written + at, 0, (size_t)size);
  return unwritten || memcmp(s->left + at, s->right + at, (size_t)size) == 0;
}

// Elements that differ; the first of them is told, if none was before.
static uint64_t differing(const HostProgram *program, int buffer, const Sides *s, int number, ProgramAgainst *out) {
  const LaunchArg *arg = &program->buffers[buffer].contents;
  uint64_t elem = (uint64_t)launch_type_size(arg->type), count = 0;
  if (!s->written && memcmp(s->left, s->right, (size_t)(arg->count * elem)) == 0) return 0;
  for (uint64_t i = 0; i < arg->count; i++) {
    if (is_same(s, i * elem, elem) || count++ || out->number) continue;
    out->number = number;
    out->buffer = buffer;
    out->element = i;
    memcpy(&out->left, s->left + i * elem, (size_t)elem);
    memcpy(&out->right, s->right + i * elem, (size_t)elem);
  }
  return count;
}

// As launch `number` finds memory: the buffers are behind its parameters.
static bool compare_before(const ProgramRun *left, const ProgramRun *right, int number, ProgramAgainst *out,
                           LsErr *err) {
  Launch a, b;
  launch_init(&a);
  launch_init(&b);
  bool ok = program_run_kept_launch(left, number, NULL, &a, err) &&
            program_run_kept_launch(right, number, NULL, &b, err);
  for (int i = 0, buffer = 0; ok && i < a.arg_count && i < b.arg_count; i++) {
    if (a.args[i].role != LAUNCH_MEMORY) continue;
    Sides sides = {a.args[i].data, b.args[i].data, a.args[i].written};
    differing(&left->program, buffer++, &sides, number - 1, out);
  }
  launch_fini(&a);
  launch_fini(&b);
  return ok;
}

static void compare_end(const ProgramRun *left, const ProgramRun *right, ProgramAgainst *out) {
  for (int i = 0; i < left->program.buffer_count; i++) {
    const ProgramBytes *mine = &left->memory->device[i], *theirs = &right->memory->device[i];
    Sides sides = {mine->bytes, theirs->bytes, mine->written};
    out->elements += differing(&left->program, i, &sides, left->launch_count, out);
  }
}

bool program_against(const ProgramRun *left, const ProgramRun *right, ProgramAgainst *out, LsErr *err) {
  *out = (ProgramAgainst){0};
  int last = LS_MIN(left->launch_count, right->launch_count);
  for (int number = 2; number <= last && !out->number; number++)
    if (!compare_before(left, right, number, out, err)) return false;
  compare_end(left, right, out);
  return true;
}

void program_against_value(const ProgramRun *run, const ProgramAgainst *a, uint64_t bits, LsText *out) {
  LaunchType type = run->program.buffers[a->buffer].contents.type;
  double value = launch_value(type, bits);
  if (launch_type_is_float(type)) ls_text_addf(out, "%.9g", value);
  else if (type == LAUNCH_U64) ls_text_addf(out, "%" PRIu64, bits);
  else if (type == LAUNCH_I64) ls_text_addf(out, "%" PRId64, (int64_t)bits);
  else ls_text_addf(out, "%.0f", value);
}

void program_against_words(const ProgramRun *left, const ProgramRun *right, const ProgramAgainst *a, LsText *out) {
  if (!a->number) {
    ls_text_addf(out, "the %s and the %s leave the same, launch by launch", left->device->title, right->device->title);
    return;
  }
  ls_text_addf(out, "%s[%" PRIu64 "] is ", left->program.buffers[a->buffer].contents.name, a->element);
  program_against_value(left, a, a->left, out);
  ls_text_addf(out, " on the %s and ", left->device->title);
  program_against_value(right, a, a->right, out);
  ls_text_addf(out, " on the %s, first behind ", right->device->title);
  program_run_place(&left->program, a->number, out);
  if (a->elements)
    ls_text_addf(out, "; %" PRIu64 " element%s differ%s in the end", a->elements, a->elements == 1 ? "" : "s",
                 a->elements == 1 ? "s" : "");
  else ls_text_add(out, "; in the end nothing differs");
}
