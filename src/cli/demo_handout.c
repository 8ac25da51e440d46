// demo_handout.c: what the hall saw, to read again: sentences, pictures, questions, and what opens each place.
//
// What comes after a question in its scene stands at the end, with the answers. Everything is made in memory first, so
// that a mistake leaves no half of it on the disk.
#include "cli/demo_handout.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/session/spot.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/output.h"
#include "ui/models/pictures.h"
#include "ui/pages/page.h"
#include "ui/term/theme.h"
#include "ui/views/view.h"

enum { COLS = 100, ROWS = 24, MARGIN = 2 };

static const char suffix[] = ".md";

typedef struct Sheet { char *path; LsText text; LsOutput output; } Sheet;   // one file

typedef struct Handout {
  const Cli *cli;
  const Demo *demo;
  Session *session;
  char *stem;                  // of all names, with the folder
  LsText scenes, answers;      // Markdown
  Sheet *sheets; int count, capacity;
  int headed, answered;        // the scene whose heading was written last, in either part
} Handout;

// ---- Markdown -------------------------------------------------------------------------------------------------------

static void add_plain(const char *text, int length, LsText *out) {
  for (int i = 0; i < length; i++) {
    if (strchr("\\`*_<&[", text[i])) ls_text_addc(out, '\\');
    ls_text_addc(out, text[i]);
  }
}

// At the start of a line these would make a heading, a list or a quotation.
static void guard_start(const char *text, LsText *out) {
  size_t digits = strspn(text, "0123456789");
  if (digits && (text[digits] == '.' || text[digits] == ')')) {
    ls_text_addf(out, "%.*s\\", (int)digits, text);
  } else if (*text && strchr("#-+>=~|", *text)) {
    ls_text_addc(out, '\\');
  }
}

// The markup of lessons is that of Markdown; all else stands for itself.
static void add_marked(const char *text, LsText *out) {
  static const char *const around[] = {"", "`", "*"};
  const char *start;
  int length, style;
  LsText line = {0};
  while (lesson_span(&text, &start, &length, &style)) {
    if (style != 1) {
      ls_text_add(&line, around[style]);
      add_plain(start, length, &line);
      ls_text_add(&line, around[style]);
    } else {
      ls_text_addf(&line, "`%.*s`", length, start);
    }
  }
  const char *words = ls_text_str(&line);
  size_t digits = strspn(words, "0123456789");
  guard_start(words, out);
  bool guarded = digits && (words[digits] == '.' || words[digits] == ')');
  ls_text_addf(out, "%s\n\n", words + (guarded ? digits : 0));
  ls_text_free(&line);
}

// The name of a picture as a link has it.
static void add_link(const char *name, LsText *out) {
  for (const unsigned char *p = (const unsigned char *)name; *p; p++) {
    if (isalnum(*p) || strchr("-_.~", *p)) ls_text_addc(out, (char)*p);
    else ls_text_addf(out, "%%%02X", *p);
  }
}

static void add_command(const char *words, LsText *out) { ls_text_addf(out, "```sh\n%s\n```\n\n", words); }

// ---- pictures -------------------------------------------------------------------------------------------------------

static bool shows_something(const DemoBeat *beat) { return beat->place.model || beat->place.run >= 0; }

static bool is_hidden(const DemoBeat *beat) {
  return beat->kind == STAGE_SCENE && beat->staging && beat->staging->hide;
}

static int rows_of(Handout *handout, const DemoBeat *beat) {
  Session *session = handout->session;
  if (beat->place.model) return model_room(beat->place.model, &beat->place.values, COLS - 2 * MARGIN).whole;
  FocusRoom room = {0};
  session->cols = COLS, session->rows = ROWS, session->stage = true;
  view_room(session, session->focus, COLS, &room);
  int rows = LS_MAX(room.least, ROWS - 1);
  return rows + (session->other != NULL);   // two stand beside one another, under their names
}

static void draw(Handout *handout, const DemoBeat *beat, Canvas *canvas) {
  Rect all = {0, 0, canvas->cols, canvas->rows};
  Rect inner = {MARGIN, 0, canvas->cols - 2 * MARGIN, canvas->rows};
  Session *session = handout->session;
  if (beat->place.model) {
    model_draw(beat->place.model, &beat->place.values, canvas, inner);
  } else if (is_hidden(beat)) {
    session->hides = SES_HIDES_PICTURE, session->untold = true;   // as in the hall
    view_draw(view_find("source"), session, canvas, all);
    session->hides = SES_HIDES_NOTHING, session->untold = false;
  } else {
    demo_draw_pictures(session, canvas, all);
  }
}

static Sheet *add_sheet(Handout *handout, char *path) {
  Sheet sheet = {.path = path, .output = {.fd = -1}};
  LS_PUSH(handout->sheets, handout->count, handout->capacity, sheet);
  return &handout->sheets[handout->count - 1];
}

static void add_picture(Handout *handout, const DemoBeat *beat, const char *of, LsText *out) {
  if (is_hidden(beat) && beat->place.model) return;   // its numbers are the answer
  Canvas *canvas = canvas_new(COLS, LS_MAX(is_hidden(beat) ? ROWS : rows_of(handout, beat), 3));
  canvas->stage = true;
  draw(handout, beat, canvas);
  Sheet *sheet = add_sheet(handout, ls_format("%s-%d%s.svg", handout->stem, beat->scene, of));
  canvas_to_svg(canvas, false, !handout->cli->given[OPT_ID_LIGHT] && theme_is_dark(), &sheet->text);
  canvas_free(canvas);
  ls_text_addf(out, "![scene %d%s](", beat->scene, *of ? ", the answer" : "");
  add_link(ls_path_base(sheet->path), out);
  ls_text_add(out, ")\n\n");
}

// ---- beats ----------------------------------------------------------------------------------------------------------

static void add_model_command(const DemoBeat *beat, LsText *out) {
  LsText words = {0};
  spot_model_command(beat->place.model, &beat->place.values, &words);
  add_command(ls_text_str(&words), out);
  ls_text_free(&words);
}

static void add_commands(Handout *handout, const DemoBeat *beat, LsText *out) {
  Session *session = handout->session;
  if (beat->place.model) return add_model_command(beat, out);
  LsText words = {0};
  spot_command(session, &words);
  Session *peer = session->other ? ses_peer(session) : NULL;
  if (peer) {
    ls_text_add(&words, "\n");
    spot_command(peer, &words);
  }
  add_command(ls_text_str(&words), out);
  ls_text_free(&words);
}

static void add_place(Handout *handout, const DemoBeat *beat, const char *of, LsText *out) {
  if (!shows_something(beat)) return;
  demo_show(handout->demo, beat, &handout->session);
  if (!beat->place.model && !handout->session->steps) return;
  add_picture(handout, beat, of, out);
  add_commands(handout, beat, out);
}

static void add_what_if(Handout *handout, const DemoBeat *beat, LsText *out) {
  ls_text_addf(out, "With `%s`: ", beat->staging && beat->staging->change ? beat->staging->change : "");
  LsText text = {0};
  demo_text(beat, &text);
  add_marked(ls_text_str(&text), out);
  ls_text_free(&text);
  if (!shows_something(beat)) return;
  demo_show(handout->demo, beat, &handout->session);
  add_commands(handout, beat, out);
}

static void add_options(const DemoBeat *beat, LsText *out) {
  for (int i = 0; i < beat->option_count; i++) {
    LsText line = {0};
    add_marked(beat->options[i], &line);
    while (line.length && line.data[line.length - 1] == '\n') line.data[--line.length] = 0;
    ls_text_addf(out, "- %c: %s\n", 'A' + i, ls_text_str(&line));
    ls_text_free(&line);
  }
  if (beat->option_count) ls_text_add(out, "\n");
}

static void add_words(const DemoBeat *beat, const char *before, LsText *out) {
  LsText text = {0};
  demo_text(beat, &text);
  if (text.length) {
    ls_text_add(out, before);
    add_marked(ls_text_str(&text), out);
  }
  ls_text_free(&text);
}

static void add_answer(const DemoBeat *beat, LsText *out) {
  if (!beat->option_count) return;
  ls_text_addf(out, "**%c.** ", 'A' + beat->right);
  add_marked(beat->options[beat->right], out);
}

// A question of its scene was asked before: what follows is about its answer.
static bool is_answered(const Handout *handout, int index) {
  const DemoBeat *beat = demo_beat(handout->demo, index);
  if (beat->kind != STAGE_REVEAL && beat->kind != STAGE_WHATIF) return false;
  for (int i = index - 1; i >= 0; i--) {
    const DemoBeat *before = demo_beat(handout->demo, i);
    if (before->scene != beat->scene) return false;
    if (before->kind == STAGE_ASK) return true;
  }
  return false;
}

static void add_beat(Handout *handout, int index) {
  const DemoBeat *beat = demo_beat(handout->demo, index);
  bool answers = is_answered(handout, index);
  LsText *out = answers ? &handout->answers : &handout->scenes;
  int *headed = answers ? &handout->answered : &handout->headed;
  if (*headed != beat->scene) ls_text_addf(out, "%s Scene %d\n\n", answers ? "###" : "##", beat->scene);
  *headed = beat->scene;
  switch (beat->kind) {
  case STAGE_SCENE:
    add_words(beat, "", out);
    add_place(handout, beat, "", out);
    break;
  case STAGE_ASK:
    add_words(beat, "", out);
    add_options(beat, out);
    break;
  case STAGE_REVEAL:
    add_answer(beat, out);
    add_words(beat, "", out);
    add_place(handout, beat, "-answer", out);
    break;
  case STAGE_WHATIF: add_what_if(handout, beat, out); break;
  case STAGE_KEEP: add_words(beat, "> ", out); break;
  }
}

static void add_head(const CourseDemo *info, LsText *out) {
  ls_text_add(out, "# ");
  add_marked(info->title, out);
  LsText where = {0};
  ls_text_addf(&where, "%g min%s%s", info->minutes, info->where ? ", " : "", info->where ? info->where : "");
  add_marked(ls_text_str(&where), out);
  ls_text_free(&where);
}

// ---- files ----------------------------------------------------------------------------------------------------------

static bool write_all(int fd, const LsText *text) {
  for (size_t at = 0; at < text->length;) {
    ssize_t count = write(fd, text->data + at, text->length - at);
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) at += (size_t)count;
  }
  return true;
}

static bool cannot_write(const Sheet *sheet, int error, LsErr *err) {
  return ls_fail(err, LS_EIO, "cannot write %s: %s", LS_QUOTE_PATH(sheet->path), strerror(error));
}

// All are on the disk before the first one gets its name, the text as the last one.
static bool write_sheets(Handout *handout, LsErr *err) {
  for (int i = 0; i < handout->count; i++) {
    Sheet *sheet = &handout->sheets[i];
    if (!ls_output_open(&sheet->output, sheet->path, err)) return false;
    if (!write_all(sheet->output.fd, &sheet->text)) return cannot_write(sheet, errno, err);
  }
  for (int i = 0; i < handout->count; i++) {
    int error = ls_output_commit(&handout->sheets[i].output);
    if (error) return cannot_write(&handout->sheets[i], error, err);
  }
  return true;
}

static void handout_fini(Handout *handout) {
  for (int i = 0; i < handout->count; i++) {
    if (handout->sheets[i].output.fd >= 0) ls_output_drop(&handout->sheets[i].output);
    ls_text_free(&handout->sheets[i].text);
    free(handout->sheets[i].path);
  }
  free(handout->sheets);
  free(handout->stem);
  ls_text_free(&handout->scenes);
  ls_text_free(&handout->answers);
  ses_free(handout->session);
}

bool demo_handout_path_fits(const char *path, LsErr *err) {
  const char *base = ls_path_base(path);
  if (ls_ends_with(base, suffix) && strlen(base) > strlen(suffix)) return true;
  if (strcmp(path, "-") == 0)
    return ls_fail(err, LS_EREQUEST, "--handout takes the name of a file, not -: its pictures are files beside it");
  return ls_fail(err, LS_EREQUEST, "--handout takes the name of a file of Markdown, NAME.md, not '%s'",
                 LS_QUOTE(path));
}

bool demo_handout_write(const Cli *cli, const Demo *demo, const char *path, LsErr *err) {
  Handout handout = {.cli = cli, .demo = demo, .stem = ls_strndup(path, strlen(path) - strlen(suffix))};
  add_head(demo_info(demo), &handout.scenes);
  for (int i = 0; i < demo_ready(demo); i++) add_beat(&handout, i);
  if (handout.answers.length) ls_text_addf(&handout.scenes, "## Answers\n\n%s", ls_text_str(&handout.answers));
  while (ls_ends_with(ls_text_str(&handout.scenes), "\n\n")) handout.scenes.data[--handout.scenes.length] = 0;
  Sheet *sheet = add_sheet(&handout, ls_strdup(path));
  ls_text_add(&sheet->text, ls_text_str(&handout.scenes));
  bool written = write_sheets(&handout, err);
  handout_fini(&handout);
  return written;
}
