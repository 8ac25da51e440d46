// table.c: a hash table with open addressing; nothing is ever taken out of it.
#include "base/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

typedef struct LsTableCell { LsKey key; int value; bool used; } LsTableCell;

static uint64_t hash_of(const LsKey *key) {
  uint64_t hash = 0;
  for (int i = 0; i < LS_COUNT(key->word); i++) {
    hash = (hash ^ key->word[i]) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

static LsTableCell *cell_of(LsTableCell *cells, int room, const LsKey *key) {
  uint64_t at = hash_of(key) & (uint64_t)(room - 1);
  while (cells[at].used && memcmp(&cells[at].key, key, sizeof *key) != 0) at = (at + 1) & (uint64_t)(room - 1);
  return &cells[at];
}

static void grow(LsTable *table) {
  int room = table->room ? table->room * 2 : 64;
  LsTableCell *cells = ls_alloc(sizeof *cells * (size_t)room);
  for (int i = 0; i < table->room; i++)
    if (table->cells[i].used) *cell_of(cells, room, &table->cells[i].key) = table->cells[i];
  free(table->cells);
  table->cells = cells;
  table->room = room;
}

int *ls_table_at(LsTable *table, const LsKey *key) {
  if (table->count * 2 >= table->room) grow(table);
  LsTableCell *cell = cell_of(table->cells, table->room, key);
  if (!cell->used) *cell = (LsTableCell){.key = *key, .used = true}, table->count++;
  return &cell->value;
}

void ls_table_free(LsTable *table) {
  free(table->cells);
  *table = (LsTable){0};
}
