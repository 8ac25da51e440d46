// test_program_cast.c: recordings for slides, shown by libvterm: their last picture is that of export, and what lies
// between
// moves.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vterm.h>

#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "support/program/program.h"
#include "support/program/wellformed.h"

enum { COLS = 80, ROWS = 24, FRAME_BYTES = 12000 };

typedef struct Player {
  VTerm *vterm;
  VTermScreen *cells;
  int frames, pictures;      // lines of the file; those after which the screen is another one
  size_t largest;            // bytes of a frame, the first one aside
  double time;
  LsText shown;
} Player;

static void read_screen(Player *player, LsText *out) {
  ls_text_clear(out);
  for (int y = 0; y < ROWS; y++) {
    size_t end = out->length;
    for (int x = 0; x < COLS; x++) {
      VTermScreenCell cell;
      char utf8[5];
      vterm_screen_get_cell(player->cells, (VTermPos){.row = y, .col = x}, &cell);
      ls_utf8_encode(cell.chars[0] ? cell.chars[0] : ' ', utf8);
      ls_text_add(out, utf8);
      if (cell.chars[0] && cell.chars[0] != ' ') end = out->length;
    }
    out->length = end;
    ls_text_addc(out, '\n');
  }
}

// A string of JSON without its quotes, as bytes.
static void unescape(const char *text, LsText *out) {
  static const char letters[] = "n\nt\tr\rb\bf\f";
  for (const char *p = text + 1; *p != '"'; p++) {
    if (*p != '\\') {
      ls_text_addc(out, *p);
      continue;
    }
    const char *letter = strchr(letters, *++p);
    unsigned code;
    char utf8[5];
    if (*p == 'u' && sscanf(p + 1, "%4x", &code) == 1) {
      ls_utf8_encode(code, utf8);
      ls_text_add(out, utf8);
      p += 4;
    } else {
      ls_text_addc(out, letter ? letter[1] : *p);
    }
  }
}

static void play_line(Player *player, const char *line) {
  CHECK(json_is_valid(line));
  CHECK_INT(json_count(line, ""), 3);
  CHECK(json_is_string(line, "1", "o"));
  double time = json_number(line, "0");
  CHECK(time >= player->time && (player->frames < 2 || time - player->time < 2.5));
  player->time = time;
  LsText bytes = {0}, now = {0};
  unescape(json_at(line, "2"), &bytes);
  if (player->frames++) player->largest = LS_MAX(player->largest, bytes.length);
  vterm_input_write(player->vterm, ls_text_str(&bytes), bytes.length);
  read_screen(player, &now);
  if (strcmp(ls_text_str(&now), ls_text_str(&player->shown)) != 0) player->pictures++;
  ls_text_free(&player->shown);
  player->shown = now;
  ls_text_free(&bytes);
}

static void play(Player *player, char *cast) {
  *player = (Player){.vterm = vterm_new(ROWS, COLS)};
  vterm_set_utf8(player->vterm, 1);
  player->cells = vterm_obtain_screen(player->vterm);
  vterm_screen_reset(player->cells, 1);
  char *rest = cast, *line = strsep(&rest, "\n");
  CHECK(json_is_valid(line) && json_number(line, "version") == 2);
  CHECK(json_number(line, "width") == COLS && json_number(line, "height") == ROWS);
  while ((line = strsep(&rest, "\n")))
    if (*line) play_line(player, line);
}

static void stop(Player *player) {
  vterm_free(player->vterm);
  ls_text_free(&player->shown);
}

static char *output_of(const char *line) {
  ProgramRun run;
  program_run(&run, line);
  if (run.status != 0) printf("\n%s: %d\n%s", line, run.status, run.err);
  CHECK_INT(run.status, 0);
  char *out = ls_strdup(run.out);
  program_run_free(&run);
  return out;
}

// The title, and the picture with its words, without blank rows.
static char *picture_of(const char *screen) {
  const char *rule = screen, *next;
  while ((next = strstr(rule + 1, "\n── "))) rule = next;
  LsText out = {0};
  ls_text_addn(&out, screen, strcspn(screen, "\n"));
  for (const char *p = rule; *p; p++)
    if (*p != '\n' || p[1] != '\n') ls_text_addc(&out, *p);
  return ls_text_take(&out);
}

// How many rows a pane has hangs on what stood there before: where it has more, it may say more.
static bool has_rows_of(const char *shown, const char *wanted) {
  const char *at = shown;
  for (const char *row = wanted; *row;) {
    size_t length = strcspn(row, "\n");
    char *line = ls_strndup(row, length);
    at = strstr(at, line);
    if (!at) printf("\n'%s' is not in its place:\n%s\n", line, shown);
    free(line);
    if (!at) return false;
    row += length + (row[length] == '\n');
  }
  return true;
}

// What play shows last is the picture that export makes of that step.
static void check_cast(const char *what, const char *from, const char *to, int least_pictures) {
  char *line = ls_format("lanescope cast %s --from %s --to %s --size 80x24 -o a.cast && cat a.cast", what, from, to);
  char *picture = ls_format("lanescope export %s --at %s --size 80x24", what, to);
  char *cast = output_of(line), *again = output_of(line), *expected = output_of(picture);
  CHECK_STR(cast, again);
  Player player;
  play(&player, cast);
  CHECK(player.pictures >= least_pictures);
  CHECK(player.largest < FRAME_BYTES);
  char *shown = picture_of(ls_text_str(&player.shown)), *wanted = picture_of(expected);
  CHECK(has_rows_of(shown, wanted));
  free(shown), free(wanted);
  stop(&player);
  free(line), free(picture), free(cast), free(again), free(expected);
}

static void the_last_picture_is_that_of_the_step(void) {
  check_cast("transpose_32x32", "line:15", "line:15", 10);
  check_cast("warp_reduce", "0", "end", 20);
  check_cast("reduce2", "40", "90", 5);
}

// A model while a parameter moves: a frame for each of its values, and the last one is the page with that value.
static void models_move(void) {
  static const struct { const char *what, *ends, *last; int values; } rows[] = {
      {"waves --from now=0 --to now=20", "-p now=20", "2 s, 75 % used", 21},
      {"waves_tails", "-p now=20", "2 s, 75 % used", 21},
      {"spaces --from input=3 --to input=-3", "-p input=-3", "-3", 7},
  };
  for (int i = 0; i < LS_COUNT(rows); i++) {
    Player player;
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(rows[i].what, " "), rows[i].what);
    char *line = ls_format("lanescope cast %s --size 80x24 -o m.cast && cat m.cast", rows[i].what), *cast =
        output_of(line);
    char *picture = ls_format("lanescope export %s %s --view screen --size 80x24", name, rows[i].ends);
    char *wanted = output_of(picture);
    play(&player, cast);
    CHECK(player.pictures >= rows[i].values - 1 && player.pictures <= rows[i].values);
    CHECK(player.largest < FRAME_BYTES && strstr(ls_text_str(&player.shown), rows[i].last));
    size_t head = strcspn(wanted, "\n");   // title and picture; below them another slider may be chosen
    CHECK(strncmp(ls_text_str(&player.shown), wanted, 8 * head) == 0);
    stop(&player);
    free(line), free(cast), free(picture), free(wanted);
  }
}

static int frames_of(const char *options) {
  char *line = ls_format("lanescope cast warp_reduce --from 0 --to end --size 80x24 %s -o b.cast && wc -l < b.cast",
                         options);
  char *count = output_of(line);
  int frames = atoi(count);
  free(line), free(count);
  return frames;
}

static void motion_and_speed(void) {
  int normal = frames_of(""), fast = frames_of("--speed 8"), still = frames_of("--no-motion");
  CHECK(normal > 2 * fast && fast > 10);
  CHECK(still > 5 && still < normal / 2);
}

static void bad_requests_are_told(void) {
  static const struct { const char *line, *says; } cases[] = {
      {"lanescope cast reduce2", "*cast needs -o FILE.cast\n"},
      {"lanescope cast reduce2 --from 40 --to 30 -o x.cast", "*--to is step 30, before --from, step 40\n"},
      {"lanescope cast reduce2 --to 9999999 -o x.cast", "*there is no step 9999999: *"},
      {"lanescope cast reduce2 --speed 3 -o x.cast", "*--speed takes 1/4, *not '3'\n"},
      {"lanescope cast reduce2 --to end --speed 1/4 -o x.cast", "*would last more than 20 minutes*"},
      {"lanescope cast occupancy -o x.cast", "*occupancy has no time that goes by: --from NAME=VALUE*"},
      {"lanescope cast waves --to 5 -o x.cast", "*waves is a model: --to takes a parameter and its value, *not '5'\n"},
      {"lanescope cast waves --from sms=1 --to blocks=5 -o x.cast", "*--from and --to are of one parameter\n"},
      {"lanescope cast waves --from sms=999 -o x.cast", "*sms is 999; it can be 1 to 160\n"},
      {"lanescope cast reduce2 --to 5 -o no/such/x.cast", "*no/such/x.cast*"},
  };
  for (int i = 0; i < LS_COUNT(cases); i++) {
    ProgramRun run;
    program_run(&run, cases[i].line);
    if (!program_matches(cases[i].says, run.err)) printf("\n%s says %s", cases[i].line, run.err);
    CHECK(run.status == 2 && program_matches(cases[i].says, run.err));
    program_run_free(&run);
  }
}

static const Check checks[] = {
    {"the last picture is that of the step", the_last_picture_is_that_of_the_step},
    {"models move", models_move},
    {"motion and speed", motion_and_speed},
    {"bad requests are told", bad_requests_are_told},
};

int main(int argc, char **argv) {
  program_set_up();
  int failed = check_main("program_cast", checks, LS_COUNT(checks), argc, argv);
  program_tear_down();
  return failed;
}
