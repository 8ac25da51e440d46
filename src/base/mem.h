// mem.h: allocation that cannot fail, and arenas freed as a whole.
//
// ls_alloc and friends end the program with a message when memory is truly gone (a bounded request was refused);
// sizes that come from a file or a user are checked against a bound before they reach here.
#ifndef LS_BASE_MEM_H
#define LS_BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LS_LARGE_PAGE = 2 << 20 };                 // what is larger lies in such pages where the system has them

void *ls_alloc(size_t size);                      // caller frees; zeroed
void *ls_realloc(void *p, size_t size);           // not zeroed beyond the old size
void *ls_alloc_large(size_t size);                // caller frees; not zeroed. On large pages where the system has them:
                                                  // to be read here and there, not only from front to back
// Zeroed; what is large lies in pages of its own, which cost nothing until they are used. ls_free_pages wants the same
// size. (Of ls_alloc that only holds until a piece as large was freed: the C library then keeps and clears memory.)
void *ls_alloc_pages(size_t size);
void *ls_alloc_ready(size_t size);                // the same, but all pages are there from the start: none is made while
                                                  // several threads run, which has them wait for each other
void ls_free_pages(void *pages, size_t size);     // of both; NULL is fine
char *ls_strdup(const char *s);                   // caller frees
char *ls_strndup(const char *s, size_t n);        // caller frees
char *ls_format(const char *format, ...) __attribute__((format(printf, 1, 2)));  // caller frees

// An arena: many small allocations with one lifetime. Memory is zeroed and 16-byte aligned.
typedef struct LsArena LsArena;
LsArena *ls_arena_new(void);
void ls_arena_free(LsArena *arena);               // NULL is fine
void *ls_arena_alloc(LsArena *arena, size_t size);
char *ls_arena_strdup(LsArena *arena, const char *s);
char *ls_arena_strndup(LsArena *arena, const char *s, size_t n);
char *ls_arena_format(LsArena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
size_t ls_arena_bytes(const LsArena *arena);      // bytes taken from the system

#define LS_NEW(arena, Type) ((Type *)ls_arena_alloc((arena), sizeof(Type)))
#define LS_NEW_ARRAY(arena, Type, n) ((Type *)ls_arena_alloc((arena), sizeof(Type) * (size_t)(n)))

// A growable array as three plain fields: `T *items; int count, capacity;` (any names).
// LS_PUSH(items, count, capacity, value) grows by doubling; free(items) ends it.
void *ls_grow(void *items, int *capacity, int wanted, size_t item_size);
#define LS_PUSH(items, count, capacity, value)                                                   \
  do {                                                                                           \
    if ((count) == (capacity)) (items) = ls_grow((items), &(capacity), (count) + 1, sizeof *(items)); \
    (items)[(count)++] = (value);                                                                \
  } while (0)

#define LS_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define LS_MIN(a, b) ((a) < (b) ? (a) : (b))
#define LS_MAX(a, b) ((a) > (b) ? (a) : (b))
#define LS_CLAMP(x, lo, hi) ((x) < (lo) ? (lo) : (x) > (hi) ? (hi) : (x))

// The next multiple of align; 0 and 1 align nothing.
static inline uint64_t ls_align_up(uint64_t at, uint64_t align) {
  return align > 1 ? (at + align - 1) / align * align : at;
}

#endif
