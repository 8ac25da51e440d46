// orders_text.c: what comes of a launch in other orders, as text and as JSON.
#include "cli/orders_text.h"

#include <inttypes.h>
#include <string.h>

#include "app/run/orders_words.h"
#include "base/json.h"
#include "cli/busy.h"
#include "cli/plain.h"

enum { INDENT = 6 };

// Where it can be looked at.
static void witness_words(const Run *run, const OrdersOutcome *o, LsText *out) {
  ls_text_addf(out, "lanescope explore %s ... ", run->request.what);
  if (o->order) ls_text_addf(out, "--order-of %s", o->order);
  else ls_text_addf(out, "--seed %" PRIu64 " --order whole", o->seed);
}

static void print_outcome(const Run *run, const Orders *all, int index, FILE *out) {
  const OrdersOutcome *o = &all->items[index];
  LsText text = {0};
  char label[16];
  snprintf(label, sizeof label, "%3d.", index + 1);
  if (o->orders) ls_text_addf(&text, "%" PRIu64 " of %" PRIu64 " orders, ", o->orders, all->orders);
  ls_text_addf(&text, "%" PRIu64 " of %" PRIu64 " seeds", o->seeds, all->seeds);
  if (*o->words) ls_text_addf(&text, ": %s", o->words);
  if (o->is_rounding) ls_text_add(&text, " (rounding alone)");
  plain_paragraph(out, label, ls_text_str(&text), INDENT);
  ls_text_clear(&text);
  witness_words(run, o, &text);
  plain_paragraph(out, "", ls_text_str(&text), INDENT);
  ls_text_free(&text);
}

static void print_text(Run *run, const Orders *o, FILE *out) {
  LsText text = {0};
  plain_heading(run, out);
  ls_text_add(&text, "tried: ");
  orders_tried_words(o, &text);
  fputs("\n", out);
  plain_paragraph(out, "", ls_text_str(&text), 2);
  ls_text_clear(&text);
  orders_verdict_words(o, &text);
  plain_paragraph(out, "", ls_text_str(&text), 2);
  fputs("\n", out);
  for (int i = 0; i < o->count; i++) print_outcome(run, o, i, out);
  ls_text_free(&text);
}

static void json_outcome(LsJson *json, const OrdersOutcome *o) {
  ls_json_open(json, '{');
  if (o->orders) ls_json_member_u64(json, "orders", o->orders);
  ls_json_member_u64(json, "seeds", o->seeds);
  ls_json_member(json, "differs", o->words);
  ls_json_member_bool(json, "rounding", o->is_rounding);
  if (o->seeds) ls_json_member_u64(json, "seed", o->seed);
  if (o->order) ls_json_member(json, "order_of", o->order);
  ls_json_close(json, '}');
}

static void print_json(const Run *run, const Orders *o) {
  LsText text = {0};
  LsJson json;
  ls_json_init(&json, &text);
  ls_json_open(&json, '{');
  ls_json_member(&json, "kernel", run->request.recipe ? run->request.recipe->name
                                                      : run->module->funcs[run->entry].demangled);
  ls_json_member(&json, "code", run->info.code);
  ls_json_member_bool(&json, "all_orders", o->all);
  if (o->orders) ls_json_member_u64(&json, "orders", o->orders);
  ls_json_member_u64(&json, "seeds", o->seeds);
  ls_json_member_bool(&json, "differ", o->differ);
  ls_json_open_member(&json, "outcomes", '[');
  for (int i = 0; i < o->count; i++) json_outcome(&json, &o->items[i]);
  ls_json_close(&json, ']');
  ls_json_close(&json, '}');
  cli_print_json(&text);
}

int orders_stats(Cli *cli, Run *run, LsErr *err) {
  uint64_t seeds = 0;
  Orders *o = NULL;
  bool ok = cli_unsigned(cli, OPT_ID_ORDERS, 1, ORDERS_MOST_SEEDS, &seeds, err);
  if (ok && !run_is_emulated(run))
    ok = ls_fail(err, LS_EREQUEST, "--orders is for the emulator: a GPU orders by itself");
  if (ok) o = orders_new(run, seeds, busy_begin("trying orders"), err), busy_end();
  if (o && cli->given[OPT_ID_JSON]) print_json(run, o);
  else if (o) print_text(run, o, stdout);
  int status = !o ? -1 : o->differ ? 1 : 0;
  orders_free(o);
  run_free(run);
  return status;
}
