// test_layout_walk.c: every lecture kernel and every lesson on windows of four sizes: nothing is cut, covered or dropped without
// a word, the line at the cursor is whole, the picture has the rows that it needs, footer and rail are there.
//
// The judge is the canvas, which tells what was drawn outside of its pane or over something else, and the text that is
// on the screen at the end, held against the source, the trace and the lesson.
#include <ctype.h>
#include <sched.h>

#include "app/session/session.h"
#include "base/file.h"
#include "base/mem.h"
#include "check_recipes.h"
#include "script/lesson.h"
#include "ui/pages/page.h"
#include "ui/panels/panel.h"
#include "ui/views/view.h"

static RecipeBook *book;
static const struct { int cols, rows; } sizes[] = {{80, 24}, {100, 30}, {120, 36}, {200, 60}};
enum { SIZES = LS_COUNT(sizes), MOST_COMPLAINTS = 6 };

// ---- what is seen ---------------------------------------------------------------------------------------------------

typedef struct Text { int x, end, y; char first, last; } Text;
typedef struct Sight {
  Canvas *canvas;
  CanvasWatch watch;
  char where[160];           // of the picture that is drawn, for complaints
  int lost, covered;
  char sample[2][64];        // of what was lost, of what was covered
  Text *texts; int text_count, text_capacity;
} Sight;

// Of each kind of complaint the first ones are printed.
static struct { const char *format; int count; } kinds[32];
static int complaints;

static bool worth_printing(const char *format) {
  int i = 0;
  while (i < LS_COUNT(kinds) - 1 && kinds[i].format && kinds[i].format != format) i++;
  kinds[i].format = format;
  complaints++;
  return kinds[i].count++ < MOST_COMPLAINTS;
}

static void complain(const Sight *sight, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void complain(const Sight *sight, const char *format, ...) {
  va_list args;
  if (!worth_printing(format)) return;
  va_start(args, format);
  printf("\n%s %dx%d: ", sight->where, sight->canvas->cols, sight->canvas->rows);
  vprintf(format, args);
  va_end(args);
  if (getenv("WALK_SHOW")) {   // to look at it
    LsText text = {0};
    canvas_to_text(sight->canvas, false, &text);
    printf("\n%s", ls_text_str(&text));
    ls_text_free(&text);
  }
}

static bool is_letter(uint32_t code) { return code < 128 && isalnum((int)code); }

static void note(char sample[64], int x, int y, uint32_t code) {
  char utf8[5];
  ls_utf8_encode(code, utf8);
  if (!sample[0]) snprintf(sample, 64, "'%s' at %d,%d", utf8, x, y);
}

static void on_lost(void *context, int x, int y, uint32_t code) {
  Sight *sight = context;
  sight->lost++;
  note(sight->sample[0], x, y, code);
}

// Arcs cross lines and marks stand on bars; letters and digits never stand on others.
static void on_covered(void *context, int x, int y, uint32_t old, uint32_t code) {
  Sight *sight = context;
  if (!is_letter(old) || !is_letter(code)) return;
  sight->covered++;
  note(sight->sample[1], x, y, code);
}

static void on_text(void *context, int x, int end, int y, const char *text, size_t bytes) {
  Sight *sight = context;
  if (!bytes) return;
  Text one = {x, end, y, text[0], text[bytes - 1]};
  LS_PUSH(sight->texts, sight->text_count, sight->text_capacity, one);
}

static void sight_begin(Sight *sight, int size) {
  sight->canvas = canvas_new(sizes[size].cols, sizes[size].rows);
  sight->watch = (CanvasWatch){sight, on_text, on_lost, on_covered};
  sight->canvas->watch = &sight->watch;
  sight->lost = sight->covered = sight->text_count = 0;
  sight->sample[0][0] = sight->sample[1][0] = 0;
}

static void sight_end(Sight *sight) {
  canvas_free(sight->canvas);
  free(sight->texts);
  *sight = (Sight){0};
}

static bool inside(Rect r, int x, int y) { return r.w > 0 && x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h; }

// The text of a rectangle, a line for each row.
static void text_of(const Sight *sight, Rect rect, LsText *out) {
  ls_text_clear(out);
  for (int y = rect.y; y < rect.y + rect.h; y++) {
    for (int x = rect.x; x < rect.x + rect.w; x++) {
      const Cell *cell = canvas_at(sight->canvas, x, y);
      char utf8[5];
      ls_utf8_encode(cell && cell->code ? cell->code : ' ', utf8);
      ls_text_add(out, utf8);
    }
    ls_text_add(out, "\n");
  }
}

static int count_of(const char *text, const char *word) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, word)); at += strlen(word)) count++;
  return count;
}

static int64_t counted_by(const char *text, const char *mark, const char *word) {
  int64_t sum = 0;
  for (const char *at = text; (at = strstr(at, mark)); at += strlen(mark)) {
    const char *p = at + strlen(mark);
    int64_t number = 0;
    for (; isdigit((unsigned char)*p) || *p == ','; p++) number = *p == ',' ? number : 10 * number + (*p - '0');
    const char *found = number ? strstr(p, word) : NULL;
    if (found && found - p < 16) sum += number;
  }
  return sum;
}

// "▾ 12 more rows", "▴ 25 rows before": 37 are counted. 0: nothing is.
static int64_t counted(const char *text) { return counted_by(text, "▾ ", "more") + counted_by(text, "▴ ", "before"); }

static bool blank_row(const Sight *sight, int x, int w, int y) {
  for (int i = x; i < x + w; i++) {
    const Cell *cell = canvas_at(sight->canvas, i, y);
    if (cell && (cell->code != ' ' || cell->background)) return false;
  }
  return true;
}

// ---- what must hold on every screen ---------------------------------------------------------------------------------

// Words that touch: texts that were drawn by themselves, one beginning where the other ends. Pictures pack their cells,
// and the text of a lesson is drawn word by word.
static void check_touching(Sight *sight, Rect picture, Rect rail) {
  for (int i = 0; i < sight->text_count; i++)
    for (int k = 0; k < sight->text_count; k++) {
      const Text *a = &sight->texts[i], *b = &sight->texts[k];
      if (a->y != b->y || a->end != b->x || !is_letter((uint8_t)a->last) || !is_letter((uint8_t)b->first)) continue;
      if (a->end - a->x < 2 || b->end - b->x < 2 || inside(picture, b->x, b->y) || inside(rail, b->x, b->y)) continue;
      complain(sight, "words touch at %d,%d", b->x, b->y);
      return;
    }
}

static void check_screen(Sight *sight, Rect picture, Rect rail, bool helps) {
  LsText text = {0};
  int rows = sight->canvas->rows, cols = sight->canvas->cols;
  if (sight->lost) complain(sight, "%d characters are cut off, first %s", sight->lost, sight->sample[0]);
  if (sight->covered) complain(sight, "%d characters stand on others, first %s", sight->covered, sight->sample[1]);
  check_touching(sight, picture, rail);
  text_of(sight, (Rect){0, rows - 1, cols, 1}, &text);
  const char *footer = ls_text_str(&text);
  if ((helps && !strstr(footer, "? help")) || !(strstr(footer, "q quit") || strstr(footer, "q back") ||
                                                strstr(footer, "q leave")))
    complain(sight, "the footer is '%s'", footer);
  ls_text_free(&text);
}

// ---- the explorer ---------------------------------------------------------------------------------------------------

// Characters that are seen of a line, without blanks.
static void squeeze(const char *from, LsText *out) {
  ls_text_clear(out);
  for (; *from; from++)
    if (!isspace((unsigned char)*from)) ls_text_addf(out, "%c", *from);
}

static void check_cursor_line(Sight *sight, Session *session, const Layout *layout) {
  const char *const *lines, *path;
  int count = ses_source_lines(session, &lines, &path), line = ses_scene(session)->line;
  if (line < 1 || line > count || layout->source.w == 0) return;
  LsText wanted = {0}, seen = {0}, row = {0}, all = {0};
  squeeze(lines[line - 1], &wanted);
  CodeColumns c = code_columns(layout->source.w, count);
  for (int y = layout->source.y; y < layout->source.y + layout->source.h; y++) {
    const Cell *cell = canvas_at(sight->canvas, layout->source.x + c.text, y);
    if (!cell || cell->background != ROLE_SELECTED) continue;
    text_of(sight, (Rect){layout->source.x + c.text, y, c.text_w, 1}, &row);
    ls_text_add(&all, ls_text_str(&row));
  }
  squeeze(ls_text_str(&all), &seen);
  if (!strstr(ls_text_str(&seen), ls_text_str(&wanted)))
    complain(sight, "line %d is cut: '%s' for '%s'", line, ls_text_str(&seen), ls_text_str(&wanted));
  ls_text_free(&wanted), ls_text_free(&seen), ls_text_free(&row), ls_text_free(&all);
}

// Warps that labels at the beginning of lines name: "w0" is one, "w7-w30" are many.
static int warp_labels(const char *text) {
  int count = 0;
  for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
    const char *p = line + strspn(line, " ");
    if (strncmp(p, "▸", strlen("▸")) == 0) p += strlen("▸") + strspn(p + strlen("▸"), " ");
    int first, last;
    if (sscanf(p, "w%d-w%d", &first, &last) == 2) count += last - first + 1;
    else count += p[0] == 'w' && isdigit((unsigned char)p[1]);
  }
  return count;
}

static void check_lanes(Sight *sight, Session *session, const Layout *layout) {
  LsText text = {0};
  if (layout->lanes.w) {
    text_of(sight, layout->lanes, &text);
    int shown = warp_labels(ls_text_str(&text)), all = ses_scene(session)->warp_count;
    int64_t missing = counted(ls_text_str(&text));
    if (shown + missing != all) complain(sight, "%d warps are shown and %d counted of %d", shown, (int)missing, all);
    char chosen[16];
    snprintf(chosen, sizeof chosen, "w%d", session->warp);
    if (!strstr(ls_text_str(&text), chosen)) complain(sight, "the chosen warp %d has no row", session->warp);
  }
  ls_text_free(&text);
}

static void check_variables(Sight *sight, Session *session, const Layout *layout) {
  const Scene *scene = ses_scene(session);
  if (!layout->variables.w || !scene->values_known) return;
  LsText text = {0};
  int shown = 0;
  text_of(sight, layout->variables, &text);
  for (int y = 1; y < layout->variables.h; y++) {
    const Cell *cell = canvas_at(sight->canvas, layout->variables.x + 3, layout->variables.y + y);
    shown += cell && (isalnum((int)(cell->code & 127)) || cell->code == '_') && cell->code < 128;
  }
  int64_t missing = counted(ls_text_str(&text));
  if (shown + missing != scene->var_count)
    complain(sight, "%d variables are shown and %d counted of %d", shown, (int)missing, scene->var_count);
  ls_text_free(&text);
}

// Rows of the picture that an access touches: lines of 128 bytes, in local memory the words of a thread.
static int rows_touched(const TraceEvent *event) {
  uint64_t lines[64], row = event->space == TRACE_LOCAL ? 4 : 128;
  int count = 0;
  for (int lane = 0; lane < 32; lane++) {
    if (!(event->mask >> lane & 1)) continue;
    for (uint64_t at = event->addr[lane] / row; at <= (event->addr[lane] + event->width - 1) / row; at++) {
      int i = 0;
      while (i < count && lines[i] != at) i++;
      if (i == count && count < LS_COUNT(lines)) lines[count++] = at;
    }
  }
  return count;
}

// Of every word that an access wants, the first lane has a cell with its number, or with the mark of a fault.
static void check_lanes_in_banks(Sight *sight, const TraceEvent *event, const char *text) {
  int marks = count_of(text, "▲");
  for (int lane = 10; lane < 32; lane++) {   // numbers of two digits: cells may touch
    bool first = event->mask >> lane & 1;
    char number[8];
    for (int other = 0; other < lane && first; other++)
      first = !(event->mask >> other & 1) || event->addr[other] / 4 != event->addr[lane] / 4;
    snprintf(number, sizeof number, "%d", lane);
    if (first && !strstr(text, number) && marks-- <= 0) {
      complain(sight, "lane %d has no cell in the banks, and nothing is counted", lane);
      return;
    }
  }
}

static const TraceEvent *pictured(Session *session) {
  const Scene *scene = ses_scene(session);
  if (focus_shows(session->focus, &scene->event)) return &scene->event;
  return scene->has_focus && focus_shows(session->focus, &scene->focus) ? &scene->focus : NULL;
}

// What the trace says that the picture is about is there, or counted.
static void check_contents(Sight *sight, Session *session, const char *text, int64_t missing) {
  const TraceEvent *event = pictured(session);
  if (!event) return;
  bool in_words = event->space == TRACE_LOCAL;   // its rows are words of lanes, not lines with addresses
  if (session->focus == FOCUS_SEGMENTS && event->addr && !in_words && session->variant[FOCUS_SEGMENTS] == 0) {
    // a long address begins with …
    int shown = count_of(text, "0x") + count_of(text, " …") + count_of(text, "word "), all = rows_touched(event);
    if (shown + missing < all) complain(sight, "%d lines of memory and %d counted of %d", shown, (int)missing, all);
  }
  if (session->focus == FOCUS_BANKS && event->addr && !missing) check_lanes_in_banks(sight, event, text);
  if (session->focus == FOCUS_BARRIER && event->kind == TRACE_BARRIER) {
    int shown = warp_labels(text), all = ses_scene(session)->warp_count;
    if (shown + missing < all)
      complain(sight, "%d warps at the barrier and %d counted of %d", shown, (int)missing, all);
  }
}

// The first word of a row: what the row is of.
static const char *row_label(const char *line, char out[32]) {
  size_t length = strspn(line, " ");
  snprintf(out, 32, "%.*s", (int)LS_MIN(strcspn(line + length, " \n"), 31), line + length);
  return out;
}

// Rows that the picture has where nothing limits it, and that are not here: then something must be counted.
static void check_rows(Sight *sight, Session *session, Rect focus, const char *text, int64_t missing) {
  FocusRoom room;
  const View *view = view_of_focus(session->focus);
  if (missing) return;
  if (session->focus == FOCUS_BANKS) return;        // a low picture has another form; check_contents looks at its lanes
  if (session->focus == FOCUS_BARRIER) return;      // nor have warps in groups the same labels; it counts them
  if (session->focus == FOCUS_DIVERGENCE) return;   // what ran before the branch is as long as there is room
  view_room(session, session->focus, focus.w, &room);
  Sight whole = {.canvas = canvas_new(focus.w, room.whole)};
  LsText all = {0};
  view->draw(session, whole.canvas, (Rect){0, 0, focus.w, room.whole});
  text_of(&whole, (Rect){0, 1, focus.w, room.whole - 1}, &all);
  for (const char *line = ls_text_str(&all); *line; line = strchr(line, '\n') + 1) {
    char label[32];
    if (!isalnum((unsigned char)row_label(line, label)[0]) || strstr(text, label)) continue;
    complain(sight, "a row of '%s' is neither shown nor counted", label);
    break;
  }
  ls_text_free(&all);
  canvas_free(whole.canvas);
}

static void check_picture(Sight *sight, Session *session, const Layout *layout) {
  Rect focus = layout->focus;
  FocusRoom room;
  LsText text = {0};
  view_room(session, session->focus, focus.w, &room);
  if (focus.h < room.least) complain(sight, "the picture has %d rows of at least %d", focus.h, room.least);
  text_of(sight, focus, &text);
  int64_t missing = counted(ls_text_str(&text));
  int blank = 0;
  for (int y = layout->title.h; y < layout->bar.y; y++) blank += blank_row(sight, focus.x, focus.w, y);
  if (missing && blank > 2) complain(sight, "the picture lacks %d rows beside %d blank ones", (int)missing, blank);
  check_contents(sight, session, ls_text_str(&text), missing);
  check_rows(sight, session, focus, ls_text_str(&text), missing);
  ls_text_free(&text);
}

static void look_at(Session *session, const char *name) {
  for (int size = 0; size < SIZES; size++) {
    Sight sight = {0};
    Layout layout;
    const TraceEvent *event = &ses_scene(session)->event;
    sight_begin(&sight, size);
    snprintf(sight.where, sizeof sight.where, "%s step %llu (%s, %s)", name, (unsigned long long)session->step,
             trace_kind_name((TraceKind)event->kind), focus_name(session->focus));
    explorer_draw(session, sight.canvas);
    ses_layout(session, &layout);
    check_screen(&sight, layout.focus, layout.rail, true);
    check_cursor_line(&sight, session, &layout);
    check_lanes(&sight, session, &layout);
    check_variables(&sight, session, &layout);
    check_picture(&sight, session, &layout);
    sight_end(&sight);
  }
}

// ---- enlarged, on a stage, with panels, in comparisons --------------------------------------------------------------

// All words of the sentence stand on the screen, in their order.
static void check_sentence(Sight *sight, Session *session) {
  const Scene *scene = ses_scene(session);
  LsText text = {0};
  canvas_to_text(sight->canvas, false, &text);
  const char *at = ls_text_str(&text), *sentence = scene->picture[0] ? scene->picture : scene->sentence;
  char *words = ls_strdup(sentence), *rest = words, *word;
  while ((word = strsep(&rest, " ")) && at) at = strstr(at, word);
  if (!at) complain(sight, "'%s' of the sentence is not there", word ? word : "the end");
  free(words);
  ls_text_free(&text);
}

static void begin_look(Sight *sight, Session *session, const char *name, const char *how) {
  snprintf(sight->where, sizeof sight->where, "%s step %llu %s (%s)", name, (unsigned long long)session->step, how,
           focus_name(session->focus));
}

static void look_enlarged(Session *session, const char *name) {
  Sight sight = {0};
  Layout layout;
  session->zoom = true;
  sight_begin(&sight, 0);
  begin_look(&sight, session, name, "enlarged");
  explorer_draw(session, sight.canvas);
  ses_layout(session, &layout);
  check_screen(&sight, layout.focus, layout.rail, true);
  check_picture(&sight, session, &layout);
  check_sentence(&sight, session);
  sight_end(&sight);
  session->zoom = false;
}

// 60x18 is enough for what is on a stage.
static void look_on_stage(Session *session, const char *name) {
  Sight sight = {.canvas = canvas_new(60, 18)};
  sight.watch = (CanvasWatch){&sight, on_text, on_lost, on_covered};
  sight.canvas->watch = &sight.watch;
  sight.canvas->stage = true;
  begin_look(&sight, session, name, "on a stage");
  explorer_draw(session, sight.canvas);
  if (sight.lost) complain(&sight, "%d characters are cut off, first %s", sight.lost, sight.sample[0]);
  if (sight.covered) complain(&sight, "%d characters stand on others, first %s", sight.covered, sight.sample[1]);
  check_sentence(&sight, session);
  Layout layout;
  FocusRoom room;
  ses_layout(session, &layout);
  view_room(session, session->focus, layout.focus.w, &room);
  if (layout.focus.h < room.least)
    complain(&sight, "the picture has %d rows of at least %d", layout.focus.h, room.least);
  sight_end(&sight);
}

// Whatever is open, nothing is cut and nothing stands on anything.
static void look_with(Session *session, const char *name, const char *how) {
  for (int size = 0; size < SIZES; size++) {
    Sight sight = {0};
    sight_begin(&sight, size);
    begin_look(&sight, session, name, how);
    explorer_draw(session, sight.canvas);
    Rect all = {0, 0, sight.canvas->cols, sight.canvas->rows};
    if (sight.lost) complain(&sight, "%d characters are cut off, first %s", sight.lost, sight.sample[0]);
    if (sight.covered) complain(&sight, "%d characters stand on others, first %s", sight.covered, sight.sample[1]);
    check_touching(&sight, all, all);
    sight_end(&sight);
  }
}

static void look_at_panels(Session *session, const char *name) {
  static const CommandId opens[] = {CMD_PARAMS, CMD_COMPARE, CMD_FAULTS, CMD_OUTPUT, CMD_WARP, CMD_HELP, CMD_WAVES};
  for (int i = 0; i < LS_COUNT(opens); i++) {
    ses_command(session, &(Command){.id = opens[i]});
    if (session->panel) look_with(session, name, command_def(opens[i])->name);
    ses_close_panel(session);
    session->message[0] = 0;
  }
}

// assignment: "pattern=3", or "" for the defaults. NULL: the recipe refuses it.
static Session *open_kernel(const char *name, const char *assignment) {
  LsErr err = {0};
  const Recipe *recipe = book->get(book, name, &err);
  RunRequest request;
  run_request_init(&request);
  request.what = ls_strdup(name);
  request.recipe = recipe;
  request.cut = DEV_WRITTEN;
  recipe_defaults(recipe, &request.values);
  bool fits = !*assignment || recipe_set(recipe, &request.values, assignment, &err);
  Run *run = fits ? run_new(&request, NULL, &err) : NULL;
  run_request_fini(&request);
  if (!run) return NULL;
  while (run_advance_totals(run, 1 << 20)) continue;
  Session *session = ses_new(run);
  session->book = book;
  session->panels = panels;
  session->lowest = true;
  return session;
}

// Some events of every kind, spread over the run.
static void walk_kind(Session *session, const char *name, uint32_t kind, int samples) {
  TraceQuery query;
  uint64_t last = UINT64_MAX, found;
  trace_query_init(&query);
  query.kinds = 1u << kind;
  for (int i = 0; i < samples; i++) {
    uint64_t start = session->steps * (uint64_t)i / (uint64_t)samples;
    if (!trace_find(session->run->trace, start ? start - 1 : 0, 1, &query, &found, NULL) || found == last) continue;
    last = found;
    ses_command(session, &(Command){.id = CMD_GOTO, .arg = (int64_t)found});
    look_at(session, name);
    look_enlarged(session, name);
    look_on_stage(session, name);
  }
}

static void walk_kernel(const char *name) {
  Session *session = open_kernel(name, "");
  CU_ASSERT_FATAL(session != NULL);
  for (uint32_t kind = 0; kind < TRACE_KIND_COUNT; kind++) walk_kind(session, name, kind, check_long(6, 200));
  ses_command(session, &(Command){.id = CMD_GOTO, .arg = (int64_t)session->steps / 2});
  for (int focus = 0; focus < FOCUS_COUNT; focus++) {   // also held panes, where they have nothing to say
    ses_command(session, &(Command){.id = CMD_SET_FOCUS, .arg = focus});
    look_at(session, name);
  }
  look_at_panels(session, name);
  ses_free(session);
}

// ---- calm, and clicks -----------------------------------------------------------------------------------------------

static bool same_rect(Rect a, Rect b) { return a.x == b.x && a.y == b.y && a.w == b.w && a.h == b.h; }

// The step of the event that the picture is about; of none for pictures of the block.
static uint64_t pictured_step(Session *session) {
  const TraceEvent *event = pictured(session);
  return event ? event->step : UINT64_MAX;
}

// As long as a plain instruction shows the picture that was there before, nothing moves; pictures that take turns move
// little.
static void step_calmly(Session *session, const char *name, int size) {
  Sight sight = {0};
  Layout before, now;
  sight_begin(&sight, size);
  ses_command(session, &(Command){.id = CMD_GOTO, .arg = (int64_t)session->steps / 4});
  explorer_draw(session, sight.canvas);
  ses_layout(session, &before);
  FocusKind shown = session->focus;
  uint64_t of = pictured_step(session);
  int moved = 0;
  for (int i = 0; i < 120; i++) {
    ses_command(session, &(Command){.id = CMD_STEP_NEXT});
    explorer_draw(session, sight.canvas);
    ses_layout(session, &now);
    FocusKind kind;
    const TraceEvent *event = &ses_scene(session)->event;
    bool held = shown == session->focus && of == pictured_step(session);
    bool plain = held && !focus_of(event, &kind) && event->kind != TRACE_FAULT;
    shown = session->focus, of = pictured_step(session);
    begin_look(&sight, session, name, "stepping");
    if (plain && !same_rect(before.focus, now.focus))
      complain(&sight, "a plain instruction moves the picture from %d rows to %d", before.focus.h, now.focus.h);
    moved += !same_rect(before.focus, now.focus);
    before = now;
  }
  if (moved > 8) complain(&sight, "the panes moved %d times in 120 steps", moved);
  sight_end(&sight);
}

static void calm(void) {
  complaints = 0;
  for (int i = 0; i < book->kernels(book); i++) {
    Session *session = open_kernel(book->name(book, i), "");
    for (int size = 0; size < SIZES; size++) step_calmly(session, book->name(book, i), size);
    ses_free(session);
  }
  CHECK_INT(complaints, 0);
}

// The number at the beginning of a row of the source, or behind the "w" of the lanes; -1: none.
static int number_at(const Sight *sight, int x, int end, int y, bool of_warp) {
  int number = -1;
  bool begun = !of_warp;
  for (; x < end; x++) {
    uint32_t code = canvas_at(sight->canvas, x, y)->code;
    if (code == 'w' && of_warp && !begun) begun = true;
    else if (begun && code >= '0' && code <= '9') number = LS_MAX(number, 0) * 10 + (int)(code - '0');
    else if (number >= 0 || (begun && of_warp)) break;
  }
  return number;
}

// A click takes what is drawn there, also where a line takes rows and where warps are left out.
static void click_rows(Session *session, const char *name, int size) {
  Sight sight = {0};
  Layout layout;
  uint64_t step = session->steps / 2;
  sight_begin(&sight, size);
  begin_look(&sight, session, name, "clicked");
  ses_command(session, &(Command){.id = CMD_GOTO, .arg = (int64_t)step});
  for (int i = 0; i < 60; i++) {
    session->warp_follows = true, session->pane = PANE_SOURCE, session->scroll[PANE_SOURCE] = 0;
    ses_command(session, &(Command){.id = CMD_GOTO, .arg = (int64_t)step});
    canvas_clear(sight.canvas);
    explorer_draw(session, sight.canvas);
    ses_layout(session, &layout);
    bool lanes = i % 2;
    Rect pane = lanes ? layout.lanes : layout.source;
    int y = pane.y + i / 2, wanted = i / 2 < pane.h ? number_at(&sight, pane.x, pane.x + (lanes ? 8 : 5), y, lanes)
        : -1;
    if (wanted < 0) continue;
    ses_key(session, (AppKey){.code = KEYX_MOUSE, .x = pane.x + 7, .y = y, .button = 1});
    int got = lanes ? session->warp : session->message_is_error &&
        session->message[0] ? wanted : ses_scene(session)->line;
    if (got != wanted) complain(&sight, "a click on %d means %d", wanted, got);
    session->message[0] = 0;
  }
  sight_end(&sight);
}

static void clicks(void) {
  static const char *const names[] = {"reduce2", "transpose_32x32", "matmul_tiled", "diverge_nested", "reduce3"};
  complaints = 0;
  for (int i = 0; i < LS_COUNT(names); i++) {
    Session *session = open_kernel(names[i], "");
    for (int size = 0; size < SIZES; size++) click_rows(session, names[i], size);
    ses_free(session);
  }
  CHECK_INT(complaints, 0);
}

// ---- faults ---------------------------------------------------------------------------------------------------------

// The n-th way to run a kernel of tests/runs/faults that its source tells: "//: run KERNEL -g 1 -b 32 -a ...".
static Session *open_fault(const char *file, int n) {
  LsErr err = {0};
  size_t length;
  char *path = ls_format("%s/tests/runs/faults/%s.cu", LS_SOURCE_DIR, file);
  char *text = ls_file_read(path, 1 << 20, &length, &err), *at = text;
  while (at && n-- >= 0) at = strstr(at + (at > text), "//: run ");
  free(path);
  if (!at) return free(text), NULL;
  RunRequest request;
  run_request_init(&request);
  request.what = ls_format("%s/tests/runs/faults/%s.g.ptx", LS_SOURCE_DIR, file);
  request.cut = DEV_WRITTEN;
  at += strlen("//: run ");
  at[strcspn(at, "\n")] = 0;
  request.launch.kernel = ls_strdup(strsep(&at, " "));
  for (char *option, *value; (option = strsep(&at, " ")) && (value = strsep(&at, " "));) {
    if (strcmp(option, "-g") == 0) launch_parse_dim(value, true, request.launch.grid, &err);
    if (strcmp(option, "-b") == 0) launch_parse_dim(value, false, request.launch.block, &err);
    if (strcmp(option, "-a") == 0) launch_add_arg(&request.launch, value, &err);
    if (strcmp(option, "-s") == 0) request.launch.shared_bytes = strtoull(value, NULL, 10);
  }
  Run *run = run_new(&request, NULL, &err);
  run_request_fini(&request);
  free(text);
  if (!run) return NULL;
  while (run_advance_totals(run, 1 << 20)) continue;
  Session *session = ses_new(run);
  session->panels = panels;
  session->lowest = true;
  return session;
}

// What goes wrong stands above the picture, which keeps its least; the title line and the list tell of it.
static void faults(void) {
  static const char *const files[] = {"out_of_bounds", "race", "race_global", "misaligned", "barrier", "next_array"};
  int opened = 0;
  complaints = 0;
  for (int i = 0; i < 3 * LS_COUNT(files); i++) {
    const char *file = files[i / 3];
    Session *session = open_fault(file, i % 3);
    if (!session) continue;
    opened++;
    walk_kind(session, file, TRACE_FAULT, 3);
    look_with(session, file, "with a fault");
    ses_command(session, &(Command){.id = CMD_FAULTS});
    look_with(session, file, "with the list of faults");
    ses_free(session);
  }
  CHECK(opened > LS_COUNT(files));
  CHECK_INT(complaints, 0);
}

// Every choice of every parameter: other patterns, other pictures.
enum { MOST_SIZE = 1024 };
static void walk_choices(const Recipe *recipe) {
  for (int i = 0; i < recipe->param_count; i++)
    for (int c = 0; c < recipe->params[i].choice_count; c++) {
      if (atoi(recipe->params[i].choices[c]) > MOST_SIZE) continue;   // for timing: the same pictures, millions of threads
      char assignment[128];
      snprintf(assignment, sizeof assignment, "%s=%s", recipe->params[i].name, recipe->params[i].choices[c]);
      Session *session = open_kernel(recipe->name, assignment);
      for (uint32_t kind = 0; session && kind < TRACE_KIND_COUNT; kind++)
        if (trace_kind_interesting((TraceKind)kind)) walk_kind(session, assignment, kind, check_long(2, 20));
      if (session) ses_free(session);
    }
}

static void choices(void) {
  complaints = 0;
  for (int i = 0; i < book->kernels(book); i++) walk_choices(book->get(book, book->name(book, i), NULL));
  CHECK_INT(complaints, 0);
}

// Beside what the list of comparisons offers: another kernel, another device, other settings.
static void walk_comparison(const char *name, int row) {
  LsErr err = {0};
  Session *session = open_kernel(name, "");
  CU_ASSERT_FATAL(session != NULL);
  ses_command(session, &(Command){.id = CMD_GOTO, .arg = (int64_t)session->steps / 3});
  if (ses_make_choices(session) && ses_compare_with(session, row % LS_MAX(ses_compare_count(session), 1))) {
    Run *run = run_new(&session->next, NULL, &err);
    bool refused = !run && err.kind == LS_EREQUEST;      // by its recipe: it takes over values that do not go together
    if (!run && !refused) printf("\n%s: %s", name, err.message);
    if (run) ses_replace_run(session, run);
    CHECK(refused || ses_peer(session) != NULL);
    look_with(session, name, "beside another");
    ses_command(session, &(Command){.id = CMD_PARAMS});
    look_with(session, name, "beside another, with parameters");
  }
  ses_free(session);
}

static void comparisons(void) {
  complaints = 0;
  for (int i = 0; i < book->kernels(book); i++)
    for (int row = 0; row < check_long(2, 12); row++) walk_comparison(book->name(book, i), 7 * row + i % 5);
  CHECK_INT(complaints, 0);
}

static void kernels(void) {
  complaints = 0;
  for (int i = 0; i < book->kernels(book); i++)
    if (!getenv("WALK") || strstr(book->name(book, i), getenv("WALK"))) walk_kernel(book->name(book, i));
  CHECK_INT(complaints, 0);
  for (int i = 0; i < LS_COUNT(kinds); i++)
    if (kinds[i].count > MOST_COMPLAINTS) printf("\n%d of: %s\n", kinds[i].count, kinds[i].format);
}

// ---- lessons --------------------------------------------------------------------------------------------------------

static void tick_to_the_end(Page *page) {
  while (page->ticking && !page->closed && page->class->tick(page, 0.05)) sched_yield();
}

// The step's title stands in the rule, or below it, cut only with a word.
static void check_rail(Sight *sight, const Lesson *lesson) {
  LsText text = {0};
  const LessonStep *step = lesson_current(lesson);
  char rule[64];
  snprintf(rule, sizeof rule, "%s · step %d of %d", lesson_info(lesson)->id, lesson_index(lesson) + 1,
           lesson_steps(lesson));
  canvas_to_text(sight->canvas, false, &text);
  if (!strstr(ls_text_str(&text), rule)) complain(sight, "the rail does not say '%s'", rule);
  char begin[20];
  snprintf(begin, sizeof begin, "%.16s", step->title ? step->title : "");
  if (!strstr(ls_text_str(&text), begin)) complain(sight, "the rail has no title '%s'", step->title);
  ls_text_free(&text);
}

// A line is chosen in the source, also where the text has grown and left it a few rows.
static void check_chosen_line(Sight *sight) {
  bool chosen = false;
  for (int y = 0; y < sight->canvas->rows && !chosen; y++)
    for (int x = 0; x < sight->canvas->cols && !chosen; x++)
      chosen = canvas_at(sight->canvas, x, y)->background == ROLE_SELECTED;
  if (!chosen) complain(sight, "the source does not show the line at the cursor");
}

static void look_at_page(Page *page, const Lesson *lesson) {
  for (int size = 0; size < SIZES; size++) {
    Sight sight = {0};
    sight_begin(&sight, size);
    Rect all = {0, 0, sight.canvas->cols, sight.canvas->rows};
    snprintf(sight.where, sizeof sight.where, "%s step %d", lesson_info(lesson)->id, lesson_index(lesson) + 1);
    const LessonStep *step = lesson_current(lesson);
    bool explored = step->place.run >= 0 && !step->work;   // code to be written has the page for itself
    page_draw(page, sight.canvas);
    check_screen(&sight, all, all, explored);
    check_rail(&sight, lesson);
    if (explored) check_chosen_line(&sight);
    sight_end(&sight);
  }
}

// The page comes to the last screen by its own keys: `r` would not bring it there.
static void go_to_end(Page *page, Lesson *lesson) {
  enum { KEYS = 50 };                      // a long text is scrolled first
  lesson_back(lesson);
  page->class->key(page, (AppKey){.code = 'r'});
  for (int i = 0; i < KEYS && lesson_current(lesson)->kind != LESSON_END; i++)
    page->class->key(page, (AppKey){.code = KEY_RETURN_});
}

static bool owns_return(const Model *model) {
  return model && model->key && model->key(&(ModelValues){.script = ""}, 'r');
}

// To the step that the lesson is at. Where the picture shown has r for itself, by way of the step before.
static void bring_page(Page *page, Lesson *lesson, const Model *shown) {
  enum { KEYS = 50 };                      // a long text is scrolled first
  int index = lesson_index(lesson);
  if (!owns_return(shown)) {
    page->class->key(page, (AppKey){.code = 'r'});
    return;
  }
  lesson_back(lesson);
  for (int i = 0; i < KEYS && lesson_index(lesson) < index; i++)
    page->class->key(page, (AppKey){.code = KEY_RETURN_});
}

static void walk_lesson(Course *course, const CourseLesson *info) {
  LsErr err = {0};
  Lesson *lesson = lesson_open(course, info->name, book, NULL, &err);
  if (!lesson) complaints++, printf("\n%s: %s", info->id, err.message);
  if (!lesson) return;
  Page *page = page_lesson_new(lesson, book);
  LessonMove move = LESSON_MOVED;
  bool asked_again = false;
  const Model *shown = NULL;
  do {
    bool end = lesson_current(lesson)->kind == LESSON_END;
    if (end) {
      go_to_end(page, lesson);
      look_at_page(page, lesson);
    }
    if (!end || !asked_again) bring_page(page, lesson, shown);   // at the end r asks again
    shown = lesson_current(lesson)->place.model;
    asked_again |= end;
    look_at_page(page, lesson);
    if (lesson_waits(lesson_current(lesson))) {
      while (lesson_tip(lesson)) {}
      lesson_skip(lesson);
      page->class->key(page, (AppKey){.code = 'r'});   // to the place that the answer shows
      look_at_page(page, lesson);
    }
  } while ((move = lesson_next(lesson, &err)) == LESSON_MOVED);
  if (move != LESSON_AT_END) printf("\n%s: %s:%d: %s\n", info->id, err.file, err.line, err.message);
  CHECK_INT(move, LESSON_AT_END);
  tick_to_the_end(page);
  page->class->free(page);
}

static void lessons(void) {
  LsErr err = {0};
  Course *course = course_open(NULL, &err);
  CU_ASSERT_FATAL(course != NULL);
  complaints = 0;
  for (int i = 0; i < course->count; i++)
    if (course->lessons[i].file && (!getenv("WALK") || strstr(course->lessons[i].id, getenv("WALK"))))
      walk_lesson(course, &course->lessons[i]);
  CHECK_INT(complaints, 0);
  course->free(course);
}

static const Check checks[] = {{"every kernel on four windows", kernels}, {"every choice of a parameter", choices},
                               {"every kernel beside another", comparisons},
                               {"faults", faults},
                               {"stepping moves nothing", calm},
                               {"clicks mean what is drawn", clicks}, {"every lesson on four windows", lessons}};

int main(int argc, char **argv) {
  return check_main_with_recipes("layout walk", checks, LS_COUNT(checks), argc, argv, &book);
}
