// focus.c: what the focus panes share.
#include "ui/views/focus/focus.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "base/mem.h"

void focus_init(Session *session, Canvas *canvas, Rect rect, Focus *focus) {
  *focus = (Focus){.session = session, .canvas = canvas, .scene = ses_scene(session), .info = &session->run->info,
                   .body = rect, .wide = rect.w >= FOCUS_WIDE};
}

static bool find_event(FocusKind kind, Focus *focus) {
  const Scene *scene = focus->scene;
  if (scene && focus_shows(kind, &scene->event)) focus->event = &scene->event;
  else if (scene && scene->has_focus && focus_shows(kind, &scene->focus)) focus->event = &scene->focus;
  return focus->event != NULL;
}

bool focus_begin(const FocusPane *pane, Session *session, Canvas *canvas, Rect rect, Focus *focus) {
  focus_init(session, canvas, rect, focus);
  if (find_event(pane->kind, focus)) return true;
  Rect body = view_rule(canvas, rect, focus_title(pane->kind), NULL);
  Rect words = {body.x + FOCUS_INDENT, body.y, body.w - 2 * FOCUS_INDENT, body.h};
  if (words.h > 2) words.y++, words.h--;
  canvas_text_wrap(canvas, words, 0, ROLE_DIM, 0, pane->nothing);
  return false;
}

bool focus_room(const FocusPane *pane, Session *session, int cols, Focus *focus, FocusRoom *room) {
  enum { PLENTY = 1000 };
  focus_init(session, NULL, (Rect){0, 0, cols, PLENTY}, focus);
  *room = (FocusRoom){.least = 2, .good = 2, .whole = 2, .parts = 1};
  if (find_event(pane->kind, focus)) return true;
  Canvas *none = canvas_new(1, 1);
  int rows = canvas_text_wrap(none, (Rect){0, 0, cols - 2 * FOCUS_INDENT, 0}, 0, ROLE_DIM, 0, pane->nothing);
  canvas_free(none);
  room->good = room->whole = rows + (rows > 1 ? 2 : 1);
  return false;
}

void focus_rule(Focus *focus, Rect rect, const char *title, const char *right) {
  char digits[32], text[160];
  snprintf(text, sizeof text, "%s", right ? right : "");
  if (focus->event && focus->event->step != focus->scene->step)
    snprintf(text, sizeof text, "step %s%s%s", ls_group_digits(focus->event->step, digits), right && *right ? "   " :
             "",
             right ? right : "");
  focus->body = view_rule(focus->canvas, rect, title, text);
}

int focus_rule_room(const Focus *focus, Rect rect, const char *title) {
  enum { AROUND = 9, GAP = 3 };   // dashes and blanks around both
  bool earlier = focus->event && focus->event->step != focus->scene->step;
  char digits[32];
  int step = earlier ? (int)strlen("step ") + (int)strlen(ls_group_digits(focus->event->step, digits)) + GAP : 0;
  return rect.w - AROUND - ls_utf8_width(title) - step;
}

void focus_rule_alarm(Focus *focus, Rect rect, const char *title, const char *alarm, const char *right) {
  char text[160];
  snprintf(text, sizeof text, "%s%s", alarm, right);
  focus_rule(focus, rect, title, text);
  int x = rect.x + rect.w - 3 - ls_utf8_width(text);
  const Cell *before = canvas_at(focus->canvas, x - 1, rect.y), *first = canvas_at(focus->canvas, x, rect.y);
  const char *at = alarm;
  bool there = x > rect.x && before && before->code == ' ' && first && first->code == ls_utf8_next(&at);
  if (there) canvas_text(focus->canvas, x, rect.y, ROLE_ALARM, STYLE_BOLD, alarm);
}

bool focus_fits(const Focus *focus, int columns) {
  if (focus->body.w >= columns) return true;
  char text[64];
  snprintf(text, sizeof text, "This picture needs %d columns.", columns);
  canvas_text_cut(focus->canvas, focus->body.x + FOCUS_INDENT, focus->body.y, focus->body.w - 2 * FOCUS_INDENT,
                  ROLE_DIM, 0, text);
  return false;
}

bool focus_plays(const Focus *focus) {
  double phase = focus->session->phase;
  bool own = !focus->event || (focus->scene && focus->event->step == focus->scene->step);
  return own && phase > 0 && phase < 1;
}

double focus_part(const Focus *focus, int i, int n) {
  double phase = focus->session->phase;
  if (!focus_plays(focus)) return 1;
  double at = phase * (double)LS_MAX(n, 1) - (double)i;
  return LS_CLAMP(at, 0.0, 1.0);
}

enum { SETS = 6 };

void focus_count(const Focus *focus, const char *noun, int now, int all, char *out, size_t size) {
  if (focus->session->hides) snprintf(out, size, "%s %d", noun, now);
  else snprintf(out, size, "%s %d of %d", noun, now, all);
}

Role focus_set(int n) { return (Role)(ROLE_SET0 + n % SETS); }

Role focus_turn(int i, int n) { return focus_set(n > SETS ? i % 2 : i); }

int focus_line(Session *session, int pc, const char **text) {
  const char *const *lines;
  const char *path;
  int file, line = ses_line_of(session, pc, &file), count = ses_source_lines(session, &lines, &path);
  if (text) *text = "";
  if (!text || file != ses_scene(session)->file || line < 1 || line > count) return line;
  *text = lines[line - 1];
  while (isspace((unsigned char)**text)) (*text)++;
  return line;
}

TraceBlock focus_block(const Focus *focus) {
  const Trace *trace = focus->session->run->trace;
  if (!trace || focus->session->steps == 0) return (TraceBlock){0};
  int count, at = trace_block_at(trace, focus->session->step);
  const TraceBlock *blocks = trace_blocks(trace, &count);
  return at >= 0 && at < count ? blocks[at] : (TraceBlock){0};
}

void focus_address(const TraceInfo *info, int space, uint64_t addr, bool brief, LsText *out) {
  for (int i = 0; i < info->object_count; i++) {
    const TraceObject *object = &info->objects[i];
    bool before = addr < object->base && object->base - addr < 128;   // the line in which it begins
    if (object->space != space || !(before || addr - object->base < object->size)) continue;
    uint64_t off = before ? object->base - addr : addr - object->base;
    ls_text_addf(out, "%s%s%c 0x%04llx", brief ? "" : object->name, brief ? "" : " ", before ? '-' : '+',
                 (unsigned long long)off);
    return;
  }
  ls_text_addf(out, "0x%04llx", (unsigned long long)addr);
}

void focus_more_of(const Focus *focus, int y, int count, const char *noun, const char *tail) {
  char digits[32];
  LsText text = {0};
  const char *plural = count == 1 ? "" : noun[strlen(noun) - 1] == 's' ? "es" : "s";
  ls_text_addf(&text, "▾ %s more %s%s%s%s", ls_group_digits((uint64_t)count, digits), noun, plural, tail,
               focus->session->zoom || focus->session->stage ? "" : " · z");
  canvas_text_cut(focus->canvas, focus->body.x + FOCUS_INDENT, y, focus->body.w - FOCUS_INDENT, ROLE_DIM, 0,
                  ls_text_str(&text));
  ls_text_free(&text);
}

FocusWindow focus_window(int count, int rows, int around) {
  around = LS_CLAMP(around, 0, LS_MAX(count - 1, 0));
  if (count <= rows) return (FocusWindow){0, count, 0, 0};
  if (rows <= 2) return (FocusWindow){around, 1, 0, rows == 2 ? count - 1 : 0};
  int shown = rows - 1, top = around < shown ? 0 : LS_CLAMP(around - shown / 2, 0, count - shown);
  if (top > 0 && top + shown < count) top++, shown--;
  return (FocusWindow){top, shown, top, count - top - shown};
}

void focus_before(const Focus *focus, int y, int count, const char *noun) {
  char digits[32];
  canvas_textf(focus->canvas, focus->body.x + FOCUS_INDENT, y, ROLE_DIM, 0, "▴ %s %s%s before",
               ls_group_digits((uint64_t)count, digits),
               noun, count == 1 ? "" : "s");
}

void focus_more(const Focus *focus, int y, int count, const char *noun) { focus_more_of(focus, y, count, noun, ""); }
