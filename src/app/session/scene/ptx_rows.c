// ptx_rows.c: the PTX of the function at the cursor, a row per instruction.
#include <stdlib.h>

#include "app/session/session_parts.h"

struct SesPtxRows { char **rows; int func, first, count; };

static void forget(SesPtxRows *ptx) {
  for (int i = 0; i < ptx->count; i++) free(ptx->rows[i]);
  free(ptx->rows);
}

void ptx_rows_free(SesPtxRows *ptx) {
  if (ptx) forget(ptx);
  free(ptx);
}

// Printed when asked for.
static SesPtxRows *rows_of(Session *session) {
  const PtxModule *module = session->run->module;
  const Scene *scene = ses_scene(session);
  int pc = scene ? scene->event.pc : -1;
  int func = pc >= 0 && pc < module->code_count ? module->code[pc].func : session->run->entry;
  SesPtxRows *ptx = session->ptx_rows;
  if (ptx && ptx->func == func) return ptx;
  if (ptx) forget(ptx);
  else ptx = session->ptx_rows = ls_alloc(sizeof *ptx);
  *ptx = (SesPtxRows){.func = func, .first = module->funcs[func].first, .count = module->funcs[func].count};
  ptx->rows = ls_alloc(sizeof *ptx->rows * (size_t)(ptx->count + 1));
  return ptx;
}

int ses_ptx_rows(Session *session) { return session->run->module ? rows_of(session)->count : 0; }

const char *ses_ptx_row(Session *session, int row, int *pc, bool *current) {
  if (row < 0 || row >= ses_ptx_rows(session)) return "";
  const Scene *scene = ses_scene(session);
  SesPtxRows *ptx = rows_of(session);
  *pc = ptx->first + row;
  *current = scene && scene->event.pc == *pc;
  if (!ptx->rows[row]) {
    LsText text = {0};
    ptx_print_instr(session->run->module, *pc, &text);
    ptx->rows[row] = ls_strdup(ls_text_str(&text));
    ls_text_free(&text);
  }
  return ptx->rows[row];
}

int ses_ptx_top(Session *session, int rows) {
  int count = ses_ptx_rows(session);
  const Scene *scene = ses_scene(session);
  if (!scene || count <= rows) return 0;
  return LS_CLAMP(scene->event.pc - rows_of(session)->first - rows / 2, 0, count - rows);
}
