// view_segments.c: the lines and sectors of memory that an access touches, and how much of them is used.
#include <stdio.h>
#include <string.h>
#include "base/mem.h"
#include "model/model.h"
#include "ui/views/focus/focus.h"

// In full, a word has two columns, and the lanes that want it are written over it:
//                sector 0          sector 1          sector 2          sector 3
//   x + 0x0a00  │░░█0█1█2█3█4█5█6 │█7█8█910...      │...              │...              │ 4 of 4
// Where many lines are touched, a word has one column, or a sector one or two whose height tells how much of it is used.
enum { WORDS = 32, SECTORS = 4, SECTOR_WORDS = 8, WORD_BYTES = 4, FULL_CELLS = 16, FULL_COLUMNS = 80, ROOMY_COLUMNS = 96 };
typedef enum Detail { DETAIL_FULL, DETAIL_WORDS, DETAIL_PAIRS, DETAIL_BARS, DETAIL_COUNT } Detail;

typedef struct Segments {
  Focus *focus;
  Coalescing *coal;
  bool whole_lines;          // the Fermi view
  Detail detail;
  int label;                 // columns of the address
  int across;                // lines side by side
  int pitch, entry;          // columns of a sector with its edge; of a line with its label
} Segments;

// Lanes that want each word of a line.
static void lanes_of_words(const TraceEvent *event, const CoalLine *line, uint32_t out[WORDS]) {
  memset(out, 0, WORDS * sizeof *out);
  for (uint32_t left = event->mask; left; left &= left - 1) {
    int lane = __builtin_ctz(left);
    for (unsigned byte = 0; byte < LS_CLAMP(event->width, 1, COAL_MAX_WIDTH); byte++) {
      uint64_t at = event->addr[lane] + byte;
      if (event->space == TRACE_LOCAL) at = at / WORD_BYTES * COAL_LINE + (unsigned)lane * WORD_BYTES + at % WORD_BYTES;
      if (at - line->base < COAL_LINE) out[(at - line->base) / WORD_BYTES] |= 1u << lane;
    }
  }
}

static int used_bytes(const CoalLine *line, int first, int count) {
  int used = 0;
  for (int i = first; i < first + count; i++) used += line->used[i / 8] >> i % 8 & 1;
  return used;
}

static bool moves(const Segments *s, const CoalLine *line, int sector) { return s->whole_lines || line->sectors >> sector & 1; }

// ---- full ------------------------------------------------------------------------------------------------------------

// Who wants a run of words: "7", "0+" where several lanes want one word, "0-31" for a run of words.
static void lanes_label(uint32_t lanes, int width, char *out, size_t size) {
  int first = __builtin_ctz(lanes), last = 31 - __builtin_clz(lanes);
  out[0] = 0;
  if (first == last) snprintf(out, size, "%d", first);
  else if (width >= 5) snprintf(out, size, "%d%s%d", first, __builtin_popcount(lanes) == last - first + 1 ? "-" : "…", last);
  else if (first < 10) snprintf(out, size, "%d+", first);
  else snprintf(out, size, "++");
}

// Words that one lane wants together, or that share words among several lanes each, stand under one label.
static int run_of_words(const uint32_t lanes[WORDS], int first) {
  int end = first + 1, sector_end = (first / SECTOR_WORDS + 1) * SECTOR_WORDS;
  bool shared = lanes[first] & (lanes[first] - 1);
  while (end < sector_end && lanes[end] && (shared ? (lanes[end] & (lanes[end] - 1)) != 0 : lanes[end] == lanes[first])) end++;
  return end - first;
}

static void draw_run(const Segments *s, const uint32_t lanes[WORDS], int first, int count, int x, int y) {
  char text[24];
  uint32_t all = 0;
  for (int i = 0; i < count; i++) all |= lanes[first + i];
  int width = 2 * count;
  lanes_label(all, width, text, sizeof text);
  int used = LS_MIN(ls_utf8_width(text), width), lane = s->focus->session->lane;
  int left = count == 1 ? width - used : (width - used) / 2;
  bool inspected = lane >= 0 && all >> lane & 1;
  const char *at = text;
  int style = count == 1 && first % 2 ? STYLE_BOLD : 0;   // neighbors that touch are told apart by weight
  for (int i = 0; i < used; i++) {
    canvas_background(s->focus->canvas, (Rect){x + left + i, y, 1, 1}, inspected ? ROLE_CURSOR : ROLE_USED);
    canvas_put(s->focus->canvas, x + left + i, y, ls_utf8_next(&at), ROLE_TEXT, style);
  }
}

static void draw_full_sector(const Segments *s, const CoalLine *line, const uint32_t lanes[WORDS], int sector, int x, int y) {
  for (int i = 0; i < FULL_CELLS && moves(s, line, sector); i++) {
    bool used = used_bytes(line, sector * COAL_SECTOR + 2 * i, 2) > 0;
    canvas_put(s->focus->canvas, x + i, y, used ? 0x2588 : 0x2591, used ? ROLE_USED : ROLE_WASTED, 0);
  }
  int end = (sector + 1) * SECTOR_WORDS;
  for (int word = sector * SECTOR_WORDS, count; word < end; word += count) {
    count = lanes[word] ? run_of_words(lanes, word) : 1;
    if (lanes[word]) draw_run(s, lanes, word, count, x + 2 * (word % SECTOR_WORDS), y);
  }
}

static void draw_right(const Segments *s, const CoalLine *line, int x, int y) {
  uint32_t lanes = line->lanes[0] | line->lanes[1] | line->lanes[2] | line->lanes[3];
  int end = s->focus->body.x + s->focus->body.w - 1;
  LsText text = {0};
  if (s->whole_lines) ls_text_add(&text, "128 bytes");
  else ls_text_addf(&text, "%d of 4", __builtin_popcount(line->sectors));
  if (x + ls_utf8_width(ls_text_str(&text)) <= end) x = canvas_text(s->focus->canvas, x, y, ROLE_TEXT, 0, ls_text_str(&text)) + 2;
  ls_text_clear(&text);
  sentence_lanes(lanes, &text);
  if (x + ls_utf8_width(ls_text_str(&text)) <= end) canvas_text(s->focus->canvas, x, y, ROLE_DIM, 0, ls_text_str(&text));
  ls_text_free(&text);
}

static void draw_full_line(const Segments *s, const CoalLine *line, int x, int y) {
  Canvas *canvas = s->focus->canvas;
  uint32_t lanes[WORDS];
  lanes_of_words(s->focus->event, line, lanes);
  for (int sector = 0; sector < SECTORS; sector++) {
    int at = x + sector * s->pitch;
    canvas_put(canvas, at, y, 0x2502, ROLE_RULE, 0);
    draw_full_sector(s, line, lanes, sector, at + 1, y);
  }
  canvas_put(canvas, x + SECTORS * s->pitch, y, 0x2502, ROLE_RULE, 0);
  draw_right(s, line, x + SECTORS * s->pitch + 2, y);
}

// ---- condensed -------------------------------------------------------------------------------------------------------

static void draw_words(const Segments *s, const CoalLine *line, int x, int y) {
  for (int word = 0; word < WORDS; word++) {
    int sector = word / SECTOR_WORDS, at = x + word + sector;
    bool used = used_bytes(line, word * WORD_BYTES, WORD_BYTES) > 0;
    if (used) canvas_put(s->focus->canvas, at, y, 0x2588, ROLE_USED, 0);
    else if (moves(s, line, sector)) canvas_put(s->focus->canvas, at, y, 0x2591, ROLE_WASTED, 0);
    else canvas_put(s->focus->canvas, at, y, 0xb7, ROLE_GONE, 0);
  }
}

static void draw_bars(const Segments *s, const CoalLine *line, int cells, int x, int y) {
  for (int sector = 0; sector < SECTORS; sector++) {
    int used = used_bytes(line, sector * COAL_SECTOR, COAL_SECTOR), eighths = (used * 8 + COAL_SECTOR - 1) / COAL_SECTOR;
    for (int i = 0; i < cells; i++) {
      int at = x + sector * cells + i;
      if (used) canvas_put(s->focus->canvas, at, y, (uint32_t)(0x2580 + eighths), ROLE_USED, 0);
      else if (moves(s, line, sector)) canvas_put(s->focus->canvas, at, y, 0x2591, ROLE_WASTED, 0);
      else canvas_put(s->focus->canvas, at, y, 0xb7, ROLE_GONE, 0);
    }
  }
}

static void draw_line(const Segments *s, const CoalLine *line, int x, int y) {
  LsText text = {0};
  bool local = s->focus->event->space == TRACE_LOCAL;
  if (local) ls_text_addf(&text, "word %llu", (unsigned long long)(line->base / COAL_LINE));
  else focus_address(s->focus->info, s->focus->event->space, line->base, false, &text);
  if (!local && ls_utf8_width(ls_text_str(&text)) >= s->label) {   // an offset is worth more than a name
    ls_text_clear(&text);
    focus_address(s->focus->info, s->focus->event->space, line->base, true, &text);
  }
  canvas_text_cut(s->focus->canvas, x, y, s->label - 1, ROLE_DIM, 0, ls_text_str(&text));
  ls_text_free(&text);
  x += s->label;
  switch (s->detail) {
    case DETAIL_FULL: draw_full_line(s, line, x, y); break;
    case DETAIL_WORDS: draw_words(s, line, x, y); break;
    default: draw_bars(s, line, s->detail == DETAIL_PAIRS ? 2 : 1, x, y); break;
  }
}

// ---- the pane --------------------------------------------------------------------------------------------------------

static void set_detail(Segments *s, Detail detail) {
  bool roomy = s->focus->body.w >= ROOMY_COLUMNS;
  int room = s->focus->body.w - FOCUS_INDENT;
  s->detail = detail;
  s->pitch = FULL_CELLS + (roomy ? 2 : 1);
  s->label = detail == DETAIL_FULL ? (roomy ? 16 : 9) : detail == DETAIL_WORDS ? (roomy ? 16 : 10) : 10;
  static const int gap = 2;
  int picture[DETAIL_COUNT] = {room, WORDS + SECTORS - 1, 2 * SECTORS, SECTORS};
  s->entry = detail == DETAIL_FULL ? room : s->label + picture[detail] + gap;
  s->across = LS_MAX(1, (room + gap) / s->entry);
}

static int rows_of(const Segments *s) { return (s->coal->line_count + s->across - 1) / s->across; }

// The richest form in which all lines fit.
static void choose_detail(Segments *s, int rows) {
  int richest = s->focus->body.w >= FULL_COLUMNS ? DETAIL_FULL : DETAIL_WORDS;
  for (int detail = richest; detail < DETAIL_COUNT; detail++) {
    set_detail(s, (Detail)detail);
    if (rows_of(s) <= rows && s->entry <= s->focus->body.w) return;
  }
}

static int total(const Segments *s, int x, int y, const char *label, int value, const char *unit) {
  char digits[32], text[64];
  snprintf(text, sizeof text, "%s%s", ls_group_digits((uint64_t)value, digits), unit);
  int end = s->focus->body.x + s->focus->body.w;
  if (x + ls_utf8_width(label) + 1 + ls_utf8_width(text) > end) return end;   // nor anything after it
  return view_labeled(s->focus->canvas, x, y, label, ROLE_TEXT, text) + 4;
}

static void draw_totals(const Segments *s, int y) {
  const Coalescing *coal = s->coal;
  int x = s->focus->body.x + FOCUS_INDENT;
  char percent[16];
  if (s->focus->wide) x = total(s, x, y, "requests", 1, "");
  x = total(s, x, y, s->whole_lines ? "lines" : "sectors", s->whole_lines ? coal->line_count : coal->sectors, "");
  bool all = s->focus->body.w >= 60;   // else the share says what matters
  if (all) x = total(s, x, y, "moved", coal->bytes_moved, " bytes");
  if (all) x = total(s, x, y, "used", coal->bytes_used, " bytes");
  focus_percent(coal->bytes_used, coal->bytes_moved, percent);
  if (x + (int)strlen("utilization 12.5%") >= s->focus->body.x + s->focus->body.w) return;
  bool whole = coal->bytes_used == coal->bytes_moved, poor = 2 * coal->bytes_used < coal->bytes_moved;
  view_labeled(s->focus->canvas, x, y, "utilization", whole ? ROLE_GOOD : poor ? ROLE_ALARM : ROLE_TEXT, percent);
}

static void draw_header(const Segments *s, int y) {
  int x = s->focus->body.x + FOCUS_INDENT + s->label + 1;
  for (int sector = 0; sector < SECTORS; sector++)
    canvas_textf(s->focus->canvas, x + sector * s->pitch, y, ROLE_DIM, 0, "sector %d", sector);
}

static void draw_lines(const Segments *s, int y, int rows) {
  const Coalescing *coal = s->coal;
  int shown = rows_of(s) <= rows ? coal->line_count : s->across * LS_MAX(rows - 1, 0);
  for (int i = 0; i < shown; i++) {
    // Side by side they read down, column after column.
    int tall = rows_of(s) <= rows ? rows_of(s) : LS_MAX(rows - 1, 1);
    draw_line(s, &coal->lines[i], s->focus->body.x + FOCUS_INDENT + i / tall * s->entry, y + i % tall);
  }
  if (shown < coal->line_count) focus_more(s->focus, y + rows - 1, coal->line_count - shown, "line");
}

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

void view_draw_segments(Session *session, Canvas *canvas, Rect rect) {
  Focus focus;
  Coalescing coal;
  if (!focus_begin(&pane, session, canvas, rect, &focus)) return;
  bool whole_lines = session->variant[FOCUS_SEGMENTS] % 2 == 1, local = focus.event->space == TRACE_LOCAL;
  char title[80];
  write_title(&focus, rect.w, title, sizeof title);
  focus_rule(&focus, rect, title,
             whole_lines ? "128-byte lines   v sectors" : "32-byte sectors   v lines");
  coal_analyze(focus.event, whole_lines ? COAL_LINES_128 : COAL_SECTORS_32, &coal);
  Segments s = {.focus = &focus, .coal = &coal, .whole_lines = whole_lines};
  int y = focus.body.y, rows = focus.body.h;
  choose_detail(&s, rows);
  bool header = s.detail == DETAIL_FULL && rows_of(&s) < rows && rows >= 3;
  if (header) draw_header(&s, y++), rows--;
  draw_lines(&s, y, rows);
  y += rows_of(&s) + 1;
  rows -= rows_of(&s) + 1;
  if (rows > 1) draw_totals(&s, y++), rows--;
  if (local && rows > 1)
    canvas_text_cut(canvas, focus.body.x + FOCUS_INDENT, y, focus.body.w - 4, ROLE_DIM, 0,
                    "Local memory is interleaved: word j of all 32 lanes is one line, lane after lane, so equal offsets coalesce.");
}

void view_room_segments(Session *session, int cols, FocusRoom *room) {
  (void)session, (void)cols;
  *room = (FocusRoom){.least = 6, .good = 10, .whole = 14, .parts = 1};
}
