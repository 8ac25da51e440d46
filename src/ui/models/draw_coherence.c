// draw_coherence.c: the caches with what the last operation did to each, all operations as a table, and the traffic.
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

#include "app/models/coherence.h"
#include "base/mem.h"
#include "ui/models/pictures.h"

enum { BOX_W = 10, BOX_WIDE = 28, STEP_W = 13, STATE_W = 4, STATE_WIDE = 8, COUNTS_W = 18, BOXES_H = 5, TRAFFIC_H = 2,
       LEAST = 11 };
// Lines more where there is room: of a cache, on the way to the bus, of the traffic.
enum { BOX_TALL = 3, LINK_TALL = 2, TRAFFIC_TALL = 2 };

static Role role_of(char state) {
  switch (state) {
    case 'M': return ROLE_SET3;
    case 'E': return ROLE_SET1;
    case 'S': return ROLE_ACTIVE;
    case 'V': return ROLE_USED;
    default: return ROLE_GONE;
  }
}

static const char *did_word(char did) {
  switch (did) {
    case 'a': return "▲ asks";
    case 'h': return "· hit";
    case 'i': return "▼ ends";
    case 'b': return "▲ data";
    case 's': return "▼ shares";
    default: return "";
  }
}

static const uint32_t links[] = {['a'] = 0x2191, ['b'] = 0x2191, ['i'] = 0x2193, ['s'] = 0x2193};

// A message of the last operation on its way between a cache and the bus.
static void draw_link(char did, Canvas *canvas, Rect link) {
  uint32_t arrow = (unsigned char)did < LS_COUNT(links) ? links[(unsigned char)did] : 0;
  if (arrow) canvas_fill(canvas, link, arrow, did == 'i' ? ROLE_WAITING : ROLE_TEXT, STYLE_BOLD);
  else canvas_fill(canvas, link, 0x2502, ROLE_RULE, 0);
}

// The word, or where it has no room the mark in front of it.
static void draw_did(char did, Canvas *canvas, Rect row) {
  char mark[8];
  const char *word = did_word(did);
  snprintf(mark, sizeof mark, "%.*s", (int)LS_MIN(strcspn(word, " "), sizeof mark - 1), word);
  canvas_text(canvas, row.x, row.y, did == 'i' ? ROLE_WAITING : ROLE_TEXT, 0,
              ls_utf8_width(word) <= row.w ? word : mark);
}

// As many caches as fit; each its name, its state and value, and what the last operation did to it. more: lines that
// caches, and their ways to the bus, have beyond one.
static void draw_boxes(const CoherenceModel *m, Canvas *canvas, Rect rect, int more, int link) {
  const Coherence *c = &m->after[m->step];
  const CohEvent *last = m->step ? &m->events[m->step - 1] : NULL;
  int fit = rect.w / BOX_W, shown = c->cores <= fit ? c->cores : fit - 1;
  int box_w = LS_CLAMP(rect.w / (shown + (shown < c->cores)), BOX_W, BOX_WIDE);
  for (int i = 0; i < shown; i++) {
    int x = rect.x + i * box_w;
    const CohCore *core = &c->core[i];
    Role role = role_of(core->state);
    canvas_textf(canvas, x, rect.y, i == m->chosen ? ROLE_CURSOR : ROLE_DIM, i == m->chosen ? STYLE_BOLD : 0,
                 "%score %d", i == m->chosen ? "▸" : " ", i);
    Rect box = {x + 1, rect.y + 1, box_w - 2, 1 + more};
    if (core->state == 'I') canvas_fill(canvas, box, 0x2591, role, 0);
    else picture_bar(canvas, box, 0x2588, role);
    char text[16];
    snprintf(text, sizeof text, " %c", core->state);
    int end = canvas_text(canvas, x + 1, rect.y + 1, role, STYLE_BOLD | (core->state == 'I' ? 0 : STYLE_REVERSE), text);
    if (core->state != 'I') canvas_textf(canvas, end, rect.y + 1, role, STYLE_REVERSE, " %d ", core->value);
    if (link) draw_link(last ? last->did[i] : 0, canvas, (Rect){x + box_w / 2, rect.y + 2 + more, 1, link + 1});
    int room = link ? box_w / 2 - 2 : box_w - 1;
    if (last) draw_did(last->did[i], canvas, (Rect){x + 1, rect.y + 2 + more, room, 1});
  }
  if (shown < c->cores) canvas_textf(canvas, rect.x + shown * box_w + 1, rect.y + 1, ROLE_DIM, 0, "▸ %d more",
                                     c->cores - shown);
  int bus = rect.y + 3 + more + link;
  canvas_fill(canvas, (Rect){rect.x, bus, rect.w, 1}, c->protocol == COH_MESI ? 0x2550 : 0x2508, ROLE_RULE, 0);
  char l2[80];
  snprintf(l2, sizeof l2, " %s   L2 has %d ",
           c->protocol == COH_MESI ? "bus" : c->protocol == COH_DIRECTORY ? "directory" : "network", c->memory);
  canvas_text(canvas, rect.x + 1, bus, ROLE_TEXT, STYLE_BOLD, l2);
}

static void op_text(const CohOp *op, bool timed, char *out, size_t size) {
  if (!timed) snprintf(out, size, "%c%d", op->kind, op->core);
  else if (op->kind == 'w') snprintf(out, size, "%lld w%d=%d", (long long)op->time, op->core, op->value);
  else snprintf(out, size, "%lld %c%d", (long long)op->time, op->kind, op->core);
}

// What a core has after a step: a letter; of copies with a date, the date.
static void draw_state(const CoherenceModel *m, const CohCore *core, Canvas *canvas, int x, int y, int width,
                       bool temporal) {
  Role role = role_of(core->state);
  (void)m;
  if (!temporal || core->state == 'I') canvas_put(canvas, x, y, (uint32_t)core->state, role, STYLE_BOLD);
  else {
    char text[32];
    snprintf(text, sizeof text, "%d till %lld", core->value, (long long)core->until);
    canvas_text_cut(canvas, x, y, width - 1, role, 0, text);
  }
}

static void draw_row(const CoherenceModel *m, int step, Canvas *canvas, Rect row, int cores, int width, bool temporal) {
  char text[40];
  bool done = step <= m->step, now = step == m->step;
  const CohEvent *event = &m->events[step - 1];
  op_text(&m->ops[step - 1], temporal, text, sizeof text);
  canvas_text_cut(canvas, row.x + 2, row.y, STEP_W - 3, now ? ROLE_CURSOR : done ? ROLE_TEXT : ROLE_DIM,
                  now ? STYLE_BOLD : 0, text);
  if (now) canvas_put(canvas, row.x, row.y, 0x25b8, ROLE_CURSOR, STYLE_BOLD);
  if (!done) return;
  for (int i = 0; i < cores; i++) draw_state(m, &m->after[step].core[i], canvas, row.x + STEP_W + i * width, row.y,
                                             width, temporal);
  int x = row.x + STEP_W + cores * width + 1, end = row.x + row.w;
  if (temporal) {
    const CohOp *op = &m->ops[step - 1];
    if (op->kind == 'r') snprintf(text, sizeof text, "%s %d", event->traffic.hits ? "hit" : "gets", event->value);
    else snprintf(text, sizeof text, event->done > op->time ? "done at %lld" : "done", (long long)event->done);
  } else {
    snprintf(text, sizeof text, "inv %d  back %d", event->traffic.invalidations, event->traffic.write_backs);
  }
  if (x < end) canvas_text_cut(canvas, x, row.y, end - x, ROLE_DIM, 0, text);
}

// The operations around the present one, with the states of as many cores as fit.
static void draw_table(const CoherenceModel *m, Canvas *canvas, Rect rect) {
  bool temporal = m->protocol == COH_TC_STRONG || m->protocol == COH_TC_WEAK;
  int room = rect.w - STEP_W - COUNTS_W, narrow = room / STATE_W < m->cores * 2 ? STATE_W : STATE_WIDE;
  int width = temporal ? STEP_W : narrow, cores = LS_MIN(m->cores, room / width);
  int rows = rect.h - 1, first = LS_CLAMP(m->step - rows + 1, 1, LS_MAX(m->op_count - rows + 1, 1));
  canvas_text(canvas, rect.x + 2, rect.y, ROLE_DIM, 0, temporal ? "time op" : "op");
  for (int i = 0; i < cores; i++) canvas_textf(canvas, rect.x + STEP_W + i * width, rect.y, ROLE_DIM, 0,
                                               width > STATE_W ? "core %d" : "%d", i);
  if (cores < m->cores) canvas_text_cut(canvas, rect.x + STEP_W + cores * width + 1, rect.y, COUNTS_W, ROLE_DIM, 0,
                                        "▸ more cores");
  for (int i = 0; i < rows && first + i <= m->op_count; i++)
    draw_row(m, first + i, canvas, (Rect){rect.x, rect.y + 1 + i, rect.w, 1}, cores, width, temporal);
  if (m->op_count == 0) canvas_text_cut(canvas, rect.x + 2, rect.y + 1, rect.w - 2, ROLE_DIM, 0, "press r or w");
}

static void draw_traffic(const CoherenceModel *m, Canvas *canvas, Rect rect) {
  const CohTraffic *t = &m->after[m->step].traffic;
  const struct { const char *name; int count; } parts[] = {
      {"asked", t->requests}, {"heard", t->heard}, {"data", t->fills}, {"ended", t->invalidations},
      {"answers", t->answers}, {"back", t->write_backs}, {"through", t->writes_through}};
  int all = coherence_messages(t), from = 0, x = rect.x;
  char total[32];
  snprintf(total, sizeof total, "%d messages", all);
  Rect bar = {rect.x, rect.y, rect.w - ls_utf8_width(total) - 2, rect.h - 1};
  canvas_fill(canvas, bar, 0x2591, ROLE_GONE, 0);
  for (int i = 0; i < LS_COUNT(parts); i++) {
    picture_piece(canvas, bar, from, from + parts[i].count, LS_MAX(all, 1), picture_shade(i), picture_set(i));
    from += parts[i].count;
    char text[40];
    snprintf(text, sizeof text, "%s %d", parts[i].name, parts[i].count);
    if (!parts[i].count || x + ls_utf8_width(text) + 2 > rect.x + rect.w) continue;
    int y = rect.y + rect.h - 1;
    canvas_put(canvas, x, y, picture_shade(i), picture_set(i), 0);
    x = canvas_text(canvas, x + 1, y, ROLE_TEXT, 0, text) + 2;
  }
  canvas_text_right(canvas, rect.x + rect.w, rect.y, ROLE_TEXT, STYLE_BOLD, total);
}

PictureRoom model_room_coherence(const ModelValues *values, int cols) {
  CoherenceModel *m = coherence_model(values);
  PictureRoom room = {LEAST, BOXES_H + BOX_TALL + LINK_TALL + TRAFFIC_TALL + TRAFFIC_H + 2 + LS_MAX(m->op_count, 1)};
  (void)cols;
  free(m);
  return room;
}

void model_draw_coherence(const ModelValues *values, Canvas *canvas, Rect rect) {
  CoherenceModel *m = coherence_model(values);
  int rows = LS_MIN(rect.h - BOXES_H + 1 - TRAFFIC_H, 1 + LS_MAX(m->op_count, 1));
  int spare = rect.h - BOXES_H - TRAFFIC_H - rows, more = LS_CLAMP(spare, 0, BOX_TALL);
  int link = LS_CLAMP(spare - more, 0, LINK_TALL), tall = LS_CLAMP(spare - more - link, 0, TRAFFIC_TALL);
  int boxes = BOXES_H - 1 + more + link;
  draw_boxes(m, canvas, (Rect){rect.x, rect.y, rect.w, boxes}, more, link);
  if (rows > 1) draw_table(m, canvas, (Rect){rect.x, rect.y + boxes, rect.w, rows});
  int y = rect.y + boxes + rows, gap = y + TRAFFIC_H + tall < rect.y + rect.h;
  draw_traffic(m, canvas, (Rect){rect.x, y + gap, rect.w, TRAFFIC_H + tall});
  free(m);
}
