// segment_line.c: one line of memory in the pane of segments: sectors that move, bytes that are used, lanes that want them.
#include <stdio.h>
#include <string.h>
#include "base/mem.h"
#include "ui/views/focus/segments.h"

enum { ALARM = 0x25b2, FILLED = 0x2588, MOVED = 0x2591, NOT_MOVED = 0xb7 };

// ---- what a line holds -----------------------------------------------------------------------------------------------

// Where a byte that a lane wants is: local memory is interleaved by word.
static uint64_t place_of(const TraceEvent *event, int lane, unsigned byte) {
  uint64_t at = event->addr[lane] + byte;
  if (event->space != TRACE_LOCAL) return at;
  return at / SEG_WORD_BYTES * COAL_LINE + (unsigned)lane * SEG_WORD_BYTES + at % SEG_WORD_BYTES;
}

// Lanes of a mask that want each of the line's bytes, by groups of so many bytes.
static void lanes_of(const Segments *s, int line, uint32_t mask, int bytes, uint32_t *out) {
  const TraceEvent *event = s->focus->event;
  uint64_t base = s->all.lines[line].base;
  memset(out, 0, (size_t)(COAL_LINE / bytes) * sizeof *out);
  for (uint32_t left = mask & event->mask; left; left &= left - 1) {
    int lane = __builtin_ctz(left);
    for (unsigned byte = 0; byte < LS_CLAMP(event->width, 1, COAL_MAX_WIDTH); byte++) {
      uint64_t off = place_of(event, lane, byte) - base;
      if (off < COAL_LINE) out[off / (unsigned)bytes] |= 1u << lane;
    }
  }
}

static uint32_t line_lanes(const Segments *s, int line) {
  const uint32_t *lanes = s->all.lines[line].lanes;
  return lanes[0] | lanes[1] | lanes[2] | lanes[3];
}

int segment_used(const Segments *s, int line, int first, int count) {
  const CoalLine *l = &s->all.lines[line];
  int used = 0;
  uint32_t inside[COAL_LINE];
  bool mixed = line_lanes(s, line) & s->outside;
  if (mixed) lanes_of(s, line, ~s->outside, 1, inside);
  for (int i = first; i < first + count; i++) used += mixed ? inside[i] != 0 : l->used[i / 8] >> i % 8 & 1;
  return used;
}

bool segment_moves(const Segments *s, int line, int sector) {
  return s->whole_lines || s->all.lines[line].sectors >> sector & 1;
}

double segment_arrived(const Segments *s, int line, int sector) {
  if (s->whole_lines) return LS_CLAMP(SEG_SECTORS * focus_part(s->focus, s->part[line], s->parts) - sector, 0.0, 1.0);
  int before = __builtin_popcount(s->all.lines[line].sectors & ((1u << sector) - 1));
  return focus_part(s->focus, s->part[line] + before, s->parts);
}

// ---- full ------------------------------------------------------------------------------------------------------------

// Who wants a run of words: "7", "0+" where several lanes want one word, "0-31" for a run of words.
static void lanes_label(uint32_t lanes, int width, char *out, size_t size) {
  int first = __builtin_ctz(lanes), last = 31 - __builtin_clz(lanes);
  out[0] = 0;
  if (first == last) snprintf(out, size, "%d", first);
  else if (width >= 5)
    snprintf(out, size, "%d%s%d", first, __builtin_popcount(lanes) == last - first + 1 ? "-" : "…", last);
  else if (first < 10) snprintf(out, size, "%d+", first);
  else snprintf(out, size, "++");
}

// Words that one lane wants together, or that share words among several lanes each, stand under one label.
static int run_of_words(const uint32_t lanes[SEG_WORDS], int first) {
  int end = first + 1, sector_end = (first / SEG_SECTOR_WORDS + 1) * SEG_SECTOR_WORDS;
  bool shared = lanes[first] & (lanes[first] - 1);
  while (end < sector_end && lanes[end] && (shared ? (lanes[end] & (lanes[end] - 1)) != 0 : lanes[end] == lanes[first]))
    end++;
  return end - first;
}

typedef struct WordRun { int line, first, count; uint32_t lanes; } WordRun;   // words of a line

// The number stands on what it covers: on used bytes, or on bytes that only move.
static Role ground_of(const Segments *s, const WordRun *run, int column) {
  int bytes = SEG_WORD_BYTES / s->word;
  bool used = segment_used(s, run->line, run->first * SEG_WORD_BYTES + column * bytes, bytes) > 0;
  return used ? ROLE_USED : ROLE_WASTED;
}

// room: columns of the run that have come.
static void draw_run(const Segments *s, const WordRun *run, int x, int y, int room) {
  char text[24];
  uint32_t all = run->lanes;
  bool outside = !(all & ~s->outside);
  int width = s->word * run->count, alarm = outside && width > 3;
  lanes_label(outside ? all : all & ~s->outside, width, text, sizeof text);
  int used = LS_MIN(ls_utf8_width(text), width), lane = s->focus->session->lane;
  int left = run->count == 1 ? width - used - alarm : (width - used) / 2;
  if ((outside && !alarm) || left + used > room) return;   // the signs alone; half a number tells nothing
  bool inspected = lane >= 0 && all >> lane & 1;
  const char *at = text;
  int style = run->count == 1 && run->first % 2 && s->word == 2 ? STYLE_BOLD : 0;   // neighbors that touch are told
                                                                                    // apart by weight
  for (int i = 0; i < used; i++) {
    Role ground = inspected ? ROLE_CURSOR : ground_of(s, run, left + i);
    if (!outside || inspected) canvas_background(s->focus->canvas, (Rect){x + left + i, y, 1, 1}, ground);
    canvas_put(s->focus->canvas, x + left + i, y, ls_utf8_next(&at), outside && !inspected ? ROLE_ALARM : ROLE_TEXT,
               style);
  }
}

// A column of the full form, of so many bytes.
static void put_bytes(const Segments *s, int line, int first, int bytes, bool outside, int x, int y) {
  bool used = segment_used(s, line, first, bytes) > 0;
  uint32_t code = used ? FILLED : outside ? ALARM : MOVED;
  canvas_put(s->focus->canvas, x, y, code, used ? ROLE_USED : outside ? ROLE_ALARM : ROLE_WASTED, 0);
}

static void draw_full_sector(const Segments *s, int line, const uint32_t lanes[SEG_WORDS], int sector, int x, int y) {
  int cells = SEG_SECTOR_WORDS * s->word, bytes = COAL_SECTOR / cells;
  int filled = (int)(segment_arrived(s, line, sector) * cells + 0.999);
  uint32_t outside[COAL_LINE];
  lanes_of(s, line, s->outside, bytes, outside);
  for (int i = 0; i < filled && segment_moves(s, line, sector); i++) {
    int first = sector * COAL_SECTOR + i * bytes;
    for (int row = 0; row < s->height; row++) put_bytes(s, line, first, bytes, outside[first / bytes], x + i, y + row);
  }
  int end = (sector + 1) * SEG_SECTOR_WORDS;
  WordRun run = {.line = line, .first = sector * SEG_SECTOR_WORDS};
  for (; run.first < end; run.first += run.count) {
    int at = s->word * (run.first % SEG_SECTOR_WORDS);
    run.count = lanes[run.first] ? run_of_words(lanes, run.first) : 1;
    run.lanes = 0;
    for (int i = 0; i < run.count; i++) run.lanes |= lanes[run.first + i];
    if (run.lanes) draw_run(s, &run, x + at, y, filled - at);
  }
}

static void draw_right(const Segments *s, int line, int x, int y) {
  int end = s->focus->body.x + s->focus->body.w - 1, arrived = 0;
  LsText text = {0};
  for (int k = 0; k < SEG_SECTORS; k++) arrived += segment_moves(s, line, k) && segment_arrived(s, line, k) >= 1;
  if (s->whole_lines) ls_text_addf(&text, "%d bytes", arrived * COAL_SECTOR);
  else ls_text_addf(&text, "%d of 4", arrived);
  if (x + ls_utf8_width(ls_text_str(&text)) <= end)
    x = canvas_text(s->focus->canvas, x, y, ROLE_TEXT, 0, ls_text_str(&text)) + 2;
  ls_text_clear(&text);
  uint32_t lanes = line_lanes(s, line), outside = lanes & s->outside;
  if (outside) ls_text_add(&text, "▲ ");
  sentence_lanes(outside ? outside : lanes, &text);
  if (outside) ls_text_add(&text, " outside");
  if (x + ls_utf8_width(ls_text_str(&text)) <= end)
    canvas_text(s->focus->canvas, x, y, outside ? ROLE_ALARM : ROLE_DIM, 0, ls_text_str(&text));
  ls_text_free(&text);
}

static void draw_full(const Segments *s, int line, int x, int y) {
  Canvas *canvas = s->focus->canvas;
  uint32_t lanes[SEG_WORDS];
  lanes_of(s, line, UINT32_MAX, SEG_WORD_BYTES, lanes);
  for (int sector = 0; sector < SEG_SECTORS; sector++) {
    int at = x + sector % s->beside * s->pitch, top = y + sector / s->beside * s->height;
    for (int row = 0; row < s->height; row++) {
      canvas_put(canvas, at, top + row, 0x2502, ROLE_RULE, 0);
      canvas_put(canvas, x + s->beside * s->pitch, top + row, 0x2502, ROLE_RULE, 0);
    }
    draw_full_sector(s, line, lanes, sector, at + 1, top);
  }
  draw_right(s, line, x + s->beside * s->pitch + 2, y);
}

// ---- condensed -------------------------------------------------------------------------------------------------------

static void draw_words(const Segments *s, int line, int x, int y) {
  uint32_t outside[SEG_WORDS];
  lanes_of(s, line, s->outside, SEG_WORD_BYTES, outside);
  for (int word = 0; word < SEG_WORDS; word++) {
    int sector = word / SEG_SECTOR_WORDS, at = x + word + sector;
    double filled = segment_arrived(s, line, sector) * SEG_SECTOR_WORDS;
    bool here = segment_moves(s, line, sector) && filled > word % SEG_SECTOR_WORDS;
    if (!here) canvas_put(s->focus->canvas, at, y, NOT_MOVED, ROLE_GONE, 0);
    else put_bytes(s, line, word * SEG_WORD_BYTES, SEG_WORD_BYTES, outside[word], at, y);
  }
}

// How much of a sector is used, as the height of a cell.
static void put_bar(const Segments *s, int line, int sector, int x, int y) {
  int used = segment_used(s, line, sector * COAL_SECTOR, COAL_SECTOR),
      eighths = (used * 8 + COAL_SECTOR - 1) / COAL_SECTOR;
  bool outside = s->all.lines[line].lanes[sector] & s->outside, here = segment_arrived(s, line, sector) > 0;
  if (here && outside) canvas_put(s->focus->canvas, x, y, ALARM, ROLE_ALARM, 0);
  else if (here && used) canvas_put(s->focus->canvas, x, y, (uint32_t)(0x2580 + eighths), ROLE_USED, 0);
  else if (here && segment_moves(s, line, sector)) canvas_put(s->focus->canvas, x, y, MOVED, ROLE_WASTED, 0);
  else canvas_put(s->focus->canvas, x, y, NOT_MOVED, ROLE_GONE, 0);
}

// The sector's first lane before its bar.
static void draw_lanes(const Segments *s, int line, int x, int y) {
  for (int sector = 0; sector < SEG_SECTORS; sector++) {
    uint32_t lanes = s->all.lines[line].lanes[sector];
    int at = x + 3 * sector, lane = s->focus->session->lane;
    put_bar(s, line, sector, at + 2, y);
    if (!lanes || segment_arrived(s, line, sector) <= 0) continue;
    char text[8];
    bool inspected = lane >= 0 && lanes >> lane & 1;
    lanes_label(lanes, 2, text, sizeof text);
    canvas_text_right(s->focus->canvas, at + 2, y, inspected ? ROLE_CURSOR : ROLE_TEXT, 0, text);
  }
}

// ---- a line ----------------------------------------------------------------------------------------------------------

// A line that only lanes outside of their array want is told as what they take it for, past its end.
static void add_address(const Segments *s, int line, int byte, bool brief, LsText *out) {
  uint64_t base = s->all.lines[line].base + (unsigned)byte;
  const TraceObject *object = s->object;
  bool outside = object && !(line_lanes(s, line) & ~s->outside) && base >= object->base;
  if (outside)
    ls_text_addf(out, "%s%s+ 0x%04llx", brief ? "" : object->name, brief ? "" : " ",
                 (unsigned long long)(base - object->base));
  else focus_address(s->focus->info, s->focus->event->space, base, brief, out);
}

// "x + 0x0a00", or what of it has room: an offset is worth more than a name, and low digits more than high ones.
void segment_label(const Segments *s, int line, int byte, int width, LsText *out) {
  ls_text_clear(out);
  if (s->focus->event->space == TRACE_LOCAL) {
    ls_text_addf(out, "word %llu", (unsigned long long)(s->all.lines[line].base / COAL_LINE));
    return;
  }
  for (int brief = 0; brief < 2; brief++) {
    ls_text_clear(out);
    add_address(s, line, byte, brief, out);
    if (ls_utf8_width(ls_text_str(out)) <= width) return;
  }
  LsText digits = {0};
  ls_text_addf(&digits, "…%s", ls_text_str(out) + (int)out->length - LS_CLAMP(width - 1, 0, (int)out->length));
  ls_text_clear(out);
  ls_text_add(out, ls_text_str(&digits));
  ls_text_free(&digits);
}

void segment_draw(const Segments *s, int line, int x, int y) {
  for (int row = 0; row < s->tall * s->height; row++) canvas_tall(s->focus->canvas, y + row);
  LsText text = {0};
  bool local = s->focus->event->space == TRACE_LOCAL;
  for (int row = 0; row < s->tall && !(row && local); row++) {
    segment_label(s, line, row * s->beside * COAL_SECTOR, s->label - 1, &text);
    canvas_text_cut(s->focus->canvas, x, y + row * s->height, s->label - 1, ROLE_DIM, 0, ls_text_str(&text));
  }
  ls_text_free(&text);
  x += s->label;
  switch (s->detail) {
    case SEG_FULL: draw_full(s, line, x, y); break;
    case SEG_BY_WORD: draw_words(s, line, x, y); break;
    case SEG_BY_LANE: draw_lanes(s, line, x, y); break;
    default:
      for (int sector = 0; sector < SEG_SECTORS; sector++) put_bar(s, line, sector, x + sector, y);
  }
}
