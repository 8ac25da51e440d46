// sentence_warp.c: sentences about lanes that talk to each other: shuffle, vote, match, reduce, sync.
#include "base/mem.h"
#include "model/sentence.h"
#include "model/sentence_parts.h"

// ---- shuffle -------------------------------------------------------------------------------------------------------

// Lanes exchange within segments of `width` lanes; a lane whose source would lie outside keeps its own value.
typedef enum Pattern { KEEP, BROADCAST, XOR, UP, DOWN, ROTATE, GATHER } Pattern;
typedef struct Shuffle { Pattern pattern; int by, width; } Shuffle;

static int source_of(Shuffle shuffle, int lane) {
  int segment = lane & ~(shuffle.width - 1), place = lane - segment, to = place;
  switch (shuffle.pattern) {
    case BROADCAST: to = shuffle.by; break;
    case XOR: to = place ^ shuffle.by; break;
    case UP: to = place - shuffle.by; break;
    case DOWN: to = place + shuffle.by; break;
    case ROTATE: to = (place + shuffle.by) & (shuffle.width - 1); break;
    default: break;
  }
  return to < 0 || to >= shuffle.width ? lane : segment + to;
}

static bool fits(const TraceEvent *e, Shuffle shuffle) {
  for (uint32_t left = e->mask; left; left &= left - 1) {
    int lane = __builtin_ctz(left);
    if (e->source[lane] != source_of(shuffle, lane)) return false;
  }
  return true;
}

static bool try_pattern(const TraceEvent *e, Pattern pattern, Shuffle *found) {
  for (int width = 32; width >= 2; width /= 2)
    for (int by = pattern == BROADCAST ? 0 : 1; by < width; by++) {
      Shuffle shuffle = {pattern, by, width};
      if (!fits(e, shuffle)) continue;
      *found = shuffle;
      return true;
    }
  return false;
}

// The mode of the instruction tells which pattern to believe where several fit.
static Shuffle recognize(const Sentence *s) {
  static const Pattern order[] = {BROADCAST, XOR, DOWN, UP, ROTATE};
  static const uint8_t of_mode[PTX_MODE_COUNT] = {[PTX_SHFL_BFLY] = XOR, [PTX_SHFL_UP] = UP, [PTX_SHFL_DOWN] = DOWN};
  Shuffle found = {KEEP, 0, 32};
  if (fits(s->event, found)) return found;
  Pattern stated = s->instr && s->instr->mode < PTX_MODE_COUNT ? (Pattern)of_mode[s->instr->mode] : KEEP;
  if (stated != KEEP && try_pattern(s->event, stated, &found)) return found;
  for (int i = 0; i < LS_COUNT(order); i++)
    if (try_pattern(s->event, order[i], &found)) return found;
  return (Shuffle){GATHER, 0, 32};
}

static bool anyone_keeps(const TraceEvent *e) {
  for (uint32_t left = e->mask; left; left &= left - 1)
    if (e->source[__builtin_ctz(left)] == __builtin_ctz(left)) return true;
  return false;
}

void say_shuffle(const Sentence *s) {
  LsText *out = s->out;
  const TraceEvent *e = s->event;
  if (!e->source) {
    say_instruction(s);
    return;
  }
  Shuffle shuffle = recognize(s);
  bool one = say_count(e->mask) == 1;
  say_who(out, e->mask);
  switch (shuffle.pattern) {
    case KEEP:
      ls_text_add(out, one ? " shuffles, but keeps its own value." : " shuffle, but each keeps its own value.");
      return;
    case BROADCAST:
      ls_text_addf(out, " get%s the value of lane %d", one ? "s" : "", shuffle.by);
      if (shuffle.width < 32) ls_text_addf(out, " of %s group of %d", one ? "its" : "their", shuffle.width);
      break;
    case XOR:
      ls_text_add(out, one ? " gets the value of the lane" : " swap values with the lane");
      ls_text_addf(out, " whose number is %s own xor %d", one ? "its" : "their", shuffle.by);
      break;
    case UP: case DOWN:
      ls_text_addf(out, " get%s the value of the lane %d ", one ? "s" : "", shuffle.by);
      ls_text_add(out, shuffle.pattern == UP ? "below" : "above");
      if (shuffle.width < 32) ls_text_addf(out, ", within groups of %d", shuffle.width);
      if (anyone_keeps(e)) ls_text_add(out, "; where there is none, a lane keeps its own");
      break;
    case ROTATE:
      ls_text_addf(out, " get%s the value of the lane %d further, around the ", one ? "s" : "", shuffle.by);
      if (shuffle.width == 32) ls_text_add(out, "warp");
      else ls_text_addf(out, "group of %d", shuffle.width);
      break;
    case GATHER: ls_text_addf(out, " read%s from a lane of %s own choice", one ? "s" : "", one ? "its" : "their"); break;
  }
  ls_text_add(out, ". One instruction, without memory and without a barrier.");
}

// ---- vote ----------------------------------------------------------------------------------------------------------

static void say_yes(const Sentence *s, uint32_t yes) {
  say_who(s->out, s->event->mask);
  ls_text_addf(s->out, " vote%s: ", say_verb(s->event->mask));
  if (yes == s->event->mask) ls_text_add(s->out, say_count(yes) == 1 ? "yes" : "all say yes");
  else if (!yes) ls_text_add(s->out, say_count(s->event->mask) == 1 ? "no" : "all say no");
  else sentence_lanes(yes, s->out), ls_text_addf(s->out, " say%s yes", say_verb(yes));
}

void say_vote(const Sentence *s) {
  const TraceEvent *e = s->event;
  LsText *out = s->out;
  uint32_t yes = e->taken & e->mask;
  unsigned op = s->instr ? s->instr->op : PTX_OP_vote, mode = s->instr ? s->instr->mode : 0;
  if (op == PTX_OP_activemask) {
    say_who(out, e->active);
    ls_text_addf(out, " run%s together now: the active mask is 0x%08x.", say_verb(e->active), e->active);
    return;
  }
  if (op == PTX_OP_elect) {
    say_who(out, e->mask);
    ls_text_addf(out, " elect%s one lane, to do alone what need not be done twice.", say_verb(e->mask));
    return;
  }
  say_yes(s, yes);
  bool same = yes == 0 || yes == e->mask;
  if (mode == PTX_VOTE_ALL) ls_text_addf(out, ". Whether all agree: %s.", yes == e->mask ? "true" : "false");
  else if (mode == PTX_VOTE_ANY) ls_text_addf(out, ". Whether any does: %s.", yes ? "true" : "false");
  else if (mode == PTX_VOTE_UNI) ls_text_addf(out, ". Whether all say the same: %s.", same ? "true" : "false");
  else if (mode == PTX_VOTE_BALLOT) ls_text_addf(out, ". The ballot is 0x%08x, a bit for every yes.", yes);
  else ls_text_addc(out, '.');
}

// ---- match and reduce ----------------------------------------------------------------------------------------------

// Groups of lanes with equal values; *largest is the first of the largest ones.
static int match_groups(uint32_t mask, const uint64_t *value, uint32_t *largest) {
  int groups = 0;
  *largest = 0;
  for (uint32_t left = mask; left; groups++) {
    uint32_t group = 0;
    uint64_t wanted = value[__builtin_ctz(left)];
    for (uint32_t rest = left; rest; rest &= rest - 1)
      if (value[__builtin_ctz(rest)] == wanted) group |= 1u << __builtin_ctz(rest);
    if (say_count(group) > say_count(*largest)) *largest = group;
    left &= ~group;
  }
  return groups;
}

void say_match(const Sentence *s) {
  const TraceEvent *e = s->event;
  LsText *out = s->out;
  say_who(out, e->mask);
  ls_text_addf(out, " compare%s values", say_verb(e->mask));
  if (!e->value) {
    ls_text_add(out, ": each learns which lanes hold the same one.");
    return;
  }
  uint32_t largest;
  int groups = match_groups(e->mask, e->value, &largest);
  if (groups == 1) ls_text_add(out, ": all hold the same one.");
  else if (s->instr && s->instr->mode == PTX_MATCH_ALL) ls_text_add(out, ": they do not all hold the same one.");
  else if (say_count(largest) == 1) ls_text_add(out, ": no two hold the same one.");
  else {
    ls_text_addf(out, ": %d groups hold the same one each. The largest is ", groups);
    sentence_lanes(largest, out);
    ls_text_addc(out, '.');
  }
}

typedef struct Reduction { const char *many, *result; bool bits; } Reduction;

void say_redux(const Sentence *s) {
  static const Reduction reductions[PTX_MODE_COUNT] = {
      [PTX_AT_ADD] = {"add up their values", "the sum", false},
      [PTX_AT_MIN] = {"look for their smallest value", "it", false},
      [PTX_AT_MAX] = {"look for their largest value", "it", false},
      [PTX_AT_AND] = {"combine the bits of their values with and", "the result", true},
      [PTX_AT_OR] = {"combine the bits of their values with or", "the result", true},
      [PTX_AT_XOR] = {"combine the bits of their values with xor", "the result", true},
  };
  const TraceEvent *e = s->event;
  LsText *out = s->out;
  unsigned mode = s->instr && s->instr->mode < PTX_MODE_COUNT ? s->instr->mode : 0;
  Reduction r = reductions[mode].many ? reductions[mode] : (Reduction){"reduce their values to one", "it", false};
  say_who(out, e->mask);
  if (say_count(e->mask) == 1) ls_text_addf(out, " reduces only its own value and gets %s", r.result);
  else ls_text_addf(out, " %s, and each gets %s", r.many, r.result);
  if (e->result) {
    uint32_t value = (uint32_t)e->result[__builtin_ctz(e->mask)];
    bool is_signed = s->instr && ptx_type_is_signed((PtxType)s->instr->type);
    if (r.bits) ls_text_addf(out, ", 0x%08x", value);
    else if (is_signed) ls_text_addf(out, ", %d", (int32_t)value);
    else ls_text_addf(out, ", %u", value);
  }
  ls_text_add(out, ". One instruction does what a loop of shuffles would.");
}

void say_syncwarp(const Sentence *s) {
  const TraceEvent *e = s->event;
  bool alone = say_count(e->mask) == 1, more = e->members && e->members != e->mask;
  say_who(s->out, e->mask);
  ls_text_addf(s->out, more ? " arrive%s at __syncwarp, where " : " meet%s at __syncwarp", say_verb(e->mask));
  if (more) sentence_lanes(e->members, s->out), ls_text_addf(s->out, " meet%s", say_verb(e->members));
  ls_text_add(s->out, alone && !more ? ", with nobody else." : ": what one of them wrote before, all of them see after it.");
}
