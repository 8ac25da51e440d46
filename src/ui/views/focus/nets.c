// nets.c: lines from lanes to the lanes that read their values.
#include "ui/views/focus/nets.h"
#include <stdio.h>
#include <stdlib.h>
#include "base/mem.h"

enum { LANES = 32 };

// ---- laying ----------------------------------------------------------------------------------------------------------

// A value leaves below its last digit, and arrives a column before, so that both lines of a lane have room.
static int column(const Nets *nets, int lane, bool reader) {
  return lanerow_column(nets->row, lane) - (reader && !nets->paired && nets->row->pitch > 1);
}

static bool is_paired(const TraceEvent *event, uint32_t moves) {
  for (uint32_t left = moves; left; left &= left - 1) {
    int lane = __builtin_ctz(left), from = event->source[lane];
    if (!(event->mask >> from & 1) || event->source[from] != lane) return false;
  }
  return moves != 0;
}

static void add_net(Nets *nets, int source, uint32_t readers) {
  int at = column(nets, source, false);
  Net net = {.source = source, .readers = readers, .low = at, .high = at};
  for (uint32_t left = readers; left; left &= left - 1) {
    int x = column(nets, __builtin_ctz(left), true);
    net.low = LS_MIN(net.low, x);
    net.high = LS_MAX(net.high, x);
  }
  nets->nets[nets->count++] = net;
}

static uint32_t readers_of(const Nets *nets, int source) {
  uint32_t readers = 0;
  for (uint32_t left = nets->exchange->moves; left; left &= left - 1)
    if (nets->focus->event->source[__builtin_ctz(left)] == source) readers |= left & -left;
  return readers;
}

// Every net takes the first track where it has room.
static void lay_tracks(Nets *nets) {
  int busy[LANES];
  for (int source = 0; source < LANES; source++) {
    uint32_t readers = readers_of(nets, source);
    if (readers && !(nets->paired && __builtin_ctz(readers) < source)) add_net(nets, source, readers);
  }
  for (int i = 0; i < nets->count; i++) {
    int track = 0;
    while (track < nets->tracks && busy[track] >= nets->nets[i].low) track++;
    nets->tracks = LS_MAX(nets->tracks, track + 1);
    busy[track] = nets->nets[i].high;
    nets->nets[i].track = track;
  }
}

static void find_bundles(Nets *nets) {
  const TraceEvent *event = nets->focus->event;
  for (uint32_t left = nets->exchange->moves; left; left &= left - 1) {
    int lane = __builtin_ctz(left), from = event->source[lane];
    if (nets->paired && from < lane) continue;
    Bundle *last = nets->bundle_count ? &nets->bundles[nets->bundle_count - 1] : NULL;
    bool joins = last && last->reader + last->count == lane && last->source + last->count == from;
    if (joins) last->count++;
    else nets->bundles[nets->bundle_count++] = (Bundle){lane, from, 1};
  }
}

static int last_of(const Bundle *bundle) { return LS_MAX(bundle->reader, bundle->source) + bundle->count - 1; }

// Sources and readers of a bundle lie beside those of the next one, and all its sources take part.
static bool lie_apart(const Nets *nets) {
  uint32_t active = nets->focus->event->mask;
  for (int i = 0, end = -1; i < nets->bundle_count; i++) {
    const Bundle *bundle = &nets->bundles[i];
    if (LS_MIN(bundle->reader, bundle->source) <= end) return false;
    end = last_of(bundle);
    for (int k = 0; k < bundle->count; k++)
      if (!(active >> (bundle->source + k) & 1)) return false;
  }
  return nets->bundle_count > 0;
}

void nets_lay(Nets *nets, const Focus *focus, const LaneRow *row, const Exchange *exchange, const LaneFit *values) {
  *nets = (Nets){.focus = focus, .row = row, .exchange = exchange, .values = values, .step = 1};
  nets->paired = is_paired(focus->event, exchange->moves);
  lay_tracks(nets);
  find_bundles(nets);
  nets->bundled = lie_apart(nets) && (!nets_have_arcs(nets) || nets_bundle_rows(nets) < nets_arc_rows(nets));
}

bool nets_have_arcs(const Nets *nets) { return nets->count && (nets->paired || nets->row->pitch > 1); }

int nets_arc_rows(const Nets *nets) {
  return nets->lead + (nets->tracks - 1) * nets->step + 1 + (nets->paired ? 0 : nets->step > 1 ? 2 : 1);
}

int nets_bundle_rows(const Nets *nets) { return nets->paired ? 2 : 4; }

// ---- playing ---------------------------------------------------------------------------------------------------------

static int row_of(const Nets *nets, const Net *net) { return nets->lead + net->track * nets->step; }

// Cells from the source to a reader.
static int way(const Nets *nets, const Net *net, int reader) {
  int across = abs(column(nets, reader, true) - column(nets, net->source, false)), down = row_of(nets, net);
  return across + (nets->paired ? 2 * down : nets_arc_rows(nets) - 1);
}

static int longest_way(const Nets *nets) {
  int most = 1;
  for (int i = 0; i < nets->count; i++)
    for (uint32_t left = nets->nets[i].readers; left; left &= left - 1)
      most = LS_MAX(most, way(nets, &nets->nets[i], __builtin_ctz(left)));
  return most;
}

// Cells that every value has gone by now.
static int gone(const Nets *nets) {
  const double arrives = 0.9;   // the rest of the time shows what has come
  if (!focus_plays(nets->focus)) return 1 << 20;
  double phase = LS_MIN(nets->focus->session->phase / arrives, 1.0);
  return (int)(phase * longest_way(nets) + 0.5);
}

uint32_t nets_arrived(const Nets *nets) {
  uint32_t arrived = ~nets->exchange->moves;
  int far = gone(nets);
  for (int i = 0; i < nets->count; i++) {
    const Net *net = &nets->nets[i];
    for (uint32_t left = net->readers; left; left &= left - 1)
      if (way(nets, net, __builtin_ctz(left)) <= far) arrived |= left & -left;
    if (nets->paired && way(nets, net, __builtin_ctz(net->readers)) <= far) arrived |= 1u << net->source;
  }
  return arrived;
}

// ---- arcs ------------------------------------------------------------------------------------------------------------

enum { ARM_UP = 1, ARM_RIGHT = 2, ARM_DOWN = 4, ARM_LEFT = 8 };

static uint32_t joint(int arms) {
  static const uint16_t glyphs[16] = {
      [ARM_UP] = 0x2502, [ARM_DOWN] = 0x2502, [ARM_UP | ARM_DOWN] = 0x2502,
      [ARM_LEFT] = 0x2500, [ARM_RIGHT] = 0x2500, [ARM_LEFT | ARM_RIGHT] = 0x2500,
      [ARM_UP | ARM_RIGHT] = 0x2570, [ARM_UP | ARM_LEFT] = 0x256f,
      [ARM_DOWN | ARM_RIGHT] = 0x256d, [ARM_DOWN | ARM_LEFT] = 0x256e,
      [ARM_UP | ARM_LEFT | ARM_RIGHT] = 0x2534, [ARM_DOWN | ARM_LEFT | ARM_RIGHT] = 0x252c,
      [ARM_UP | ARM_DOWN | ARM_RIGHT] = 0x251c, [ARM_UP | ARM_DOWN | ARM_LEFT] = 0x2524, [15] = 0x253c};
  return glyphs[arms];
}

Role nets_role(const Nets *nets, int source) {
  if (!(nets->focus->event->mask >> source & 1)) return ROLE_ALARM;   // nobody knows what it holds
  return exchange_group(nets->exchange, source) ? ROLE_SET1 : ROLE_SET0;
}

static bool is_inspected(const Nets *nets, const Net *net) {
  int lane = nets->row->lane;
  return lane >= 0 && (net->source == lane || net->readers >> lane & 1);
}

static Role role_at(const Nets *nets, const Net *net, int source, bool lit) {
  return !lit ? ROLE_GONE : is_inspected(nets, net) ? ROLE_CURSOR : nets_role(nets, source);
}

// Of a paired net: the other lane.
static int partner(const Net *net) { return __builtin_ctz(net->readers); }

static void draw_uprights(const Nets *nets, const Net *net, int y, int far) {
  Canvas *canvas = nets->focus->canvas;
  int source = column(nets, net->source, false), track = row_of(nets, net), rows = nets_arc_rows(nets);
  for (int row = 0; row < track; row++) {
    canvas_put(canvas, source, y + row, 0x2502, role_at(nets, net, net->source, row <= far), 0);
    if (!nets->paired) continue;
    int other = column(nets, partner(net), true);
    canvas_put(canvas, other, y + row, 0x2502, role_at(nets, net, partner(net), row <= far), 0);
  }
  bool alarm = !(nets->focus->event->mask >> net->source & 1);
  for (uint32_t left = net->readers; left && !nets->paired; left &= left - 1) {
    int x = column(nets, __builtin_ctz(left), true), before = abs(x - source);
    for (int row = track + 1; row < rows; row++) {
      uint32_t glyph = row + 1 < rows ? 0x2502 : alarm ? 0x25b2 : 0x25be;
      canvas_put(canvas, x, y + row, glyph, role_at(nets, net, net->source, row + before <= far), 0);
    }
  }
}

// The left half of an arc has the color of the left lane's value, the right half that of the other's.
static void draw_track(const Nets *nets, const Net *net, int y, int far) {
  int source = column(nets, net->source, false), track = row_of(nets, net);
  for (int x = net->low; x <= net->high; x++) {
    int arms = (x > net->low ? ARM_LEFT : 0) | (x < net->high ? ARM_RIGHT : 0) | (x == source ? ARM_UP : 0);
    for (uint32_t left = net->readers; left; left &= left - 1)
      if (column(nets, __builtin_ctz(left), true) == x) arms |= nets->paired ? ARM_UP : ARM_DOWN;
    bool right = nets->paired && 2 * x > net->low + net->high;
    int come = track + (right ? net->high - x : abs(x - source));
    Role role = role_at(nets, net, right ? partner(net) : net->source, come <= far);
    canvas_put(nets->focus->canvas, x, y + track, joint(arms), role, 0);
  }
}

// A value on its way: at so many cells from its source.
static void draw_head(const Nets *nets, const Net *net, int source, int reader, int y, int far) {
  int from = column(nets, source, source != net->source), to = column(nets, reader, reader != net->source);
  int track = row_of(nets, net), across = abs(to - from), x = from, row = far;
  if (far > track + across) x = to, row = nets->paired ? 2 * track + across - far : far - across;
  else if (far > track) x = from + (to > from ? far - track : track - far), row = track;
  LsText text = {0};
  bool known = nets->values && nets->values->rows && nets->values->mask >> source & 1;
  if (known) lanerow_value_text(nets->values, source, &text);
  int width = ls_utf8_width(ls_text_str(&text));
  bool fits = width && width <= LS_MAX(nets->row->pitch, 2);
  Role role = nets_role(nets, source);
  if (fits) canvas_text_right(nets->focus->canvas, x + 1, y + row, role, STYLE_BOLD, ls_text_str(&text));
  else canvas_put(nets->focus->canvas, x, y + row, 0x25cf, role, STYLE_BOLD);
  ls_text_free(&text);
}

static void draw_heads(const Nets *nets, int y, int far) {
  for (int i = 0; i < nets->count; i++) {
    const Net *net = &nets->nets[i];
    for (uint32_t left = net->readers; left; left &= left - 1) {
      int reader = __builtin_ctz(left);
      if (way(nets, net, reader) <= far) continue;
      draw_head(nets, net, net->source, reader, y, far);
      if (nets->paired) draw_head(nets, net, reader, net->source, y, far);
    }
  }
}

void nets_draw_arcs(const Nets *nets, int y) {
  int far = gone(nets);
  for (int i = 0; i < nets->count; i++) draw_uprights(nets, &nets->nets[i], y, far);
  for (int i = 0; i < nets->count; i++) draw_track(nets, &nets->nets[i], y, far);
  if (focus_plays(nets->focus)) draw_heads(nets, y, far);
}

// ---- bundles ---------------------------------------------------------------------------------------------------------

// A bracket over lanes in a row, open upwards or downwards, with a stem in the column `stem`.
static void draw_bracket(const Nets *nets, int first, int count, bool reader, int stem, bool down, int y, Role role) {
  int low = column(nets, first, reader), high = column(nets, first + count - 1, reader);
  int side = down ? ARM_DOWN : ARM_UP;
  for (int x = low; x <= high; x++) {
    int arms = (x > low ? ARM_LEFT : 0) | (x < high ? ARM_RIGHT : 0) | (x == low || x == high ? side : 0);
    if (x == stem) arms |= down ? ARM_UP : ARM_DOWN;
    canvas_put(nets->focus->canvas, x, y, joint(arms), role, 0);
  }
}

static int middle(const Nets *nets, int first, int count, bool reader) {
  return (column(nets, first, reader) + column(nets, first + count - 1, reader)) / 2;
}

static void draw_link(const Nets *nets, int from, int to, bool paired, int y, Role left, Role right) {
  int low = LS_MIN(from, to), high = LS_MAX(from, to);
  for (int x = low; x <= high; x++) {
    int arms = (x > low ? ARM_LEFT : 0) | (x < high ? ARM_RIGHT : 0) | (x == from ? ARM_UP : 0);
    if (x == to) arms |= paired ? ARM_UP : ARM_DOWN;
    canvas_put(nets->focus->canvas, x, y, joint(arms), 2 * x > low + high ? right : left, 0);
  }
}

// How many lanes a link stands for; while it is played, where their values are.
static void name_link(const Nets *nets, int from, int to, int y, const Bundle *bundle) {
  int low = LS_MIN(from, to), high = LS_MAX(from, to);
  double part = focus_part(nets->focus, 1, NETS_PARTS);
  if (focus_plays(nets->focus)) {
    int far = (int)(part * (to - from));
    if (part <= 0 || part >= 1) return;
    canvas_put(nets->focus->canvas, from + far, y, 0x25cf, nets_role(nets, bundle->source), STYLE_BOLD);
    if (nets->paired) canvas_put(nets->focus->canvas, to - far, y, 0x25cf, nets_role(nets, bundle->reader), STYLE_BOLD);
    return;
  }
  char text[48];
  const char *s = bundle->count == 1 ? "" : "s", *verb = nets->paired ? "swap" : "move";
  snprintf(text, sizeof text, " %d lane%s %s ", bundle->count, s, verb);
  int width = ls_utf8_width(text), room = high - low - 1;
  if (width > room - 2) return;
  canvas_text(nets->focus->canvas, low + 1 + (room - width) / 2, y, ROLE_DIM, 0, text);
}

static void draw_bundle(const Nets *nets, const Bundle *b, int y) {
  const Focus *focus = nets->focus;
  Role from = nets_role(nets, b->source), to = nets->paired ? nets_role(nets, b->reader) : from;
  bool begins = focus_part(focus, 0, NETS_PARTS) > 0;
  bool crosses = focus_part(focus, 1, NETS_PARTS) > 0, arrives = focus_part(focus, 2, NETS_PARTS) > 0;
  Role leaves = begins ? from : ROLE_GONE, comes = begins ? to : ROLE_GONE;
  int stem = middle(nets, b->source, b->count, false), other = middle(nets, b->reader, b->count, true);
  draw_bracket(nets, b->source, b->count, false, stem, false, y, leaves);
  if (nets->paired) {
    draw_bracket(nets, b->reader, b->count, true, other, false, y, comes);
    // The source is the right one of the two.
    draw_link(nets, stem, other, true, y + 1, crosses ? to : ROLE_GONE, crosses ? from : ROLE_GONE);
    name_link(nets, stem, other, y + 1, b);
    return;
  }
  draw_link(nets, stem, other, false, y + 1, crosses ? from : ROLE_GONE, crosses ? from : ROLE_GONE);
  name_link(nets, stem, other, y + 1, b);
  draw_bracket(nets, b->reader, b->count, true, other, true, y + 2, arrives ? from : ROLE_GONE);
  for (int i = 0; i < b->count; i++)
    canvas_put(focus->canvas, column(nets, b->reader + i, true), y + 3, 0x25be, arrives ? from : ROLE_GONE, 0);
}

void nets_draw_bundles(const Nets *nets, int y) {
  for (int i = 0; i < nets->bundle_count; i++) draw_bundle(nets, &nets->bundles[i], y);
}
