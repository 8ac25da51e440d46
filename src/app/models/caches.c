// caches.c: the model of the ways of a load: through L1 or the read-only cache or past them, L2, memory.
#include "app/models/caches.h"

#include <math.h>
#include <stdio.h>

#include "base/mem.h"
#include "model/cache.h"

enum { ACCESS, PATH, WARPS, DISTINCT, L1, L2, KEPT, REQUEST };
enum { KB = 1024, STRUCT_WORDS = 3, WORD = 4, LANES = 32, WARP_BYTES = LANES * STRUCT_WORDS * WORD, TABLE_KB = 64,
      CONSTANT_KB = 2 };
typedef enum Access { AOS, AOS_LDG, AOS_STAGED, SOA, REUSE, CONSTANT } Access;
typedef enum Path { KEPLER, UNIFIED } Path;

static const char *const accesses[] = {"AoS", "AoS LDG", "AoS staged", "SoA", "reuse", "constant"};
static const char *const paths[] = {"Kepler", "unified"};

static RecipeParam params[] = {
    [ACCESS] = {.name = "access", .help = "three floats of a thread, a table again and again, or constants",
                .is_text = true, .max = LS_COUNT(accesses) - 1, .step = 1, .choices = (const char **)accesses,
                .choice_count = LS_COUNT(accesses)},
    [PATH] = {.name = "path", .help = "Kepler: plain loads skip L1; unified: all look there first",
              .is_text = true, .max = 1, .step = 1, .choices = (const char **)paths, .choice_count = LS_COUNT(paths)},
    [WARPS] = {.name = "warps", .help = "warps that take turns; of reuse: rounds", .fallback = 32, .min = 1, .max = 64,
               .step = 1},
    [DISTINCT] = {.name = "distinct", .help = "of constant: words that the lanes of a warp read", .fallback = 1,
                  .min = 1,
                  .max = LANES, .step = 1},
    [L1] = {.name = "l1", .help = "KB of cache in the SM: what the carve-out leaves",
            .fallback = 48,
            .min = 1, .max = 256, .step = 1},
    [L2] = {.name = "l2", .help = "KB of L2 for this SM", .fallback = 256, .min = 16, .max = 1024, .step = 16},
    [KEPT] = {.name = "kept", .help = "KB of L2 set aside for the table of reuse (persistence)", .max = 1024,
              .step = 16},
    [REQUEST] = {.name = "request", .help = "requests that are done", .max = CACHES_REQUESTS, .step = 1},
};

// ---- requests ------------------------------------------------------------------------------------------------------

typedef struct Run { CachesModel *m; Cache near, l2; bool has_near; } Run;

static void touch(Run *run, CachesRequest *request, uint64_t sector, bool kept) {
  request->sectors++;
  if (run->has_near && cache_access(&run->near, sector, false)) request->found[0]++;
  else if (cache_access(&run->l2, sector, kept)) request->found[1]++;
  else request->found[2]++;
}

static CachesRequest *add(Run *run, int row, int col) {
  CachesRequest *request = &run->m->requests[LS_MIN(run->m->request_count, CACHES_REQUESTS - 1)];
  if (run->m->request_count < CACHES_REQUESTS) run->m->request_count++;
  *request = (CachesRequest){.row = row, .col = col};
  return request;
}

static void touch_range(Run *run, CachesRequest *request, uint64_t from, uint64_t bytes, bool kept) {
  for (uint64_t at = from / CACHE_SECTOR; at < (from + bytes + CACHE_SECTOR - 1) / CACHE_SECTOR; at++) touch(run,
      request, at, kept);
}

// The three loads of a warp: of a structure all its sectors each time; of arrays, or staged, a third of them each time.
static void position_loads(Run *run, Access access, int warps) {
  uint64_t third = WARP_BYTES / STRUCT_WORDS, array = (uint64_t)warps * third;
  for (int load = 0; load < STRUCT_WORDS; load++)
    for (int warp = 0; warp < warps; warp++) {
      CachesRequest *request = add(run, load, warp);
      uint64_t at = (uint64_t)warp * WARP_BYTES;
      if (access == SOA) touch_range(run, request, (uint64_t)load * array + (uint64_t)warp * third, third, false);
      else if (access == AOS_STAGED) touch_range(run, request, at + (uint64_t)load * third, third, false);
      else touch_range(run, request, at, WARP_BYTES, false);
    }
}

// A table that every round reads, and a stream as large as the L2 between.
static void rounds(Run *run, int count, int l2_kb) {
  uint64_t stream = (uint64_t)1 << 40;
  for (int round = 0; round < count; round++) {
    touch_range(run, add(run, 0, round), 0, TABLE_KB * KB, true);
    touch_range(run, add(run, 1, round), stream, (uint64_t)l2_kb * KB, false);
    stream += (uint64_t)l2_kb * KB;
  }
}

// Three loads of all warps from one small table: the lanes of a warp read so many words of it, one after the other.
static void constant_loads(Run *run, int warps, int distinct) {
  for (int load = 0; load < STRUCT_WORDS; load++)
    for (int warp = 0; warp < warps; warp++) {
      CachesRequest *request = add(run, load, warp);
      request->passes = distinct;
      touch_range(run, request, (uint64_t)load * LANES * WORD, (uint64_t)distinct * WORD, false);
    }
}

static void name_rows(CachesModel *m, Access access) {
  static const char *const loads[][3] = {{"load x", "load y", "load z"}, {"first", "second", "third"}, {"table",
      "stream", NULL}};
  const char *const *names = loads[access == REUSE ? 2 : access == AOS_STAGED || access == CONSTANT ? 1 : 0];
  m->row_count = access == REUSE ? 2 : STRUCT_WORDS;
  for (int i = 0; i < m->row_count; i++) m->rows[i] = names[i];
  m->cols = access == REUSE ? "round" : "warp";
}

static const char *near_name(Access access, Path path) {
  if (access == REUSE) return NULL;
  if (access == CONSTANT) return "constant";
  if (path == UNIFIED) return "L1";
  return access == AOS_LDG ? "read-only" : NULL;
}

void caches_model(const ModelValues *values, CachesModel *out) {
  Access access = (Access)model_int(values, ACCESS);
  *out = (CachesModel){.near = near_name(access, (Path)model_int(values, PATH)), .col_count = model_int(values, WARPS),
                       .l1_kb = model_int(values, L1), .l2_kb = model_int(values, L2)};
  Run run = {.m = out, .has_near = out->near != NULL};
  if (access == CONSTANT) out->l1_kb = CONSTANT_KB;
  cache_init(&run.near, (uint64_t)out->l1_kb * KB, 0);
  cache_init(&run.l2, (uint64_t)out->l2_kb * KB, (uint64_t)model_int(values, KEPT) * KB);
  name_rows(out, access);
  if (access == REUSE) rounds(&run, out->col_count, out->l2_kb);
  else if (access == CONSTANT) constant_loads(&run, out->col_count, model_int(values, DISTINCT));
  else position_loads(&run, access, out->col_count);
  cache_fini(&run.near);
  cache_fini(&run.l2);
  out->shown = LS_MIN(model_int(values, REQUEST), out->request_count);
  for (int i = 0; i < out->shown; i++) {
    out->asked += out->requests[i].sectors;
    out->passes += out->requests[i].passes;
    for (int level = 0; level < CACHES_LEVELS; level++) out->found[level] += out->requests[i].found[level];
  }
}

static int64_t end(const ModelValues *values) {
  return (int64_t)model_int(values, WARPS) * (model_int(values, ACCESS) == REUSE ? 2 : STRUCT_WORDS);
}

// ---- numbers and words ---------------------------------------------------------------------------------------------

static void facts(const ModelValues *values, ModelFacts *out) {
  CachesModel m;
  caches_model(values, &m);
  int64_t table = 0, table_hits = 0;
  for (int i = 0; i < m.shown && m.row_count == 2; i++)
    if (m.requests[i].row == 0) table += m.requests[i].sectors, table_hits += m.requests[i].found[1];
  fact_number(out, "sectors", "sectors", (double)m.asked);
  fact_number(out, "near_hits", "sectors", (double)m.found[0]);
  fact_number(out, "l2_requests", "sectors", (double)(m.asked - m.found[0]));
  fact_number(out, "l2_hits", "sectors", (double)m.found[1]);
  fact_number(out, "memory", "sectors", (double)m.found[2]);
  fact_number(out, "passes", "passes", m.passes ? (double)m.passes : NAN);
  fact_number(out, "table_hits", "", table ? (double)table_hits / (double)table : 0);
}

// The port gives one word to all lanes that want it, in a pass.
static void add_passes(const CachesModel *m, int distinct, LsText *out) {
  char digits[32];
  ls_text_addf(out, "One port: the lanes of a warp read %d %s, %s. %s passes in all. ", distinct,
               distinct == 1 ? "word" : "different words",
               distinct == 1 ? "one pass gives it to all 32" : "so many passes one after the other",
               ls_group_digits((uint64_t)m->passes, digits));
}

static void words(const ModelValues *values, LsText *out) {
  static const char *const told[] = {
      "An array of structures: each of the three loads of a warp touches all 12 sectors of its 384 bytes.",
      "The same through the read-only door: loads two and three find what load one has brought.",
      "Staged through shared memory: three loads in a row, each sector once.",
      "Three arrays: each load touches 4 sectors, each once.",
      "A table of 64 KB is read in every round, and a stream as large as the L2 flows by.",
      ""};
  CachesModel m;
  caches_model(values, &m);
  Access access = (Access)model_int(values, ACCESS);
  char asked[32], found[3][32];
  for (int i = 0; i < 3; i++) ls_group_digits((uint64_t)m.found[i], found[i]);
  if (access == CONSTANT) add_passes(&m, model_int(values, DISTINCT), out);
  ls_text_addf(out, "%s%s%s sectors asked", told[access], *told[access] ? " " : "",
               ls_group_digits((uint64_t)m.asked, asked));
  if (m.near) ls_text_addf(out, ", %s found in %s (%d KB)", found[0], m.near, m.l1_kb);
  else ls_text_addf(out, ", all of them of L2");
  ls_text_addf(out, "; %s found in L2, %s come from memory.", found[1], found[2]);
  if (access == REUSE && model_int(values, KEPT) < TABLE_KB) ls_text_add(out, " Set 64 KB of L2 aside, and the "
                                                                              "stream leaves the table alone.");
  if (access < REUSE && model_int(values, PATH) == KEPLER)
    ls_text_add(out, " A K20X measured, plain to LDG to staged to three arrays: 1, 1.43, 1.40, 1.51 times as fast.");
}

const Model model_caches = {
    .recipe = {.name = "caches", .title = "Where is a load answered", .topic = "memory",
               .about = "Requests of warps on their way: the cache in the SM, L2, memory. A cell is a request, its "
                        "letter the "
                        "farthest level that it had to go to. Change the layout, the size that the carve-out leaves, "
                        "or what "
                        "is set aside in L2.",
               .params = params, .param_count = LS_COUNT(params)},
    .rules = "A small model: sectors of 32 bytes, 16 ways, the longest unused goes first, warps in turns, nothing "
             "else in the "
             "caches. Real caches have lines of four sectors, hashed sets and other replacement. The speeds are "
             "those of the "
             "lecture's slide on a K20X.",
    .time = REQUEST, .facts = facts, .words = words, .end = end,
};
