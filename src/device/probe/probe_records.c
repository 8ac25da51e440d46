// probe_records.c: two walks through the memory find the records; a sort by counting brings the blocks together.
#include "device/probe/probe_records.h"

#include "device/probe/probe_multi.h"

enum { DIGIT_BITS = 20, DIGITS = 1 << DIGIT_BITS };

typedef struct Finder {
  const Probe *probe;
  const uint8_t *memory;
  uint32_t warps;
  uint8_t *arrays;             // of the records of each site
} Finder;

// ---- one record ----------------------------------------------------------------------------------------------------

uint32_t probe_lanes_of(const Probe *probe, uint32_t warp) {
  uint32_t left = launch_threads(probe->launch) - warp * 32;
  return left >= 32 ? UINT32_MAX : (1u << left) - 1;
}

static int array_count(const ProbeSite *site, const Probe *probe) {
  switch ((SiteKind)site->kind) {
  case SITE_ACCESS: case SITE_JUMP: case SITE_BARRIER: return 1;
  case SITE_ATOM: case SITE_LANES: return 3;
  case SITE_MOVE: return probe_move_of(probe, site->pc)->arrays;
  case SITE_ENTER: return probe->frame_var[probe->module->code[site->pc].func] >= 0;
  default: return 0;
  }
}

static ProbeRecord record_at(const Finder *f, uint64_t unit) {
  ProbeRecord r;
  memcpy(&r, probe_unit_at(f->probe, f->memory, unit), sizeof r);
  return r;
}

static bool is_possible(const Finder *f, const ProbeRecord *r) {
  if (!r->site || r->site > (uint32_t)f->probe->site_count || r->block >= f->probe->blocks) return false;
  if (r->warp >= f->warps || !r->active || (r->warp + 1 == f->warps && r->active & ~probe_lanes_of(f->probe, r->warp))) return false;
  if (r->mask & ~r->active || r->yes & ~r->active) return false;
  return r->shape >> 8 == f->arrays[r->site - 1] && (r->shape & 255) < 1u << (r->shape >> 8);
}

// ---- all of them ---------------------------------------------------------------------------------------------------

static uint64_t count_records(const Finder *f) {
  ProbeHead head;
  memcpy(&head, f->memory, sizeof head);
  uint64_t end = LS_MIN(LS_MIN(head.units, f->probe->record_units), UINT32_MAX), count = 0;
  for (uint64_t unit = 0; unit < end; count++) {
    ProbeRecord r = record_at(f, unit);
    if (!is_possible(f, &r) || probe_record_units(&r) > end - unit) break;
    unit += probe_record_units(&r);
  }
  return count;
}

static uint32_t *list_records(const Finder *f, uint64_t count) {
  uint32_t *list = ls_alloc(sizeof *list * (size_t)(count + 1));
  for (uint64_t i = 0, unit = 0; i < count; i++) {
    ProbeRecord r = record_at(f, unit);
    list[i] = (uint32_t)unit;
    unit += probe_record_units(&r);
  }
  return list;
}

// By DIGIT_BITS bits of the number of the block; those that are equal keep their order. Replaces the list.
static uint32_t *sort_by_digit(const Finder *f, uint32_t *list, uint64_t count, int shift) {
  uint64_t digits = LS_MIN(((f->probe->blocks - 1) >> shift) + 1, DIGITS);
  uint32_t *start = ls_alloc(sizeof *start * (size_t)(digits + 1)), *sorted = ls_alloc(sizeof *sorted * (size_t)(count + 1));
  for (uint64_t i = 0; i < count; i++) start[(record_at(f, list[i]).block >> shift) % DIGITS + 1]++;
  for (uint64_t digit = 0; digit < digits; digit++) start[digit + 1] += start[digit];
  for (uint64_t i = 0; i < count; i++) sorted[start[(record_at(f, list[i]).block >> shift) % DIGITS]++] = list[i];
  free(list);
  free(start);
  return sorted;
}

void probe_records_find(ProbeRecords *records, const Probe *probe, const uint8_t *memory) {
  Finder f = {.probe = probe, .memory = memory, .warps = launch_warps(probe->launch),
              .arrays = ls_alloc((size_t)probe->site_count + 1)};
  for (int i = 0; i < probe->site_count; i++) f.arrays[i] = (uint8_t)array_count(&probe->sites[i], probe);
  records->count = count_records(&f);
  records->unit = list_records(&f, records->count);
  for (int shift = 0; shift < 32 && (probe->blocks - 1) >> shift; shift += DIGIT_BITS)
    records->unit = sort_by_digit(&f, records->unit, records->count, shift);
  free(f.arrays);
}

void probe_records_free(ProbeRecords *records) {
  free(records->unit);
  *records = (ProbeRecords){0};
}
