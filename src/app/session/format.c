// format.c: values as the explorer writes them: no more digits than needed, and 32 lanes in one line.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/session/format.h"
#include "base/mem.h"

static int64_t sign_extend(uint64_t bits, int size) {
  int shift = 64 - 8 * LS_CLAMP(size, 1, 8);
  return (int64_t)(bits << shift) >> shift;
}

static uint64_t zero_extend(uint64_t bits, int size) {
  int shift = 64 - 8 * LS_CLAMP(size, 1, 8);
  return bits << shift >> shift;
}

static double half_value(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double sign = bits >> 15 ? -1.0 : 1.0;
  if (exponent == 31) return fraction ? (double)NAN : sign * (double)INFINITY;
  if (exponent == 0) return sign * ldexp(fraction, -24);
  return sign * ldexp(1024 + fraction, exponent - 25);
}

static double float_value(uint64_t bits, int size) {
  if (size == 2) return half_value((uint16_t)bits);
  if (size == 8) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  uint32_t word = (uint32_t)bits;
  float value;
  memcpy(&value, &word, sizeof value);
  return (double)value;
}

// Six significant digits at most; whole numbers keep one zero behind the point; exponents without padding.
static void format_float(double value, LsText *out) {
  char text[48];
  if (isnan(value)) {
    ls_text_add(out, "nan");
    return;
  }
  if (isinf(value)) {
    ls_text_add(out, value < 0 ? "-inf" : "inf");
    return;
  }
  if (value == nearbyint(value) && fabs(value) < 1e9) {
    ls_text_addf(out, "%.1f", value);
    return;
  }
  snprintf(text, sizeof text, "%.6g", value);
  char *e = strchr(text, 'e');
  if (!e) {
    ls_text_add(out, text);
    if (!strchr(text, '.')) ls_text_add(out, ".0");
    return;
  }
  char *digits = e + 2;
  while (digits[0] == '0' && digits[1]) digits++;
  ls_text_addn(out, text, (size_t)(e + 1 - text));
  if (e[1] == '-') ls_text_addc(out, '-');
  ls_text_add(out, digits);
}

static void format_char(uint64_t bits, LsText *out) {
  if (bits >= 32 && bits < 127) ls_text_addf(out, "'%c'", (char)bits);
  else ls_text_addf(out, "%llu", (unsigned long long)bits);
}

void ses_format_value(uint8_t kind, int size, uint64_t bits, bool hex, LsText *out) {
  bits = zero_extend(bits, size);
  if (hex || kind == PTX_DW_POINTER || kind == PTX_DW_STRUCT || kind == PTX_DW_ARRAY) {
    ls_text_addf(out, "0x%llx", (unsigned long long)bits);
    return;
  }
  switch (kind) {
    case PTX_DW_FLOAT: format_float(float_value(bits, size), out); break;
    case PTX_DW_BOOL: ls_text_add(out, bits ? "true" : "false"); break;
    case PTX_DW_CHAR: format_char(bits, out); break;
    case PTX_DW_UINT: ls_text_addf(out, "%llu", (unsigned long long)bits); break;
    default: ls_text_addf(out, "%lld", (long long)sign_extend(bits, size)); break;
  }
}

static bool lanes_same(const SceneVar *var) {
  int first = __builtin_ctz(var->valid);
  for (int lane = first; lane < 32; lane++)
    if ((var->valid >> lane & 1) && var->bits[lane] != var->bits[first]) return false;
  return true;
}

// A series: neighboring lanes, at least three, whole numbers or addresses with one step between them.
static bool lanes_series(const SceneVar *var, int *first, int *last) {
  if (var->kind == PTX_DW_FLOAT || var->kind == PTX_DW_BOOL || var->kind == PTX_DW_CHAR) return false;
  *first = __builtin_ctz(var->valid);
  *last = 31 - __builtin_clz(var->valid);
  int count = *last - *first + 1;
  if (count < 3 || __builtin_popcount(var->valid) != count) return false;
  uint64_t step = var->bits[*first + 1] - var->bits[*first];
  for (int lane = *first + 1; lane <= *last; lane++)
    if (zero_extend(var->bits[lane] - var->bits[lane - 1] - step, var->size)) return false;
  return true;
}

SesShape ses_lanes_shape(const SceneVar *var) {
  int first, last;
  if (!var->in_scope || !var->valid) return SES_LANES_NONE;
  if (lanes_same(var)) return SES_LANES_SAME;
  return lanes_series(var, &first, &last) ? SES_LANES_SERIES : SES_LANES_EACH;
}

// Cuts to width columns, an ellipsis where something is missing.
static void add_cut(LsText *out, const char *text, int width) {
  if (ls_utf8_width(text) <= width) {
    ls_text_add(out, text);
    return;
  }
  ls_text_addn(out, text, ls_utf8_within(text, width - 1));
  if (width > 0) ls_text_add(out, "…");
}

static void series_text(const SceneVar *var, bool hex, int width, LsText *out) {
  int first = 0, last = 0;
  lanes_series(var, &first, &last);
  LsText end = {0}, text = {0};
  ls_text_add(&end, " .. ");
  ses_format_value(var->kind, var->size, var->bits[last], hex, &end);
  // Up to five terms, as many as leave room for the last one.
  int room = width - ls_utf8_width(ls_text_str(&end));
  for (int lane = first; lane < last && lane < first + 5; lane++) {
    size_t before = text.length;
    if (lane > first) ls_text_addc(&text, ' ');
    ses_format_value(var->kind, var->size, var->bits[lane], hex, &text);
    if ((int)text.length <= room) continue;
    text.length = before;
    text.data[before] = 0;
    break;
  }
  if (text.length) ls_text_add(&text, ls_text_str(&end));
  else ses_format_value(var->kind, var->size, var->bits[first], hex, &text), ls_text_add(&text, ls_text_str(&end));
  add_cut(out, ls_text_str(&text), width);
  ls_text_free(&end);
  ls_text_free(&text);
}

// Lane by lane there is little room: truth is one letter.
static void add_lane(const SceneVar *var, int lane, bool hex, LsText *out) {
  bool known = var->valid >> lane & 1;
  if (known && var->kind == PTX_DW_BOOL && !hex) ls_text_addc(out, var->bits[lane] & 255 ? 'T' : 'F');
  else if (known) ses_format_value(var->kind, var->size, var->bits[lane], hex, out);
  else ls_text_add(out, "·");
}

// The last lane of the piece that begins at `first`: equal values, masked lanes, or whole numbers with one step.
static int piece_end(const SceneVar *var, int first) {
  bool known = var->valid >> first & 1, whole = var->kind == PTX_DW_INT || var->kind == PTX_DW_UINT || var->kind == PTX_DW_POINTER;
  if (first == 31 || (var->valid >> (first + 1) & 1) != known) return first;
  uint64_t step = known ? var->bits[first + 1] - var->bits[first] : 0;
  if (step && !whole) return first;
  int last = first + 1;
  while (last < 31 && (var->valid >> (last + 1) & 1) == known && (!known || var->bits[last + 1] - var->bits[last] == step)) last++;
  // Two neighbors always have "one step": a piece is worth telling from three on.
  return last - first >= 2 ? last : first;
}

// "0 1 .. 15  7 .. 7": a series as first, second and last, equal ones as first and last.
static void pieces_text(const SceneVar *var, bool hex, LsText *out) {
  for (int lane = 0; lane < 32;) {
    int last = piece_end(var, lane);
    if (lane) ls_text_add(out, "  ");
    add_lane(var, lane, hex, out);
    if (last > lane) {
      bool equal = !(var->valid >> lane & 1) || var->bits[lane] == var->bits[last];
      if (!equal) ls_text_addc(out, ' '), add_lane(var, lane + 1, hex, out);
      ls_text_add(out, equal || last > lane + 2 ? " .. " : " ");
      add_lane(var, last, hex, out);
    }
    lane = last + 1;
  }
}

// Whole values only: cut behind the last one that fits together with the ellipsis.
static void add_whole(LsText *out, const char *all, int width) {
  size_t cut = 0;
  int columns = 0;
  for (const char *at = all; *at && columns < width - 1; columns++) {
    if (*at == ' ') cut = (size_t)(at + 1 - all);
    ls_utf8_next(&at);
  }
  if (!cut || width <= 1) {
    add_cut(out, all, width);
    return;
  }
  ls_text_addn(out, all, cut);
  ls_text_add(out, "…");
}

static void each_text(const SceneVar *var, bool hex, int width, LsText *out) {
  LsText all = {0}, pieces = {0};
  for (int lane = 0; lane < 32; lane++) {
    if (lane) ls_text_addc(&all, ' ');
    add_lane(var, lane, hex, &all);
  }
  pieces_text(var, hex, &pieces);
  if (ls_utf8_width(ls_text_str(&all)) <= width) ls_text_add(out, ls_text_str(&all));
  else if (ls_utf8_width(ls_text_str(&pieces)) <= width) ls_text_add(out, ls_text_str(&pieces));
  else add_whole(out, ls_text_str(&all), width);
  ls_text_free(&all);
  ls_text_free(&pieces);
}

void ses_format_lanes(const SceneVar *var, bool hex, int width, LsText *out) {
  LsText text = {0};
  switch (ses_lanes_shape(var)) {
    case SES_LANES_NONE: add_cut(out, var->in_scope ? "no value yet" : "out of scope", width); break;
    case SES_LANES_SAME:
      ses_format_value(var->kind, var->size, var->bits[__builtin_ctz(var->valid)], hex, &text);
      add_cut(out, ls_text_str(&text), width);
      break;
    case SES_LANES_SERIES: series_text(var, hex, width, out); break;
    case SES_LANES_EACH: each_text(var, hex, width, out); break;
  }
  ls_text_free(&text);
}

void ses_format_ns(uint64_t ns, char *out, size_t size) {
  static const struct { double unit; const char *name; } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}};
  for (int i = 0; i < LS_COUNT(units); i++) {
    double value = (double)ns / units[i].unit;
    if (value < 0.9995) continue;
    snprintf(out, size, "%.*f %s", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, units[i].name);
    return;
  }
  snprintf(out, size, "%llu ns", (unsigned long long)ns);
}
