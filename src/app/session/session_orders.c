// session_orders.c: what other orders of warps and lanes leave: asking for it, and the outcomes as rows of a list. Going
// to a row runs the launch again in an order that ends so.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/orders_words.h"
#include "app/session/session_parts.h"

enum { SEEDS = 100 };        // where nobody says how many

// ---- asking --------------------------------------------------------------------------------------------------------

// The outcomes are compared here, and a witness is run here.
static bool can_try(Session *session) {
  if (!ses_can_rerun(session)) return false;
  if (!run_is_emulated(session->run) || run_request_runner(&session->run->request))
    return ses_complain(session, "other orders are tried by the emulator of this machine: :set device=emu"), false;
  if (session->run->program)
    return ses_complain(session, "other orders are tried of a single launch, and this one is a program's"), false;
  return true;
}

bool ses_orders(Session *session, const Command *command) {
  if (command->arg < 0 || command->arg > ORDERS_MOST_SEEDS)
    return ses_complain(session, "orders takes a number of seeds from 1 to %d", ORDERS_MOST_SEEDS);
  if (!command->arg && session->orders) return ses_open_panel(session, CMD_ORDERS);
  if (can_try(session)) session->want_orders = command->arg ? (uint64_t)command->arg : SEEDS;
  return true;
}

void ses_forget_orders(Session *session) {
  orders_free(session->orders);
  session->orders = NULL;
  session->want_orders = 0;
}

void ses_take_orders(Session *session, Orders *orders) {
  ses_forget_orders(session);
  session->orders = orders;
  if (!session->panel) {
    ses_open_panel(session, CMD_ORDERS);
    return;
  }
  ses_say(session, "other orders gave %d outcome%s: :orders lists them", orders->count, orders->count == 1 ? "" : "s");
}

void ses_orders_failed(Session *session, const LsErr *err) {
  session->want_orders = 0;
  ses_complain(session, "%s", err->kind == LS_ECANCEL ? "canceled: not all was tried" : err->message);
}

// ---- rows ----------------------------------------------------------------------------------------------------------

static const OrdersOutcome *outcome_at(const Session *session, int row) {
  const Orders *all = session->orders;
  return all && row >= 0 && row < all->count ? &all->items[row] : NULL;
}

// Whether the run that is shown is its witness.
static bool is_shown(const Session *session, const OrdersOutcome *o) {
  const RunRequest *request = &session->run->request;
  if (o->order) return request->order_of && strcmp(request->order_of, o->order) == 0;
  return !request->order_of && request->seed == o->seed && run_request_order(request) == SIM_WHOLE;
}

int ses_outcome_count(Session *session) { return session->orders ? session->orders->count : 0; }

bool ses_outcome_row(Session *session, int row, SesRow *out) {
  const OrdersOutcome *o = outcome_at(session, row);
  if (!o) return false;
  const Orders *all = session->orders;
  bool by_order = o->orders > 0;
  *out = (SesRow){.grade = GRADE_FAULT, .step = UINT64_MAX, .when = WHEN_UNKNOWN};
  if (is_shown(session, o)) out->when = WHEN_HERE, out->step = session->step;
  snprintf(out->who, sizeof out->who, "%" PRIu64 " of %" PRIu64 " %s", by_order ? o->orders : o->seeds,
           by_order ? all->orders : all->seeds, by_order ? "orders" : "seeds");
  const char *same = all->count == 1 ? "the only outcome" : "the same in memory, but it ends otherwise";
  snprintf(out->text, sizeof out->text, "%s%s", *o->words ? o->words : same, o->is_rounding ? " (rounding alone)" : "");
  return true;
}

void ses_outcomes_words(Session *session, LsText *out) {
  const Orders *all = session->orders;
  if (!all) return;
  orders_verdict_words(all, out);
  out->data[0] = (char)(out->data[0] == 'o' ? 'O' : out->data[0]);
  ls_text_add(out, ". Tried: ");
  orders_tried_words(all, out);
  ls_text_addc(out, '.');
}

static void going_words(Session *session, const OrdersOutcome *o, LsText *out) {
  const Orders *all = session->orders;
  if (is_shown(session, o)) ls_text_add(out, "This run ends so. Enter goes");
  else if (o->order) ls_text_addf(out, "Enter runs it in the order %s, and goes", o->order);
  else ls_text_addf(out, "Enter runs it with seed %" PRIu64 ", and goes", o->seed);
  if (all->arg < 0) {
    ls_text_add(out, " to what went wrong, or to the start.");
    return;
  }
  ls_text_add(out, " to the step that gave ");
  orders_element_name(session->run, all->arg, all->element, out);
  ls_text_add(out, " its last value.");
}

void ses_outcome_words(Session *session, int row, LsText *out) {
  const OrdersOutcome *o = outcome_at(session, row);
  if (!o) return;
  const Orders *all = session->orders;
  going_words(session, o, out);
  if (o->orders) ls_text_addf(out, " %" PRIu64 " of %" PRIu64 " orders and", o->orders, all->orders);
  ls_text_addf(out, " %" PRIu64 " of %" PRIu64 " seeds end so", o->seeds, all->seeds);
  if (*o->words) ls_text_addf(out, ": %s", o->words);
  ls_text_addc(out, '.');
}

// ---- going to one --------------------------------------------------------------------------------------------------

static const TraceObject *object_of(const Session *session, int arg) {
  const TraceInfo *info = ses_info(session);
  for (int i = 0; i < info->object_count; i++)
    if (info->objects[i].arg == arg) return &info->objects[i];
  return NULL;
}

static const TraceFault *first_fault(const Session *session) {
  for (int i = 0; i < session->run->fault_count; i++) {
    const TraceFault *f = run_fault_row(session->run, i);
    if (trace_fault_grade(f) == GRADE_FAULT && f->step < session->steps) return f;
  }
  return NULL;
}

void ses_outcome_arrive(Session *session) {
  const Orders *all = session->orders;
  const TraceObject *object = all->arg >= 0 ? object_of(session, all->arg) : NULL;
  const TraceFault *fault = first_fault(session);
  if (!session->steps) return;
  session->warp_follows = true;
  if (!object) {
    ses_go(session, fault ? fault->step : 0);
    return;
  }
  int size = launch_type_size(ses_info(session)->launch.args[all->arg].type);
  LsText name = {0};
  orders_element_name(session->run, all->arg, all->element, &name);
  if (!ses_go_last_write(session, object->base + all->element * (uint64_t)size, size, ls_text_str(&name)))
    ses_go(session, 0);
  ls_text_free(&name);
}

bool ses_go_outcome(Session *session, int row) {
  const OrdersOutcome *o = outcome_at(session, row);
  if (!o) return true;
  if (is_shown(session, o)) {
    ses_outcome_arrive(session);
    return true;
  }
  RunRequest request;
  run_request_copy(&request, &session->run->request);
  free(request.order_of);
  request.order_of = o->order ? ls_strdup(o->order) : NULL;
  request.seed = o->order ? 0 : o->seed;
  request.order = SIM_WHOLE;
  request.order_given = true;
  ses_want(session, &request, false);
  ses_target(session)->is_outcome = true;
  return true;
}
