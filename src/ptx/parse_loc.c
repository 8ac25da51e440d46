// parse_loc.c: .file and .loc: which source line an instruction is from, and through which calls it was inlined.
#include "ptx/parser.h"

#include <stdlib.h>

#include "ptx/demangle.h"

static bool parse_small(PtxParser *p, int *value) {
  PtxToken at = p->token;
  if (at.kind != PTX_TK_INT) return ptx_error_expected(p, "a number");
  if (at.value > INT32_MAX) return ptx_error(p, &at, "this number is out of range");
  ptx_advance(p);
  *value = (int)at.value;
  return true;
}

// file = ".file" id string { "," number } ;
bool ptx_parse_file(PtxParser *p) {
  PtxModule *m = p->module;
  int id;
  if (!parse_small(p, &id)) return false;
  if (p->token.kind != PTX_TK_STRING) return ptx_error_expected(p, "a file name in quotes");
  const char *name = ls_arena_strndup(m->arena, p->token.text, (size_t)p->token.length);
  ptx_advance(p);
  while (ptx_accept(p, ',')) {
    if (p->token.kind != PTX_TK_INT) return ptx_error_expected(p, "a number");
    ptx_advance(p);
  }
  LS_PUSH(p->file_ids, p->file_id_count, p->file_id_capacity, id);
  LS_PUSH(m->files, m->file_count, p->file_capacity, name);
  return true;
}

static int *bucket_of(PtxParser *p, int file, int line, int col) {
  uint32_t hash = ((uint32_t)file * 31 + (uint32_t)line) * 2654435761u + (uint32_t)col * 40503u;
  return &p->loc_buckets[hash % PTX_LOC_BUCKETS];
}

static int add_loc(PtxParser *p, PtxLoc loc, PtxLocNote note) {
  PtxModule *m = p->module;
  int *bucket = bucket_of(p, loc.file, loc.line, loc.col);
  note.next = *bucket;
  LS_PUSH(m->locs, m->loc_count, p->loc_capacity, loc);
  LS_PUSH(p->loc_notes, p->loc_note_count, p->loc_note_capacity, note);
  *bucket = m->loc_count;
  return m->loc_count - 1;
}

// The location at this place that was seen last (PTX ISA 11.5.2: inlined_at names the place of an earlier .loc: the same
// line may have been inlined in several functions); a new one if there is none.
static int call_site(PtxParser *p, int file, int line, int col) {
  const PtxModule *m = p->module;
  for (int i = *bucket_of(p, file, line, col); i; i = p->loc_notes[i - 1].next) {
    const PtxLoc *loc = &m->locs[i - 1];
    if (loc->file == file && loc->line == line && loc->col == col) return i - 1;
  }
  return add_loc(p, (PtxLoc){.file = file, .line = line, .col = col, .inlined_at = -1}, (PtxLocNote){0});
}

static bool same_loc(const PtxLoc *a, const PtxLoc *b) {
  return a->file == b->file && a->line == b->line && a->col == b->col && a->inlined_at == b->inlined_at;
}

static bool same_note(const PtxLocNote *a, const PtxLocNote *b) {
  return a->function == b->function && a->function_offset == b->function_offset;
}

// The index of this location: an equal one that we have, so that tables stay small, or a new one. It becomes the first
// of its bucket.
static int intern_loc(PtxParser *p, PtxLoc loc, PtxLocNote note) {
  const PtxModule *m = p->module;
  if (note.call_line) loc.inlined_at = call_site(p, note.call_file, note.call_line, note.call_col);
  int *bucket = bucket_of(p, loc.file, loc.line, loc.col);
  for (int *link = bucket; *link; link = &p->loc_notes[*link - 1].next) {
    int found = *link;
    PtxLocNote *its = &p->loc_notes[found - 1];
    if (!same_loc(&m->locs[found - 1], &loc) || !same_note(its, &note)) continue;
    *link = its->next;
    its->next = *bucket;
    *bucket = found;
    return found - 1;
  }
  return add_loc(p, loc, note);
}

// inlined = "," "function_name" label [ offset ] "," "inlined_at" file line col ;
static bool parse_inlined(PtxParser *p, PtxLocNote *note) {
  while (ptx_accept(p, ',')) {
    if (ptx_accept_word(p, "function_name")) {
      if (!ptx_name_operand(p, &note->function) || !ptx_parse_offset(p, &note->function_offset)) return false;
    } else if (ptx_accept_word(p, "inlined_at")) {
      if (!parse_small(p, &note->call_file) || !parse_small(p, &note->call_line) || !parse_small(p, &note->call_col))
        return false;
    } else {
      return ptx_error_expected(p, "function_name or inlined_at");
    }
  }
  return true;
}

// loc = ".loc" file line col [ inlined ] ;   it holds for the instructions that follow
bool ptx_parse_loc(PtxParser *p) {
  PtxLoc loc = {.inlined_at = -1};
  PtxLocNote note = {0};
  if (!parse_small(p, &loc.file) || !parse_small(p, &loc.line)) return false;
  if (p->token.kind == PTX_TK_INT && !parse_small(p, &loc.col)) return false;
  if (!parse_inlined(p, &note)) return false;
  int index = intern_loc(p, loc, note);
  PtxModule *m = p->module;
  if (p->func < 0) return true;
  p->loc = index;
  if (m->funcs[p->func].loc < 0) m->funcs[p->func].loc = index;
  return true;
}

static int file_index(PtxParser *p, int id) {
  for (int i = p->file_id_count - 1; i >= 0; i--) {
    if (p->file_ids[i] == id) return i;
  }
  PtxModule *m = p->module;
  LS_PUSH(p->file_ids, p->file_id_count, p->file_id_capacity, id);
  LS_PUSH(m->files, m->file_count, p->file_capacity, "?");
  return m->file_count - 1;
}

void ptx_finish_locs(PtxParser *p) {
  PtxModule *m = p->module;
  for (int i = 0; i < m->loc_count; i++) {
    const PtxLocNote *note = &p->loc_notes[i];
    m->locs[i].file = file_index(p, m->locs[i].file);
    if (!note->function) continue;
    const char *name = ptx_section_string(&p->sections, note->function, note->function_offset);
    if (name) m->locs[i].function = ptx_demangle(m->arena, ls_arena_strdup(m->arena, name));
  }
}
