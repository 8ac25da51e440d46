// tidy.c: PTX of clang brought nearer to what nvcc writes: variables of -O0 in registers, one branch at the end of a loop.
//
// clang keeps the stack of a function in one variable, __local_depotN, and accesses it as [%SP+offset]. An offset whose
// address is taken ("add.u64 %rd1, %SP, 8") may be the beginning of anything, up to where the next named variable lies.
#include "device/compile/tidy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "ptx/debuginfo.h"

typedef struct Line { const char *at; int length; } Line;
typedef struct Slot { int offset, bytes; bool kept, floats; } Slot;      // kept: it stays on the stack
typedef struct Named { int offset, size; bool scalar; } Named;           // a variable of the source
// ld.u32 other, [%SP+offset]
typedef struct Access { bool load; char type[8]; int bytes, offset; char other[32]; } Access;

typedef struct Stack {
  char depot[32];                        // the name of its variable
  Slot *slots; int slot_count, slot_room;
  Named *named; int named_count, named_room;
  bool lost;                             // %SP is used in a way that is not understood
  bool needed;                           // something stays on it
} Stack;

typedef struct Text { Line *lines; int count, room; } Text;

static Text split(const char *ptx, size_t length) {
  Text text = {0};
  for (const char *at = ptx, *end = ptx + length; at < end;) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop) stop = end;
    LS_PUSH(text.lines, text.count, text.room, ((Line){at, (int)(stop - at)}));
    at = stop + 1;
  }
  return text;
}

static bool has(const Line *line, const char *words) {
  return memmem(line->at, (size_t)line->length, words, strlen(words)) != NULL;
}

static void copy_line(const Line *line, char *to, size_t size) { snprintf(to, size, "%.*s", line->length, line->at); }

// ---- what a line does with the stack ---------------------------------------------------------------------------------------------

static int type_bytes(const char *type) {
  int bits = atoi(type + 1);
  bool known = strchr("busf", type[0]) && (bits == 8 || bits == 16 || bits == 32 || bits == 64);
  return known ? bits / 8 : 0;
}

// "ld.u32 %r1, [%SP+8];" and "st.local.f32 [%SPL+12], %f1;": no vectors, and nothing volatile.
static bool read_access(const Line *line, Access *access) {
  char text[160], op[24], base[8], rest[8] = "";
  copy_line(line, text, sizeof text);
  *access = (Access){0};
  if (sscanf(text, " ld.%23s %31[^,], [%%%7[SPL]+%d]%7[;]", op, access->other, base, &access->offset, rest) == 5)
    access->load = true;
  else if (sscanf(text, " st.%23s [%%%7[SPL]+%d], %31[^;]%7[;]", op, base, &access->offset, access->other, rest) != 5) {
    access->offset = 0;
    if (sscanf(text, " ld.%23s %31[^,], [%%%7[SPL]]%7[;]", op, access->other, base, rest) == 4) access->load = true;
    else if (sscanf(text, " st.%23s [%%%7[SPL]], %31[^;]%7[;]", op, base, access->other, rest) != 4) return false;
  }
  const char *type = ls_starts_with(op, "local.") ? op + strlen("local.") : op;
  snprintf(access->type, sizeof access->type, "%.7s", type);
  access->bytes = strchr(type, '.') ? 0 : type_bytes(access->type);
  return access->bytes > 0 && access->offset >= 0 && access->other[0] != '{';
}

static void add_access(Stack *stack, const Access *access) {
  Slot *found = NULL;
  for (int i = 0; i < stack->slot_count; i++) {
    Slot *slot = &stack->slots[i];
    if (slot->offset + slot->bytes <= access->offset || access->offset + access->bytes <= slot->offset) continue;
    if (slot->offset == access->offset && slot->bytes == access->bytes) found = slot;
    else slot->kept = true;
  }
  Slot slot = {.offset = access->offset, .bytes = access->bytes, .floats = true};
  if (!found) {
    for (int i = 0; i < stack->slot_count; i++) {   // in pieces: none of them can go
      const Slot *other = &stack->slots[i];
      slot.kept |= other->offset < slot.offset + slot.bytes && slot.offset < other->offset + other->bytes;
    }
    LS_PUSH(stack->slots, stack->slot_count, stack->slot_room, slot);
    found = &stack->slots[stack->slot_count - 1];
  }
  found->floats &= access->type[0] == 'f';
}

static int next_named(const Stack *stack, int offset) {
  int next = INT32_MAX;
  for (int i = 0; i < stack->named_count; i++)
    if (stack->named[i].offset > offset) next = LS_MIN(next, stack->named[i].offset);
  return next;
}

static void keep_range(Stack *stack, int first, int end) {
  stack->needed = true;
  for (int i = 0; i < stack->slot_count; i++) {
    Slot *slot = &stack->slots[i];
    slot->kept |= slot->offset < end && first < slot->offset + slot->bytes;
  }
}

static bool is_part_of_name(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

// Where a register stands in a line, as a whole word; NULL: nowhere behind `from`.
static const char *find_register(const char *from, const char *name) {
  size_t length = strlen(name);
  for (const char *at = from; (at = strstr(at, name)); at += length)
    if (!is_part_of_name(at[length])) return at;
  return NULL;
}

// The end of an access of [name+K], counted from what the register points to; -1: the register is used in another way,
// too.
static int access_end(const char *text, const char *name) {
  const char *at = find_register(text, name);
  char op[24], type[8];
  int offset = 0, lanes = 1;
  if (!at || at == text || at[-1] != '[' || find_register(at + 1, name)) return -1;
  if (sscanf(text, " ld.%23s", op) != 1 && sscanf(text, " st.%23s", op) != 1) return -1;
  const char *end = at + strlen(name), *dot = strrchr(op, '.');
  if (*end != ']' && sscanf(end, "+%d]", &offset) != 1) return -1;
  snprintf(type, sizeof type, "%.7s", dot ? dot + 1 : op);
  if (strstr(op, "v2.")) lanes = 2;
  if (strstr(op, "v4.")) lanes = 4;
  return offset >= 0 && type_bytes(type) ? offset + type_bytes(type) * lanes : -1;
}

// "or.b64 further, name, 4;" or "add.s64 ...": an address at a fixed distance, in another register.
static bool read_further(const char *text, const char *name, char further[32], int *distance) {
  char from[32], end[4];
  if (sscanf(text, " or.b64 %31[^,], %31[^,], %d%1[;]", further, from, distance, end) != 4 &&
      sscanf(text, " add.%*[us]64 %31[^,], %31[^,], %d%1[;]", further, from, distance, end) != 4) return false;
  return strcmp(from, name) == 0 && strcmp(further, name) != 0 && *distance >= 0;
}

// How far an address of the stack in a register reaches, if nothing but loads and stores at fixed distances is done
// with it; -1: more is.
static int address_reach(const Text *text, int first, int last, int made, const char *name) {
  char words[160];
  int reach = 0;
  for (int i = first; i < last; i++) {
    copy_line(&text->lines[i], words, sizeof words);
    if (i == made || !find_register(words, name)) continue;
    char further[32];
    int distance, end = access_end(words, name);
    if (end < 0 && read_further(words, name, further, &distance)) {
      end = address_reach(text, i + 1, last, -1, further);
      end = end < 0 ? -1 : distance + end;
    }
    if (end < 0) return -1;
    reach = LS_MAX(reach, end);
  }
  return reach;
}

// "[%SP+16]" of an access that is not a scalar's: a vector, or something volatile.
static bool bracketed(const char *text, int *offset) {
  const char *at = strstr(text, "[%SP");
  *offset = 0;
  if (!at) return false;
  at += strlen("[%SP");
  if (*at == 'L') at++;
  return *at == ']' || sscanf(at, "+%d]", offset) == 1;
}

// The address of an offset, or the registers themselves where the function begins; anything else is not understood.
static void look_at_other_use(Stack *stack, const Text *all, int first, int last, int at) {
  enum { WIDEST = 32 };
  const Line *line = &all->lines[at];
  char text[160], target[32];
  int offset = 0, length = 0;
  copy_line(line, text, sizeof text);
  if (sscanf(text, " add.%*[us]64 %31[^,], %%SP, %d;%n", target, &offset, &length) >= 2 && length) {}
  else if (sscanf(text, " add.%*[us]64 %31[^,], %%SPL, %d;%n", target, &offset, &length) >= 2 && length) {}
  else if (bracketed(text, &offset)) {
    keep_range(stack, offset, offset + WIDEST);
    return;
  } else {
    stack->lost |= !has(line, ".reg ") && !has(line, "cvta.local.u64 \t%SP, %SPL") && !has(line, stack->depot);
    return;
  }
  int reach = address_reach(all, first, last, at, target);
  keep_range(stack, offset, reach >= 0 ? offset + reach : next_named(stack, offset));
}

static bool is_whole(const char *at, size_t n) { return !(at[n] >= '0' && at[n] <= '9'); }

static bool names_stack(const Line *line) { return has(line, "%SP"); }

// ---- variables of the source -----------------------------------------------------------------------------------------------------

static void add_named(Stack *stack, const PtxModule *module, const PtxDwVar *var) {
  for (int i = 0; i < var->place_count; i++) {
    const PtxPlace *place = &var->places[i];
    if (place->kind != PTX_PLACE_LOCAL || strcmp(module->vars[place->var].name, stack->depot) != 0) continue;
    bool scalar = var->type && var->type->kind != PTX_DW_STRUCT && var->type->kind != PTX_DW_ARRAY &&
        var->type->kind != PTX_DW_OTHER;
    Named named = {.offset = (int)place->offset, .size = var->type ? var->type->size : 0, .scalar = scalar};
    LS_PUSH(stack->named, stack->named_count, stack->named_room, named);
  }
}

// A name is for one scalar that is always accessed whole; what else has a name stays.
static void match_named(Stack *stack) {
  for (int i = 0; i < stack->named_count; i++) {
    const Named *named = &stack->named[i];
    bool whole = false;
    for (int k = 0; k < stack->slot_count; k++)
      whole |= stack->slots[k].offset == named->offset && stack->slots[k].bytes == named->size && !stack->slots[k].kept;
    if (named->scalar && whole) continue;
    int size = named->size > 0 ? named->size : next_named(stack, named->offset) - named->offset;
    keep_range(stack, named->offset, named->offset + size);
  }
}

static const Slot *register_for(const Stack *stack, int offset, int bytes) {
  for (int i = 0; i < stack->slot_count && !stack->lost; i++) {
    const Slot *slot = &stack->slots[i];
    if (slot->offset == offset && (!bytes || slot->bytes == bytes) && !slot->kept) return slot;
  }
  return NULL;
}

static void read_stack(Stack *stack, const PtxModule *module, const Text *text, int first, int last) {
  for (int i = 0; module->debuginfo && i < module->debuginfo->var_count; i++)
    add_named(stack, module, &module->debuginfo->vars[i]);
  for (int i = first; i < last; i++) {
    Access access;
    if (names_stack(&text->lines[i]) && read_access(&text->lines[i], &access)) add_access(stack, &access);
  }
  for (int i = first; i < last; i++) {
    Access access;
    if (names_stack(&text->lines[i]) && !read_access(&text->lines[i], &access))
      look_at_other_use(stack, text, first, last, i);
  }
  match_named(stack);
  for (int i = 0; i < stack->slot_count; i++) stack->needed |= stack->slots[i].kept;
  stack->needed |= stack->lost;
}

// ---- writing ---------------------------------------------------------------------------------------------------------------------

static const char *slot_type(const Slot *slot) {
  if (slot->floats) return slot->bytes == 8 ? "f64" : "f32";
  return slot->bytes == 8 ? "b64" : slot->bytes == 4 ? "b32" : "b16";
}

// Bits of a register by its name, or of an immediate: as many as the slot has.
static int register_bits(const char *name, int slot_bits) {
  static const struct { const char *prefix; int bits; } rows[] = {{"%rs", 16}, {"%rd", 64}, {"%r", 32}, {"%fd", 64},
      {"%f", 32}, {"%h", 16}};
  for (int i = 0; i < LS_COUNT(rows); i++)
    if (ls_starts_with(name, rows[i].prefix)) return rows[i].bits;
  return slot_bits;
}

static void write_access(LsText *out, const Slot *slot, const Access *access) {
  int bits = LS_MAX(slot->bytes * 8, 16), other = register_bits(access->other, bits);
  const char *sign = access->type[0] == 's' ? "s" : "u";
  if (access->load && (other != bits || slot->bytes == 1))
    ls_text_addf(out, "\tcvt.%s%d.%s%d \t%s, %%v%d;\n", sign, other, sign, slot->bytes * 8, access->other,
                 slot->offset);
  else if (access->load) ls_text_addf(out, "\tmov.%s \t%s, %%v%d;\n", slot_type(slot), access->other, slot->offset);
  else if (other != bits) ls_text_addf(out, "\tcvt.u%d.u%d \t%%v%d, %s;\n", bits, other, slot->offset, access->other);
  else ls_text_addf(out, "\tmov.%s \t%%v%d, %s;\n", slot_type(slot), slot->offset, access->other);
}

static void write_declarations(LsText *out, const Stack *stack) {
  for (int i = 0; i < stack->slot_count; i++)
    if (!stack->slots[i].kept)
      ls_text_addf(out, "\t.reg .%s \t%%v%d;\n", slot_type(&stack->slots[i]), stack->slots[i].offset);
}

static void add_line(LsText *out, const Line *line) {
  ls_text_addn(out, line->at, (size_t)line->length);
  ls_text_addc(out, '\n');
}

static void write_line(LsText *out, const Stack *stack, const Line *line) {
  Access access;
  if (stack->lost || !names_stack(line) || !read_access(line, &access)) {
    add_line(out, line);
    if (!stack->lost && has(line, ".reg ") && has(line, "%SPL;")) write_declarations(out, stack);
    return;
  }
  const Slot *slot = register_for(stack, access.offset, access.bytes);
  if (slot) write_access(out, slot, &access);
  else add_line(out, line);
}

// Once nothing lies on the stack, its registers are not set either; the variable stays, as the debug information may
// name it.
static bool is_idle(const Stack *stack, const Line *line) {
  return !stack->needed && ((has(line, "mov.") && has(line, "%SPL, __local_depot")) ||
                            has(line, "cvta.local.u64 \t%SP, %SPL"));
}

// ---- the debug information -------------------------------------------------------------------------------------------------------

static bool byte_of(const Text *text, int line, int *value) {
  char words[64];
  if (line >= text->count) return false;
  copy_line(&text->lines[line], words, sizeof words);
  return sscanf(words, ".b8 %d", value) == 1;
}

// length, DW_OP_addr, depot [, DW_OP_plus_uconst, offset]: how many bytes stand behind the address, and the offset; -1:
// something else.
static int read_offset(const Text *text, int line, int *offset) {
  enum { ADDR = 3, PLUS = 35, ADDRESS_BYTES = 9 };
  int size, op, byte, shift = 0;
  *offset = 0;
  if (line < 2 || !byte_of(text, line - 2, &size) || !byte_of(text, line - 1, &op) || op != ADDR ||
      size < ADDRESS_BYTES) return -1;
  if (size == ADDRESS_BYTES) return 0;
  if (!byte_of(text, line + 1, &op) || op != PLUS) return -1;
  for (int i = 2; i <= size - ADDRESS_BYTES; i++, shift += 7) {
    if (!byte_of(text, line + i, &byte) || shift > 21) return -1;
    *offset |= (byte & 127) << shift;
  }
  return size - ADDRESS_BYTES;
}

// DW_OP_regx and the characters of the name as one number, in as many bytes as the address had.
static void write_regx(LsText *out, int offset, int bytes) {
  enum { REGX = 144 };
  char name[16];
  unsigned __int128 number = 0;
  snprintf(name, sizeof name, "%%v%d", offset);
  for (const char *at = name; *at; at++) number = number << 8 | (unsigned char)*at;
  ls_text_addf(out, ".b8 %d\n", REGX);
  for (int i = 1; i < bytes; i++, number >>= 7)
    ls_text_addf(out, ".b8 %d\n", (int)(number & 127) | (i + 1 < bytes ? 128 : 0));
}

static const Stack *stack_named(const Stack *stacks, int count, const Line *line) {
  for (int i = 0; i < count; i++) {
    const char *at = memmem(line->at, (size_t)line->length, stacks[i].depot, strlen(stacks[i].depot));
    if (at && is_whole(at, strlen(stacks[i].depot))) return &stacks[i];
  }
  return NULL;
}

static bool is_named(const Stack *stack, int offset) {
  for (int i = 0; i < stack->named_count; i++)
    if (stack->named[i].offset == offset) return true;
  return false;
}

// The lines of the place of a variable that is in a register now; how many lines they were, 0: it is none.
static int write_place(LsText *out, const Text *text, int line, const Stack *stacks, int count) {
  enum { LONGEST_SHORT = 99999 };
  if (line + 1 >= text->count || !has(&text->lines[line + 1], ".b64") || !has(&text->lines[line + 1], "__local_depot"))
    return 0;
  const Stack *stack = stack_named(stacks, count, &text->lines[line + 1]);
  int offset, behind = stack ? read_offset(text, line + 1, &offset) : -1;
  if (behind < 0 || offset > LONGEST_SHORT || !is_named(stack, offset) || !register_for(stack, offset, 0)) return 0;
  write_regx(out, offset, 9 + behind);
  return 2 + behind;
}

// ---- functions -------------------------------------------------------------------------------------------------------------------

static bool mentions(const Text *text, const char *words) {
  for (int i = 0; i < text->count; i++)
    if (has(&text->lines[i], words)) return true;
  return false;
}

// clang -O0 leaves a variable of one byte for the built-in ones, which live in special registers. Few look at it:
// "uint3 t = threadIdx;" takes its address.
static bool is_idle_builtin(const Text *text, const Line *line) {
  static const char *const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
  for (int i = 0; i < LS_COUNT(names) && has(line, "[1];"); i++) {
    char declared[24], used[24];
    snprintf(declared, sizeof declared, ".b8 %s[1];", names[i]);
    snprintf(used, sizeof used, ", %s;", names[i]);
    if (has(line, declared)) return !mentions(text, used);
  }
  return false;
}

static int function_end(const Text *text, int line) {
  while (line < text->count && !(text->lines[line].length && text->lines[line].at[0] == '}')) line++;
  return line;
}

static bool begins_stack(const Line *line, char depot[32]) {
  const char *at = has(line, ".local ") ? memmem(line->at, (size_t)line->length, "__local_depot",
                                                 strlen("__local_depot")) : NULL;
  if (!at) return false;
  int length = (int)strcspn(at, "[ \t;");
  snprintf(depot, 32, "%.*s", LS_MIN(length, 31), at);
  return true;
}

static void free_stacks(Stack *stacks, int count) {
  for (int i = 0; i < count; i++) {
    free(stacks[i].slots);
    free(stacks[i].named);
  }
  free(stacks);
}

// ---- loops that end with two branches ----------------------------------------------------------------------------------------------

static bool is_label(const Line *line, const char *name) {
  size_t length = strlen(name);
  return (size_t)line->length > length && memcmp(line->at, name, length) == 0 && line->at[length] == ':';
}

// What stands between instructions and is none.
static bool is_mark(const Line *line) {
  char text[80];
  copy_line(line, text, sizeof text);
  const char *at = text + strspn(text, " \t");
  return !*at || ls_starts_with(at, "//") || ls_starts_with(at, ".loc") || ls_starts_with(at, "$L__tmp") ||
      ls_starts_with(at, "Ltmp");
}

static int next_line(const Text *text, int line) {
  do line++; while (line < text->count && is_mark(&text->lines[line]));
  return line;
}

// "@%p bra END; bra.uni HEAD; END:" is "@!%p bra HEAD; END:": the line of the second branch, 0: it is something else.
static int write_loop_end(LsText *out, const Text *text, int line) {
  char words[160], predicate[24], end[64], head[64], mark[8];
  copy_line(&text->lines[line], words, sizeof words);
  if (sscanf(words, " @%23s bra %63[^;]%1[;]", predicate, end, mark) != 3) return 0;
  int second = next_line(text, line);
  if (second >= text->count) return 0;
  copy_line(&text->lines[second], words, sizeof words);
  if (sscanf(words, " bra.uni %63[^;]%1[;]", head, mark) != 2) return 0;
  int third = next_line(text, second);
  if (third >= text->count || !is_label(&text->lines[third], end)) return 0;
  bool negated = predicate[0] == '!';
  ls_text_addf(out, "\t@%s%s bra \t%s;\n", negated ? "" : "!", predicate + negated, head);
  return second;
}

char *tidy_branches(const char *ptx, size_t *length) {
  LsText out = {0};
  Text text = split(ptx, *length);
  for (int i = 0; i < text.count; i++) {
    int second = write_loop_end(&out, &text, i);
    if (!second) add_line(&out, &text.lines[i]);
    while (++i < second) add_line(&out, &text.lines[i]);   // marks between the two
    i = second ? second : i - 1;
  }
  free(text.lines);
  *length = out.length;
  return ls_text_take(&out);
}

// ---- the stack of every function ---------------------------------------------------------------------------------------------------

char *tidy_stack(const char *ptx, size_t *length) {
  LsText out = {0};
  Text text = split(ptx, *length);
  PtxModule *module = ptx_parse("clang", ptx, *length, NULL);
  Stack *stacks = NULL;
  int count = 0, room = 0, last = -1;
  for (int i = 0; i < text.count; i++) {
    const Line *line = &text.lines[i];
    Stack stack = {0};
    if (module && begins_stack(line, stack.depot)) {
      last = function_end(&text, i);
      read_stack(&stack, module, &text, i, last);
      LS_PUSH(stacks, count, room, stack);
    }
    if (is_idle_builtin(&text, line)) continue;
    if (i < last) { if (!is_idle(&stacks[count - 1], line)) write_line(&out, &stacks[count - 1], line); continue; }
    int replaced = write_place(&out, &text, i, stacks, count);
    if (replaced) i += replaced - 1;
    else add_line(&out, line);
  }
  ptx_module_free(module);
  free_stacks(stacks, count);
  free(text.lines);
  *length = out.length;
  return ls_text_take(&out);
}
