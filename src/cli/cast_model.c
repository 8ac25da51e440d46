// cast_model.c: a model while one of its parameters moves: its time as play has it, or any other from a value to
// another.
#include <stdlib.h>
#include <string.h>

#include "cli/cast_file.h"
#include "ui/pages/page.h"

enum { FRAMES_MOST = 240 };                        // of a parameter with more values some are left out
static const double SECONDS_A_FRAME = 0.2;         // at speed 1; more of them go by faster
static const double SECONDS_MOST = 20;

// What moves, and from where to where.
typedef struct Motion { int param; int64_t from, to; } Motion;

static int param_named(const Model *model, const char *text) {
  size_t length = strcspn(text, "=");
  for (int i = 0; i < model->recipe.param_count; i++)
    if (strlen(model->recipe.params[i].name) == length && memcmp(model->recipe.params[i].name, text, length) == 0)
      return i;
  return -1;
}

// --from and --to of a model are NAME=VALUE. True with *param -1: it is not given.
static bool read_end(const Cli *cli, OptionId id, const Model *model, const ModelValues *values, int *param,
                     int64_t *value, LsErr *err) {
  *param = -1;
  if (!cli->given[id]) return true;
  ModelValues changed = *values;
  const char *text = cli->value[id];
  if (!strchr(text, '='))
    return ls_fail(err, LS_EREQUEST, "%s is a model: --%s takes a parameter and its value, NAME=VALUE, not '%s'",
                   model->recipe.name, cli_option(id)->name, LS_QUOTE(text));
  if (!model_set(model, &changed, text, err)) return false;
  *param = param_named(model, text);
  if (*param < 0) return ls_fail(err, LS_EREQUEST, "%s is no slider, so it does not move", model->script_name);
  *value = changed.numbers.value[*param];
  return true;
}

static bool read_motion(const Cli *cli, const Model *model, const ModelValues *values, Motion *motion, LsErr *err) {
  int from_param, to_param;
  int64_t from = 0, to = 0;
  if (!read_end(cli, OPT_ID_FROM, model, values, &from_param, &from, err) ||
      !read_end(cli, OPT_ID_TO, model, values, &to_param, &to, err)) return false;
  if (from_param >= 0 && to_param >= 0 && from_param != to_param)
    return ls_fail(err, LS_EREQUEST, "--from and --to are of one parameter");
  int param = from_param >= 0 ? from_param : to_param >= 0 ? to_param : model->time;
  if (param < 0)
    return ls_fail(err, LS_EREQUEST, "%s has no time that goes by: --from NAME=VALUE --to NAME=VALUE says what moves",
                   model->recipe.name);
  bool plays = param == model->time;
  const RecipeParam *p = &model->recipe.params[param];
  *motion = (Motion){param, from_param >= 0 ? from : plays ? p->min : values->numbers.value[param],
                     to_param >= 0 ? to : model_most(model, values, param)};
  return true;
}

// The next value on the way.
static int64_t after(const Model *model, const ModelValues *values, const Motion *motion) {
  const RecipeParam *param = &model->recipe.params[motion->param];
  int64_t now = values->numbers.value[motion->param];
  bool up = motion->to > motion->from;
  int64_t next = motion->param == model->time && up ? model_time_after(model, values)
                                                    : recipe_step_value(param, now, up ? 1 : -1);
  int64_t least = param->log2 ? 0 : llabs(motion->to - motion->from) / FRAMES_MOST;
  if (llabs(next - now) < least) next = up ? now + least : now - least;
  if (next == now) return motion->to;
  return up ? LS_MIN(next, motion->to) : LS_MAX(next, motion->to);
}

static int count_frames(const Model *model, ModelValues values, const Motion *motion) {
  int count = 1;
  for (values.numbers.value[motion->param] = motion->from; values.numbers.value[motion->param] != motion->to; count++)
    values.numbers.value[motion->param] = after(model, &values, motion);
  return count;
}

static void add_frame(CastFile *file, Page *page, const ModelValues *values, int param) {
  page_model_set(page, values, param);
  page_draw(page, cast_file_canvas(file));
  cast_file_add(file);
}

int cast_model(const Cli *cli, const Model *model, const ModelValues *values, int cols, int rows, LsErr *err) {
  CastFile file;
  Motion motion = {0};
  ModelValues now = *values;
  if (!read_motion(cli, model, values, &motion, err)) return -1;
  double tick = LS_MIN(SECONDS_A_FRAME, SECONDS_MOST / count_frames(model, now, &motion));
  int64_t *value = &now.numbers.value[motion.param];
  Page *page = page_model_new(model, values);
  cast_file_begin(&file, cli, cols, rows, model->recipe.title);
  *value = motion.from;
  add_frame(&file, page, &now, motion.param);
  for (file.time = CAST_BEFORE_SECONDS; *value != motion.to; file.time += tick) {
    *value = after(model, &now, &motion);
    add_frame(&file, page, &now, motion.param);
  }
  page->class->free(page);
  return cast_file_end(&file, cli->value[OPT_ID_OUTPUT], err) ? 0 : -1;
}
