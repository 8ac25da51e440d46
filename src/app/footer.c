// footer.c: the words of the last line, from the table of commands.
#include <stdio.h>
#include <string.h>

#include "app/footer.h"
#include "base/mem.h"
#include "base/text.h"

// Two commands that share a word: step stands for back and on.
static const struct { CommandId first, second; } pairs[] = {
    {CMD_STEP_BACK, CMD_STEP_NEXT}, {CMD_LINE_BACK, CMD_LINE_NEXT}, {CMD_EVENT_NEXT, CMD_EVENT_BACK},
};

// What goes first where the line is too short; help and back stay.
static const CommandId dispensable[] = {
    CMD_MARGIN, CMD_BLOCK, CMD_WARP, CMD_LANE, CMD_TIP, CMD_COMPARE, CMD_FIND, CMD_LINE_BACK, CMD_FINDINGS,
    CMD_FOCUS_NEXT,
    CMD_PARAMS, CMD_EVENT_NEXT, CMD_PLAY, CMD_STEP_BACK, CMD_KERNELS,
};

static CommandId partner(CommandId id) {
  for (int i = 0; i < LS_COUNT(pairs); i++)
    if (pairs[i].first == id) return pairs[i].second;
  return CMD_NONE;
}

// "←→", "⇧←→", "n N", "p"; without Unicode the letters: "h l".
static void keys_text(CommandId id, bool unicode, char *out, size_t size) {
  CommandId second = partner(id);
  if (second == CMD_NONE) {
    snprintf(out, size, "%s", key_name(command_key(id, 0), unicode));
    return;
  }
  bool arrows = command_key(id, 0) >= KEYX_UP;
  if (!unicode && arrows) {
    snprintf(out, size, "%s ", key_name(command_key(id, 1), false));
    size_t length = strlen(out);
    snprintf(out + length, size - length, "%s", key_name(command_key(second, 1), false));
    return;
  }
  snprintf(out, size, "%s", key_name(command_key(id, 0), unicode));
  const char *other = key_name(command_key(second, 0), unicode), *last = other;
  for (const char *at = other; *at;) {
    last = at;
    ls_utf8_next(&at);
  }
  size_t length = strlen(out);
  snprintf(out + length, size - length, arrows ? "%s" : " %s", last);
}

static int place(FooterItem *items, int count) {
  int x = 1;
  for (int i = 0; i < count; i++) {
    items[i].x = x;
    items[i].w = ls_utf8_width(items[i].keys) + 1 + ls_utf8_width(items[i].word);
    x += items[i].w + 2;
  }
  return x - 2;
}

static int drop(FooterItem *items, int count, CommandId id) {
  for (int i = 0; i < count; i++) {
    if (items[i].command != id) continue;
    memmove(items + i, items + i + 1, sizeof *items * (size_t)(count - i - 1));
    return count - 1;
  }
  return count;
}

int footer_compute(int cols, unsigned context, bool unicode, FooterItem items[FOOTER_ROOM]) {
  int count = 0;
  const CommandDef *def;
  for (int id = 0; (def = command_def((CommandId)id)) && count < FOOTER_ROOM; id++) {
    bool elsewhere = def->contexts & CTX_P && !(context & CTX_P);
    if (!def->footer[0] || !(def->contexts & context) || elsewhere) continue;
    FooterItem *item = &items[count++];
    *item = (FooterItem){.word = def->footer, .command = (CommandId)id};
    if (id == CMD_QUIT && context & CTX_LOWEST) item->word = "quit";
    keys_text((CommandId)id, unicode, item->keys, sizeof item->keys);
  }
  int width = place(items, count);
  for (int i = 0; width > cols && i < LS_COUNT(dispensable); i++) {
    count = drop(items, count, dispensable[i]);
    width = place(items, count);
  }
  while (width > cols && count > 0) width = place(items, --count);
  return count;
}

int footer_place(int cols, bool unicode, const FooterKey *keys, int count, FooterItem items[FOOTER_ROOM]) {
  enum { APART = 2 };
  int x = 1, placed = 0, out = 0, kept = count > 1 && strcmp(keys[count - 2].keys, "?") == 0 ? 2 : 1;
  count = LS_MIN(count, FOOTER_ROOM);
  for (int i = 0; i < count; i++) {
    FooterItem *item = &items[i];
    *item = (FooterItem){.word = keys[i].word, .command = (CommandId)i};
    snprintf(item->keys, sizeof item->keys, "%s", !unicode && keys[i].ascii_keys ? keys[i].ascii_keys : keys[i].keys);
    item->w = ls_utf8_width(item->keys) + 1 + ls_utf8_width(item->word);
    if (i >= count - kept) out += item->w + APART;
  }
  for (int i = 0; i < count; i++) {
    FooterItem item = items[i];
    if (i >= count - kept) out -= item.w + APART;
    if (x + item.w + out >= cols) continue;
    item.x = x;
    items[placed++] = item;
    x += item.w + APART;
  }
  return placed;
}

uint32_t footer_key_at(int cols, bool unicode, const FooterKey *keys, int count, int x) {
  FooterItem items[FOOTER_ROOM];
  count = footer_place(cols, unicode, keys, count, items);
  for (int i = 0; i < count; i++) {
    if (x < items[i].x || x >= items[i].x + items[i].w) continue;
    const char *text = items[i].keys;
    uint32_t first = key_read(&text);
    bool on_first = !*text || x < items[i].x + ls_utf8_width(items[i].keys) - ls_utf8_width(text);
    return on_first ? first : key_read(&text);
  }
  return KEY_NONE_;
}
