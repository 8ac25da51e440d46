// spaces.c: the model of one line of addresses with a window for each space: what a pointer of a lane points to.
#include "app/models/spaces.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/bank.h"
#include "model/coal.h"
#include "sim/core/memory.h"

enum { POINTERS, INPUT, EACH };
enum { WORD = 4, WIDTH_MOST = 16, BUFFERS = 0x200000 };
enum { ODD_EVEN, HALVES, FIRST_ALONE, ALL_SHARED, ALL_GLOBAL, ALL_LOCAL, OF_RUN };

static const char *const pointers[] = {"odd even", "halves", "one lane", "all shared", "all global", "all local",
                                       "run"};
static const char *const each[] = {"one variable", "array"};

static RecipeParam params[] = {
    [POINTERS] = {.name = "pointers", .help = "which lanes point into shared memory, and where the others point",
                  .is_text = true,
                  .max = LS_COUNT(pointers) - 1, .step = 1, .choices = (const char **)pointers,
                      .choice_count = LS_COUNT(pointers)},
    [INPUT] = {.name = "input", .help = "of lane 0, one more for each lane: odd to &global, even &shared",
               .min = -32, .max = 32, .step = 1},
    [EACH] = {.name = "each", .help = "all lanes store to one variable, or each to its own element",
              .is_text = true,
              .max = 1, .step = 1, .choices = (const char **)each, .choice_count = LS_COUNT(each)},
};

const char *spaces_name(SpaceWindow window) {
  static const char *const names[] = {"local", "shared", "global"};
  return names[LS_CLAMP((int)window, 0, WINDOW_COUNT - 1)];
}

// In C, -3 % 2 is -1: it is not 0, so a negative odd number is as odd as another one.
static SpaceWindow window_of(int rule, int lane, int input) {
  switch (rule) {
    case ODD_EVEN: return input % 2 ? WINDOW_GLOBAL : WINDOW_SHARED;
    case HALVES: return lane < SPACES_LANES / 2 ? WINDOW_SHARED : WINDOW_GLOBAL;
    case FIRST_ALONE: return lane == 0 ? WINDOW_GLOBAL : WINDOW_SHARED;
    case ALL_SHARED: return WINDOW_SHARED;
    case ALL_GLOBAL: return WINDOW_GLOBAL;
    default: return WINDOW_LOCAL;
  }
}

static TraceEvent store_of(const SpacesModel *m, SpaceWindow window, uint64_t addr[SPACES_LANES]) {
  static const TraceSpace spaces[] = {TRACE_LOCAL, TRACE_SHARED, TRACE_GLOBAL};
  TraceEvent event = {.kind = TRACE_STORE, .space = (uint8_t)spaces[window], .width = (uint8_t)m->width,
                      .active = m->lanes[window],
                      .mask = m->lanes[window]};
  uint64_t from = window == WINDOW_GLOBAL ? 0 : m->base[window];
  for (int lane = 0; lane < SPACES_LANES; lane++) addr[lane] = m->window[lane] == window ? m->address[lane] - from : 0;
  event.addr = addr;
  return event;
}

static void count_costs(SpacesModel *m) {
  uint64_t addr[SPACES_LANES];
  Coalescing moved;
  Banking banks;
  if (m->lanes[WINDOW_GLOBAL]) {
    TraceEvent event = store_of(m, WINDOW_GLOBAL, addr);
    coal_analyze(&event, COAL_SECTORS_32, &moved);
    m->sectors = moved.sectors;
  }
  if (m->lanes[WINDOW_SHARED]) {
    TraceEvent event = store_of(m, WINDOW_SHARED, addr);
    bank_analyze(&event, BANK_32X4, &banks);
    m->wavefronts = banks.wavefronts;
  }
}

// ---- the pointers of a run -----------------------------------------------------------------------------------------

// access = ("st" | "ld" | "atom") BYTES { " " ( "-" | WINDOW HEX ["=" NAME] ) }, a word for each lane: WINDOW is l, s
// or g, HEX counts from its start.
static bool read_lane(const char *word, int lane, SpacesModel *m) {
  static const char letters[] = {'l', 's', 'g'};
  char *end;
  if (strcmp(word, "-") == 0) return true;
  int w = 0;
  while (w < WINDOW_COUNT && letters[w] != *word) w++;
  if (w == WINDOW_COUNT || !isxdigit((unsigned char)word[1])) return false;
  m->address[lane] = m->base[w] + strtoull(word + 1, &end, 16);
  m->window[lane] = (SpaceWindow)w;
  m->lanes[w] |= 1u << lane;
  if (*end == '=') snprintf(m->name[w], sizeof m->name[w], "%.*s", SPACES_NAME - 1, end + 1);
  return !*end || *end == '=';
}

static bool read_access(const char *word, SpacesModel *m) {
  size_t letters = strcspn(word, "0123456789");
  char *end;
  if (letters >= sizeof m->access) return false;
  snprintf(m->access, sizeof m->access, "%.*s", (int)letters, word);
  m->width = (int)LS_MIN(strtoul(word + letters, &end, 10), WIDTH_MOST + 1u);
  bool known = strcmp(m->access, "st") == 0 || strcmp(m->access, "ld") == 0 || strcmp(m->access, "atom") == 0;
  return known && !*end && m->width >= 1 && m->width <= WIDTH_MOST && (m->width & (m->width - 1)) == 0;
}

static bool read_script(const char *script, SpacesModel *m, LsErr *err) {
  char *text = ls_strdup(script), *rest = text, *word;
  int lane = -1;
  bool ok = true;
  while (ok && (word = strsep(&rest, " "))) {
    ok = lane < 0 ? read_access(word, m) : lane < SPACES_LANES && read_lane(word, lane, m);
    if (!ok) ls_fail(err, LS_EREQUEST, "'%.30s' is no access: st4 (or ld, atom), then for each lane l, s or g with a "
                     "hex offset in that window, or -", word);
    lane++;
  }
  free(text);
  if (ok && !(m->lanes[0] | m->lanes[1] | m->lanes[2])) return ls_fail(err, LS_EREQUEST, "no lane has a pointer");
  return ok;
}

static void clear_lanes(SpacesModel *m) {
  for (int lane = 0; lane < SPACES_LANES; lane++) m->window[lane] = WINDOW_COUNT;
}

static bool check(const char *script, LsErr *err) {
  SpacesModel m = {.of_run = true};
  return read_script(script, &m, err);
}

// ---- the pointers of a rule ----------------------------------------------------------------------------------------

static void point(const ModelValues *values, SpacesModel *out) {
  bool array = model_int(values, EACH) == 1;
  for (int lane = 0; lane < SPACES_LANES; lane++) {
    out->input[lane] = model_int(values, INPUT) + lane;
    SpaceWindow window = window_of(model_int(values, POINTERS), lane, out->input[lane]);
    uint64_t variable = out->base[window] + (window == WINDOW_GLOBAL ? BUFFERS : 0);
    out->window[lane] = window;
    out->address[lane] = variable + (array ? (uint64_t)lane * WORD : 0);
    out->lanes[window] |= 1u << lane;
  }
}

void spaces_model(const ModelValues *values, SpacesModel *out) {
  *out = (SpacesModel){.access = "st", .width = WORD, .of_run = model_int(values, POINTERS) == OF_RUN,
                       .base = {SIM_LOCAL_WINDOW, SIM_SHARED_WINDOW, SIM_GLOBAL_BASE},
                       .size = {SIM_WINDOW_BYTES, SIM_WINDOW_BYTES, SIM_HEAP_BASE - SIM_GLOBAL_BASE}};
  clear_lanes(out);
  if (out->of_run) read_script(values->script, out, NULL);
  else point(values, out);
  count_costs(out);
}

// ---- numbers and words ---------------------------------------------------------------------------------------------

static void hex_fact(ModelFacts *out, const char *name, const char *format, uint64_t value) {
  char text[32];
  if (*format == 'm') snprintf(text, sizeof text, "0x%08" PRIx64, value);
  else snprintf(text, sizeof text, "0x%" PRIx64, value);
  fact_text(out, name, text);
}

static void facts(const ModelValues *values, ModelFacts *out) {
  SpacesModel m;
  spaces_model(values, &m);
  hex_fact(out, "shared_lanes", "mask", m.lanes[WINDOW_SHARED]);
  hex_fact(out, "global_lanes", "mask", m.lanes[WINDOW_GLOBAL]);
  hex_fact(out, "local_lanes", "mask", m.lanes[WINDOW_LOCAL]);
  fact_number(out, "global_requests", "requests", m.lanes[WINDOW_GLOBAL] != 0);
  fact_number(out, "global_sectors", "sectors", m.sectors);
  fact_number(out, "shared_wavefronts", "wavefronts", m.wavefronts);
  hex_fact(out, "lane0", "address", m.address[0]);
  hex_fact(out, "lane1", "address", m.address[1]);
  fact_text(out, "lane0_window", m.window[0] == WINDOW_COUNT ? "none" : spaces_name(m.window[0]));
}

// Whether lanes store to one place.
static bool races(const SpacesModel *m) {
  for (int a = 0; strcmp(m->access, "st") == 0 && a < SPACES_LANES; a++)
    for (int b = 0; b < a; b++)
      if (m->window[a] != WINDOW_COUNT && m->window[b] != WINDOW_COUNT && m->address[a] == m->address[b]) return true;
  return false;
}

static void words(const ModelValues *values, LsText *out) {
  SpacesModel m;
  spaces_model(values, &m);
  int stores = 0;
  ls_text_addf(out, "One instruction, %s of %d bytes through a plain pointer: the hardware looks at each lane's "
               "address and finds its window.", m.access, m.width);
  for (int w = 0; w < WINDOW_COUNT; w++) {
    int lanes = __builtin_popcount(m.lanes[w]);
    if (lanes) ls_text_addf(out, "%s %d %s in %s memory", stores++ ? "," : "", lanes, lanes == 1 ? "lane" : "lanes",
                            spaces_name((SpaceWindow)w));
  }
  ls_text_addf(out, ": %d %s.", stores, stores == 1 ? "access" : "accesses one after the other");
  if (m.lanes[WINDOW_LOCAL]) ls_text_add(out, " In the local window the same address is another word for each lane.");
  else if (races(&m) && stores) ls_text_add(out, " Lanes that store to one variable race: one of "
                                                                    "them wins, and nobody says which.");
}

const Model model_spaces = {
    .recipe = {.name = "spaces", .title = "Where does a pointer point", .topic = "memory",
               .about = "Since compute capability 2.0 all spaces lie on one line of addresses: a window for shared "
                        "memory, a "
                        "window for each thread's local memory, and the rest is global. A generic pointer is found "
                        "in its "
                        "window when it is used, lane by lane.",
               .params = params, .param_count = LS_COUNT(params)},
    .rules = "Generic addressing (PTX ISA, cvta); windows where lanescope's emulator has them. Where they lie on a GPU "
             "differs from one to the next. Sectors and wavefronts as the counters count them.",
    .time = -1, .facts = facts, .words = words,
    .script_name = "access", .script_help = "of a run: st4, then for each lane s or g and a hex offset, or -",
    .script = "st4 s0 g200000", .script_check = check,
};
