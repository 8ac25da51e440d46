// waves.c: the model of blocks on SMs, wave after wave: the last wave, a long block, a second kernel.
#include "app/models/waves.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/random.h"
#include "model/waves.h"

enum { SMS, PER_SM, BLOCKS, CUT, LONG, AT, SPREAD, SECOND, STREAMS, NOW };
enum { SMS_MOST = 160, PER_SM_MOST = 32, BLOCKS_MOST = 8192, NOW_MOST = 320000, TENTH = WAVES_TICKS / 10, FRAMES = 40 };

static const char *const streams[] = {"one", "two"};

static RecipeParam params[] = {
    [SMS] = {.name = "sms", .help = "SMs of the device", .fallback = 8, .min = 1, .max = SMS_MOST, .step = 1},
    [PER_SM] = {.name = "per_sm", .help = "blocks that an SM has room for at once", .fallback = 1, .min = 1,
                .max = PER_SM_MOST, .step = 1},
    [BLOCKS] = {.name = "blocks", .help = "blocks of the grid, each takes a second", .fallback = 12, .min = 1,
                .max = BLOCKS_MOST, .step = 1},
    [CUT] = {.name = "cut", .help = "each block is cut into so many, which take as much less time", .fallback = 1,
             .min = 1, .max = WAVES_CUT, .step = 1},
    [LONG] = {.name = "long", .help = "one block takes so many times as long", .fallback = 1, .min = 1, .max = 10,
              .step = 1},
    [AT] = {.name = "at", .help = "blockIdx of the long block", .max = BLOCKS_MOST - 1, .step = 1},
    [SPREAD] = {.name = "spread", .help = "how many percent more or less than a second blocks take at most",
                .max = 90, .step = 5},
    [SECOND] = {.name = "second", .help = "blocks of a second kernel, launched behind the first one",
                .max = BLOCKS_MOST, .step = 1},
    [STREAMS] = {.name = "streams", .help = "both kernels in one stream, or each in its own", .is_text = true,
                 .max = 1, .step = 1, .choices = (const char **)streams, .choice_count = LS_COUNT(streams)},
    [NOW] = {.name = "now", .help = "the time up to which the picture is shown, in tenths of a second",
             .max = NOW_MOST, .step = 1},
};

// ---- places --------------------------------------------------------------------------------------------------------

// A heap of places, the one that is free first on top; of those that are free at one time, the lowest number.
typedef struct Places { int64_t *free_at; int *order, count; } Places;

static bool is_sooner(const Places *places, int a, int b) {
  int64_t x = places->free_at[a], y = places->free_at[b];
  return x != y ? x < y : a < b;
}

static void sink(Places *places, int at) {
  for (int child; (child = 2 * at + 1) < places->count; at = child) {
    if (child + 1 < places->count && is_sooner(places, places->order[child + 1], places->order[child])) child++;
    if (!is_sooner(places, places->order[child], places->order[at])) return;
    int swapped = places->order[at];
    places->order[at] = places->order[child], places->order[child] = swapped;
  }
}

static void places_init(Places *places, int count) {
  *places = (Places){ls_alloc((size_t)count * sizeof(int64_t)), ls_alloc((size_t)count * sizeof(int)), count};
  for (int i = 0; i < count; i++) places->order[i] = i;
}

static void places_free(Places *places) {
  free(places->free_at);
  free(places->order);
}

// No block begins before `first`: places that are free sooner stay empty until then.
static void wait_until(Places *places, int64_t first) {
  for (int i = 0; i < places->count; i++) places->free_at[i] = LS_MAX(places->free_at[i], first);
  for (int i = places->count / 2; i >= 0; i--) sink(places, i);
}

// ---- blocks --------------------------------------------------------------------------------------------------------

// A share of -1 to 1 that is the same for the same block in every run.
static double chance_of(int kernel, int number) {
  uint32_t key[2] = {(uint32_t)kernel, (uint32_t)number};
  return (double)(ls_hash64(key, sizeof key) >> 11) / (double)(1ull << 52) - 1;
}

static int64_t time_of(const WavesModel *m, int spread, int kernel, int number) {
  int64_t ticks = WAVES_TICKS / m->cut;
  if (kernel == 0 && number / m->cut == m->long_block) return ticks * m->long_times;
  return ticks + (int64_t)((double)ticks * spread / 100 * chance_of(kernel, number));
}

static void run_kernel(WavesModel *m, Places *places, int spread, int kernel, int blocks) {
  for (int i = 0; i < blocks; i++) {
    int place = places->order[0];
    int64_t start = places->free_at[place], took = time_of(m, spread, kernel, i);
    m->list[m->count++] = (WavesBlock){kernel, i, place, start, start + took};
    m->work += took;
    m->end = LS_MAX(m->end, start + took);
    places->free_at[place] = start + took;
    sink(places, 0);
  }
}

void waves_model(const ModelValues *values, WavesModel *out) {
  Places places;
  int cut = model_int(values, CUT), spread = model_int(values, SPREAD);
  *out = (WavesModel){.sms = model_int(values, SMS), .per_sm = model_int(values, PER_SM), .cut = cut,
                      .blocks = model_int(values, BLOCKS) * cut, .second = model_int(values, SECOND) * cut,
                      .streams = model_int(values, STREAMS) == 1, .long_times = model_int(values, LONG)};
  out->even = out->long_times == 1 && spread == 0;
  out->places = out->sms * out->per_sm;
  out->long_block = LS_MIN(model_int(values, AT), model_int(values, BLOCKS) - 1);
  out->list = ls_alloc((size_t)(out->blocks + out->second) * sizeof *out->list);
  places_init(&places, out->places);
  run_kernel(out, &places, spread, 0, out->blocks);
  if (!out->streams) wait_until(&places, out->end);
  run_kernel(out, &places, spread, 1, out->second);
  out->tail = places.free_at[places.order[0]];
  out->now = LS_MIN((int64_t)model_int(values, NOW) * TENTH, out->end);
  places_free(&places);
}

void waves_model_free(WavesModel *model) { free(model->list); }
int64_t waves_total(const WavesModel *model) { return (int64_t)model->blocks + model->second; }
double waves_seconds(int64_t ticks) { return (double)ticks / WAVES_TICKS; }
double waves_used(const WavesModel *m) { return (double)m->work / ((double)m->end * m->places); }

int waves_waiting(const WavesModel *model) {
  int waiting = 0;
  for (int i = 0; i < model->count; i++) waiting += model->list[i].start > model->now;
  return model->now ? waiting : model->count;
}

// ---- numbers and words ---------------------------------------------------------------------------------------------

static int64_t last_end(const WavesModel *m, int kernel) {
  int64_t end = 0;
  for (int i = 0; i < m->count; i++) if (m->list[i].kernel == kernel) end = LS_MAX(end, m->list[i].end);
  return end;
}

static void facts(const ModelValues *values, ModelFacts *out) {
  WavesModel m;
  Waves waves;
  waves_model(values, &m);
  waves_compute(m.blocks, m.sms, m.per_sm, &waves);
  fact_number(out, "per_wave", "blocks", (double)waves.per_wave);
  fact_number(out, "waves", "waves", (double)waves.waves);
  fact_number(out, "last", "blocks", (double)waves.tail_blocks);
  fact_number(out, "last_full", "", waves.tail_fill);
  fact_number(out, "last_share", "", waves.tail_share);
  fact_number(out, "queued", "blocks", (double)LS_MAX(m.blocks - waves.per_wave, 0));
  fact_number(out, "seconds", "s", waves_seconds(m.end));
  fact_number(out, "first_done", "s", waves_seconds(last_end(&m, 0)));
  fact_number(out, "second_done", "s", m.second ? waves_seconds(last_end(&m, 1)) : NAN);
  fact_number(out, "ideal", "s", waves_seconds(m.work) / m.places);
  fact_number(out, "used", "", waves_used(&m));
  fact_number(out, "tail", "s", waves_seconds(m.end - m.tail));
  waves_model_free(&m);
}

static const char *counted(int64_t count, const char *one, const char *many) { return count == 1 ? one : many; }

static void add_last(const WavesModel *m, const Waves *waves, LsText *out) {
  if (waves->tail_blocks == waves->per_wave) {
    ls_text_add(out, counted(waves->waves, " It is full.", " The last one is full, too."));
    return;
  }
  ls_text_addf(out, " %s has %d %s, %.3g %% of its places", counted(waves->waves, "It", "The last one"),
               (int)waves->tail_blocks, counted(waves->tail_blocks, "block", "blocks"), waves->tail_fill * 100);
  if (waves->waves > 1) ls_text_add(out, ", and takes as long as a full one");
  ls_text_add(out, m->cut > 1 ? ". Smaller blocks leave a smaller tail." : ".");
}

static void add_uneven(const WavesModel *m, bool spread, LsText *out) {
  if (m->long_times > 1)
    ls_text_addf(out, " Block %d takes %d times as long and begins at %.3g s.", m->long_block, m->long_times,
                 waves_seconds(m->list[m->long_block * m->cut].start));
  if (spread) ls_text_add(out, " Where blocks take unlike times, no wave is seen: each place goes on by itself.");
}

static void add_second(const WavesModel *m, LsText *out) {
  if (!m->second) return;
  ls_text_addf(out, " A second kernel of %d %s ", m->second, counted(m->second, "block", "blocks"));
  if (m->streams) ls_text_add(out, "in a stream of its own takes the places that the first one leaves empty.");
  else ls_text_add(out, "in the same stream waits for the last block of the first.");
}

static void words(const ModelValues *values, LsText *out) {
  WavesModel m;
  Waves waves;
  char blocks[32], count[32];
  waves_model(values, &m);
  waves_compute(m.blocks, m.sms, m.per_sm, &waves);
  ls_text_addf(out, "%s %s, %d at once: %s %s.", ls_group_digits((uint64_t)m.blocks, blocks),
               counted(m.blocks, "block", "blocks"), m.places, ls_group_digits((uint64_t)waves.waves, count),
               counted(waves.waves, "wave", "waves"));
  if (m.even) add_last(&m, &waves, out);
  add_uneven(&m, model_int(values, SPREAD) > 0, out);
  add_second(&m, out);
  ls_text_addf(out, " In all %.4g s; %.3g %% of the places' time is used.", waves_seconds(m.end), waves_used(&m) * 100);
  waves_model_free(&m);
}

// ---- sliders -------------------------------------------------------------------------------------------------------

static int64_t end(const ModelValues *values) {
  WavesModel m;
  waves_model(values, &m);
  waves_model_free(&m);
  return (m.end + TENTH - 1) / TENTH;
}

static int64_t most(const ModelValues *values, int param) {
  return param == AT ? LS_MAX(model_int(values, BLOCKS) - 1, 1) : params[param].max;
}

static int64_t pace(const ModelValues *values) { return LS_MAX(end(values) / FRAMES, 1); }

const Model model_waves = {
    .recipe = {.name = "waves", .title = "What the last wave costs", .topic = "blocks",
               .about = "Blocks wait in a queue until an SM has room for a whole one. So they run in waves, and the "
                        "last wave takes as long as a full one, however few blocks it has: the tail. More waves, "
                        "smaller blocks or a second kernel make it matter less.",
               .params = params, .param_count = LS_COUNT(params)},
    .rules = "Computed, not measured: a block takes a second, cut ones as much less; blocks on one SM do not slow one "
             "another; launches cost nothing; the next block takes the first place that is free. No order of blocks is "
             "promised by CUDA.",
    .time = NOW, .facts = facts, .words = words, .end = end, .most = most, .pace = pace,
};
