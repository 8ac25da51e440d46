// cli.c: parsing the command line into a Cli, and a Cli into a request.
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "app/run/program_run.h"
#include "base/file.h"
#include "cli/busy.h"
#include "cli/gpus.h"
#include "cli/missing.h"
#include "cli/wait.h"
#include "script/recipe.h"

static const OptionDef options[] = {
#define OPTION(ID, name, letter, argument, groups, help) {name, letter, argument, groups, help},
#include "cli/options.def"
#undef OPTION
};

const OptionDef *cli_option(OptionId id) { return &options[id]; }

// ---- parsing -------------------------------------------------------------------------------------------------------

static const CliCommand *find_command(const char *name) {
  int count;
  const CliCommand *commands = cli_commands(&count);
  for (int i = 0; i < count; i++)
    if (strcmp(commands[i].name, name) == 0) return &commands[i];
  return NULL;
}

static bool allowed(const Cli *cli, int id) {
  if (options[id].groups & OPT_EVERY) return true;
  const CliCommand *command = cli->command ? find_command(cli->command) : NULL;
  return command && (command->groups & options[id].groups);
}

// Two options may share a name, if no command takes both.
static int find_long(const Cli *cli, const char *name, size_t length) {
  int found = -1;
  for (int i = 0; i < OPT_ID_COUNT; i++) {
    if (!options[i].name || strlen(options[i].name) != length || memcmp(options[i].name, name, length) != 0) continue;
    if (allowed(cli, i)) return i;
    if (found < 0) found = i;
  }
  return found;
}

static int find_letter(char letter) {
  for (int i = 0; i < OPT_ID_COUNT; i++)
    if (options[i].letter == letter) return i;
  return -1;
}

static bool unknown_option(const char *text, LsErr *err) {
  int best = -1, best_distance = 3;
  for (int i = 0; i < OPT_ID_COUNT; i++) {
    if (!options[i].name || strncmp(text, "--", 2) != 0) continue;
    int distance = ls_edit_distance(options[i].name, text + 2);
    if (distance < best_distance) best = i, best_distance = distance;
  }
  ls_fail(err, LS_EREQUEST, "there is no option %s", LS_QUOTE(text));
  if (best >= 0) ls_err_append(err, "Did you mean --%s?", options[best].name);
  else ls_err_append(err, "lanescope --help lists them.");
  return false;
}

static bool two_forms(const char *one, const char *other, LsErr *err) {
  return ls_fail(err, LS_EREQUEST, "two forms were given, %s and %s: a run is of one; c in the explorer compares two",
                 LS_QUOTE(one), LS_QUOTE(other));
}

static bool take_option(Cli *cli, int id, const char *value, const char *as_written, LsErr *err) {
  if (!allowed(cli, id))
    return ls_fail(err, LS_EREQUEST, "lanescope %s does not take %s", cli->command ? cli->command : "",
                   LS_QUOTE(as_written));
  if (id == OPT_ID_FORM && cli->given[id] && strcmp(cli->value[id], value) != 0)
    return two_forms(cli->value[id], value, err);
  cli->given[id] = true;
  cli->value[id] = value;
  if (id == OPT_ID_PARAM) LS_PUSH(cli->params, cli->param_count, cli->param_capacity, value);
  if (id == OPT_ID_ARG) LS_PUSH(cli->args, cli->arg_count, cli->arg_capacity, value);
  if (id == OPT_ID_OF_KERNEL) LS_PUSH(cli->kernels, cli->kernel_count, cli->kernel_capacity, value);
  if (id == OPT_ID_MODEL) LS_PUSH(cli->models, cli->model_count, cli->model_capacity, value);
  return true;
}

// Which option an argument that starts with a dash is (-1: none), and the value that is part of it, or NULL.
static int find_option(const Cli *cli, const char *text, const char **value) {
  bool is_long = text[1] == '-';
  size_t length = strcspn(text + 2, "=");
  *value = NULL;
  if (is_long && text[2 + length] == '=') *value = text + 3 + length;
  if (!is_long && text[2]) *value = text + 2 + (text[2] == '=' ? 1 : 0);
  return is_long ? find_long(cli, text + 2, length) : find_letter(text[1]);
}

// Whether its value may be left out. Then it follows behind '=', or stands where no further word could.
static bool is_optional(int id) { return options[id].argument && options[id].argument[0] == '['; }

static bool has_all_words(const Cli *cli) {
  const CliCommand *command = cli->command ? find_command(cli->command) : NULL;
  return command && cli->word_count >= command->most_words;
}

// One argument that starts with a dash; may take the next one as its value.
static bool parse_option(Cli *cli, int argc, char **argv, int *at, LsErr *err) {
  const char *text = argv[*at], *value;
  int id = find_option(cli, text, &value);
  if (id < 0) return unknown_option(text, err);
  if (!options[id].argument && value)
    return ls_fail(err, LS_EREQUEST, "%s takes no value", LS_QUOTE_N(text, text[1] == '-' ? strcspn(text, "=") : 2));
  if (is_optional(id) && !value) {
    if (has_all_words(cli) && *at + 1 < argc && argv[*at + 1][0] != '-') value = argv[++*at];
  } else if (options[id].argument && !value) {
    if (*at + 1 >= argc) return ls_fail(err, LS_EREQUEST, "%s needs %s", text, options[id].argument);
    value = argv[++*at];
  }
  return take_option(cli, id, value, text, err);
}

static bool few_words(const Cli *cli, LsErr *err) {
  const CliCommand *command = cli->command ? find_command(cli->command) : NULL;
  if (!command || cli->word_count <= command->most_words) return true;
  return ls_fail(err, LS_EREQUEST, "'%s' is one word too many: it is lanescope %s%s%s",
                 LS_QUOTE(cli->words[command->most_words]),
                 command->name, *command->usage ? " " : "", command->usage);
}

static bool known_color(const Cli *cli, LsErr *err) {
  TermOptions unused;
  return cli_term_options(cli, &unused, err);
}

// The first argument that is neither an option nor the value of one, or NULL.
static const char *first_word(const Cli *cli, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    const char *text = argv[i], *value;
    if (strcmp(text, "--") == 0) return i + 1 < argc ? argv[i + 1] : NULL;
    if (text[0] != '-' || !text[1]) return text;
    int id = find_option(cli, text, &value);
    if (id >= 0 && options[id].argument && !value && !is_optional(id)) i++;
  }
  return NULL;
}

bool cli_parse(Cli *cli, int argc, char **argv, LsErr *err) {
  *cli = (Cli){0};
  bool only_words = false;
  cli->command = first_word(cli, argc, argv);   // first of all, so that options can be judged by it
  if (cli->command && !find_command(cli->command)) cli->command = NULL;
  bool command_seen = false;
  for (int i = 1; i < argc; i++) {
    const char *text = argv[i];
    if (!only_words && strcmp(text, "--") == 0) {
      only_words = true;
    } else if (!only_words && text[0] == '-' && text[1]) {
      if (!parse_option(cli, argc, argv, &i, err)) return false;
    } else if (!command_seen && cli->command && strcmp(text, cli->command) == 0) {
      command_seen = true;
    } else {
      LS_PUSH(cli->words, cli->word_count, cli->word_capacity, text);
    }
  }
  return few_words(cli, err) && known_color(cli, err);
}

void cli_free(Cli *cli) {
  if (cli->book) cli->book->free(cli->book);
  if (cli->own_book) cli->own_book->free(cli->own_book);
  free(cli->words);
  free(cli->params);
  free(cli->args);
  free(cli->models);
  free(cli->kernels);
}

RecipeBook *cli_book(Cli *cli, LsErr *err) {
  if (!cli->book) cli->book = recipe_book_open(NULL, err);
  return cli->book;
}

bool cli_unsigned(const Cli *cli, OptionId id, uint64_t least, uint64_t most, uint64_t *value, LsErr *err) {
  if (!cli->given[id]) return true;
  if (ls_parse_u64(cli->value[id], value) && *value >= least && *value <= most) return true;
  return ls_fail(err, LS_EREQUEST, "--%s takes a whole number from %llu to %llu, not '%s'", options[id].name,
                 (unsigned long long)least, (unsigned long long)most, LS_QUOTE(cli->value[id]));
}

const char *cli_word(const Cli *cli, const char *what, LsErr *err) {
  if (cli->word_count == 1) return cli->words[0];
  ls_fail(err, LS_EREQUEST, "%s needs %s; lanescope %s --help shows examples", cli->command, what, cli->command);
  return NULL;
}

// Nobody sits before a screen while counters are gathered, so a large kernel may take its minutes.
static const uint64_t COUNTING_BUDGET = UINT64_C(1) << 32;

bool cli_jobs(const Cli *cli, int *jobs, LsErr *err) {
  enum { MOST = 64 };
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  uint64_t wanted = (uint64_t)LS_CLAMP(processors, 1, MOST);
  if (!cli_unsigned(cli, OPT_ID_JOBS, 1, MOST, &wanted, err)) return false;
  *jobs = (int)wanted;
  return true;
}

// ---- requests ------------------------------------------------------------------------------------------------------

static bool parse_choice(const Cli *cli, OptionId id, const char *const *words, int count, int *choice, LsErr *err) {
  if (!cli->given[id]) return true;
  for (*choice = 0; *choice < count; ++*choice)
    if (strcmp(cli->value[id], words[*choice]) == 0) return true;
  return ls_fail(err, LS_EREQUEST, "--%s takes %s, not '%s'", options[id].name, options[id].argument,
                 LS_QUOTE(cli->value[id]));
}

static bool parse_checks(const char *text, uint32_t *checks, LsErr *err) {
  static const char *const names[] = {"memory", "init", "race", "sync"};
  if (strcmp(text, "all") == 0) return *checks = SIM_CHECK_ALL, true;
  *checks = 0;
  if (strcmp(text, "none") == 0) return true;
  for (const char *p = text; *p;) {
    size_t length = strcspn(p, ",");
    int i = 0;
    while (i < LS_COUNT(names) && !(strlen(names[i]) == length && memcmp(names[i], p, length) == 0)) i++;
    if (i == LS_COUNT(names))
      return ls_fail(err, LS_EREQUEST, "--check takes memory, init, race, sync (with commas), all or none, not '%s'",
                     LS_QUOTE(text));
    *checks |= 1u << i;
    p += length + (p[length] == ',');
  }
  return true;
}

// Whoever runs it says which profiles there are; only "gpu" has to be found out first.
static bool set_profile(const char *name, RunRequest *request, LsErr *err) {
  if (strcasecmp(name, "gpu") == 0) {
    const ArchProfile *profile = gpus_profile(name, err);
    if (!profile) return false;
    name = profile->name;
  }
  free(request->profile);
  request->profile = ls_strdup(name);
  return true;
}

static bool set_runner(const Cli *cli, RunRequest *request, LsErr *err) {
  enum { LONGEST = 30 * 86400 };
  const char *limit = cli->given[OPT_ID_TIME_LIMIT] ? cli->value[OPT_ID_TIME_LIMIT] : NULL;
  if (limit && !(ls_parse_f64(limit, &request->time_limit) && request->time_limit > 0 && request->time_limit <=
                 LONGEST))
    return ls_fail(err, LS_EREQUEST, "--time-limit takes seconds above 0, at most %d (30 days), not '%s'", LONGEST,
                   LS_QUOTE(limit));
  if (!cli->given[OPT_ID_RUNNER]) return true;
  const char *runner = cli->value[OPT_ID_RUNNER];
  if (!runner[strspn(runner, " \t\n")])
    return ls_fail(err, LS_EREQUEST, "--runner takes a command that leads to another machine, like 'ssh gpu01'");
  request->runner = ls_strdup(runner);
  return true;
}

bool cli_run_options(Cli *cli, DevCut cut, RunRequest *request, LsErr *err) {
  static const char *const cuts[] = {"compiled", "written"}, *const scheds[] = {"its", "stack"},
      *const orders[] = {"whole", "turns"};
  int choice = cut, sched = SIM_ITS, order = SIM_WHOLE;
  if (!request->record) request->budget = COUNTING_BUDGET;
  if (!parse_choice(cli, OPT_ID_CODE, cuts, 2, &choice, err) ||
      !parse_choice(cli, OPT_ID_SCHED, scheds, 2, &sched, err) ||
      !parse_choice(cli, OPT_ID_ORDER, orders, 2, &order, err))
    return false;
  request->cut = choice == 0 ? DEV_COMPILED : DEV_WRITTEN;
  request->cut_given = cli->given[OPT_ID_CODE];
  request->sched = sched == 0 ? SIM_ITS : SIM_STACK;
  request->order = (SimOrder)order;
  request->order_given = cli->given[OPT_ID_ORDER];
  if (!set_runner(cli, request, err)) return false;
  request->strict = cli->given[OPT_ID_STRICT];
  if (cli->given[OPT_ID_ORDER_OF]) request->order_of = ls_strdup(cli->value[OPT_ID_ORDER_OF]);
  if (cli->given[OPT_ID_CHECK] && !parse_checks(cli->value[OPT_ID_CHECK], &request->checks, err)) return false;
  if (cli->given[OPT_ID_DEVICE]) free(request->device), request->device = ls_strdup(cli->value[OPT_ID_DEVICE]);
  if (cli->given[OPT_ID_PROFILE] && !set_profile(cli->value[OPT_ID_PROFILE], request, err)) return false;
  if (cli->given[OPT_ID_BLOCKS]) request->blocks = ls_strdup(cli->value[OPT_ID_BLOCKS]);
  if (!cli_unsigned(cli, OPT_ID_EVENTS, 1, UINT64_MAX, &request->events, err)) return false;
  return cli_unsigned(cli, OPT_ID_BUDGET, 1, UINT64_MAX, &request->budget, err) &&
         cli_unsigned(cli, OPT_ID_THREADS, 0, 64, &request->threads, err) &&
         cli_unsigned(cli, OPT_ID_SEED, 0, UINT64_MAX, &request->seed, err) && cli_options_fit(cli, err);
}

// "1.2.1": numbers from 1 with dots between them.
static bool is_child_name(const char *text) {
  static const char digits[] = "0123456789";
  bool dots = false;
  for (;; text++) {
    size_t length = strspn(text, digits);
    if (!length || *text == '0') return false;
    text += length;
    if (!*text) return dots;
    if (*text != '.') return false;
    dots = true;
  }
}

static bool read_launch_number(const Cli *cli, RunRequest *request, LsErr *err) {
  uint64_t number = 0;
  const char *given = cli->given[OPT_ID_LAUNCH] ? cli->value[OPT_ID_LAUNCH] : "";
  if (is_child_name(given)) {
    if (!request->recipe->sequence)
      return ls_fail(err, LS_EREQUEST, "%s is one launch: there is no launch %s", request->recipe->name,
                     LS_QUOTE(given));
    request->launch_name = ls_strdup(given);
    request->launch_number = (int)LS_MIN(strtol(given, NULL, 10), PROGRAM_MOST_STEPS);
    return true;
  }
  if (!cli_unsigned(cli, OPT_ID_LAUNCH, 1, PROGRAM_MOST_STEPS, &number, err)) return false;
  request->launch_number = (int)number;
  if (!number || request->recipe->sequence) return true;
  return number == 1 || ls_fail(err, LS_EREQUEST, "%s is one launch: there is no launch %d", request->recipe->name,
                                (int)number);
}

// What the times of a program are computed from. Anything else has one launch, and no such times.
static bool read_model(const Cli *cli, RunRequest *request, LsErr *err) {
  static const char *const words[] = {"legacy", "per-thread"};
  int choice = 0;
  bool given = cli->model_count || cli->given[OPT_ID_DEFAULT_STREAM];
  if (given && !(request->recipe && request->recipe->sequence))
    return ls_fail(err, LS_EREQUEST, "--%s is for programs of several launches: %s is one launch",
                   options[cli->model_count ? OPT_ID_MODEL : OPT_ID_DEFAULT_STREAM].name, LS_QUOTE_PATH(request->what));
  if (!parse_choice(cli, OPT_ID_DEFAULT_STREAM, words, LS_COUNT(words), &choice, err)) return false;
  request->model.given[PROGRAM_MODEL_DEFAULT] = cli->given[OPT_ID_DEFAULT_STREAM];
  request->model.value[PROGRAM_MODEL_DEFAULT] = choice;
  for (int i = 0; i < cli->model_count; i++)
    if (!program_model_read(&request->model, cli->models[i], err)) return false;
  return true;
}

// A recipe of one's own: the book is that of its folder.
static const Recipe *own_recipe(Cli *cli, const char *path, LsErr *err) {
  const char *base = ls_path_base(path);
  char *folder = base == path ? ls_strdup(".") : ls_strndup(path, (size_t)(base - path - 1) + (base - path == 1));
  char *stem = ls_strndup(base, strlen(base) - strlen(".lua"));
  if (!ls_file_exists(path)) ls_fail(err, LS_EREQUEST, "there is no file %s", LS_QUOTE_PATH(path));
  else if (!cli->own_book) cli->own_book = recipe_book_open(folder, err);
  const Recipe *recipe = cli->own_book ? cli->own_book->get(cli->own_book, stem, err) : NULL;
  free(folder);
  free(stem);
  return recipe;
}

const Recipe *cli_recipe(Cli *cli, const char *name, LsErr *err) {
  if (ls_ends_with(name, ".lua")) return own_recipe(cli, name, err);
  RecipeBook *book = cli_book(cli, err);
  return book ? book->get(book, name, err) : NULL;
}

static bool names_one_form(const Cli *cli, const Recipe *recipe, LsErr *err) {
  const char *form = cli->given[OPT_ID_FORM] ? cli->value[OPT_ID_FORM] : NULL;
  for (int i = 0; recipe_has_forms(recipe) && i < cli->param_count; i++) {
    if (!ls_starts_with(cli->params[i], "form=")) continue;
    const char *other = cli->params[i] + strlen("form=");
    if (form && strcmp(form, other) != 0) return two_forms(form, other, err);
    form = other;
  }
  return true;
}

static bool set_form(const Cli *cli, RunRequest *request, LsErr *err) {
  if (!cli->given[OPT_ID_FORM]) return true;
  if (!recipe_has_forms(request->recipe))
    return ls_fail(err, LS_EREQUEST, "%s has one form only: there is no --form to choose", request->recipe->name);
  char *assignment = ls_format("form=%s", cli->value[OPT_ID_FORM]);
  bool ok = recipe_set(request->recipe, &request->values, assignment, err);
  free(assignment);
  return ok;
}

// --lecture, --timing: the sizes of the form that is chosen, by --form or -p.
static bool set_sizes(const Cli *cli, RunRequest *request, LsErr *err) {
  const Recipe *recipe = request->recipe;
  bool lecture = cli->given[OPT_ID_LECTURE], timing = cli->given[OPT_ID_TIMING];
  if (lecture && timing) return ls_fail(err, LS_EREQUEST, "--lecture and --timing are two sizes: choose one");
  if (!lecture && !timing) return true;
  for (int i = 0; recipe_has_forms(recipe) && i < cli->param_count; i++)
    if (ls_starts_with(cli->params[i], "form=") && !recipe_set(recipe, &request->values, cli->params[i],
                                                               err)) return false;
  const RecipeForm *form = recipe_form(recipe, &request->values);
  const RecipeSizes *sizes = lecture ? &form->lecture : &form->timing;
  if (!sizes->given)
    return ls_fail(err, LS_EREQUEST, "the recipe of %s names no sizes %s: -p NAME=VALUE gives them", recipe->name,
                   lecture ? "of the lecture" : "for timing");
  request->values = sizes->values;
  return true;
}

static bool fill_recipe(Cli *cli, const char *name, RunRequest *request, LsErr *err) {
  request->recipe = cli_recipe(cli, name, err);
  if (!request->recipe) return false;
  static const OptionId not_for_recipes[] = {OPT_ID_KERNEL, OPT_ID_GRID, OPT_ID_BLOCK, OPT_ID_SHARED, OPT_ID_ARG};
  for (int i = 0; i < LS_COUNT(not_for_recipes); i++)
    if (cli->given[not_for_recipes[i]])
      return ls_fail(err, LS_EREQUEST,
                     "%s is a lecture kernel: it takes -p NAME=VALUE (lanescope kernels %s), not --%s", name,
                     name,
                     options[not_for_recipes[i]].name);
  if (request->recipe->model)
    return ls_fail(err, LS_EREQUEST,
                   "%s is a model, which does not run: lanescope model %s has its numbers, lanescope explore %s "
                   "its picture", name, name, name);
  if (!read_launch_number(cli, request, err)) return false;
  recipe_defaults(request->recipe, &request->values);
  run_request_use_cut(request);
  if (!names_one_form(cli, request->recipe, err) || !set_form(cli, request, err) || !set_sizes(cli, request, err))
    return false;
  for (int i = 0; i < cli->param_count; i++)
    if (!recipe_set(request->recipe, &request->values, cli->params[i], err)) return false;
  return true;
}

// A file has one launch, and those that its kernel makes.
static bool read_child(const Cli *cli, const char *path, RunRequest *request, LsErr *err) {
  const char *given = cli->given[OPT_ID_LAUNCH] ? cli->value[OPT_ID_LAUNCH] : "1";
  if (is_child_name(given)) request->launch_name = ls_strdup(given);
  return request->launch_name || strcmp(given, "1") == 0 ||
         ls_fail(err, LS_EREQUEST,
                 "%s is one launch: there is no launch %s but those that its kernel makes, 1.1 and so on",
                 LS_QUOTE_PATH(path), LS_QUOTE(given));
}

static bool fill_file(Cli *cli, const char *path, RunRequest *request, LsErr *err) {
  if (cli->param_count)
    return ls_fail(err, LS_EREQUEST, "-p is for lecture kernels; %s is a file: give its arguments with -a",
                   LS_QUOTE_PATH(path));
  static const OptionId for_recipes[] = {OPT_ID_FORM, OPT_ID_LECTURE, OPT_ID_TIMING};
  for (int i = 0; i < LS_COUNT(for_recipes); i++)
    if (cli->given[for_recipes[i]])
      return ls_fail(err, LS_EREQUEST, "--%s is for lecture kernels; %s is a file", options[for_recipes[i]].name,
                     LS_QUOTE_PATH(path));
  if (!ls_file_exists(path)) return ls_fail(err, LS_EREQUEST, "there is no file %s", LS_QUOTE_PATH(path));
  Launch *launch = &request->launch;
  if (cli->given[OPT_ID_KERNEL]) launch->kernel = ls_strdup(cli->value[OPT_ID_KERNEL]);
  if (cli->given[OPT_ID_GRID] && !launch_parse_dim(cli->value[OPT_ID_GRID], true, launch->grid, err)) return false;
  if (cli->given[OPT_ID_BLOCK] && !launch_parse_dim(cli->value[OPT_ID_BLOCK], false, launch->block, err)) return false;
  if (!cli_unsigned(cli, OPT_ID_SHARED, 0, UINT32_MAX, &launch->shared_bytes, err)) return false;
  for (int i = 0; i < cli->arg_count; i++)
    if (!launch_add_arg(launch, cli->args[i], err)) return false;
  return read_child(cli, path, request, err);
}

static bool looks_like_file(const char *what) {
  if (ls_ends_with(what, ".lua")) return false;   // a recipe of one's own
  return strchr(what, '/') || ls_ends_with(what, ".cu") || ls_ends_with(what, ".ptx") || ls_ends_with(what, ".lst") ||
         (strchr(what, '.') && ls_file_exists(what));
}

bool cli_request(Cli *cli, DevCut cut, bool record, RunRequest *request, LsErr *err) {
  run_request_init(request);
  const char *what = cli_word(cli, "WHAT", err);
  if (!what) return false;
  request->what = ls_strdup(what);
  request->record = record;
  return cli_run_options(cli, cut, request, err) &&
         (looks_like_file(what) ? fill_file(cli, what, request, err) : fill_recipe(cli, what, request, err)) &&
         read_model(cli, request, err);
}

bool cli_program(Cli *cli, RunRequest *request) {
  bool is_file = cli->word_count == 1 && run_is_trace_file(cli->words[0]);
  return !is_file && cli_request(cli, DEV_COMPILED, false, request, NULL) && request->recipe &&
         request->recipe->sequence && !request->launch_number && strcmp(request->device, "recorded") != 0;
}

// "1.2" of a saved program.
static Run *open_child(const char *path, const char *name, LsErr *err) {
  Run *run = NULL, *first = run_open(path, err);
  if (first && !first->whole)
    ls_fail(err, LS_EREQUEST, "this is a trace of one launch: there is no launch %s in it", LS_QUOTE(name));
  int number = first && first->whole ? program_run_find(first->whole, name, false, err) : 0;
  if (number) run = run_open_launch(path, number, &first->whole->shared, err);
  run_free(first);
  return run;
}

Run *cli_open_trace(const Cli *cli, const char *path, LsErr *err) {
  for (int i = 0; i < OPT_ID_COUNT; i++)
    if (cli->given[i] && i != OPT_ID_STRICT && i != OPT_ID_LAUNCH && (options[i].groups & (OPT_WHAT | OPT_RUN))) {
      ls_fail(err, LS_EREQUEST, "%s is a saved trace, which is shown as it was recorded: --%s cannot change it",
              LS_QUOTE_PATH(path),
              options[i].name);
      return NULL;
    }
  uint64_t number = 0;
  bool child = cli->given[OPT_ID_LAUNCH] && is_child_name(cli->value[OPT_ID_LAUNCH]);
  if (!child && !cli_unsigned(cli, OPT_ID_LAUNCH, 1, PROGRAM_MOST_STEPS, &number, err)) return NULL;
  busy_begin("opening the trace");
  Run *run = child ? open_child(path, cli->value[OPT_ID_LAUNCH], err)
             : number ? run_open_launch(path, (int)number, NULL, err) : run_open(path, err);
  busy_end();
  if (run) run->request.strict = cli->given[OPT_ID_STRICT];
  return run;
}

Run *cli_run(Cli *cli, DevCut cut, bool record, LsErr *err) {
  if (cli->word_count == 1 && run_is_trace_file(cli->words[0])) return cli_open_trace(cli, cli->words[0], err);
  RunRequest request;
  Run *run = NULL;
  if (cli_request(cli, cut, record, &request, err)) {
    run = cli_make_run(&request, NULL, err);
    if (!run && !request.recipe) missing_add(cli, request.what, err);
  }
  run_request_fini(&request);
  return run;
}

void cli_count_events(Run *run) {
  busy_begin("counting the events");
  while (run->trace && run_advance_totals(run, 1 << 20)) continue;
  busy_end();
}

bool cli_write_outputs(const Run *run, LsErr *err) {
  busy_begin("writing the buffers");
  bool ok = run_write_outputs(run, err);
  busy_end();
  return ok;
}

// ---- messages ------------------------------------------------------------------------------------------------------

void cli_error(const LsErr *err) {
  char text[sizeof err->message + 512];
  ls_err_text(err, text, sizeof text);
  plain_print(stderr, "lanescope: %s\n", text);
}

void cli_warn_faults(const Run *run) {
  for (int i = 0; i < run->causes->count; i++) {
    LsText text = {0};
    const Cause *cause = &run->causes->items[i];
    FaultGrade grade = trace_fault_def(cause->kind)->grade;
    cause_sentence(cause, run->faults, &text);
    plain_print(stderr, "lanescope: %s%s%s: %s\n", grade == GRADE_FAULT ? "" : trace_grade_name(grade),
                grade == GRADE_FAULT ? "" : " ", trace_fault_name(cause->kind), ls_text_str(&text));
    ls_text_free(&text);
  }
  if (run->verdict == RUN_WRONG) plain_print(stderr, "lanescope: wrong answer: %s\n", run->verdict_text);
}

void cli_print_json(LsText *text) {
  busy_hide();
  puts(ls_text_str(text));
  ls_text_free(text);
}

bool cli_wants_screen(const Cli *cli) {
  const char *term = getenv("TERM");
  return !cli->given[OPT_ID_PLAIN] && isatty(0) && isatty(1) && !(term && strcmp(term, "dumb") == 0);
}
