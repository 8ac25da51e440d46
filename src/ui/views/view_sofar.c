// view_sofar.c: totals up to the cursor, in one line, the important ones first.
#include <stdio.h>
#include "base/mem.h"
#include "ui/views/view.h"

typedef struct Total { char label[24], value[64]; Role role; } Total;
enum { SECTOR = 32, LANES = 32, MAX_TOTALS = 12, GAP = 4, MORE = GAP + 9 };   // MORE: of "▾ 12 more"

static Role ideal_if(bool ideal) { return ideal ? ROLE_GOOD : ROLE_WAITING; }

static int add(Total *totals, int count, const char *label, Role role, const char *value) {
  Total *total = &totals[count];
  snprintf(total->label, sizeof total->label, "%s", label);
  snprintf(total->value, sizeof total->value, "%s", value);
  total->role = role;
  return count + 1;
}

static int add_accesses(Total *totals, int count, const char *label, uint64_t requests, uint64_t sectors,
                        uint64_t bytes) {
  if (!requests) return count;
  char value[64], used[16];
  ls_percent((double)bytes, (double)sectors * SECTOR, used);
  snprintf(value, sizeof value, "%.1f sectors per request, %s used", (double)sectors / (double)requests, used);
  return add(totals, count, label, ideal_if(bytes >= sectors * SECTOR), value);
}

static int add_count(Total *totals, int count, const char *label, Role role, uint64_t value) {
  char text[32];
  return add(totals, count, label, role, ls_group_digits(value, text));
}

static int faults_until(const Session *session) {
  int count = 0;
  for (int i = 0; !session->untold && i < session->run->fault_count; i++) {
    const TraceFault *fault = &session->run->faults[i];
    count += fault->step <= session->step && trace_fault_grade(fault) == GRADE_FAULT;
  }
  return count;
}

static int gather(const Session *session, const CounterSet *c, Total *totals) {
  const uint64_t *v = c->value;
  int n = 0, faults = faults_until(session);
  char text[64];
  if (faults) n = add_count(totals, n, faults == 1 ? "▲ fault" : "▲ faults", ROLE_ALARM, (uint64_t)faults);
  ls_percent((double)v[COUNTER_THREAD_INSTRUCTIONS], (double)v[COUNTER_WARP_INSTRUCTIONS] * LANES, text);
  if (v[COUNTER_WARP_INSTRUCTIONS]) n = add(totals, n, "lanes active", ROLE_TEXT, text);
  n = add_accesses(totals, n, "global loads", v[COUNTER_GLOBAL_LOAD_REQUESTS], v[COUNTER_GLOBAL_LOAD_SECTORS],
                   v[COUNTER_GLOBAL_LOAD_BYTES]);
  uint64_t shared = v[COUNTER_SHARED_LOAD_INSTRUCTIONS] + v[COUNTER_SHARED_STORE_INSTRUCTIONS];
  uint64_t conflicts = v[COUNTER_SHARED_LOAD_BANK_CONFLICTS] + v[COUNTER_SHARED_STORE_BANK_CONFLICTS];
  snprintf(text, sizeof text, "%llu %s", (unsigned long long)conflicts, conflicts == 1 ? "conflict" : "conflicts");
  if (shared) n = add(totals, n, "shared", ideal_if(!conflicts), text);
  if (v[COUNTER_DIVERGENT_BRANCHES])
    n = add_count(totals, n, "divergent branches", ROLE_TEXT, v[COUNTER_DIVERGENT_BRANCHES]);
  if (v[COUNTER_BARRIERS]) n = add_count(totals, n, "barriers", ROLE_TEXT, v[COUNTER_BARRIERS]);
  if (v[COUNTER_ATOMICS]) n = add_count(totals, n, "atomics", ROLE_TEXT, v[COUNTER_ATOMICS]);
  if (v[COUNTER_SHUFFLES]) n = add_count(totals, n, "shuffles", ROLE_TEXT, v[COUNTER_SHUFFLES]);
  return add_accesses(totals, n, "global stores", v[COUNTER_GLOBAL_STORE_REQUESTS], v[COUNTER_GLOBAL_STORE_SECTORS],
                      v[COUNTER_GLOBAL_STORE_BYTES]);
}

// A rectangle of one row has no rule: at 80 x 24 every row counts.
void view_draw_sofar(Session *session, Canvas *canvas, Rect rect) {
  char title[32];
  bool own = run_is_emulated(session->run);   // the title bar says that all of it is emulated
  snprintf(title, sizeof title, "so far%s%s", own ? "" : " · ", own ? "" : run_how(session->run));
  Rect body = rect.h > 1 ? view_rule(canvas, rect, title, NULL) : rect;
  if (!ses_scene(session)->so_far_known) {
    canvas_text(canvas, body.x + 2, body.y, ROLE_DIM, 0, "counting");
    return;
  }
  Total totals[MAX_TOTALS];
  int count = gather(session, &ses_scene(session)->so_far, totals), x = body.x + 2, dropped = 0,
      end = body.x + body.w - 1;
  for (int i = 0; i < count; i++) {
    int width = ls_utf8_width(totals[i].label) + 1 + ls_utf8_width(totals[i].value);
    bool last = i + 1 == count && !dropped;
    if (x + width + (last ? 0 : MORE) > end) dropped++;   // a shorter one may still fit
    else x = view_labeled(canvas, x, body.y, totals[i].label, totals[i].role, totals[i].value) + GAP;
  }
  if (dropped) canvas_textf(canvas, x, body.y, ROLE_DIM, 0, "▾ %d more", dropped);
}
