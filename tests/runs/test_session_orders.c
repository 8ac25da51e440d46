// test_session_orders.c: `:orders` in the explorer, on the lecture's race: outcomes, their witnesses, and who asks in vain.
//
// Which outcomes there are is the lecture's (a[0], a[1], v); how many of the 70 orders end in each is not.
#include <sched.h>
#include <string.h>

#include "app/run/orders_job.h"
#include "app/session/session.h"
#include "base/mem.h"
#include "check_recipes.h"
#include "ui/pages/rerun.h"
#include "ui/panels/panel.h"

static RecipeBook *book;

static const int32_t lecture[7][3] = {{1, 1, 1}, {5, 1, 1}, {5, 1, 5}, {5, 5, 5}, {5, 6, 6}, {6, 1, 6}, {6, 6, 6}};

static Session *open_race(const char *assignment, DevCut cut) {
  LsErr err = {0};
  RunRequest request;
  run_request_init(&request);
  request.what = ls_strdup("race_add_5_1");
  request.recipe = book->get(book, request.what, &err);
  recipe_defaults(request.recipe, &request.values);
  if (*assignment) CHECK(recipe_set(request.recipe, &request.values, assignment, &err));
  request.cut = cut;
  request.cut_given = true;
  request.record = true;
  Run *run = run_new(&request, NULL, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  run_request_fini(&request);
  Session *session = ses_new(run);
  session->panels = panels;
  return session;
}

static bool line(Session *session, const char *text) {
  return ses_command(session, &(Command){.id = CMD_TEXT, .text = text});
}

static void tick_until_idle(Rerun *rerun, Session *session) {
  rerun_tick(rerun, session, 0);
  while (rerun_active(rerun, session)) rerun_tick(rerun, session, 0.01), sched_yield();
}

static int32_t word(const Run *run, int arg, int element) {
  uint64_t size;
  int32_t value;
  memcpy(&value, run->device->buffer(run->device_run, arg, &size) + 4 * element, 4);
  return value;
}

// Which of the lecture's outcomes a run is; -1: none.
static int outcome_of(const Run *run) {
  for (int i = 0; i < LS_COUNT(lecture); i++)
    if (word(run, 0, 0) == lecture[i][0] && word(run, 0, 1) == lecture[i][1] && word(run, 1, 0) == lecture[i][2])
      return i;
  return -1;
}

static void words_of(const Session *session, char out[64]) {
  const Run *run = session->run;
  snprintf(out, 64, "a[0] = %d, a[1] = %d, v[0] = %d", word(run, 0, 0), word(run, 0, 1), word(run, 1, 0));
}

// Every row, taken: a run that ends as the row says, at the store that gave a[0] its value.
static void rows_lead_to_witnesses(Rerun *rerun, Session *session, unsigned *seen) {
  for (int row = 0; row < ses_outcome_count(session); row++) {
    SesRow shown;
    char words[64];
    CHECK(ses_outcome_row(session, row, &shown));
    CHECK(ses_go_outcome(session, row));
    tick_until_idle(rerun, session);
    words_of(session, words);
    CHECK_STR(shown.text, words);
    CHECK(outcome_of(session->run) >= 0);
    *seen |= 1u << LS_MAX(outcome_of(session->run), 0);
    CHECK(ses_outcome_row(session, row, &shown));
    CHECK_INT(shown.when, WHEN_HERE);
    const TraceEvent *event = &ses_scene(session)->event;
    CHECK_INT(event->kind, TRACE_STORE);
    CHECK_INT(event->space, TRACE_GLOBAL);
    CHECK_INT(ses_scene(session)->line, 9);
  }
}

static void the_lecture_has_all(DevCut cut) {
  Rerun rerun = {0};
  unsigned seen = 0;
  Session *session = open_race("", cut);
  CHECK(line(session, ":orders 20"));
  CHECK_INT(session->want_orders, 20);
  tick_until_idle(&rerun, session);
  CU_ASSERT_PTR_NOT_NULL_FATAL(session->orders);
  CHECK(session->panel == &panel_orders);
  ses_close_panel(session);
  CHECK(session->orders->all);
  CHECK_INT(session->orders->orders, 70);
  CHECK_INT(session->orders->seeds, 20);
  CHECK_INT(ses_outcome_count(session), 7);
  rows_lead_to_witnesses(&rerun, session, &seen);
  CHECK_INT(seen, 0x7f);
  rerun_fini(&rerun);
  ses_free(session);
}

static void all_outcomes_as_compiled(void) { the_lecture_has_all(DEV_COMPILED); }
static void all_outcomes_as_written(void) { the_lecture_has_all(DEV_WRITTEN); }

// Two blocks: seeds alone, whose witnesses end as they say.
static void seeds_have_witnesses(void) {
  Rerun rerun = {0};
  unsigned seen = 0;
  Session *session = open_race("other=1917", DEV_COMPILED);
  CHECK(line(session, "orders 200"));
  tick_until_idle(&rerun, session);
  CU_ASSERT_PTR_NOT_NULL_FATAL(session->orders);
  ses_close_panel(session);
  CHECK(!session->orders->all);
  uint64_t seeds = 0;
  for (int i = 0; i < session->orders->count; i++) seeds += session->orders->items[i].seeds;
  CHECK_INT(seeds, 200);
  if (session->orders->count > 1) rows_lead_to_witnesses(&rerun, session, &seen);
  rerun_fini(&rerun);
  ses_free(session);
}

// Another launch has other outcomes, and an order of its own.
static void another_launch_forgets(void) {
  Rerun rerun = {0};
  Session *session = open_race("", DEV_COMPILED);
  line(session, "orders 5");
  tick_until_idle(&rerun, session);
  ses_close_panel(session);
  CHECK(ses_go_outcome(session, 0));
  tick_until_idle(&rerun, session);
  CHECK(session->orders != NULL && session->run->request.order_of != NULL);
  line(session, "set other=1024");
  tick_until_idle(&rerun, session);
  CHECK(session->orders == NULL && session->run->request.order_of == NULL);
  rerun_fini(&rerun);
  ses_free(session);
}

static void esc_ends_the_search(void) {
  Rerun rerun = {0};
  Session *session = open_race("", DEV_COMPILED);
  line(session, "orders 100000");
  rerun_tick(&rerun, session, 0);
  CHECK(rerun_works(&rerun));
  CHECK(rerun_cancel(&rerun));
  tick_until_idle(&rerun, session);
  CHECK(session->orders == NULL && session->panel == NULL);
  CHECK(strstr(session->message, "canceled") != NULL);
  rerun_fini(&rerun);
  ses_free(session);
}

static void wrong_numbers_are_refused(void) {
  Session *session = open_race("", DEV_COMPILED);
  static const char *const lines[] = {"orders -1", "orders 100001", "orders many"};
  for (int i = 0; i < LS_COUNT(lines); i++) {
    CHECK(line(session, lines[i]));
    CHECK(session->message_is_error);
    CHECK_INT(session->want_orders, 0);
  }
  ses_free(session);
}

static const Check checks[] = {
    {"all outcomes, as compiled", all_outcomes_as_compiled},
    {"all outcomes, as written", all_outcomes_as_written},
    {"seeds have witnesses", seeds_have_witnesses},
    {"another launch forgets", another_launch_forgets},
    {"Esc ends the search", esc_ends_the_search},
    {"wrong numbers are refused", wrong_numbers_are_refused},
};

int main(int argc, char **argv) {
  return check_main_with_recipes("session_orders", checks, LS_COUNT(checks), argc, argv, &book);
}
