// table.h: numbers by key, as the index of what was seen before, found without looking at all the others.
//
// A key is four words; unused ones are zero. All bits zero is an empty table.
#ifndef LS_BASE_TABLE_H
#define LS_BASE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct LsKey { uint64_t word[4]; } LsKey;
typedef struct LsTable {
  struct LsTableCell *cells;
  int count, room;           // room: a power of two
} LsTable;

// The number of this key, 0 if the key is new; to be changed through the pointer, which lasts until the next call.
int *ls_table_at(LsTable *table, const LsKey *key);
void ls_table_free(LsTable *table);   // empty afterwards

#endif
