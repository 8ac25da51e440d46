// commands.c: the table of commands, and which key means which.
#include <string.h>
#include <strings.h>

#include "app/commands.h"
#include "base/mem.h"

static const CommandDef defs[] = {
#define X CTX_X
#define M CTX_M
#define L CTX_L
#define P CTX_P
#define COMMAND(ID, name, keys, contexts, footer, help) {name, keys, footer, help, contexts},
#include "app/commands.def"
#undef X
#undef M
#undef L
};

static const struct { CommandId first; const char *title; } sections[] = {
#define SECTION(ID, title) {CMD_##ID, title},
#include "app/commands.def"
};

const CommandDef *command_def(CommandId id) { return (int)id >= 0 && (int)id < LS_COUNT(defs) ? &defs[id] : NULL; }

const char *command_section(CommandId id) {
  int at = 0;
  while (at + 1 < LS_COUNT(sections) && sections[at + 1].first <= id) at++;
  return sections[at].title;
}

// The keymap: every key of every row, parsed once.
typedef struct Binding { uint32_t code; unsigned contexts; CommandId id; } Binding;
// A key is a character at least, and a blank or the end of the text follows it: a row has no more than half its bytes.
enum {
  BINDING_ROOM = 0
#define COMMAND(ID, name, keys, contexts, footer, help) + sizeof(keys) / 2
#include "app/commands.def"
#undef COMMAND
};
static Binding bindings[BINDING_ROOM];
static int binding_count;

static void bind_row(int id) {
  uint32_t code;
  for (int n = 0; (code = command_key((CommandId)id, n)); n++)
    bindings[binding_count++] = (Binding){code, defs[id].contexts, (CommandId)id};
}

CommandId command_for_key(uint32_t code, unsigned context) {
  if (binding_count == 0)
    for (int id = 0; id < LS_COUNT(defs); id++) bind_row(id);
  for (int i = 0; i < binding_count; i++)
    if (bindings[i].code == code && (bindings[i].contexts & context)) return bindings[i].id;
  return CMD_NONE;
}

CommandId command_by_name(const char *name) {
  for (int id = 0; id < LS_COUNT(defs); id++)
    if (strcasecmp(defs[id].name, name) == 0) return (CommandId)id;
  return CMD_NONE;
}

uint32_t command_key(CommandId id, int n) {
  const CommandDef *def = command_def(id);
  const char *at = def ? def->keys : "";
  for (; n > 0 && *at; n--) {
    at += strcspn(at, " ");
    at += strspn(at, " ");
  }
  char name[16];
  size_t length = strcspn(at, " ");
  if (length == 0 || length >= sizeof name) return KEY_NONE_;
  memcpy(name, at, length);
  name[length] = 0;
  return key_parse(name);
}
