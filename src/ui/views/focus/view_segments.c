// view_segments.c: the lines and sectors of memory that an access touches, and how much of them is used.
#include <stdio.h>
#include <string.h>
#include "base/mem.h"
#include "ui/views/focus/segments.h"

enum { FULL_COLUMNS = 80, HALF_COLUMNS = 46, ROOMY_COLUMNS = 96, BYTES_COLUMNS = 160, GAP = 2, BRIEF = 9, NAMED = 20 };
enum { FEW_LINES = 8, PATTERN_LINES = 4, GOOD_LINES = 12, LEAST_LINES = 3, MAX_PERIOD = 4, ROOMY_ROWS = 4 };
static const char local_note[] =
    "Local memory is interleaved: a line is one word of all 32 lanes, so equal offsets coalesce.";

// ---- what there is
// ---------------------------------------------------------------------------------------------------

static uint32_t lanes_of_line(const CoalLine *line) {
  return line->lanes[0] | line->lanes[1] | line->lanes[2] | line->lanes[3];
}

// Two lines are alike: the same bytes of the same sectors, wanted by lanes that are `shift` further on.
static bool are_alike(const CoalLine *a, const CoalLine *b, int shift) {
  if (a->sectors != b->sectors || memcmp(a->used, b->used, sizeof a->used) != 0) return false;
  for (int k = 0; k < SEG_SECTORS; k++)
    if (b->lanes[k] != (shift < 0 ? a->lanes[k] >> -shift : a->lanes[k] << shift)) return false;
  return true;
}

// After `period` lines the same comes again, as far on in memory each time.
static bool repeats(const Segments *s, int period) {
  const CoalLine *lines = s->all.lines;
  int shift = __builtin_ctz(lanes_of_line(&lines[period])) - __builtin_ctz(lanes_of_line(&lines[0]));
  uint64_t distance = lines[period].base - lines[0].base;
  for (int i = period; i < s->all.line_count; i++)
    if (lines[i].base - lines[i - period].base != distance || !are_alike(&lines[i - period], &lines[i], shift))
      return false;
  return true;
}

static int period_of(const Segments *s) {
  if (s->outside) return 0;
  for (int period = 1; period <= MAX_PERIOD && 2 * period < s->all.line_count; period++)
    if (repeats(s, period)) return period;
  return 0;
}

static void gather(Segments *s, const Focus *focus) {
  memset(s, 0, sizeof *s);
  s->focus = focus;
  const Bounds *bounds = focus->event == &focus->scene->event ? &focus->scene->bounds : &focus->scene->focus_bounds;
  s->outside = bounds->outside;
  s->object = bounds->object;
  s->refused = bounds->refused;
  s->whole_lines = focus->session->variant[FOCUS_SEGMENTS] % 2 == 1;
  coal_analyze(focus->event, s->whole_lines ? COAL_LINES_128 : COAL_SECTORS_32, &s->all);
  for (int i = 0; i < s->all.line_count; i++) {
    s->part[i] = s->parts;
    s->parts += s->whole_lines ? 1 : __builtin_popcount(s->all.lines[i].sectors);
  }
  s->period = period_of(s);
}

// ---- the plan
// --------------------------------------------------------------------------------------------------------

static int body_columns(const Segments *s) { return s->focus->body.w - FOCUS_INDENT; }

// Columns for the longest address with its name, if that has room, else without it.
static int label_columns(const Segments *s, int room) {
  LsText text = {0};
  int named = BRIEF, last = LS_MAX(s->all.line_count - 1, 0);
  for (int i = 0; i <= last && s->all.line_count; i += LS_MAX(last, 1)) {
    segment_label(s, i, 0, NAMED - 1, &text);
    named = LS_MAX(named, ls_utf8_width(ls_text_str(&text)) + 2);
  }
  ls_text_free(&text);
  return named <= room ? named : LS_MIN(BRIEF, room);
}

static void set_detail(Segments *s, SegDetail detail) {
  int room = body_columns(s);
  bool roomy = s->focus->body.w >= ROOMY_COLUMNS, full = detail == SEG_FULL;
  s->detail = detail;
  s->word = s->focus->body.w >= BYTES_COLUMNS ? 4 : 2;
  s->pitch = SEG_SECTOR_WORDS * s->word + (roomy ? 2 : 1);
  s->beside = s->focus->body.w >= FULL_COLUMNS ? SEG_SECTORS : SEG_SECTORS / 2;
  s->tall = full ? SEG_SECTORS / s->beside : 1;
  s->height = 1;
  s->step = s->tall;
  const int picture[SEG_DETAIL_COUNT] = {s->beside * s->pitch + 1, SEG_WORDS + SEG_SECTORS - 1, 3 * SEG_SECTORS,
                                         SEG_SECTORS};
  bool named = roomy && (full || detail == SEG_BY_WORD);
  s->label = named ? label_columns(s, LS_MIN(room - picture[detail], NAMED)) : BRIEF;
  s->entry = full ? room : s->label + picture[detail] + GAP;
  s->across = LS_MAX(1, (room + GAP) / s->entry);
}

static bool has_room(Segments *s, SegDetail detail) {
  if (detail == SEG_FULL) return s->focus->body.w >= HALF_COLUMNS;
  set_detail(s, detail);
  return s->entry - GAP <= body_columns(s);
}

static SegDetail richest(Segments *s) {
  SegDetail detail = SEG_FULL;
  while (detail < SEG_BARS && !has_room(s, detail)) detail++;
  set_detail(s, detail);
  return detail;
}

static bool has_note(const Segments *s) {
  return s->focus->event->space == TRACE_LOCAL && (int)sizeof local_note + FOCUS_INDENT <= body_columns(s);
}

static int rows_of(const Segments *s) { return (s->all.line_count + s->across - 1) / s->across * s->tall; }
// Of lines that do not all fit: how many rows of them do, when the last row counts the others.
static int lines_in(const Segments *s, int rows) { return LS_MAX(rows - 1, 0) / s->tall; }

// The richest form in which all lines fit, unless a richer one tells the pattern and the rest is like it.
static void choose_detail(Segments *s, int rows) {
  SegDetail rich = richest(s);
  if (rows_of(s) <= rows || (s->period && lines_in(s, rows) >= s->period && s->across == 1)) return;
  for (SegDetail detail = rich + 1; detail < SEG_DETAIL_COUNT; detail++) {
    set_detail(s, detail);
    if (rows_of(s) <= rows) return;
  }
  set_detail(s, SEG_BY_LANE);   // which lines these are, and who wants them; the rest is counted
}

// Cells of two rows, or lines a row apart, where the pane has the whole window.
static void spread(Segments *s, int rows) {
  int lines = s->all.line_count;
  if (s->detail != SEG_FULL || s->tall > 1 || lines > rows) return;
  bool bytes = s->word == 4;
  if (bytes && 3 * lines - 1 <= rows - ROOMY_ROWS) s->height = 2, s->step = 3;
  else if (2 * lines - 1 <= rows - ROOMY_ROWS) s->step = 2;
}

// ---- totals
// ----------------------------------------------------------------------------------------------------------

// What has come so far.
typedef struct Moved { int units, bytes, used; } Moved;

static Moved moved_so_far(const Segments *s) {
  Moved moved = {0};
  for (int i = 0; i < s->all.line_count; i++) {
    int sectors = 0;
    for (int k = 0; k < SEG_SECTORS; k++) {
      if (!segment_moves(s, i, k) || segment_arrived(s, i, k) < 1) continue;
      sectors++;
      moved.used += segment_used(s, i, k * COAL_SECTOR, COAL_SECTOR);
    }
    moved.units += s->whole_lines ? sectors == SEG_SECTORS : sectors;
    moved.bytes += sectors * COAL_SECTOR;
  }
  return moved;
}

// of: all of them, where some have not come yet.
static int total(const Segments *s, int x, int y, const char *label, int value, int of, const char *unit) {
  char digits[32], text[64];
  snprintf(text, sizeof text, "%s%s", ls_group_digits((uint64_t)value, digits), unit);
  if (value < of && !s->focus->session->hides) snprintf(text, sizeof text, "%d of %d", value, of);
  int end = s->focus->body.x + s->focus->body.w;
  if (x + ls_utf8_width(label) + 1 + ls_utf8_width(text) > end) return end;   // nor anything after it
  return view_labeled(s->focus->canvas, x, y, label, ROLE_TEXT, text) + 4;
}

static void draw_totals(const Segments *s, int y) {
  Moved moved = moved_so_far(s);
  int x = s->focus->body.x + FOCUS_INDENT;
  if (s->refused) {
    canvas_text_cut(s->focus->canvas, x, y, body_columns(s), ROLE_ALARM, 0, "▲ the kernel ends here: nothing moves");
    return;
  }
  char percent[16];
  if (s->focus->wide) x = total(s, x, y, "requests", 1, 1, "");
  x = total(s, x, y, s->whole_lines ? "lines" : "sectors", moved.units, s->parts, "");
  bool all = s->focus->body.w >= 60;   // else the share says what matters
  if (all) x = total(s, x, y, "moved", moved.bytes, 0, " bytes");
  if (all) x = total(s, x, y, "used", moved.used, 0, " bytes");
  ls_percent((double)moved.used, (double)moved.bytes, percent);
  if (!moved.bytes || x + (int)strlen("utilization 12.5%") >= s->focus->body.x + s->focus->body.w) return;
  bool whole = moved.used == moved.bytes, poor = 2 * moved.used < moved.bytes;
  view_labeled(s->focus->canvas, x, y, "utilization", whole ? ROLE_GOOD : poor ? ROLE_WASTED : ROLE_TEXT, percent);
}

// ---- the lines
// -------------------------------------------------------------------------------------------------------

static void draw_header(const Segments *s, int y) {
  int x = s->focus->body.x + FOCUS_INDENT + s->label + 1;
  for (int sector = 0; sector < s->beside; sector++)
    canvas_textf(s->focus->canvas, x + sector * s->pitch, y, ROLE_DIM, 0, s->tall > 1 ? "sector %d, %d" : "sector %d",
                 sector,
                 sector + s->beside);
}

// Sectors of each of the lines from `first` on that have come; 0 if they differ.
static int sectors_each(const Segments *s, int first, int end) {
  int each = __builtin_popcount(s->all.lines[first].sectors);
  for (int i = first; i < end; i++)
    if (__builtin_popcount(s->all.lines[i].sectors) != each) return 0;
  return each;
}

// What there is of the lines that are not shown: those that have come are counted.
static void draw_rest(const Segments *s, int shown, int y) {
  int end = s->all.line_count, sectors = 0;
  while (end > shown && segment_arrived(s, end - 1, 0) <= 0) end--;
  if (end == shown) return;
  LsText tail = {0}, address = {0};
  int each = sectors_each(s, shown, end);
  for (int i = shown; i < end; i++) sectors += __builtin_popcount(s->all.lines[i].sectors);
  if (s->period && shown >= s->period && s->across == 1) {
    enum { AROUND = 26 };   // columns of "▾ 28 more lines like these · z"
    ls_text_add(&tail, end - shown == 1 ? " like it" : " like these");
    segment_label(s, end - 1, 0, NAMED, &address);
    if (s->period == 1 && s->focus->body.w >= FULL_COLUMNS)
      ls_text_addf(&tail, ", every %d bytes", (int)(s->all.lines[1].base - s->all.lines[0].base));
    if (ls_utf8_width(ls_text_str(&tail)) + ls_utf8_width(ls_text_str(&address)) + AROUND <= body_columns(s))
      ls_text_addf(&tail, ", to %s", ls_text_str(&address));
  } else if (!s->whole_lines) {
    ls_text_addf(&tail, ", %d sector%s", each ? each : sectors, (each ? each : sectors) == 1 ? "" : "s");
    if (each && end - shown > 1) ls_text_add(&tail, " each");
  }
  focus_more_of(s->focus, y, end - shown, "line", ls_text_str(&tail));
  ls_text_free(&tail);
  ls_text_free(&address);
}

static int rows_taken(const Segments *s) { return (rows_of(s) / s->tall - 1) * s->step + s->tall * s->height; }

// Side by side they read down, column after column. Returns the rows taken.
static int draw_lines(const Segments *s, int y, int rows) {
  int count = s->all.line_count, x = s->focus->body.x + FOCUS_INDENT;
  bool whole = rows_of(s) <= rows;
  int down = whole ? rows_of(s) / s->tall : lines_in(s, rows), shown = whole ? count : s->across * down;
  for (int i = 0; i < shown; i++) segment_draw(s, i, x + i / down * s->entry, y + i % down * s->step);
  if (whole) return rows_taken(s);
  draw_rest(s, shown, y + down * s->step);
  return down * s->step + 1;
}

// ---- the pane
// --------------------------------------------------------------------------------------------------------

static const FocusPane pane = {FOCUS_SEGMENTS,
                               "Lines and sectors of a global access show here; this warp has made none yet. "
                               "Press n for the next event of interest."};

// Where the rows have room for offsets only, the rule says what they are offsets into.
static void write_title(const Focus *focus, int width, char *out, size_t size) {
  const TraceEvent *event = focus->event;
  const char *space = event->space == TRACE_LOCAL ? "local memory" : "global memory";
  snprintf(out, size, "%s", space);
  if (width >= ROOMY_COLUMNS || event->space == TRACE_LOCAL || !event->addr || !event->mask) return;
  uint64_t first = event->addr[__builtin_ctz(event->mask)];
  for (int i = 0; i < focus->info->object_count; i++) {
    const TraceObject *object = &focus->info->objects[i];
    bool here = object->space == event->space && first >= object->base && first - object->base < object->size;
    if (here && object->name && *object->name) snprintf(out, size, "%s · %.40s", space, object->name);
  }
}

// Lines first, then their header, totals, a blank row, and the note on local memory.
static void draw_body(Segments *s) {
  const Focus *focus = s->focus;
  int y = focus->body.y, rows = focus->body.h, frame = 3 + has_note(s);   // rows around the lines, where all have room
  choose_detail(s, rows);
  spread(s, rows - frame);
  int lines = rows_of(s) <= rows ? rows_taken(s) : LS_MAX(rows - 2, LS_MIN(rows, LEAST_LINES));
  bool header = s->detail == SEG_FULL && lines < rows;
  if (header) draw_header(s, y++), rows--;
  int used = draw_lines(s, y, LS_MIN(lines, rows));
  y += used, rows -= used;
  if (rows >= 2) y++, rows--;
  if (rows >= 1) draw_totals(s, y++), rows--;
  if (has_note(s) && rows >= 1) canvas_text(focus->canvas, focus->body.x + FOCUS_INDENT, y, ROLE_DIM, 0, local_note);
}

static void draw_rule(const Segments *s, Focus *focus, Rect rect, const char *title) {
  const char *model = s->whole_lines ? "128-byte lines   v sectors" : "32-byte sectors   v lines";
  char outside[32], right[48];
  if (!s->outside) {
    focus_rule(focus, rect, title, model);
    return;
  }
  int lanes = __builtin_popcount(s->outside);
  snprintf(outside, sizeof outside, "▲ %d lane%s outside", lanes, lanes == 1 ? "" : "s");
  snprintf(right, sizeof right, "   %s", model);
  focus_rule_alarm(focus, rect, title, outside, right);
}

void view_draw_segments(Session *session, Canvas *canvas, Rect rect) {
  Focus focus;
  Segments s;
  if (!focus_begin(&pane, session, canvas, rect, &focus)) return;
  gather(&s, &focus);
  char title[80];
  write_title(&focus, rect.w, title, sizeof title);
  draw_rule(&s, &focus, rect, title);
  if (s.all.line_count && focus.body.h > 0) draw_body(&s);
}

// Rows of lines side by side: with lanes, if that is not too many.
static int good_condensed(Segments *s) {
  set_detail(s, SEG_BY_LANE);
  if (rows_of(s) > GOOD_LINES) set_detail(s, SEG_BARS);
  return LS_MIN(rows_of(s), GOOD_LINES);
}

void view_room_segments(Session *session, int cols, FocusRoom *room) {
  Focus focus;
  Segments s;
  if (!focus_room(&pane, session, cols, &focus, room)) return;
  gather(&s, &focus);
  bool full = richest(&s) == SEG_FULL;
  int rows = rows_of(&s), header = full, good = LS_MAX(PATTERN_LINES / s.tall, s.period) * s.tall + 1;
  room->whole = 1 + header + rows + 2 + has_note(&s);
  if (rows <= FEW_LINES) good = rows;
  else if (!s.period || s.across > 1) header = 0, good = good_condensed(&s);
  room->parts = LS_MAX(s.parts, 1);
  room->least = 1 + LS_MIN(rows, LEAST_LINES);
  room->good = LS_MAX(1 + header + good + 1, room->least);
  room->whole = LS_MAX(room->whole, room->good);
}
