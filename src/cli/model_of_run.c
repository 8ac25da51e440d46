// model_of_run.c: makes the runs of model --kernel: what -p is whose, and where the run is looked at.
#include "cli/model_of_run.h"

#include <stdlib.h>
#include <string.h>

#include "app/models/of_run.h"
#include "app/session/session.h"
#include "cli/place.h"

// ---- -p ------------------------------------------------------------------------------------------------------------

static bool has_parameter(const Recipe *recipe, const char *assignment) {
  size_t length = strcspn(assignment, "=");
  for (int i = 0; recipe && i < recipe->param_count; i++)
    if (strlen(recipe->params[i].name) == length && memcmp(recipe->params[i].name, assignment, length) == 0)
      return true;
  return false;
}

bool model_of_run_is_kernels(Cli *cli, const char *assignment) {
  for (int i = 0; i < cli->kernel_count; i++)
    if (has_parameter(cli_recipe(cli, cli->kernels[i], NULL), assignment)) return true;
  return false;
}

// The command line as it would be to run this kernel: what -p it takes.
static Cli line_of(Cli *cli, const char **name) {
  Cli line = *cli;
  const Recipe *recipe = cli_recipe(cli, *name, NULL);
  line.words = name;
  line.word_count = 1;
  line.params = ls_alloc(sizeof *line.params * (size_t)(cli->param_count + 1));
  line.param_count = 0;
  for (int i = 0; i < cli->param_count; i++)
    if (has_parameter(recipe, cli->params[i])) line.params[line.param_count++] = cli->params[i];
  return line;
}

// ---- runs ----------------------------------------------------------------------------------------------------------

static bool step_of(Cli *cli, Run *run, int64_t *step, LsErr *err) {
  *step = MODEL_ANY_STEP;
  if (!cli->given[OPT_ID_AT]) return true;
  SesWish wish;
  if (!place_wish(cli, &wish, err)) return false;
  Session *session = ses_new(run_share(run));
  bool ok = ses_wish(session, &wish, err);
  if (ok) *step = (int64_t)session->step;
  ses_free(session);
  return ok;
}

static bool read_one(Cli *cli, const char *name, const Model *model, ModelValues *values, LsErr *err) {
  Cli line = line_of(cli, &name);
  int64_t step;
  Run *run = cli_run(&line, DEV_COMPILED, true, err);
  bool ok = run && step_of(&line, run, &step, err) && model_of_run(model, run, step, values, err);
  run_free(run);
  free(line.params);
  cli->book = line.book, cli->own_book = line.own_book;
  return ok;
}

static bool no_run(const Cli *cli, LsErr *err) {
  for (int i = 0; i < OPT_ID_COUNT; i++) {
    const OptionDef *option = cli_option((OptionId)i);
    bool of_run = option->groups & (OPT_RUN | OPT_WHAT | OPT_PLACE) && !(option->groups & OPT_EVERY);
    if (cli->given[i] && of_run && i != OPT_ID_PARAM)
      return ls_fail(err, LS_EREQUEST, "--%s is for the run that --kernel asks for", option->name);
  }
  return true;
}

bool model_of_run_read(Cli *cli, const Model *model, ModelValues *values, LsErr *err) {
  if (!cli->kernel_count) return no_run(cli, err);
  model_of_run_begin(model, values);
  if (cli->kernel_count > 1 && strcmp(model->recipe.name, "roofline") != 0)
    return ls_fail(err, LS_EREQUEST, "%s shows one run; several --kernel are points of roofline", model->recipe.name);
  for (int i = 0; i < cli->kernel_count; i++)
    if (!read_one(cli, cli->kernels[i], model, values, err)) return false;
  return true;
}
