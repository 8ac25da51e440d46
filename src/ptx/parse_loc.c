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

// An id that is given twice means the later file.
static int add_file(PtxParser *p, int id, const char *name) {
  PtxModule *m = p->module;
  LS_PUSH(m->files, m->file_count, p->file_capacity, name);
  *ls_table_at(&p->file_of_id, &(LsKey){{(uint64_t)id}}) = m->file_count;
  return m->file_count - 1;
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
  add_file(p, id, name);
  return true;
}

// 1 + index of the location at this place that was seen last; 0 if there is none.
static int *last_at(PtxParser *p, int file, int line, int col) {
  return ls_table_at(&p->last_loc, &(LsKey){{(uint64_t)file, (uint64_t)line, (uint64_t)col}});
}

// The index of this location: that of an equal one, so that tables stay small, or a new one.
static int intern(PtxParser *p, const PtxLoc *loc, const PtxLocNote *note) {
  PtxModule *m = p->module;
  LsKey key = {{(uint64_t)loc->file << 32 | (uint32_t)loc->line, (uint64_t)loc->col << 32 | (uint32_t)loc->inlined_at,
                (uint64_t)(uintptr_t)note->function, (uint64_t)note->function_offset}};
  int *known = ls_table_at(&p->loc_of, &key);
  if (!*known) {
    LS_PUSH(m->locs, m->loc_count, p->loc_capacity, *loc);
    LS_PUSH(p->loc_notes, p->loc_note_count, p->loc_note_capacity, *note);
    *known = m->loc_count;
  }
  *last_at(p, loc->file, loc->line, loc->col) = *known;
  return *known - 1;
}

// PTX ISA 11.5.2: inlined_at names the place of an earlier .loc, of which the last one is meant: the same line may have
// been inlined in several functions.
static int call_site(PtxParser *p, const PtxLocNote *note) {
  int known = *last_at(p, note->call_file, note->call_line, note->call_col);
  if (known) return known - 1;
  PtxLoc loc = {.file = note->call_file, .line = note->call_line, .col = note->call_col, .inlined_at = -1};
  return intern(p, &loc, &(PtxLocNote){0});
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
  if (note.call_line) loc.inlined_at = call_site(p, &note);
  int index = intern(p, &loc, &note);
  PtxModule *m = p->module;
  if (p->func < 0) return true;
  p->loc = index;
  if (m->funcs[p->func].loc < 0) m->funcs[p->func].loc = index;
  return true;
}

static int file_index(PtxParser *p, int id) {
  int known = *ls_table_at(&p->file_of_id, &(LsKey){{(uint64_t)id}});
  return known ? known - 1 : add_file(p, id, "?");
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
