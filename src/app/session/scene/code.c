// code.c: what is known of every instruction before anything runs: its line, and whether it is news.
#include <string.h>

#include "app/session/session_parts.h"
#include "base/file.h"
#include "base/table.h"

struct SesCode {
  LsArena *arena;
  int count;
  int *file, *line, *key;   // by pc
  uint8_t *start, *notable, *set;
  uint8_t *foreign;         // by function
};

int code_count(const SesCode *code) { return code->count; }

static bool exists(const SesCode *code, int pc) { return pc >= 0 && pc < code->count; }

int code_file(const SesCode *code, int pc) { return exists(code, pc) ? code->file[pc] : -1; }
int code_line(const SesCode *code, int pc) { return exists(code, pc) ? code->line[pc] : 0; }
int code_key(const SesCode *code, int pc) { return exists(code, pc) ? code->key[pc] : -1; }
bool code_starts(const SesCode *code, int pc) { return exists(code, pc) && code->start[pc]; }
bool code_is_notable(const SesCode *code, int pc) { return exists(code, pc) && code->notable[pc]; }
bool code_is_foreign(const SesCode *code, int func) { return code->foreign[func]; }
const uint8_t *code_notable(const SesCode *code) { return code->notable; }
uint8_t *code_set(SesCode *code) { return code->set; }

int ses_line_of(const Session *session, int pc, int *file) {
  *file = code_file(session->code, pc);
  return code_line(session->code, pc);
}

// ---- whose code a file is ----------------------------------------------------------------------------------------------

static const char *path_of(const TraceInfo *info, int file) {
  bool known = file >= 0 && file < info->source_count && info->sources[file].path;
  return known ? info->sources[file].path : "";
}

// Where compilers keep headers: of the toolkit, of its packages, of the system.
static bool among_headers(const char *path) {
  static const char *const places[] = {"/usr/include/", "/usr/lib/", "/targets/", "/site-packages/", "/crt/", "/cccl/"};
  for (int i = 0; i < LS_COUNT(places); i++)
    if (strstr(path, places[i])) return true;
  const char *toolkit = strstr(path, "/cuda");
  return toolkit && strstr(toolkit, "/include/");
}

// The folder of the kernel's own file, as long as its path says; what lies there is the user's, whatever it is called.
static bool beside_kernel(const Session *session, const char *path) {
  const PtxModule *module = session->run->module;
  int file = -1, line;
  if (!ptx_line_of(module, module->funcs[session->run->entry].first, &file, &line)) return false;
  const char *home = path_of(&session->run->info, file);
  size_t folder = (size_t)(ls_path_base(home) - home);
  return folder ? strncmp(path, home, folder) == 0 : *path != '/';
}

// Wrappers in the toolkit's headers (__shfl_xor_sync, atomicAdd) belong to the line that calls them, unless their lines are
// asked for. Where no source is found at all, the numbers of lines are still worth having.
static bool foreign_file(const Session *session, int file) {
  const TraceInfo *info = &session->run->info;
  bool any = false;
  for (int i = 0; i < info->source_count; i++) any |= info->sources[i].text != NULL;
  if (!any || file < 0 || file >= info->source_count) return false;
  if (!info->sources[file].text) return true;
  const char *path = path_of(info, file);
  return !session->headers && among_headers(path) && !beside_kernel(session, path);
}

// ---- the tables --------------------------------------------------------------------------------------------------------

// Loads of parameters and traffic of the local frame are how code is made, not what the kernel is about.
static bool instruction_notable(const PtxInstr *instr) {
  return !(ptx_accesses(instr) && (instr->space == PTX_PARAM || instr->space == PTX_LOCAL));
}

static void mark_targets(const PtxModule *module, uint8_t *starts) {
  for (int pc = 0; pc < module->code_count; pc++) {
    const PtxInstr *instr = &module->code[pc];
    for (int i = 0; i < instr->operand_count; i++) {
      const PtxOperand *operand = &instr->operands[i];
      if (operand->kind == PTX_OPD_LABEL && operand->target >= 0 && operand->target < module->code_count)
        starts[operand->target] = 1;
    }
  }
}

// One number per source line: the first pc of it.
static void number_lines(SesCode *code) {
  LsTable first = {0};   // pc + 1
  for (int pc = 0; pc < code->count; pc++) {
    code->key[pc] = -1;
    if (code->line[pc] <= 0) continue;
    int *known = ls_table_at(&first, &(LsKey){{(uint64_t)code->file[pc], (uint64_t)code->line[pc]}});
    if (!*known) *known = pc + 1;
    code->key[pc] = *known - 1;
  }
  ls_table_free(&first);
}

static void mark_foreign(const PtxModule *module, SesCode *code) {
  for (int f = 0; f < module->func_count; f++) {
    const PtxFunc *func = &module->funcs[f];
    code->foreign[f] = !func->is_entry && func->count > 0;
    for (int pc = func->first; pc < func->first + func->count; pc++)
      if (code->line[pc] > 0) code->foreign[f] = 0;
  }
}

static void find_lines(Session *session, SesCode *code) {
  const PtxModule *module = session->run->module;
  for (int pc = 0; pc < code->count; pc++) {
    int file = -1, line = 0;
    bool known = session->headers ? ptx_line_inner(module, pc, &file, &line) : ptx_line_of(module, pc, &file, &line);
    if (!known || foreign_file(session, file)) file = -1, line = 0;
    code->file[pc] = file;
    code->line[pc] = line;
    code->notable[pc] = instruction_notable(&module->code[pc]);
  }
}

SesCode *code_new(Session *session) {
  const PtxModule *module = session->run->module;
  LsArena *arena = ls_arena_new();
  SesCode *code = LS_NEW_ARRAY(arena, SesCode, 1);
  int count = module ? module->code_count : 0;
  *code = (SesCode){
      .arena = arena, .count = count,
      .file = LS_NEW_ARRAY(arena, int, count + 1), .line = LS_NEW_ARRAY(arena, int, count + 1),
      .key = LS_NEW_ARRAY(arena, int, count + 1), .start = LS_NEW_ARRAY(arena, uint8_t, count + 1),
      .notable = LS_NEW_ARRAY(arena, uint8_t, count + 1), .set = LS_NEW_ARRAY(arena, uint8_t, count + 1),
      .foreign = LS_NEW_ARRAY(arena, uint8_t, (module ? module->func_count : 0) + 1),
  };
  if (!count) return code;
  find_lines(session, code);
  number_lines(code);
  mark_targets(module, code->start);
  mark_foreign(module, code);
  for (int pc = 0; pc < count; pc++)
    if (pc == 0 || code->key[pc] != code->key[pc - 1]) code->start[pc] = 1;
  return code;
}

void code_free(SesCode *code) {
  if (code) ls_arena_free(code->arena);
}

int ses_lined_pc(Session *session, int warp, uint64_t step) {
  SesCode *code = session->code;
  TraceEvent event;
  TraceQuery query;
  if (!ses_event_at(session, step, &event)) return -1;
  if (event.warp == warp && code_line(code, event.pc) > 0) return event.pc;
  trace_query_init(&query);
  query.block = event.block;
  query.warp = warp;
  for (int pc = 0; pc < code->count; pc++) code->set[pc] = code->line[pc] > 0;
  query.pcs = code->set;
  if (!ses_search(session, step, -1, &query, &step) || !ses_event_at(session, step, &event)) return -1;
  return event.pc;
}
