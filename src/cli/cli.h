// cli.h: what the subcommands share: parsed options, the table of commands, printing errors.
#ifndef LS_CLI_CLI_H
#define LS_CLI_CLI_H

#include <stdio.h>

#include "app/models/model.h"
#include "app/run/recipe.h"
#include "app/run/run.h"
#include "base/error.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/plain.h"
#include "ui/term/term.h"

typedef enum OptionId {
#define OPTION(ID, ...) OPT_ID_##ID,
#include "cli/options.def"
#undef OPTION
  OPT_ID_COUNT
} OptionId;
// Groups of commands that take an option, as bits.
enum {
  OPT_EVERY = 1, OPT_JSON = 2, OPT_WHAT = 4, OPT_RUN = 8, OPT_OUTPUT = 16, OPT_EXPORT = 32, OPT_LESSON = 64,
  OPT_OCCUPANCY = 128,
  OPT_STATS = 256, OPT_PLACE = 512, OPT_CAST = 1024, OPT_MODEL = 2048, OPT_CLAIMS = 4096, OPT_QUIZ = 8192,
  OPT_REPORT = 16384, OPT_PRACTICE = 32768, OPT_EXAM = 65536, OPT_CLASS = 131072, OPT_DEMO = 262144,
  // Of tests and marks.
  OPT_TEST = 1 << 20, OPT_GRADE = 1 << 21
};

typedef struct OptionDef {
  const char *name; char letter; const char *argument; unsigned groups; const char *help;
} OptionDef;
const OptionDef *cli_option(OptionId id);

// The command line after parsing. Lists are as given, in order.
typedef struct Cli {
  const char *command;             // NULL: none given
  const char **words; int word_count, word_capacity;
  bool given[OPT_ID_COUNT];
  const char *value[OPT_ID_COUNT]; // the last one
  const char **params; int param_count, param_capacity;   // -p
  const char **args; int arg_count, arg_capacity;         // -a
  const char **models; int model_count, model_capacity;   // --model
  const char **kernels; int kernel_count, kernel_capacity;   // --kernel of model
  RecipeBook *book;                // made on first use: cli_book
  RecipeBook *own_book;            // of the folder of WHAT, where that is a recipe of one's own
} Cli;

typedef struct CliCommand {
  const char *name, *usage;        // usage after the name: "WHAT -o FILE"
  int most_words;                  // after its name
  unsigned groups;                 // options it takes, EVERY aside
  bool hidden;                     // not for people: in the man page only
  const char *summary, *examples;  // examples: lines
  int (*run)(Cli *cli, LsErr *err);  // exit status; -1 with *err set: failed
} CliCommand;
const CliCommand *cli_commands(int *count);

bool cli_parse(Cli *cli, int argc, char **argv, LsErr *err);
void cli_free(Cli *cli);
RecipeBook *cli_book(Cli *cli, LsErr *err);
bool cli_unsigned(const Cli *cli, OptionId id, uint64_t least, uint64_t most, uint64_t *value, LsErr *err);
// The one word a command needs ("WHAT"); what: how to call it in the message.
const char *cli_word(const Cli *cli, const char *what, LsErr *err);

// Makes a request from the words and options; `cut` is the command's default.
bool cli_request(Cli *cli, DevCut cut, bool record, RunRequest *request, LsErr *err);
// The options of a run alone, without what is run; the request is initialized before.
bool cli_run_options(Cli *cli, DevCut cut, RunRequest *request, LsErr *err);
// How many things are done at a time: --jobs, or as many as there are processors.
bool cli_jobs(const Cli *cli, int *jobs, LsErr *err);
// Whether WHAT is a program of which no launch is asked for alone; the request is that of its code as compiled then.
// False, without a message, also where the request is bad. The caller finishes it.
bool cli_program(Cli *cli, RunRequest *request);
// --size, where *cols and *rows are what it is otherwise.
bool cli_size(const Cli *cli, int *cols, int *rows, LsErr *err);
// False if an option was given that the device which is to run it does not heed (device_options.def).
bool cli_options_fit(const Cli *cli, LsErr *err);
// Runs it, or opens the trace that WHAT is.
Run *cli_run(Cli *cli, DevCut cut, bool record, LsErr *err);
// Opens a saved trace; options that say what to run or how are refused.
Run *cli_open_trace(const Cli *cli, const char *path, LsErr *err);
// Prints "name: file:line:col: message" on standard error.
void cli_error(const LsErr *err);
void cli_warn_faults(const Run *run);
bool cli_wants_screen(const Cli *cli);   // a terminal on both ends and no --plain

// --color, --ascii, --no-mouse.
bool cli_theme(const Cli *cli, LsErr *err);   // --theme; false: it is none
bool cli_term_options(const Cli *cli, TermOptions *options, LsErr *err);
struct Page;
// Runs a page on the terminal; takes ownership of it, also on failure.
int cli_show_page(const Cli *cli, struct Page *page, LsErr *err);
// The values of a model with -p. False: one of them is none.
// A lecture kernel by its name, or somebody's own by the name of its file (NAME.lua).
const Recipe *cli_recipe(Cli *cli, const char *name, LsErr *err);
// The model of this name, or of the recipe of this name, with the recipe's values and those of -p. NULL: it is none,
// and
// err is as it was, or -p is wrong.
const Model *cli_model(Cli *cli, const char *name, ModelValues *values, LsErr *err);
// The run as text on standard output; exit status, or -1.
// Counts what an opened trace did not count yet; and writes the buffers that -a ...>FILE names. Both say that they
// work.
void cli_count_events(Run *run);
bool cli_write_outputs(const Run *run, LsErr *err);
int cli_plain_run(Run *run, const PlainOptions *options, LsErr *err);

// Ends a JSON text: prints it as one line and frees it.
void cli_print_json(LsText *text);

void cli_help(FILE *out, const CliCommand *command, bool full);   // command NULL: of the program
void cli_man(FILE *out);
int cli_completion(const char *shell, FILE *out, LsErr *err);

#define CLI_COMMAND(name) int cmd_##name(Cli *cli, LsErr *err);
#include "cli/cli_commands.def"
#undef CLI_COMMAND

#endif
