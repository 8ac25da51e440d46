// forms.c: reads the measured forms and the templates, and sorts out those that a random program cannot judge.
#include "forms.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "source_dir.h"
#include "care.h"

#define TEMPLATE(text, result, a, b, c) {.op = text, .in = {PTX_##a, PTX_##b, PTX_##c}, .out = PTX_##result},
static const VecForm templates[] = {
#include "templates.def"
};
#undef TEMPLATE

// Named by their own text.
static void add_templates(Forms *forms, int *capacity) {
  for (int i = 0; i < LS_COUNT(templates); i++) {
    VecForm form = templates[i];
    snprintf(form.name, sizeof form.name, "%.*s", (int)sizeof form.name - 1, form.op);
    while (form.sources < VEC_SOURCES && form.in[form.sources]) form.sources++;
    LS_PUSH(forms->all, forms->count, *capacity, form);
  }
}

static bool read_all(Forms *forms, LsErr *err) {
  int files, capacity = 0;
  char **paths = vec_files(&files);
  bool ok = files > 0 || ls_fail(err, LS_EIO, "there are no vectors in %s/tests/unit/sim/vectors", source_dir());
  for (int i = 0; i < files; i++) {
    int count = 0;
    VecForm *some = ok ? vec_read(paths[i], &count, err) : NULL;
    ok = ok && some;
    for (int k = 0; k < count && some; k++) LS_PUSH(forms->all, forms->count, capacity, some[k]);
    free(some);
    free(paths[i]);
  }
  free(paths);
  add_templates(forms, &capacity);
  return ok;
}

static bool is_of_warp(const VecForm *form) {
  static const char *const names[] = {"shfl", "vote", "match", "redux"};
  for (int i = 0; i < LS_COUNT(names); i++)
    if (ls_starts_with(form->name, names[i])) return true;
  return false;
}

// Which lanes activemask sees together and which one elect takes is the chip's affair, not the program's.
static bool is_left_to_chip(const VecForm *form) {
  return ls_starts_with(form->name, "activemask") || ls_starts_with(form->name, "elect");
}

// Asked alone, where an H200 agrees. In the middle of other code what the driver's compiler makes of them differs: of
// "register + number" in the place of a register, which also ends that compiler, and of set from or to halves, if it
// is guarded or
// writes one of its sources.
static bool is_left_to_assembler(const VecForm *form) {
  return ls_starts_with(form->name, "sum.") || (strstr(form->op, "set.") && strstr(form->op, "f16"));
}

bool forms_is_wide_field(const VecForm *form) {
  return (ls_starts_with(form->op, "bfe") || ls_starts_with(form->op, "bfi.")) && ptx_type_size(form->out) == 8;
}

bool forms_read(Forms *forms, LsErr *err) {
  int lanes = 0, warps = 0;
  *forms = (Forms){0};
  if (!read_all(forms, err)) return false;
  for (int i = 0; i < forms->count; i++) {
    const VecForm *form = &forms->all[i];
    if (is_left_to_chip(form) || is_left_to_assembler(form) || care_leave_out(form)) continue;
    if (is_of_warp(form)) LS_PUSH(forms->warp, forms->warp_count, warps, form);
    else LS_PUSH(forms->lane, forms->lane_count, lanes, form);
  }
  return true;
}

void forms_free(Forms *forms) {
  free(forms->all);
  free(forms->lane);
  free(forms->warp);
  *forms = (Forms){0};
}
