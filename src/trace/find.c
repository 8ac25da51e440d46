// find.c: searching and counting, by the summaries of chunks first.
#include "trace/reader.h"

void trace_query_init(TraceQuery *query) {
  *query = (TraceQuery){.pc_first = -1, .pc_last = -1, .block = -1, .warp = -1, .pcs_count = INT32_MAX};
}

// ---- searching -----------------------------------------------------------------------------------------------------

static bool wants_pc(const TraceQuery *query, int32_t pc) {
  if (query->pc_first >= 0 && pc < query->pc_first) return false;
  if (query->pc_last >= 0 && pc > query->pc_last) return false;
  return !query->pcs || (pc >= 0 && pc < query->pcs_count && query->pcs[pc]);
}

static bool matches(const TraceRecord *record, const TraceQuery *query) {
  if (query->kinds && !(query->kinds >> record->kind & 1)) return false;
  if (query->warp >= 0 && record->warp != query->warp) return false;
  if (query->block >= 0 && record->block != query->block) return false;
  if (query->diverging_only && record->kind == TRACE_BRANCH && !(record->flags & TRACE_DIVERGES)) return false;
  return wants_pc(query, record->pc);
}

// True if a chunk has an event of a wanted kind.
static bool may_have_kind(const TraceSummary *summary, const TraceQuery *query) {
  for (int kind = 0; kind < TRACE_KIND_COUNT; kind++) {
    if (query->kinds && !(query->kinds >> kind & 1)) continue;
    uint32_t count = kind == TRACE_BRANCH && query->diverging_only ? summary->diverging : summary->kinds[kind];
    if (count) return true;
  }
  return false;
}

static bool may_have_pc(const TraceSummary *summary, const TraceQuery *query) {
  if (query->pc_first < 0 && query->pc_last < 0 && !query->pcs) return true;
  int64_t first = LS_MAX(summary->pc_first, query->pc_first), last = summary->pc_last;
  if (query->pc_last >= 0) last = LS_MIN(last, query->pc_last);
  if (query->pcs) last = LS_MIN(last, (int64_t)query->pcs_count - 1);
  if (!query->pcs && last - first >= TRACE_PC_BITS) return true;
  for (int64_t pc = first; pc <= last; pc++)
    if (summary->pcs[(uint64_t)pc % TRACE_PC_BITS / 64] >> (pc & 63) & 1 && wants_pc(query, (int32_t)pc)) return true;
  return false;
}

static bool may_match(const TraceSummary *summary, const TraceQuery *query) {
  if (query->warp >= 0 && !(summary->warps >> query->warp % 64 & 1)) return false;
  if (query->block >= 0 && (query->block < summary->block_first || query->block > summary->block_last)) return false;
  return may_have_kind(summary, query) && may_have_pc(summary, query);
}

// Index of the first match from `index` on in direction dir, -1 if there is none.
static int find_in(const TraceChunk *chunk, int index, int dir, const TraceQuery *query) {
  for (; index >= 0 && index < chunk->count; index += dir)
    if (matches(&chunk->records[index], query)) return index;
  return -1;
}

bool trace_find(Trace *trace, uint64_t start, int dir, const TraceQuery *query, uint64_t *found, LsErr *err) {
  if (err) err->kind = LS_OK;
  if (!trace->steps || (dir > 0 ? start >= trace->steps - 1 : start == 0)) return false;
  uint64_t step = dir > 0 ? start + 1 : LS_MIN(start, trace->steps) - 1;
  dir = dir > 0 ? 1 : -1;
  for (int e = trace_entry_at(trace, step); e >= 0 && e < trace->entry_count; e += dir) {
    const TraceEntry *entry = &trace->entries[e];
    if (!may_match(&entry->summary, query)) continue;
    const TraceChunk *chunk = trace_load(trace, e, err);
    if (!chunk) return false;
    bool inside = step >= entry->first && step - entry->first < (uint64_t)entry->count;
    int from = inside ? (int)(step - entry->first) : dir > 0 ? 0 : entry->count - 1;
    int index = find_in(chunk, from, dir, query);
    if (index >= 0) {
      *found = entry->first + (uint64_t)index;
      return true;
    }
  }
  return false;
}

// ---- counting ------------------------------------------------------------------------------------------------------

enum { COLUMNS = TRACE_KIND_COUNT + 1, EXACT_CHUNKS = 8 };

typedef struct Range { uint64_t first, count; int buckets; uint32_t *counts; } Range;

// First step of bucket b.
static uint64_t bucket_start(const Range *range, int bucket) {
  return range->first + (uint64_t)((unsigned __int128)range->count * (unsigned)bucket / (unsigned)range->buckets);
}

// The exact inverse: the last bucket that starts at or before step.
static int bucket_of(const Range *range, uint64_t step) {
  unsigned __int128 offset = step - range->first;
  return (int)(((offset + 1) * (unsigned)range->buckets - 1) / range->count);
}

static void count_events(uint32_t *row, const TraceChunk *chunk, uint64_t from, uint64_t to) {
  for (uint64_t step = from; step < to; step++) {
    const TraceRecord *record = &chunk->records[step - chunk->first];
    row[record->kind]++;
    row[TRACE_KIND_COUNT] += record->kind == TRACE_BRANCH && record->flags & TRACE_DIVERGES;
  }
}

// As if the chunk's events were spread evenly. Parts of a chunk add up to the whole of it.
static void count_summary(uint32_t *row, const TraceEntry *entry, uint64_t from, uint64_t to) {
  uint64_t before = from - entry->first, after = to - entry->first, total = (uint64_t)entry->count;
  for (int column = 0; column < COLUMNS; column++) {
    uint64_t all = column < TRACE_KIND_COUNT ? entry->summary.kinds[column] : entry->summary.diverging;
    row[column] += (uint32_t)(all * after / total - all * before / total);
  }
}

// chunk is NULL if the summary will do.
static void count_entry(const Range *range, const TraceEntry *entry, const TraceChunk *chunk, uint64_t from,
                        uint64_t to) {
  for (uint64_t step = from; step < to;) {
    int bucket = bucket_of(range, step);
    uint64_t end = LS_MIN(to, bucket_start(range, bucket + 1));
    uint32_t *row = range->counts + (size_t)bucket * COLUMNS;
    if (chunk) count_events(row, chunk, step, end);
    else count_summary(row, entry, step, end);
    step = end;
  }
}

bool trace_overview(Trace *trace, uint64_t first, uint64_t count, int buckets, uint32_t *counts, LsErr *err) {
  memset(counts, 0, (size_t)buckets * COLUMNS * sizeof *counts);
  if (first >= trace->steps || !count || buckets <= 0) return true;
  Range range = {first, count, buckets, counts};
  uint64_t last = LS_MIN(count, trace->steps - first) + first;
  int begin = trace_entry_at(trace, first), end = trace_entry_at(trace, last - 1);
  for (int e = begin; e <= end; e++) {
    const TraceEntry *entry = &trace->entries[e];
    uint64_t from = LS_MAX(first, entry->first), to = LS_MIN(last, entry->first + (uint64_t)entry->count);
    const TraceChunk *chunk = end - begin < EXACT_CHUNKS ? trace_load(trace, e, err) : NULL;
    if (!chunk && end - begin < EXACT_CHUNKS) return false;
    count_entry(&range, entry, chunk, from, to);
  }
  return true;
}
