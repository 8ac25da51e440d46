// lines.c: code by line of the source, gathered once and sorted.
#include "ptx/lines.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 };   // calls through which code was inlined that count

typedef struct Place { int file, line, loc; } Place;
typedef struct Places { Place *at; int count, capacity; } Places;

static int by_place(const void *left, const void *right) {
  const Place *a = left, *b = right;
  if (a->file != b->file) return a->file < b->file ? -1 : 1;
  if (a->line != b->line) return a->line < b->line ? -1 : 1;
  return (a->loc > b->loc) - (a->loc < b->loc);
}

static void add_chain(const PtxModule *module, int loc, Places *places) {
  int at = loc;
  for (int depth = 0; at >= 0 && at < module->loc_count && depth < DEEPEST; depth++) {
    LS_PUSH(places->at, places->count, places->capacity, ((Place){module->locs[at].file, module->locs[at].line, loc}));
    at = module->locs[at].inlined_at;
  }
}

// Counts the instructions of each location, then puts them where the counts say.
static void sort_code(const PtxModule *module, PtxLines *lines) {
  int *of_loc = lines->of_loc = ls_alloc(sizeof *of_loc * ((size_t)module->loc_count + 2));
  lines->pcs = ls_alloc(sizeof *lines->pcs * ((size_t)module->code_count + 1));
  for (int pc = 0; pc < module->code_count; pc++) {
    int loc = module->code[pc].loc;
    if (loc >= 0 && loc < module->loc_count) of_loc[loc + 2]++;
  }
  for (int loc = 0; loc < module->loc_count; loc++) of_loc[loc + 2] += of_loc[loc + 1];
  for (int pc = 0; pc < module->code_count; pc++) {
    int loc = module->code[pc].loc;
    if (loc >= 0 && loc < module->loc_count) lines->pcs[of_loc[loc + 1]++] = pc;
  }
}

// A line that is there twice in one chain, as of a function that calls itself, has the location once.
static void take_places(const Places *places, PtxLines *lines) {
  int capacity = 0, kept = 0;
  lines->locs = ls_alloc(sizeof *lines->locs * ((size_t)places->count + 1));
  for (int i = 0; i < places->count; i++) {
    const Place *place = &places->at[i], *before = i ? place - 1 : NULL;
    bool same = before && before->file == place->file && before->line == place->line;
    if (same && before->loc == place->loc) continue;
    if (!same) LS_PUSH(lines->lines, lines->count, capacity, ((PtxLine){place->file, place->line, kept, 0}));
    lines->lines[lines->count - 1].count++;
    lines->locs[kept++] = place->loc;
  }
}

PtxLines *ptx_lines_new(const PtxModule *module) {
  PtxLines *lines = ls_alloc(sizeof *lines);
  Places places = {0};
  sort_code(module, lines);
  for (int loc = 0; loc < module->loc_count; loc++)
    if (lines->of_loc[loc + 1] > lines->of_loc[loc]) add_chain(module, loc, &places);
  if (places.count) qsort(places.at, (size_t)places.count, sizeof *places.at, by_place);
  take_places(&places, lines);
  free(places.at);
  return lines;
}

void ptx_lines_free(PtxLines *lines) {
  if (!lines) return;
  free(lines->lines);
  free(lines->locs);
  free(lines->of_loc);
  free(lines->pcs);
  free(lines);
}

const PtxLine *ptx_lines_find(const PtxLines *lines, int file, int line) {
  int low = 0, high = lines->count;
  while (low < high) {
    int mid = low + (high - low) / 2;
    const PtxLine *at = &lines->lines[mid];
    if (at->file < file || (at->file == file && at->line < line)) low = mid + 1;
    else high = mid;
  }
  bool found = low < lines->count && lines->lines[low].file == file && lines->lines[low].line == line;
  return found ? &lines->lines[low] : NULL;
}
