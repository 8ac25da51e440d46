// sentence_source.c: sentences in the words of the source: lines with their text, and the variables that a line sets.
#include <string.h>
#include "base/mem.h"
#include "model/sentence_parts.h"
#include "ptx/debuginfo.h"
#include "ptx/def_use.h"

enum { MOST_QUOTED = 60 };

// ---- lines -----------------------------------------------------------------------------------------------------------

static const char *text_of(const TraceInfo *info, int file) {
  return info && file >= 0 && file < info->source_count ? info->sources[file].text : NULL;
}

// The line without what stands around the statement: blanks, a comment behind it, a brace that opens.
static const char *statement(const char *text, int line, size_t *length) {
  text = ls_line_at(text, line);
  if (!text) return NULL;
  text += strspn(text, " \t");
  *length = strcspn(text, "\r\n");
  for (size_t i = 0; i + 1 < *length; i++)
    if (text[i] == '/' && text[i + 1] == '/') *length = i;
  while (*length && strchr(" \t{", text[*length - 1])) --*length;
  return *length ? text : NULL;
}

int say_source_line(const Sentence *s, int pc) {
  int file = -1, line = 0;
  bool known = s->source && s->module && pc >= 0 && pc < s->module->code_count &&
      ptx_line_of(s->module, pc, &file, &line);
  return known && line > 0 && text_of(s->info, file) ? line : 0;
}

void say_quote(const Sentence *s, int pc) {
  int file, line;
  size_t length;
  if (!say_source_line(s, pc) || !ptx_line_of(s->module, pc, &file, &line)) return;
  const char *text = statement(text_of(s->info, file), line, &length);
  if (!text) return;
  size_t shown = LS_MIN(length, (size_t)MOST_QUOTED);
  while (shown < length && shown && ((unsigned char)text[shown] & 0xc0) == 0x80) shown--;   // no half character
  ls_text_add(s->out, ", `");
  ls_text_addn(s->out, text, shown);
  ls_text_add(s->out, shown < length ? " ...`" : "`");
}

bool say_source_place(const Sentence *s) {
  int line = say_source_line(s, s->event->pc);
  if (!line) return false;
  ls_text_addf(s->out, "Line %d", line);
  say_quote(s, s->event->pc);
  ls_text_add(s->out, ". ");
  return true;
}

// ---- variables -------------------------------------------------------------------------------------------------------

// The variable that lives from here on in a register that the instruction writes.
static const char *variable_set(const Sentence *s) {
  const PtxDebugInfo *debug = s->module->debuginfo;
  for (int i = 0; debug && s->instr && i < debug->var_count; i++) {
    const PtxDwVar *var = &debug->vars[i];
    if (var->func != s->instr->func || !var->name) continue;
    const PtxPlace *place = ptx_var_place(var, s->event->pc + 1);
    if (place && place->kind == PTX_PLACE_REG && ptx_defines(s->instr, place->reg)) return var->name;
  }
  return NULL;
}

bool say_source_step(const Sentence *s) {
  int line = say_source_line(s, s->event->pc);
  if (!line) return false;
  const char *name = variable_set(s);
  if (name) {
    ls_text_addf(s->out, "Line %d sets `%s` in ", line, name);
    sentence_lanes(s->event->mask, s->out);
    ls_text_addc(s->out, '.');
    return true;
  }
  say_who(s->out, s->event->mask);
  ls_text_addf(s->out, "%s work%s on line %d.", s->event->kind == TRACE_EXEC ? "" : " together",
               say_verb(s->event->mask), line);
  return true;
}
