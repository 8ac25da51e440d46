// program_snapshots.c: pages of memory that snapshots share, and the memory that is made of them again.
#include "app/run/program_snapshots.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { PAGE_LEAST = 4096, PAGES_MOST = 1024, SIDES = 4 };   // SIDES: areas of a buffer

static const uint64_t most_compared = 4ull << 30;   // about a second

typedef struct Page { int snapshots; uint8_t bytes[]; } Page;

typedef struct Area { uint64_t size; Page **pages; } Area;   // pages NULL: there are no such bytes

typedef struct Snapshot { int number; Area *areas; int *freed; bool *came_to_host; } Snapshot;

struct ProgramSnapshots {
  uint64_t most, bytes;
  uint64_t compared;               // bytes
  int every;                       // so many launches lie between two that are kept
  int area_count, buffer_count;
  Launch variables;                // as the first launch finds them: their names and types are those of all
  Snapshot *items; int count, capacity;
};

// ---- areas of memory -----------------------------------------------------------------------------------------------

// Where the bytes of an area are; *size of them.
static uint8_t **area_of(ProgramMemory *m, int area, uint64_t *size) {
  int buffer = area / SIDES, side = area % SIDES;
  if (area == SIDES * m->program->buffer_count + m->variables.arg_count) {
    *size = m->heap_bytes;
    return &m->heap;
  }
  if (buffer >= m->program->buffer_count) {
    LaunchArg *variable = &m->variables.args[area - SIDES * m->program->buffer_count];
    *size = variable->count * (uint64_t)launch_type_size(variable->type);
    return &variable->data;
  }
  ProgramBytes *bytes = side < 2 ? &m->device[buffer] : &m->host[buffer];
  *size = program_buffer_bytes(&m->program->buffers[buffer]);
  return side % 2 ? &bytes->written : &bytes->bytes;
}

static uint64_t page_size(uint64_t size) {
  uint64_t page = PAGE_LEAST;
  while (page * PAGES_MOST < size) page *= 2;
  return page;
}

static uint64_t page_count(uint64_t size) { return (size + page_size(size) - 1) / page_size(size); }

static uint64_t bytes_of_page(uint64_t size, uint64_t index) {
  return LS_MIN(page_size(size), size - index * page_size(size));
}

// ---- taking --------------------------------------------------------------------------------------------------------

static Page *page_of(ProgramSnapshots *s, const uint8_t *bytes, uint64_t size, Page *before) {
  if (before && memcmp(before->bytes, bytes, size) == 0) {
    before->snapshots++;
    return before;
  }
  Page *page = ls_alloc(sizeof *page + size);
  page->snapshots = 1;
  memcpy(page->bytes, bytes, size);
  s->bytes += sizeof *page + size;
  return page;
}

static void take_area(ProgramSnapshots *s, const uint8_t *bytes, uint64_t size, const Area *before, Area *area) {
  *area = (Area){.size = size};
  if (!bytes) return;
  uint64_t count = page_count(size);
  area->pages = ls_alloc(sizeof *area->pages * (size_t)(count + 1));
  s->bytes += sizeof *area->pages * (count + 1);
  for (uint64_t i = 0; i < count; i++) {
    Page *known = before && before->pages && before->size == size ? before->pages[i] : NULL;
    area->pages[i] = page_of(s, bytes + i * page_size(size), bytes_of_page(size, i), known);
  }
}

static void *copy_of(const void *from, size_t size) { return memcpy(ls_alloc(size + 1), from, size); }

static void drop_area(ProgramSnapshots *s, Area *area) {
  uint64_t count = area->pages ? page_count(area->size) : 0;
  for (uint64_t i = 0; i < count; i++) {
    if (--area->pages[i]->snapshots > 0) continue;
    s->bytes -= sizeof(Page) + bytes_of_page(area->size, i);
    free(area->pages[i]);
  }
  if (area->pages) s->bytes -= sizeof *area->pages * (count + 1);
  free(area->pages);
}

static void drop(ProgramSnapshots *s, Snapshot *snapshot) {
  for (int i = 0; i < s->area_count; i++) drop_area(s, &snapshot->areas[i]);
  free(snapshot->areas);
  free(snapshot->freed);
  free(snapshot->came_to_host);
}

// Every second one goes; the first stays.
static void thin_out(ProgramSnapshots *s) {
  int kept = 0;
  for (int i = 0; i < s->count; i++) {
    if (i % 2) drop(s, &s->items[i]);
    else s->items[kept++] = s->items[i];
  }
  s->count = kept;
  s->every *= 2;
}

ProgramSnapshots *program_snapshots_new(uint64_t most) {
  ProgramSnapshots *s = ls_alloc(sizeof *s);
  *s = (ProgramSnapshots){.most = most, .every = 1};
  launch_init(&s->variables);
  return s;
}

void program_snapshots_free(ProgramSnapshots *s) {
  if (!s) return;
  for (int i = 0; i < s->count; i++) drop(s, &s->items[i]);
  free(s->items);
  launch_fini(&s->variables);
  free(s);
}

static void begin(ProgramSnapshots *s, const ProgramMemory *m) {
  s->buffer_count = m->program->buffer_count;
  s->area_count = SIDES * s->buffer_count + m->variables.arg_count + 1;   // and the device heap
  launch_fini(&s->variables);
  launch_copy(&s->variables, &m->variables);
}

void program_snapshots_take(ProgramSnapshots *s, ProgramMemory *m, int number) {
  if ((number - 1) % s->every) return;
  if (!s->count) begin(s, m);
  const Snapshot *before = s->count ? &s->items[s->count - 1] : NULL;
  Snapshot made = {.number = number, .areas = ls_alloc(sizeof *made.areas * (size_t)(s->area_count + 1))};
  for (int i = 0; i < s->area_count; i++) {
    uint64_t size;
    const uint8_t *bytes = *area_of(m, i, &size);
    if (bytes) s->compared += size;
    take_area(s, bytes, size, before ? &before->areas[i] : NULL, &made.areas[i]);
  }
  made.freed = copy_of(m->freed, sizeof *made.freed * (size_t)s->buffer_count);
  made.came_to_host = copy_of(m->came_to_host, sizeof *made.came_to_host * (size_t)s->buffer_count);
  LS_PUSH(s->items, s->count, s->capacity, made);
  while (s->bytes > s->most && s->count > 1) thin_out(s);
}

// ---- giving back ---------------------------------------------------------------------------------------------------

static void restore_area(const Area *area, uint8_t **bytes) {
  free(*bytes);
  *bytes = NULL;
  if (!area->pages) return;
  *bytes = ls_alloc(area->size + 1);
  for (uint64_t i = 0; i < page_count(area->size); i++)
    memcpy(*bytes + i * page_size(area->size), area->pages[i]->bytes, bytes_of_page(area->size, i));
}

static const Snapshot *last_up_to(const ProgramSnapshots *s, int number) {
  const Snapshot *found = NULL;
  for (int i = 0; i < s->count && s->items[i].number <= number; i++) found = &s->items[i];
  return found;
}

int program_snapshots_restore(const ProgramSnapshots *s, int number, const HostProgram *program,
                              const PtxModule *module, ProgramMemory *m) {
  const Snapshot *from = last_up_to(s, number);
  size_t buffers = (size_t)s->buffer_count + 1;
  *m = (ProgramMemory){0};
  if (!from) return 0;
  m->program = program;
  m->module = module;
  m->device = ls_alloc(sizeof *m->device * buffers);
  m->host = ls_alloc(sizeof *m->host * buffers);
  m->freed = copy_of(from->freed, sizeof *m->freed * (size_t)s->buffer_count);
  m->came_to_host = copy_of(from->came_to_host, sizeof *m->came_to_host * (size_t)s->buffer_count);
  launch_copy(&m->variables, &s->variables);
  for (int i = 0; i < s->area_count; i++) {
    uint64_t size;
    restore_area(&from->areas[i], area_of(m, i, &size));
    if (i + 1 == s->area_count) m->heap_bytes = from->areas[i].size;
    else if (i >= SIDES * s->buffer_count && from->areas[i].pages)
      m->variables.args[i - SIDES * s->buffer_count].init = LAUNCH_DATA;
  }
  return from->number;
}

bool program_snapshots_is_much(const ProgramSnapshots *s) { return s->compared > most_compared; }

uint64_t program_snapshots_bytes(const ProgramSnapshots *s) { return s->bytes; }

int program_snapshots_count(const ProgramSnapshots *s) { return s->count; }
