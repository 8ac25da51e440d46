// probe.c: instrumenting a kernel for one launch: what is recorded, and how the device's memory is laid out.
#include "device/probe/probe_room.h"

enum { MOST_COPIES = 2048, COPIES_PER_SM = 16, MOST_BLOCK_BITS = 1 << 24, ALIGN = 256 };
enum { FEW_BLOCKS = 64, MOST_NARROWED = 1 << 16 };   // grids of more blocks can be narrowed; they start with that many
#define DEFAULT_MEMORY (1ull << 30)
#define LEAST_MEMORY (1ull << 16)

// ---- what is recorded ----------------------------------------------------------------------------------------------

static bool choose_blocks(Probe *probe, const ProbeOptions *options, LsErr *err) {
  uint64_t first = 0, last = 0, count = 0;
  probe->record = options->record_all ? PROBE_RECORD_ALL : PROBE_RECORD_NONE;
  if (!options->record_block) {
    if (!options->record_all || probe->blocks <= FEW_BLOCKS) return true;
    probe->record = PROBE_RECORD_SOME;
    probe->block_bits = LS_MIN(probe->blocks, MOST_NARROWED);
    return true;
  }
  for (uint64_t b = 0; b < probe->blocks; b++) {
    if (!options->record_block[b]) continue;
    if (!count++) first = b;
    last = b;
  }
  probe->record = count == 0 ? PROBE_RECORD_NONE : count == probe->blocks ? PROBE_RECORD_ALL : PROBE_RECORD_SOME;
  if (probe->record != PROBE_RECORD_SOME) return true;
  if (last - first >= MOST_BLOCK_BITS)
    return ls_fail(err, LS_EREQUEST,
                   "blocks %llu and %llu are too far apart to record both; at most %d blocks from the "
                   "first to the last", (unsigned long long)first, (unsigned long long)last, MOST_BLOCK_BITS);
  probe->record_block = options->record_block;
  probe->first_block = first;
  probe->block_bits = last - first + 1;
  return true;
}

// Blocks of a grid mostly need about as much as one another; a fifth of the memory is for those that need more.
bool probe_narrow(Probe *probe, const uint8_t head[PROBE_HEAD_BYTES]) {
  ProbeHead h;
  memcpy(&h, head, sizeof h);
  double own = (double)probe_pool(probe), room = (double)probe->record_units;
  double blocks = (double)probe->block_bits, wanted = own + (double)h.units;
  if (probe->record != PROBE_RECORD_SOME || probe->record_block || wanted <= room ||
      probe->block_bits < 2) return false;
  double fit = 0.8 * blocks * room / wanted, events = (double)h.lost * wanted / (wanted - room) / blocks;
  if (probe->record_limit && events > 0) fit = LS_MIN(fit, (double)probe->record_limit / events + 1);
  probe->block_bits = (uint64_t)LS_CLAMP(fit, 1, blocks - 1);
  return true;
}

// ---- memory --------------------------------------------------------------------------------------------------------

static int choose_copies(const Probe *probe, int sm_count, uint64_t room) {
  uint64_t row = (uint64_t)probe->slots * 8, wanted = (uint64_t)LS_MAX(sm_count, 1) * COPIES_PER_SM;
  uint64_t warps = probe->blocks * launch_warps(probe->launch);
  int copies = 1;
  while (copies < MOST_COPIES && (uint64_t)copies < LS_MIN(wanted, warps) && row * (uint64_t)copies * 2 <=
         room) copies *= 2;
  return copies;
}

static bool lay_memory(Probe *probe, const ProbeOptions *options, LsErr *err) {
  uint64_t limit = options->memory_limit ? options->memory_limit : DEFAULT_MEMORY;
  probe->copies = choose_copies(probe, options->sm_count, limit / 4);
  probe->at_variables = ls_align_up(sizeof(ProbeHead), ALIGN);
  probe->at_counters = ls_align_up(probe->at_variables + 8 * (uint64_t)probe->variable_count, ALIGN);
  probe->at_blocks = ls_align_up(probe->at_counters + (uint64_t)probe->copies * (uint64_t)probe->slots * 8, ALIGN);
  bool timed = !options->no_stamps && probe->blocks <= UINT32_MAX;
  probe->timed_blocks = timed ? LS_MIN(probe->blocks, limit / 4 / sizeof(ProbeBlock)) : 0;
  probe->at_cursors = ls_align_up(probe->at_blocks + probe->timed_blocks * sizeof(ProbeBlock), ALIGN);
  uint64_t cursors = probe_cursors(probe) * sizeof(ProbeCursor);
  probe->has_cursors = cursors && cursors <= limit / 8;
  probe->at_records = ls_align_up(probe->at_cursors + (probe->has_cursors ? cursors : 0), ALIGN);
  if (limit < LEAST_MEMORY || probe->at_records > limit)
    return ls_fail(err, LS_EREQUEST, "%llu KB of memory are too little to instrument this kernel",
                   (unsigned long long)(limit >> 10));
  if (probe->record != PROBE_RECORD_NONE)
    probe->record_units = LS_MIN((limit - probe->at_records) / PROBE_UNIT, (uint64_t)UINT32_MAX);
  probe_size_chunks(probe);
  return true;
}

// Warps, or lanes, that have a chunk from the start: those of the first blocks, up to half of the room.
static uint64_t own_chunks(const Probe *probe) {
  uint64_t owners = probe_recorded_warps(probe) * (uint64_t)probe->own_lanes;
  return LS_MIN(owners, probe->record_units / 2 / (uint64_t)probe->own_units);
}

uint64_t probe_pool(const Probe *probe) { return own_chunks(probe) * (uint64_t)probe->own_units; }

uint64_t probe_memory(const Probe *probe) { return probe->at_records + probe->record_units * PROBE_UNIT; }

uint64_t probe_used(const Probe *probe, const uint8_t head[PROBE_HEAD_BYTES]) {
  ProbeHead h;
  memcpy(&h, head, sizeof h);
  uint64_t pool = probe_pool(probe);
  return probe->at_records + (pool + LS_MIN(h.units, probe->record_units - pool)) * PROBE_UNIT;
}

void probe_context(const Probe *probe, uint64_t address, uint8_t bytes[PROBE_CONTEXT_BYTES]) {
  _Static_assert(sizeof(ProbeContext) <= PROBE_CONTEXT_BYTES && sizeof(ProbeHead) <= PROBE_HEAD_BYTES, "room");
  ProbeContext context = {.head = address,
                          .variables = address + probe->at_variables,
                          .counters = address + probe->at_counters,
                          .blocks = address + probe->at_blocks,
                          .records = address + probe->at_records,
                          .record_units = probe->record_units,
                          .pool = probe_pool(probe),
                          .own_chunks = own_chunks(probe),
                          .first_block = probe->first_block,
                          .block_bits = probe->block_bits,
                          .cursors = address + probe->at_cursors};
  memset(bytes, 0, PROBE_CONTEXT_BYTES);
  memcpy(bytes, &context, sizeof context);
}

void probe_set_image(Probe *probe, int arg, uint64_t handle) {
  if (!probe->handles) probe->handles = LS_NEW_ARRAY(probe->arena, uint64_t, probe->launch->arg_count + 1);
  probe->handles[arg] = handle;
}

void probe_watch(Probe *probe, ProbeProgress progress, void *context) {
  probe->progress = progress;
  probe->progress_context = context;
}

// ---- making one ----------------------------------------------------------------------------------------------------

static bool make(Probe *probe, const ProbeOptions *options, LsErr *err) {
  const PtxModule *m = probe->module;
  if (probe->entry < 0 || probe->entry >= m->func_count || !ptx_is_kernel(&m->funcs[probe->entry]))
    return ls_fail(err, LS_EREQUEST, "there is no such kernel in this module");
  probe->blocks = launch_blocks(probe->launch);
  bool ok = choose_blocks(probe, options, err) && probe_find_sites(probe, err) && lay_memory(probe, options, err) &&
            probe_write(probe, err);
  if (!ok || probe->record == PROBE_RECORD_NONE || !probe_has_calls(probe)) return ok;
  probe->calls_left = true;
  ls_text_free(&probe->text);
  probe->text = (LsText){0};
  return lay_memory(probe, options, err) && probe_write(probe, err);
}

Probe *probe_new(const PtxModule *module, int entry, const Launch *launch, const ProbeOptions *options, LsErr *err) {
  Probe *probe = ls_alloc(sizeof *probe);
  probe->module = module;
  probe->launch = launch;
  probe->entry = entry;
  probe->record_limit = options->record_limit;
  probe->stamps_only = options->stamps_only;
  probe->optimized = options->optimized;
  probe->stops = options->stops;
  probe->arena = ls_arena_new();
  if (make(probe, options, err)) return probe;
  probe_free(probe);
  return NULL;
}

void probe_free(Probe *probe) {
  if (!probe) return;
  free(probe->sites);
  free(probe->segments);
  free(probe->groups);
  free(probe->reductions);
  ls_text_free(&probe->text);
  ls_arena_free(probe->arena);
  free(probe);
}

const char *probe_ptx(const Probe *probe, size_t *length) {
  if (length) *length = probe->text.length;
  return ls_text_str(&probe->text);
}
