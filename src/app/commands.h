// commands.h: everything that can be done to the explorer, as data. commands.def has one row for each command that has a
// key; the rest come from lessons, scripts, the mouse and the ':' line. Nothing else changes what is shown.
#ifndef LS_APP_COMMANDS_H
#define LS_APP_COMMANDS_H

#include "app/keys.h"

typedef enum CommandId {
#define COMMAND(ID, ...) CMD_##ID,
#include "app/commands.def"
  CMD_GOTO,         // arg: step
  CMD_GOTO_LINE,    // arg: source line; the next event of the shown warp there
  CMD_SET_WARP, CMD_SET_BLOCK, CMD_SET_LANE,   // arg
  CMD_SET_PARAM,    // arg: index << 32 | (uint32_t)direction, or text "N=128"
  CMD_SET_FOCUS,    // arg: FocusKind
  CMD_TEXT,         // text: a ':' line
  CMD_CLICK,        // arg: x << 32 | y, from the mouse (resolved through the layout)
  CMD_NONE,
  CMD_COUNT
} CommandId;
typedef struct CommandDef { const char *name, *keys, *footer, *help; unsigned contexts; } CommandDef;
// CTX_LOWEST: no page is below, so that q quits. CTX_P: of a program, and in the footer only there.
enum { CTX_X = 1, CTX_M = 2, CTX_L = 4, CTX_LOWEST = 8, CTX_P = 16 };
const CommandDef *command_def(CommandId id);                 // for the rows of commands.def
const char *command_section(CommandId id);                   // the title that it stands under in lists of keys
CommandId command_for_key(uint32_t code, unsigned context);  // CMD_NONE if the key means nothing
CommandId command_by_name(const char *name);                 // "next"; CMD_NONE if there is none
uint32_t command_key(CommandId id, int n);                   // the n-th key of its row, from 0; 0: it has fewer

typedef struct Command { CommandId id; int64_t arg; const char *text; } Command;

#endif
