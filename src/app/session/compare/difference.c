// difference.c: lines by their counters, buffers by their elements, warps by what each of their events did.
#include "app/session/compare/difference.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/random.h"

enum { SLICE = 4096 };

const char *difference_name(DifferenceKind kind) {
  static const char *const names[] = {
#define DIFFERENCE(NAME, words) [DIFFERENCE_##NAME] = words,
#include "app/session/compare/difference.def"
#undef DIFFERENCE
  };
  return kind < DIFFERENCE_KIND_COUNT ? names[kind] : "";
}

// ---- counters ------------------------------------------------------------------------------------------------------

static bool differs(const CounterSet *a, const CounterSet *b, CounterId *first) {
  for (int i = 0; i < COUNTER_COUNT; i++)
    if (a->value[i] != b->value[i]) return *first = (CounterId)i, true;
  return false;
}

static void compare_line(const Run *left, const Run *right, int file, int line, Difference *out) {
  CounterSet a, b;
  CounterId counter;
  counters_line(left->counters, file, line, &a);
  counters_line(right->counters, file, line, &b);
  if (out->line_count < DIFFERENCE_LINES && differs(&a, &b, &counter))
    out->lines[out->line_count++] = (LineDifference){file, line, counter, a.value[counter], b.value[counter]};
}

static void compare_lines(const Run *left, const Run *right, Difference *out) {
  const PtxLines *lines = counters_lines(left->counters);
  for (int i = 0; i < lines->count; i++)
    if (lines->lines[i].line > 0) compare_line(left, right, lines->lines[i].file, lines->lines[i].line, out);
}

// ---- buffers -------------------------------------------------------------------------------------------------------

static const uint8_t *buffer_of(const Run *run, int arg, uint64_t *size) {
  *size = 0;
  return run->device_run ? run->device->buffer(run->device_run, arg, size) : NULL;
}

static uint64_t element(const uint8_t *bytes, uint64_t index, int width) {
  uint64_t bits = 0;
  memcpy(&bits, bytes + index * (uint64_t)width, (size_t)width);
  return bits;
}

static void compare_buffer(const uint8_t *a, const uint8_t *b, const LaunchArg *arg, BufferDifference *out) {
  int width = launch_type_size(arg->type);
  for (uint64_t i = 0; i < out->elements; i++) {
    if (memcmp(a + i * (uint64_t)width, b + i * (uint64_t)width, (size_t)width) == 0) continue;
    if (!out->count++) out->first = i, out->left = element(a, i, width), out->right = element(b, i, width);
  }
}

static void compare_buffers(const Run *left, const Run *right, Difference *out) {
  const Launch *launch = &left->info.launch;
  if (launch->arg_count != right->info.launch.arg_count) return;
  out->buffers = ls_alloc(((size_t)launch->arg_count + 1) * sizeof *out->buffers);
  for (int arg = 0; arg < launch->arg_count; arg++) {
    uint64_t left_size, right_size;
    const uint8_t *a = buffer_of(left, arg, &left_size), *b = buffer_of(right, arg, &right_size);
    if (!launch->args[arg].is_buffer || launch_has_pointers(launch, arg) || !a || !b || left_size != right_size)
      continue;
    BufferDifference *buffer = &out->buffers[out->buffer_count++];
    *buffer = (BufferDifference){.arg = arg, .elements = left_size / (uint64_t)launch_type_size(launch->args[arg].type)};
    if (memcmp(a, b, left_size) != 0) compare_buffer(a, b, &launch->args[arg], buffer);
    out->buffers_differing += buffer->count > 0;
  }
}

// ---- events --------------------------------------------------------------------------------------------------------

// What an event did, in numbers that are the same on both devices.
typedef struct Effect { uint64_t step; int32_t pc; uint32_t lanes, place, value, old; } Effect;
typedef struct Effects { Effect *items; int count, capacity; } Effects;

// Which warp uses a place: of a table that is probed from the place's number on.
typedef struct User { uint64_t place; int32_t warp; } User;   // warp -1: several
typedef struct Users { User *items; size_t capacity, count; bool made; } Users;

typedef struct DifferenceWork {
  int block;                       // index into the left run's blocks
  const TraceBlock *left, *right;  // of the shared block that is gathered; NULL: the next one is to be found
  uint64_t at[2];                  // events gathered of each side
  Effects of[2][DIFFERENCE_WARPS];
  Users users;
} DifferenceWork;

static uint64_t name_of(const TraceObject *object) {
  if (object->arg >= 0) return (uint64_t)object->arg + 1;
  return object->name ? ls_hash64(object->name, strlen(object->name)) : 0;
}

// An address as the place within its array.
static uint64_t place_of(const TraceInfo *info, int space, uint64_t addr) {
  for (int i = 0; i < info->object_count; i++) {
    const TraceObject *object = &info->objects[i];
    if (object->space != space || addr - object->base >= object->size) continue;
    return (addr - object->base) + name_of(object) * 0x9e3779b97f4a7c15ull;
  }
  return addr;
}

static uint32_t short_hash(const uint64_t *words, int count) {
  uint64_t hash = ls_hash64(words, (size_t)count * sizeof *words);
  return (uint32_t)(hash ^ hash >> 32);
}

static uint32_t hash_lanes(const uint64_t *values, uint32_t mask) {
  uint64_t words[32];
  int count = 0;
  for (uint32_t left = values ? mask : 0; left; left &= left - 1) words[count++] = values[__builtin_ctz(left)];
  return count ? short_hash(words, count) : 0;
}

static Effect effect_of(const TraceInfo *info, const TraceEvent *event) {
  uint64_t lanes[6] = {event->kind, event->active, event->mask, event->space, event->members}, place[32];
  int count = 5, places = 0;
  bool valued = event->flags & TRACE_VALUES;
  if (event->kind == TRACE_BRANCH || event->kind == TRACE_VOTE) lanes[count++] = event->taken;
  for (uint32_t left = event->addr ? event->mask : 0; left; left &= left - 1)
    place[places++] = place_of(info, event->space, event->addr[__builtin_ctz(left)]);
  Effect effect = {.step = event->step, .pc = event->pc, .lanes = short_hash(lanes, count)};
  if (places) effect.place = short_hash(place, places);
  if (valued) effect.value = hash_lanes(event->value, event->mask);
  if (valued && event->kind != TRACE_ATOM) effect.value ^= hash_lanes(event->result, event->mask) * 31u;
  if (valued && event->flags & TRACE_RETURNS_OLD) effect.old = hash_lanes(event->result, event->mask);
  return effect;
}

// A side that tells no values of an event cannot differ in them.
static void gather_event(DifferenceWork *work, const Run *run, int side, const TraceEvent *event) {
  if (event->warp >= DIFFERENCE_WARPS || trace_kind_is_fault(event->kind)) return;   // a GPU tells of none in passing
  Effects *of = &work->of[side][event->warp];
  Effect effect = effect_of(&run->info, event);
  if (!(event->flags & TRACE_VALUES)) effect.value = effect.old = 0;
  LS_PUSH(of->items, of->count, of->capacity, effect);
}

// ---- the order of atomics ------------------------------------------------------------------------------------------

static User *user_of(Users *users, uint64_t place) {
  size_t at = (size_t)(place * 0x9e3779b97f4a7c15ull >> 20) % users->capacity;
  while (users->items[at].warp != 0 && users->items[at].place != place) at = (at + 1) % users->capacity;
  return &users->items[at];
}

static void note_user(Users *users, uint64_t place, int warp) {
  User *user = user_of(users, place);
  if (user->warp == 0) {
    *user = (User){place, warp + 1};
    users->count++;
  } else if (user->warp != warp + 1) {
    user->warp = -1;
  }
}

static void grow_users(Users *users) {
  Users larger = {.capacity = LS_MAX(users->capacity * 2, 1024), .made = true, .count = users->count};
  larger.items = ls_alloc(larger.capacity * sizeof *larger.items);
  for (size_t i = 0; i < users->capacity; i++)
    if (users->items[i].warp) *user_of(&larger, users->items[i].place) = users->items[i];
  free(users->items);
  *users = larger;
}

// Who changes what in a block: made when the first old value differs.
static void find_users(DifferenceWork *work, const Run *run) {
  grow_users(&work->users);
  for (uint64_t i = 0; i < LS_MIN(work->left->count, DIFFERENCE_EVENTS); i++) {
    TraceEvent event;
    if (!trace_event(run->trace, work->left->first + i, &event, NULL)) return;
    if ((event.kind != TRACE_ATOM && event.kind != TRACE_STORE) || !event.addr) continue;
    for (uint32_t left = event.mask; left; left &= left - 1) {
      if (work->users.count * 2 > work->users.capacity) grow_users(&work->users);
      note_user(&work->users, event.space + 8 * place_of(&run->info, event.space, event.addr[__builtin_ctz(left)]), event.warp);
    }
  }
}

static bool is_alone(const TraceEvent *event, int lane) {
  for (uint32_t left = event->mask & ~(1u << lane); left; left &= left - 1)
    if (event->addr[__builtin_ctz(left)] == event->addr[lane]) return false;
  return true;
}

// Whether old values that differ have to be the same: nobody else could have been there before.
static bool old_matters(DifferenceWork *work, const Run *left, const Run *right, const Effect *a, const Effect *b) {
  TraceEvent mine, theirs;
  uint64_t result[32];
  bool one_block = launch_blocks(&left->info.launch) == 1;
  if (!trace_event(right->trace, b->step, &theirs, NULL) || !theirs.result) return false;
  memcpy(result, theirs.result, sizeof result);
  if (!work->users.made) find_users(work, left);
  if (!trace_event(left->trace, a->step, &mine, NULL) || !mine.result || !mine.addr) return false;
  if (mine.space != TRACE_SHARED && !one_block) return false;
  for (uint32_t lanes = mine.mask; lanes; lanes &= lanes - 1) {
    int lane = __builtin_ctz(lanes);
    uint64_t place = mine.space + 8 * place_of(&left->info, mine.space, mine.addr[lane]);
    if (mine.result[lane] != result[lane] && is_alone(&mine, lane) && user_of(&work->users, place)->warp == mine.warp + 1) return true;
  }
  return false;
}

// ---- lanes in other groups -----------------------------------------------------------------------------------------

// What each lane did, whoever did it with it.
typedef struct Lanes { uint64_t way[32], place[32], value[32], old[32]; } Lanes;

static uint64_t mix(uint64_t hash, uint64_t word) { return (hash ^ word) * 0x9e3779b97f4a7c15ull + (hash >> 29) + 1; }

static void follow_lane(const TraceInfo *info, const TraceEvent *event, int lane, Lanes *lanes) {
  bool does = event->mask >> lane & 1, valued = does && event->flags & TRACE_VALUES;
  uint64_t took = event->kind == TRACE_BRANCH ? event->taken >> lane & 1 : 0;
  lanes->way[lane] = mix(lanes->way[lane], (uint64_t)event->pc * 4 + 2 * does + took);
  if (does && event->addr) lanes->place[lane] = mix(lanes->place[lane], place_of(info, event->space, event->addr[lane]));
  if (valued && event->value) lanes->value[lane] = mix(lanes->value[lane], event->value[lane]);
  if (!valued || !event->result) return;
  uint64_t *result = event->kind == TRACE_ATOM ? &lanes->old[lane] : &lanes->value[lane];
  *result = mix(*result, event->result[lane]);
}

// A warp's events from the one with index `from` on.
static void follow_lanes(const Run *run, const Effects *effects, int from, Lanes *lanes) {
  memset(lanes, 0, sizeof *lanes);
  for (int i = from; i < effects->count; i++) {
    TraceEvent event;
    if (!trace_event(run->trace, effects->items[i].step, &event, NULL)) return;
    for (uint32_t left = event.active; left; left &= left - 1) follow_lane(&run->info, &event, __builtin_ctz(left), lanes);
  }
}

// ---- warps ---------------------------------------------------------------------------------------------------------

static void add_item(Difference *d, EventDifference item) {
  d->counts[item.kind]++;
  d->ordered += item.after_order;
  if (d->item_count >= DIFFERENCE_ITEMS) d->cut_short = true;
  else LS_PUSH(d->items, d->item_count, d->item_capacity, item);
}

// Of one event; WAY ends the warp. False: nothing differs.
static bool kind_of(Difference *d, const Run *left, const Run *right, const Effect *a, const Effect *b, bool *order,
                    DifferenceKind *kind) {
  bool values = a->value && b->value && a->value != b->value, old = a->old && b->old && a->old != b->old;
  if (a->pc != b->pc) return *kind = DIFFERENCE_WAY, true;
  if (a->lanes != b->lanes) return *kind = DIFFERENCE_LANES, true;
  if (a->place != b->place) return *kind = DIFFERENCE_PLACE, true;
  if (values) return *kind = DIFFERENCE_VALUE, true;
  if (!old) return false;
  if (old_matters(d->work, left, right, a, b)) return *kind = DIFFERENCE_VALUE, true;
  *order = true;
  d->order++;
  return false;
}

// True if the lanes of a warp, each by itself, go the same way on both sides: then the warp is done with.
static bool compare_lanes(Difference *d, const Run *left, const Run *right, int i, EventDifference item) {
  Lanes mine, theirs;
  follow_lanes(left, &d->work->of[0][item.warp], i, &mine);
  follow_lanes(right, &d->work->of[1][item.warp], i, &theirs);
  if (memcmp(mine.way, theirs.way, sizeof mine.way) != 0) return false;
  bool places = memcmp(mine.place, theirs.place, sizeof mine.place) != 0;
  bool values = memcmp(mine.value, theirs.value, sizeof mine.value) != 0, old = memcmp(mine.old, theirs.old, sizeof mine.old) != 0;
  d->regrouped++;
  d->order += old;
  item.kind = places ? DIFFERENCE_PLACE : DIFFERENCE_VALUE;
  item.grouped = true;
  item.after_order |= old;
  if (places || values) add_item(d, item);
  return true;
}

// One warp has more events than the other.
static void add_end(Difference *d, int warp, int both, bool order) {
  const Effects *mine = &d->work->of[0][warp], *theirs = &d->work->of[1][warp];
  bool is_mine = mine->count > both;
  const Effect *more = is_mine ? &mine->items[both] : &theirs->items[both];
  const Effect *last = both ? &mine->items[both - 1] : NULL;
  add_item(d, (EventDifference){.left = is_mine ? more->step : last ? last->step : UINT64_MAX, .right = is_mine ? UINT64_MAX : more->step,
                                .event = (uint64_t)both + 1, .left_pc = is_mine ? more->pc : -1, .right_pc = is_mine ? -1 : more->pc,
                                .block = d->work->left->block, .warp = (uint8_t)warp, .kind = DIFFERENCE_WAY, .after_order = order});
}

static void compare_warp(Difference *d, const Run *left, const Run *right, int warp) {
  const Effects *mine = &d->work->of[0][warp], *theirs = &d->work->of[1][warp];
  int both = LS_MIN(mine->count, theirs->count);
  bool order = false, apart = false, whole = LS_MAX(d->work->left->count, d->work->right->count) <= DIFFERENCE_EVENTS;
  DifferenceKind kind = DIFFERENCE_VALUE;
  d->events += (uint64_t)both;
  for (int i = 0; i < both; i++) {
    const Effect *a = &mine->items[i], *b = &theirs->items[i];
    if (!kind_of(d, left, right, a, b, &order, &kind)) continue;
    EventDifference item = {.left = a->step, .right = b->step, .event = (uint64_t)i + 1, .left_pc = a->pc, .right_pc = b->pc,
                            .block = d->work->left->block, .warp = (uint8_t)warp, .kind = (uint8_t)kind, .after_order = order};
    bool parts = !apart && (kind == DIFFERENCE_LANES || kind == DIFFERENCE_WAY);
    if (parts && whole && compare_lanes(d, left, right, i, item)) return;
    apart |= parts;
    add_item(d, item);
    if (kind == DIFFERENCE_WAY) return;
  }
  if (whole && mine->count != theirs->count) add_end(d, warp, both, order);
}

// ---- block after block ---------------------------------------------------------------------------------------------

static const TraceBlock *find_block(const Run *run, uint32_t block) {
  int count = 0;
  const TraceBlock *blocks = run->trace ? trace_blocks(run->trace, &count) : NULL;
  for (int i = 0; i < count; i++)
    if (blocks[i].block == block) return &blocks[i];
  return NULL;
}

static bool next_block(DifferenceWork *work, const Run *left, const Run *right) {
  int count = 0;
  const TraceBlock *blocks = left->trace ? trace_blocks(left->trace, &count) : NULL;
  work->right = NULL;
  work->at[0] = work->at[1] = 0;
  while (!work->right && work->block < count) {
    work->left = &blocks[work->block++];
    work->right = work->left->count ? find_block(right, work->left->block) : NULL;
  }
  return work->right != NULL;
}

static void forget_block(DifferenceWork *work) {
  for (int i = 0; i < 2 * DIFFERENCE_WARPS; i++) {
    Effects *effects = &work->of[i / DIFFERENCE_WARPS][i % DIFFERENCE_WARPS];
    free(effects->items);
    *effects = (Effects){0};
  }
  free(work->users.items);
  work->users = (Users){0};
}

// Some events of one side; false once there are no more.
static bool gather(DifferenceWork *work, const Run *run, int side) {
  const TraceBlock *block = side ? work->right : work->left;
  uint64_t end = LS_MIN(block->count, DIFFERENCE_EVENTS), stop = LS_MIN(end, work->at[side] + SLICE);
  for (; work->at[side] < stop; work->at[side]++) {
    TraceEvent event;
    if (!trace_event(run->trace, block->first + work->at[side], &event, NULL)) return false;
    gather_event(work, run, side, &event);
  }
  return work->at[side] < end;
}

static int by_step(const void *a, const void *b) {
  const EventDifference *x = a, *y = b;
  return x->left < y->left ? -1 : x->left > y->left;
}

static void end_block(Difference *d, const Run *left, const Run *right) {
  for (int warp = 0; warp < DIFFERENCE_WARPS; warp++) compare_warp(d, left, right, warp);
  if (LS_MAX(d->work->left->count, d->work->right->count) > DIFFERENCE_EVENTS) d->cut_short = true;
  d->compared++;
  forget_block(d->work);
}

static bool same_code(const Run *a, const Run *b) {
  const Launch *left = &a->info.launch, *right = &b->info.launch;
  return a->info.ptx && b->info.ptx && a->info.ptx_length == b->info.ptx_length &&
         memcmp(a->info.ptx, b->info.ptx, a->info.ptx_length) == 0 && a->entry == b->entry &&
         memcmp(left->grid, right->grid, sizeof left->grid) == 0 && memcmp(left->block, right->block, sizeof left->block) == 0;
}

static int shared_blocks(const Run *left, const Run *right) {
  int count = 0, shared = 0;
  const TraceBlock *blocks = left->trace ? trace_blocks(left->trace, &count) : NULL;
  for (int i = 0; i < count; i++) shared += blocks[i].count && find_block(right, blocks[i].block);
  return shared;
}

void difference_begin(Difference *d, const Run *left, const Run *right) {
  *d = (Difference){.same_code = same_code(left, right)};
  d->done = !d->same_code;
  if (d->done) return;
  if (left->counters_complete && right->counters_complete) compare_lines(left, right, d);
  compare_buffers(left, right, d);
  d->blocks = shared_blocks(left, right);
  d->work = ls_alloc(sizeof *d->work);
}

static void finish(Difference *d) {
  if (d->item_count) qsort(d->items, (size_t)d->item_count, sizeof *d->items, by_step);
  free(d->work);
  d->work = NULL;
  d->done = true;
}

bool difference_advance(Difference *d, const Run *left, const Run *right, double seconds) {
  double end = ls_clock() + seconds;
  while (!d->done) {
    if (!d->work->right && !next_block(d->work, left, right)) {
      finish(d);
    } else if (!gather(d->work, left, 0) && !gather(d->work, right, 1)) {
      end_block(d, left, right);
      d->work->right = NULL;
    }
    if (seconds > 0 && ls_clock() > end) break;
  }
  return !d->done;
}

void difference_free(Difference *d) {
  if (d->work) forget_block(d->work);
  free(d->work);
  free(d->items);
  free(d->buffers);
  *d = (Difference){0};
}

// ---- asking --------------------------------------------------------------------------------------------------------

int difference_next(const Difference *d, uint64_t step, int dir) {
  int found = -1;
  for (int i = 0; i < d->item_count; i++) {
    if (d->items[i].left == UINT64_MAX) break;
    if (dir > 0 && d->items[i].left > step) return i;
    if (dir < 0 && d->items[i].left < step) found = i;
  }
  return found;
}

int difference_at(const Difference *d, uint64_t step) {
  for (int i = 0; i < d->item_count; i++)
    if (d->items[i].left == step) return i;
  return -1;
}
