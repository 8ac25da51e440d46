// cmd_doctor.c: lanescope doctor: what this machine has, and what that means for lanescope.
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/course/progress.h"
#include "base/file.h"
#include "cli/busy.h"
#include "cli/cli.h"
#include "cli/gpus.h"
#include "config.h"
#include "device/sandbox.h"
#include "sim/alu/alu.h"

// Lines under the subject, whose own line the first one may go on.
static void print_lines(const char *text, bool goes_on) {
  for (const char *p = text; *p;) {
    int length = (int)strcspn(p, "\n");
    plain_print(stdout, "%s%.*s\n", p == text && goes_on ? "" : "          ", length, p);
    p += length + (p[length] == '\n');
  }
}

// One finding: what was looked at, what was found, what it means.
static void say(LsJson *json, const char *subject, const char *found, const char *meaning) {
  if (json) {
    ls_json_open_member(json, subject, '{');
    ls_json_member(json, "found", found);
    ls_json_member(json, "meaning", meaning);
    ls_json_close(json, '}');
    return;
  }
  plain_print(stdout, "%-10s", subject);
  print_lines(found, true);
  print_lines(meaning, false);
}

// The findings of a list, without the end of its last line.
static const char *list_text(LsText *list) {
  while (list->length && list->data[list->length - 1] == '\n') list->data[--list->length] = 0;
  return ls_text_str(list);
}

static void say_gpu(LsJson *json) {
  LsText found = {0};
  int count = gpus_text(&found);
  say(json, "gpu", list_text(&found),
      count ? "--device cuda runs kernels there; without it they run on the emulator"
            : "none is needed: kernels run on lanescope's own emulator");
  if (json) gpus_json(json);
  ls_text_free(&found);
}

static void say_compilers(LsJson *json) {
  LsText found = {0}, meaning = {0};
  if (!dev_compilers(&found, &meaning)) ls_text_add(&found, "none");
  say(json, "compiler", list_text(&found), ls_text_str(&meaning));
  ls_text_free(&found);
  ls_text_free(&meaning);
}

static void say_terminal(LsJson *json) {
  const char *term = getenv("TERM"), *charset = nl_langinfo(CODESET);
  char *found = ls_format("TERM=%s, %s%s", term ? term : "(not set)", charset, isatty(1) ? "" :
                          ", output is not a terminal");
  bool utf8 = strcmp(charset, "UTF-8") == 0;
  const char *screens = utf8 ? "screens use Unicode glyphs" : "screens use ASCII; set a UTF-8 locale (LANG=C.UTF-8) "
      "for the glyphs";
  say(json, "terminal", found, isatty(1) ? screens : "commands print plain text");
  free(found);
}

static void say_files(LsJson *json) {
  LsErr why = {0};
  char *data = ls_data_path("", &why);
  say(json, "files", data ? data : "missing", data ? "lanescope's own files are in place" : why.message);
  free(data);
}

static void say_emulator(LsJson *json) {
  LsErr why = {0};
  bool fine = sim_alu_isa_check(&why);
  say(json, "emulator", fine ? sim_alu_isa() : "does not start",
      fine ? "the instruction set its arithmetic runs with" : why.message);
}

static void say_grading(LsJson *json) {
  LsErr why = {0};
  bool apart = sandbox_isolates(&why);
  say(json, "grading", apart ? "apart, without network" : "with limits alone",
      apart ? "lanescope grade judges each file in namespaces of its own; what a compiler starts ends with "
          "it" : why.message);
}

// Opened as a lesson would open it: there is no other way to know.
static void say_progress(LsJson *json) {
  Progress *progress = progress_open(NULL);
  LsText words = {0};
  progress_words(progress, &words);
  const char *meaning = words.length ? ls_text_str(&words) : "what you do in lessons is saved there";
  if (json) {
    ls_json_open_member(json, "progress", '{');
    ls_json_member(json, "found", progress_path(progress));
    ls_json_member(json, "meaning", meaning);
    ls_json_member(json, "state", store_state_name(progress_state(progress)));
    ls_json_close(json, '}');
  } else {
    say(NULL, "progress", progress_path(progress), meaning);
  }
  ls_text_free(&words);
  progress_close(progress);
}

int cmd_doctor(Cli *cli, LsErr *err) {
  (void)err;
  LsText text = {0};
  LsJson json;
  ls_json_init(&json, &text);
  LsJson *to = cli->given[OPT_ID_JSON] ? &json : NULL;
  if (to) ls_json_open(to, '{');
  busy_begin("looking around");
  say(to, "lanescope", PACKAGE_VERSION, "the version of this program");
  say_gpu(to);
  say_compilers(to);
  say_grading(to);
  say_emulator(to);
  say_terminal(to);
  say_files(to);
  say_progress(to);
  busy_end();
  if (to) ls_json_close(to, '}'), cli_print_json(&text);
  return 0;
}
