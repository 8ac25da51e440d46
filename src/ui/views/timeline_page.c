// timeline_page.c: the page of a program's timeline: the picture, the chosen bar in words, the model, and what a change
// of it would give.
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "ui/views/timeline.h"

enum { INDENT = 2, LABEL_W = 12, HEAD = 2, RULE = 1, LEAST_STEPS = 3, LEAST_MODEL = 4, STAGE_WORDS = 3, MODEL_LINES =
      3, WORDS_ROWS = SCHEDULE_LINES, KEY_W = 16, VALUE_W = 14,
      HELP_W = 210 };   // the sum and the help of a parameter at their longest

// ---- rooms ----------------------------------------------------------------------------------------------------------

// Lines of the picture where all rows stand, apart from one another or not.
static int picture_rows(const Schedule *schedule, bool apart) {
  const ProgramChart *chart = schedule->chart;
  bool has_path = program_chart_path(chart) != NULL;
  int rows = chart->row_count - has_path, below = has_path + chart->knows_use;
  return HEAD + (apart && rows > 1 ? 2 * rows - 1 + (below > 0) : rows) + below;
}

static int help_rows(int cols) { return LS_CLAMP((HELP_W - 1) / LS_MAX(cols - 2 * INDENT, 1) + 1, 1, 3); }

// About as many lines as the model and its what-ifs take, the rule included.
static int model_rows(const Schedule *schedule, int cols) {
  enum { IF_W = 28 };
  LsText text = {0};
  program_model_words(&schedule->model, NULL, schedule->program, &text);
  int room = LS_MAX(cols - 2 * INDENT - LABEL_W / 2, 1);
  int lines = LS_MIN(ls_utf8_width(ls_text_str(&text)) / room + 1, MODEL_LINES);
  int a_line = LS_MAX((cols - 2 * INDENT - LABEL_W) / IF_W, 1);
  ls_text_free(&text);
  return RULE + lines + (schedule->if_count + a_line - 1) / a_line;
}

// The picture first: whole, then the words, then the model; rows move apart where there is room for all. What is left
// lists the steps.
void timeline_rooms(Session *session, Rect rect, TimelineRooms *rooms) {
  const Schedule *schedule = ses_schedule(session);
  bool edits = session->schedule_at.edits;
  int words = WORDS_ROWS + RULE, parameters = PROGRAM_MODEL_COUNT + RULE + help_rows(rect.w);
  int model = edits ? parameters : model_rows(schedule, rect.w);
  int tight = picture_rows(schedule, false), wide = picture_rows(schedule, true) + 1;
  *rooms = (TimelineRooms){.picture = rect};
  if (session->stage) model = 0, words = LS_MIN(words, STAGE_WORDS);
  if (edits && tight + words + model > rect.h) words = 0;
  if (model && tight + words + model > rect.h) model = LS_CLAMP(rect.h - tight - words, LEAST_MODEL, model);
  int least = LS_MIN(tight, HEAD + 4);
  if (!edits && least + words + model > rect.h) model = 0;
  if (least + words + model > rect.h) words = LS_CLAMP(rect.h - least - model, 0, words);
  int left = rect.h - words - model;
  int h = wide <= left ? wide : tight <= left - 1 ? LS_MIN(tight + 1, left) : left;
  if (!words && !model) h = left;
  rooms->picture.h = LS_CLAMP(h, 0, rect.h);
  rooms->words = (Rect){rect.x, rect.y + rooms->picture.h, words ? rect.w : 0, words};
  int next = rooms->words.y + words, rest = rect.y + rect.h - next;
  bool lists = model && !edits && rest - model >= LEAST_STEPS + RULE;
  rooms->model = (Rect){rect.x, next, model ? rect.w : 0, lists ? model : model ? rest : 0};
  rooms->steps = (Rect){rect.x, next + rooms->model.h, lists ? rect.w : 0, lists ? rest - rooms->model.h : 0};
}

// ---- words ----------------------------------------------------------------------------------------------------------

static void draw_words(Session *session, Canvas *canvas, Rect rect, const ScheduleView *view) {
  const Schedule *schedule = view->schedule;
  ScheduleLine lines[SCHEDULE_LINES];
  LsText title = {0};
  int step = LS_CLAMP(session->schedule_at.step, 0, program_all_steps(schedule->program) - 1);
  ses_schedule_step_title(schedule, view, step, &title);
  Rect body = view_rule(canvas, rect, ls_text_str(&title), NULL);
  ls_text_free(&title);
  int count = ses_schedule_lines(schedule, view, lines);
  if (!count) canvas_text_cut(canvas, body.x + INDENT, body.y, body.w - 2 * INDENT, ROLE_DIM, 0, "takes no time");
  for (int i = 0; i < LS_MIN(count, body.h); i++) {
    bool waits = strcmp(lines[i].label, "waits for") == 0 && view->held_bar >= 0;
    canvas_text(canvas, body.x + INDENT, body.y + i, ROLE_DIM, 0, lines[i].label);
    canvas_text_cut(canvas, body.x + INDENT + LABEL_W, body.y + i, body.w - LABEL_W - 2 * INDENT, waits ? ROLE_WAITING
                    : ROLE_TEXT,
                    0, lines[i].text);
  }
}

// ---- the model ------------------------------------------------------------------------------------------------------

// "one stream 2.31 ms (0.80×)": as many as fit into the line.
static int draw_if(Canvas *canvas, int x, int y, int end, const ProgramWhatIf *what, double span) {
  char time[24], factor[24];
  double gain = what->span > 0 ? span / what->span : 1;
  ses_format_ns((uint64_t)(what->span + 0.5), time, sizeof time);
  snprintf(factor, sizeof factor, "%.2f×", gain);
  int width = ls_utf8_width(what->words) + ls_utf8_width(time) + ls_utf8_width(factor) + 3;
  if (x + width > end) return x;
  Role role = gain > 1.005 ? ROLE_GOOD : gain < 0.995 ? ROLE_ALARM : ROLE_TEXT;
  x = canvas_text(canvas, x, y, ROLE_DIM, 0, what->words) + 1;
  x = canvas_text(canvas, x, y, role, 0, time) + 1;
  return canvas_text(canvas, x, y, ROLE_DIM, 0, factor) + 2;
}

static void draw_ifs(Canvas *canvas, Rect body, int y, const Schedule *schedule) {
  int x = body.x + INDENT + LABEL_W, end = body.x + body.w - INDENT;
  if (schedule->if_count && y < body.y + body.h) canvas_text(canvas, body.x + INDENT, y, ROLE_DIM, 0, "what if");
  for (int i = 0; i < schedule->if_count && y < body.y + body.h; i++) {
    int next = draw_if(canvas, x, y, end, &schedule->ifs[i], schedule->chart->span);
    if (next == x && x > body.x + INDENT + LABEL_W) {
      x = body.x + INDENT + LABEL_W;
      y++, i--;
      continue;
    }
    x = next;
  }
}

static void draw_model(Canvas *canvas, Rect rect, const Schedule *schedule) {
  LsText text = {0};
  Rect body = view_rule(canvas, rect, "the model", "p changes it");
  program_model_words(&schedule->model, NULL, schedule->program, &text);
  int most = LS_CLAMP(body.h - (schedule->if_count ? 2 : 0), 1, MODEL_LINES);
  Rect lines = {body.x + INDENT, body.y, body.w - 2 * INDENT, most};
  int used = view_words(canvas, lines, ROLE_TEXT, ls_text_str(&text));
  draw_ifs(canvas, body, body.y + used, schedule);
  ls_text_free(&text);
}

static int first_shown(const Session *session, int room) {
  return LS_CLAMP(session->schedule_at.pick - room + 1, 0, LS_MAX(PROGRAM_MODEL_COUNT - room, 0));
}

// The last lines of the part are for the help.
static int rows_shown(const TimelineRooms *rooms) {
  int room = rooms->model.h - RULE, least = LS_CLAMP(room, 0, 1);
  return LS_CLAMP(room - help_rows(rooms->model.w), least, PROGRAM_MODEL_COUNT);
}

int timeline_model_row(const TimelineRooms *rooms, const Session *session, int y) {
  int room = rows_shown(rooms), line = y - rooms->model.y - RULE;
  return session->schedule_at.edits && line >= 0 && line < room ? first_shown(session, room) + line : -1;
}

static void draw_parameter(Canvas *canvas, Rect body, int y, const Schedule *schedule, int id, bool chosen) {
  const ProgramModelDef *def = program_model_def((ProgramModelId)id);
  LsText value = {0}, usual = {0};
  bool changed = schedule->model.value[id] != schedule->usual.value[id];
  program_model_text((ProgramModelId)id, schedule->model.value[id], &value);
  program_model_text((ProgramModelId)id, schedule->usual.value[id], &usual);
  if (chosen) {
    canvas_background(canvas, (Rect){body.x, y, body.w, 1}, ROLE_SELECTED);
    canvas_put(canvas, body.x + INDENT, y, 0x25b8, ROLE_CURSOR, 0);
  }
  int x = body.x + INDENT + 2;
  canvas_text(canvas, x, y, chosen ? ROLE_TEXT : ROLE_DIM, 0, def->key);
  canvas_text_right(canvas, x + KEY_W + VALUE_W, y, changed ? ROLE_CHANGED : ROLE_TEXT, chosen ? STYLE_BOLD : 0,
                    ls_text_str(&value));
  if (changed) {
    x = canvas_text(canvas, x + KEY_W + VALUE_W + 2, y, ROLE_DIM, 0, "was ");
    canvas_text(canvas, x, y, ROLE_DIM, 0, ls_text_str(&usual));
  }
  ls_text_free(&value);
  ls_text_free(&usual);
}

static void draw_parameters(Session *session, Canvas *canvas, const TimelineRooms *rooms) {
  const Schedule *schedule = ses_schedule(session);
  LsText sum = {0};
  int room = rows_shown(rooms), first = first_shown(session, room), hidden = PROGRAM_MODEL_COUNT - room;
  char right[32] = "";
  if (hidden > 0) snprintf(right, sizeof right, "%d more", hidden);
  Rect body = view_rule(canvas, rooms->model, "the model, to be changed", right);
  for (int i = 0; i < room; i++)
    draw_parameter(canvas, body, body.y + i, schedule, first + i, first + i == session->schedule_at.pick);
  ses_schedule_sum_words(schedule, &sum);
  ls_text_addf(&sum, " %s: %s.", program_model_def((ProgramModelId)session->schedule_at.pick)->key,
               program_model_def((ProgramModelId)session->schedule_at.pick)->help);
  Rect words = {body.x + INDENT, body.y + room, body.w - 2 * INDENT, LS_MAX(body.h - room, 0)};
  if (words.h > 0) view_words(canvas, words, ROLE_TEXT, ls_text_str(&sum));
  ls_text_free(&sum);
}

// ---- steps ----------------------------------------------------------------------------------------------------------

static void draw_step(Canvas *canvas, Rect body, int y, const Schedule *schedule, int step, bool chosen) {
  enum { NUMBER_W = 7, TIME_W = 11, LEAST_TEXT = 24, MOST_DEPTH = 8 };
  const ProgramTime *t = &schedule->times[step];
  char number[16], begin[24], took[24];
  LsText words = {0};
  program_step_words(schedule->program, step, &words);
  int depth = schedule->program->steps[step].kin ? LS_MIN(schedule->program->steps[step].kin->depth, MOST_DEPTH) : 0;
  snprintf(number, sizeof number, "%d", step + 1);
  ses_format_ns((uint64_t)(LS_MAX(t->begin, 0.0) + 0.5), begin, sizeof begin);
  ses_format_ns((uint64_t)(LS_MAX(t->end - t->begin, 0.0) + 0.5), took, sizeof took);
  if (chosen) canvas_background(canvas, (Rect){body.x, y, body.w, 1}, ROLE_SELECTED);
  if (chosen) canvas_put(canvas, body.x + INDENT, y, 0x25b8, ROLE_CURSOR, 0);
  int x = body.x + INDENT + NUMBER_W, end = body.x + body.w - INDENT;
  if (!depth) canvas_text_right(canvas, x - 1, y, ROLE_DIM, 0, number);
  x += 2 * depth;
  bool times = end - 2 * TIME_W - x >= LEAST_TEXT;
  canvas_text_cut(canvas, x + 1, y, end - x - 1 - (times ? 2 * TIME_W : 0), ROLE_TEXT, chosen ? STYLE_BOLD : 0,
                  ls_text_str(&words));
  if (times) {
    canvas_text_right(canvas, end - TIME_W, y, ROLE_DIM, 0, begin);
    canvas_text_right(canvas, end, y, ROLE_TEXT, 0, t->end > t->begin ? took : "-");
  }
  ls_text_free(&words);
}

// Those around the chosen one.
static void draw_steps(Session *session, Canvas *canvas, Rect rect) {
  const Schedule *schedule = ses_schedule(session);
  int count = program_all_steps(schedule->program), step = LS_CLAMP(session->schedule_at.step, 0, count - 1);
  int place = schedule_place_of(schedule, step);
  Rect body = view_rule(canvas, rect, "steps", "begins      takes");
  int first = LS_CLAMP(place - body.h / 2, 0, LS_MAX(count - body.h, 0));
  for (int i = 0; i < body.h && first + i < count; i++)
    draw_step(canvas, body, body.y + i, schedule, schedule_step_at(schedule, first + i), first + i == place);
}

// ---- the page -------------------------------------------------------------------------------------------------------

void view_draw_timeline(Session *session, Canvas *canvas, Rect rect) {
  const Schedule *schedule = ses_schedule(session);
  TimelineRooms rooms;
  ScheduleView view;
  canvas_fill(canvas, rect, ' ', ROLE_NONE, 0);
  canvas_background(canvas, rect, ROLE_NONE);
  if (!schedule->chart) {
    Rect body = view_rule(canvas, rect, "timeline", NULL);
    view_words(canvas, (Rect){body.x + INDENT, body.y, LS_MAX(body.w - 2 * INDENT, 1), body.h}, ROLE_TEXT,
               schedule->why_not ? schedule->why_not : "The program is run for its times ...");
    return;
  }
  timeline_rooms(session, rect, &rooms);
  scheduleview_place(schedule, &session->schedule_at, rooms.picture, &view);
  timeline_picture(session, canvas, rooms.picture);
  if (rooms.words.w) draw_words(session, canvas, rooms.words, &view);
  if (rooms.model.w && session->schedule_at.edits) draw_parameters(session, canvas, &rooms);
  else if (rooms.model.w) draw_model(canvas, rooms.model, schedule);
  if (rooms.steps.w) draw_steps(session, canvas, rooms.steps);
}
