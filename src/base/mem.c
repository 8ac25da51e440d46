// mem.c: checked allocation and arenas.
#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static void out_of_memory(size_t size) {
  fprintf(stderr, "lanescope: out of memory (%zu bytes wanted)\n", size);
  abort();
}

enum { KEPT = 64 << 20 };

// What is large always comes fresh from the system, before anybody has touched it, and what was small is kept for those
// who ask next. Otherwise glibc decides by what was freed before.
#ifdef __GLIBC__
__attribute__((constructor)) static void set_up(void) {
  mallopt(M_MMAP_THRESHOLD, LS_LARGE_PAGE);
  mallopt(M_TRIM_THRESHOLD, KEPT);
}
#endif

#if defined(__linux__) && !defined(MADV_POPULATE_WRITE)
#define MADV_POPULATE_WRITE 23
#endif

// Small pages, all in one go instead of one by one as somebody comes to them.
static void make_pages(uintptr_t from, uintptr_t to) {
#ifdef MADV_POPULATE_WRITE
  enum { PAGE = 4096 };
  uintptr_t first = (from + PAGE - 1) / PAGE * PAGE, end = to / PAGE * PAGE;
  if (end > first) madvise((void *)first, end - first, MADV_POPULATE_WRITE);
#endif
}

// To make the pages of 64 MB takes 4 ms instead of 200 on a virtual machine, and is no more than a wish.
static void wish_large_pages(void *p, size_t size) {
#ifdef MADV_HUGEPAGE
  uintptr_t start = (uintptr_t)p, stop = start + size;
  uintptr_t first = (start + LS_LARGE_PAGE - 1) / LS_LARGE_PAGE * LS_LARGE_PAGE;
  uintptr_t end = stop / LS_LARGE_PAGE * LS_LARGE_PAGE;
  if (end <= first) { make_pages(start, stop); return; }
  madvise((void *)first, end - first, MADV_HUGEPAGE);
  make_pages(start, first);
  make_pages(end, stop);
#endif
}

void *ls_alloc(size_t size) {
  void *p = calloc(1, size ? size : 1);
  if (!p) out_of_memory(size);
  if (size >= LS_LARGE_PAGE) wish_large_pages(p, size);
  return p;
}

void *ls_alloc_large(size_t size) {
  void *p = NULL;
  if (posix_memalign(&p, size < LS_LARGE_PAGE ? 64 : LS_LARGE_PAGE, size ? size : 1) != 0) out_of_memory(size);
  if (size >= LS_LARGE_PAGE) wish_large_pages(p, size);
  return p;
}

enum { LEAST_PAGES = 64 << 10 };   // less is cleared sooner than pages are mapped

#ifndef MAP_POPULATE
#define MAP_POPULATE 0   // they are made one by one, then
#endif

static void *map_pages(size_t size, int flags) {
  if (size < LEAST_PAGES) return ls_alloc(size);
  void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  if (p == MAP_FAILED) out_of_memory(size);
  if (size >= LS_LARGE_PAGE) wish_large_pages(p, size);
  return p;
}

void *ls_alloc_pages(size_t size) { return map_pages(size, MAP_NORESERVE); }
void *ls_alloc_ready(size_t size) { return map_pages(size, MAP_POPULATE); }

void ls_free_pages(void *pages, size_t size) {
  if (size < LEAST_PAGES) free(pages);
  else if (pages) munmap(pages, size);
}

void *ls_realloc(void *p, size_t size) {
  void *q = realloc(p, size ? size : 1);
  if (!q) out_of_memory(size);
  if (size >= LS_LARGE_PAGE) wish_large_pages(q, size);
  return q;
}

char *ls_strndup(const char *s, size_t n) {
  char *copy = ls_alloc(n + 1);
  memcpy(copy, s, n);
  return copy;
}

char *ls_strdup(const char *s) { return ls_strndup(s, strlen(s)); }

static char *format_with(void *(*take)(void *context, size_t size), void *context, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  size_t size = (size_t)(length < 0 ? 0 : length) + 1;
  char *text = take(context, size);
  vsnprintf(text, size, format, again);
  va_end(again);
  return text;
}

static void *take_heap(void *context, size_t size) {
  (void)context;
  return ls_alloc(size);
}

char *ls_format(const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = format_with(take_heap, NULL, format, args);
  va_end(args);
  return text;
}

// An arena is a list of chunks; the newest is first and has the free space. What an arena clears is about as much as it
// uses: its first chunks are small.
typedef struct Chunk Chunk;
struct Chunk {
  Chunk *next;
  size_t size, used;
};
enum { CHUNK_HEAD = (sizeof(Chunk) + 15) / 16 * 16, CHUNK_LEAST = 2 * 1024, CHUNK_MOST = LS_LARGE_PAGE };

struct LsArena {
  Chunk *chunks;
  size_t bytes;
};

LsArena *ls_arena_new(void) { return ls_alloc(sizeof(LsArena)); }

void ls_arena_free(LsArena *arena) {
  if (!arena) return;
  for (Chunk *chunk = arena->chunks; chunk;) {
    Chunk *next = chunk->next;
    free(chunk);
    chunk = next;
  }
  free(arena);
}

void *ls_arena_alloc(LsArena *arena, size_t size) {
  size = (size + 15) / 16 * 16;
  Chunk *chunk = arena->chunks;
  if (!chunk || chunk->size - chunk->used < size) {
    size_t room = LS_MAX(size, LS_CLAMP(arena->bytes, (size_t)CHUNK_LEAST, (size_t)CHUNK_MOST));
    chunk = ls_alloc(CHUNK_HEAD + room);
    chunk->size = room;
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    arena->bytes += CHUNK_HEAD + room;
  }
  void *p = (char *)chunk + CHUNK_HEAD + chunk->used;
  chunk->used += size;
  return p;
}

char *ls_arena_strndup(LsArena *arena, const char *s, size_t n) {
  char *copy = ls_arena_alloc(arena, n + 1);
  memcpy(copy, s, n);
  return copy;
}

char *ls_arena_strdup(LsArena *arena, const char *s) { return ls_arena_strndup(arena, s, strlen(s)); }

static void *take_arena(void *context, size_t size) { return ls_arena_alloc(context, size); }

char *ls_arena_format(LsArena *arena, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = format_with(take_arena, arena, format, args);
  va_end(args);
  return text;
}

size_t ls_arena_bytes(const LsArena *arena) { return arena->bytes; }

void *ls_grow(void *items, int *capacity, int wanted, size_t item_size) {
  int bigger = LS_MAX(*capacity * 2, LS_MAX(wanted, 8));
  items = ls_realloc(items, (size_t)bigger * item_size);
  memset((char *)items + (size_t)*capacity * item_size, 0, (size_t)(bigger - *capacity) * item_size);
  *capacity = bigger;
  return items;
}
