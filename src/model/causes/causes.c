// causes.c: puts faults together that the same change mends, chooses their witness, and puts them in order.
#include "model/causes/cause.h"

#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "model/causes/cure_parts.h"
#include "model/sentence.h"

static const CureDef cures[CURE_KIND_COUNT] = {
#define CURE(ID, id, words) [CURE_##ID] = {id, words},
#include "model/causes/cure.def"
#undef CURE
};

const CureDef *cure_def(CureKind kind) { return &cures[(unsigned)kind < CURE_KIND_COUNT ? kind : CURE_GENERAL]; }

// ---- what the files share ------------------------------------------------------------------------------------------

void cure_at(const CureOf *of, Cause *cause, CureKind kind, int pc) {
  cause->cure = kind;
  if (pc < 0 || !ptx_line_of(of->module, pc, &cause->file, &cause->line)) cause->line = 0;
}

void add_line(const CureOf *of, int pc, LsText *out) {
  int line = flow_line(of->flow, pc);
  if (line) ls_text_addf(out, "line %d", line);
  else ls_text_addf(out, "line %d of the PTX", of->module->code[pc].line);
}

const char *array_name(const CureOf *of, const TraceFault *f) {
  bool known = f->object >= 0 && f->object < of->info->object_count && of->info->objects[f->object].name;
  return known ? of->info->objects[f->object].name : "it";
}

// ---- groups --------------------------------------------------------------------------------------------------------

typedef enum Family { OF_RACE, OF_UNINITIALIZED, OF_MASK, OF_OTHERS } Family;
static Family family_of(FaultKind kind) {
  switch (kind) {
  case FAULT_RACE: return OF_RACE;
  case FAULT_UNINITIALIZED: return OF_UNINITIALIZED;
  case FAULT_BAD_MASK: case FAULT_INACTIVE_SOURCE: return OF_MASK;
  default: return (Family)(OF_OTHERS + (int)kind);
  }
}

typedef struct Place { int file, line; } Place;   // without a line: the pc in place of it, below 0
static Place place_of(const CureOf *of, int pc) {
  Place p = {0};
  if (pc < 0 || !ptx_line_of(of->module, pc, &p.file, &p.line)) p = (Place){0, -2 - pc};
  return p;
}

static bool same_place(Place a, Place b) { return a.file == b.file && a.line == b.line; }
static int other_pc(const TraceFault *f) { return f->other_pc < 0 ? f->pc : f->other_pc; }

// Faults with the same key are one group: of one family, at the same two lines in any order. Beyond so many groups,
// which nobody
// reads, the family alone counts.
enum { MOST_GROUPS = 1000 };

static uint64_t place_key(Place p) { return (uint64_t)(uint32_t)p.file << 32 | (uint32_t)p.line; }

static LsKey group_key(const CureOf *of, const TraceFault *f, bool by_lines) {
  uint64_t one = place_key(place_of(of, f->pc)), other = place_key(place_of(of, other_pc(f)));
  LsKey key = {{1 + (uint64_t)family_of((FaultKind)f->kind)}};
  if (by_lines) key.word[1] = LS_MIN(one, other), key.word[2] = LS_MAX(one, other), key.word[3] = 1;
  return key;
}

static void add_member(Cause *cause, int fault) {
  cause->members = ls_realloc(cause->members, sizeof(int) * (size_t)(cause->member_count + 1));
  cause->members[cause->member_count++] = fault;
}

static void put_in_group(const CureOf *of, Causes *causes, LsTable *groups, int fault) {
  LsKey lines = group_key(of, &of->faults[fault], true), family = group_key(of, &of->faults[fault], false);
  int *number = ls_table_at(groups, &lines);
  if (!*number && causes->count >= MOST_GROUPS) number = ls_table_at(groups, &family);
  if (*number) {
    add_member(&causes->items[*number - 1], fault);
    return;
  }
  Cause cause = {0};
  add_member(&cause, fault);
  LS_PUSH(causes->items, causes->count, causes->capacity, cause);
  *number = causes->count;
}

// Takes a cause in, members and all; its place in the list is free then.
static void take_in(Causes *causes, int into, int from) {
  Cause *to = &causes->items[into], *other = &causes->items[from];
  for (int i = 0; i < other->member_count; i++) add_member(to, other->members[i]);
  free(other->members);
  free(other->advice);
  memmove(other, other + 1, sizeof *other * (size_t)(causes->count - from - 1));
  causes->count--;
}

static bool is_kind(const CureOf *of, const Cause *cause, FaultKind kind) {
  return of->faults[cause->members[0]].kind == kind;
}

static bool same_array(const TraceFault *a, const TraceFault *b) {
  return a->space == b->space && a->object == b->object && a->object >= 0;
}

static bool touches(const CureOf *of, const Cause *race, const TraceFault *f, bool line_too) {
  Place at = place_of(of, f->pc);
  for (int i = 0; i < race->member_count; i++) {
    const TraceFault *r = &of->faults[race->members[i]];
    bool line = same_place(place_of(of, r->pc), at) || same_place(place_of(of, other_pc(r)), at);
    if (same_array(r, f) && (line || !line_too)) return true;
  }
  return false;
}

// Read too early: there is a race with who writes it.
static void take_in_early_reads(const CureOf *of, Causes *causes) {
  for (int u = 0; u < causes->count; u++) {
    int race = -1;
    if (!is_kind(of, &causes->items[u], FAULT_UNINITIALIZED)) continue;
    for (int i = 0; i < causes->count && race < 0; i++)
      if (is_kind(of, &causes->items[i], FAULT_RACE) &&
          touches(of, &causes->items[i], &of->faults[causes->items[u].members[0]], true)) race = i;
    if (race < 0) continue;
    take_in(causes, race, u);
    u--;
  }
}

// ---- witness -------------------------------------------------------------------------------------------------------

static int rank(const CureOf *of, const TraceFault *f) {
  if (f->kind == FAULT_DIVERGENT_BARRIER) return 100;
  if (f->kind == FAULT_RACE) return 10 + 2 * (int)reach_of(f) + race_is_exact(of, f);
  return f->kind == FAULT_BAD_MASK || f->kind == FAULT_OUT_OF_BOUNDS ? 1 : 0;
}

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void choose_witness(const CureOf *of, Cause *cause) {
  int best = 0;
  qsort(cause->members, (size_t)cause->member_count, sizeof(int), by_number);
  cause->count = 0;
  for (int i = 0; i < cause->member_count; i++) {
    const TraceFault *f = &of->faults[cause->members[i]];
    cause->count += LS_MAX(f->count, 1);
    if (rank(of, f) > rank(of, &of->faults[cause->members[best]])) best = i;
  }
  int witness = cause->members[best];
  memmove(cause->members + 1, cause->members, sizeof(int) * (size_t)best);
  cause->members[0] = cause->witness = witness;
  cause->kind = (FaultKind)of->faults[witness].kind;
}

// ---- cures ---------------------------------------------------------------------------------------------------------

static void find_cure(const CureOf *of, Cause *cause) {
  LsText text = {0};
  const TraceFault *f = &of->faults[cause->witness];
  choose_witness(of, cause);
  f = &of->faults[cause->witness];
  cure_at(of, cause, CURE_GENERAL, f->pc);
  switch (cause->kind) {
  case FAULT_RACE: case FAULT_LOST_UPDATE: cure_race(of, cause, &text); break;
  case FAULT_OUT_OF_BOUNDS: cure_bounds(of, cause, &text); break;
  case FAULT_UNINITIALIZED: cure_uninitialized(of, cause, &text); break;
  case FAULT_DIVERGENT_BARRIER: cure_barrier(of, cause, &text); break;
  case FAULT_BAD_MASK: case FAULT_INACTIVE_SOURCE: cure_mask(of, cause, &text); break;
  case FAULT_DEADLOCK: case FAULT_LIVELOCK: cure_stuck(of, cause, &text); break;
  default: break;
  }
  const char *general = sentence_advice(f);
  free(cause->advice);
  cause->advice = text.length ? ls_text_take(&text) : ls_strdup(general ? general : "");
  ls_text_free(&text);
}

static bool waits(const Cause *cause) { return cause->cure == CURE_BARRIER || cause->cure == CURE_SYNCWARP; }

// Whether one barrier does for both.
static bool one_place(const Cause *a, const Cause *b) {
  if (!a->line || a->file != b->file || a->carried != b->carried) return false;
  if (a->carried) return LS_MAX(a->other_line, b->other_line) <= LS_MIN(a->line, b->line);   // rounds of one loop
  return LS_MAX(a->line, b->line) < LS_MIN(a->other_line, b->other_line);
}

// The barrier that b asks for is there, and only some lanes come to it.
static bool is_half_there(const Cause *a, const Cause *b) {
  return a->cure == CURE_MOVE_BARRIER && b->cure == CURE_BARRIER && !b->carried && a->file == b->file &&
         a->line >= b->line && a->line <= b->other_line;
}

// The lock itself, given back by plain stores, is not what a lock guards.
static bool is_the_lock(const CureOf *of, const Cause *a, const Cause *b) {
  const TraceFault *x = &of->faults[a->witness], *y = &of->faults[b->witness];
  return a->cure == CURE_ATOMIC_TOO && b->cure == CURE_LOCK_FENCE && x->addr == y->addr && x->space == y->space;
}

static bool same_cure(const CureOf *of, const Cause *a, const Cause *b) {
  if (is_half_there(a, b) || is_the_lock(of, a, b)) return true;
  if (waits(a) && waits(b)) return one_place(a, b);
  bool guards = a->cure == CURE_GUARD && (b->kind == FAULT_OUT_OF_BOUNDS || b->cure == CURE_GUARD);
  if (guards) return a->file == b->file && a->line == b->line;
  bool moves = a->cure == CURE_MOVE_CALL || a->cure == CURE_MOVE_BARRIER;
  if (moves && a->cure == b->cure && a->other_line && a->file == b->file) return a->other_line == b->other_line;
  return a->cure != CURE_GENERAL && a->cure == b->cure && a->file == b->file && a->line == b->line && a->line;
}

// A barrier for both stands between the latest of what comes first and the earliest of what comes second.
static void narrow(Cause *cause, const Cause *other) {
  cause->line = LS_MAX(cause->line, other->line);
  cause->other_line = LS_MIN(cause->other_line, other->other_line);
}

static void merge_cures(const CureOf *of, Causes *causes) {
  for (int i = 0; i < causes->count; i++)
    for (int k = 0; k < causes->count; k++) {
      Cause *a = &causes->items[i], *b = &causes->items[k];
      if (i == k || !same_cure(of, a, b)) continue;
      bool wait = waits(a);
      narrow(b, a);
      Cause narrowed = *b;
      take_in(causes, i, k);
      if (k < i) i--;
      a = &causes->items[i];
      find_cure(of, a);
      if (wait) cure_between(of, a, narrowed.line, narrowed.other_line);
      k = -1;
    }
}

// ---- order ---------------------------------------------------------------------------------------------------------

static int earliest(const Cause *cause) {
  int first = cause->members[0];
  for (int i = 1; i < cause->member_count; i++) first = LS_MIN(first, cause->members[i]);
  return first;
}

// Faults, then warnings, then notes; by time among these, but which barrier some lanes have missed comes before the
// races that the missing order made.
static int by_grade(const void *a, const void *b) {
  const Cause *x = a, *y = b;
  FaultGrade one = trace_fault_def(x->kind)->grade, other = trace_fault_def(y->kind)->grade;
  bool first = x->kind == FAULT_DIVERGENT_BARRIER, second = y->kind == FAULT_DIVERGENT_BARRIER;
  if (one != other) return (int)one - (int)other;
  return first == second ? earliest(x) - earliest(y) : second - first;
}

// A race comes before a read of what nobody wrote in the same array.
static void races_first(const CureOf *of, Causes *causes) {
  for (int i = 0; i < causes->count; i++) {
    for (int u = 0; u < i; u++) {
      if (causes->items[i].kind != FAULT_RACE || causes->items[u].kind != FAULT_UNINITIALIZED) continue;
      if (!touches(of, &causes->items[i], &of->faults[causes->items[u].witness], false)) continue;
      Cause race = causes->items[i];
      memmove(&causes->items[u + 1], &causes->items[u], sizeof race * (size_t)(i - u));
      causes->items[u] = race;
      break;
    }
  }
}

static void number_faults(Causes *causes) {
  for (int i = 0; i < causes->count; i++)
    for (int k = 0; k < causes->items[i].member_count; k++) causes->of_fault[causes->items[i].members[k]] = i;
}

Causes *causes_new(const PtxModule *module, const TraceInfo *info, const TraceFault *faults, int count) {
  Causes *causes = ls_alloc(sizeof *causes);
  CureOf of = {module, info, faults, count, count ? flow_new(module) : NULL};
  causes->fault_count = count;
  causes->of_fault = ls_alloc(sizeof(int) * (size_t)(count + 1));
  LsTable groups = {0};
  for (int i = 0; i < count; i++) put_in_group(&of, causes, &groups, i);
  ls_table_free(&groups);
  take_in_early_reads(&of, causes);
  for (int i = 0; i < causes->count; i++) find_cure(&of, &causes->items[i]);
  merge_cures(&of, causes);
  if (causes->count) qsort(causes->items, (size_t)causes->count, sizeof *causes->items, by_grade);
  races_first(&of, causes);
  number_faults(causes);
  flow_free(of.flow);
  return causes;
}

void causes_free(Causes *causes) {
  if (!causes) return;
  for (int i = 0; i < causes->count; i++) {
    free(causes->items[i].members);
    free(causes->items[i].advice);
  }
  free(causes->items);
  free(causes->of_fault);
  free(causes);
}

const Cause *causes_of(const Causes *causes, int fault) {
  return causes && fault >= 0 && fault < causes->fault_count ? &causes->items[causes->of_fault[fault]] : NULL;
}

// ---- words ---------------------------------------------------------------------------------------------------------

void causes_sentence_of(const Causes *causes, const TraceFault *faults, int fault, LsText *out) {
  const Cause *cause = causes_of(causes, fault);
  sentence_of_message(&faults[fault], out);
  if (cause && *cause->advice) ls_text_addf(out, " %s", cause->advice);
}

void cause_sentence(const Cause *cause, const TraceFault *faults, LsText *out) {
  sentence_of_message(&faults[cause->witness], out);
  if (*cause->advice) ls_text_addf(out, " %s", cause->advice);
  if (cause->member_count > 1) ls_text_addf(out, " (%d faults of this one cause)", cause->member_count);
}
