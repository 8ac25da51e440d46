// editor.c: which editor, and how it is told the line.
#include "app/own/editor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch/launch.h"
#include "base/file.h"
#include "base/mem.h"

// %l is the line, %f the file, quoted. What a program that opens a window does at once (code) is asked to wait for
// nothing: the file is watched.
static const struct { const char *name, *form; } editors[] = {
    {"vi", "+%l %f"}, {"vim", "+%l %f"}, {"nvim", "+%l %f"}, {"view", "+%l %f"}, {"gvim", "+%l %f"},
    {"nano", "+%l %f"}, {"pico", "+%l %f"}, {"micro", "+%l %f"}, {"emacs", "+%l %f"},
    {"emacsclient", "+%l %f"}, {"mg", "+%l %f"}, {"joe", "+%l %f"}, {"jed", "%f -g %l"}, {"ne", "+%l %f"},
    {"mcedit", "%f:%l"}, {"vis", "+%l %f"}, {"kak", "+%l %f"}, {"hx", "%f:%l"}, {"helix", "%f:%l"},
    {"ed", "%f"}, {"code", "-g %f:%l"}, {"code-insiders", "-g %f:%l"}, {"codium", "-g %f:%l"},
    {"cursor", "-g %f:%l"}, {"subl", "%f:%l"}, {"zed", "%f:%l"}, {"gedit", "+%l %f"}, {"kate", "-l %l %f"},
    {"kwrite", "-l %l %f"}, {"geany", "+%l %f"}, {"mousepad", "-l %l %f"}, {"xed", "+%l %f"}, {"tilde", "%f"},
};

static const char *chosen(void) {
  const char *visual = getenv("VISUAL"), *editor = getenv("EDITOR");
  return visual && *visual ? visual : editor && *editor ? editor : "vi";
}

const char *editor_name(void) {
  static char name[48];
  const char *command = chosen();
  size_t length = strcspn(command, " \t");
  const char *base = command;
  for (size_t i = 0; i < length; i++) if (command[i] == '/') base = command + i + 1;
  snprintf(name, sizeof name, "%.*s", (int)(command + length - base), base);
  return name;
}

static const char *form_of(const char *name) {
  for (int i = 0; i < LS_COUNT(editors); i++)
    if (strcmp(editors[i].name, name) == 0) return editors[i].form;
  return "%f";
}

char *editor_command(const char *path, int line) {
  LsText out = {0}, file = {0};
  char *full = path[0] == '-' ? ls_format("./%s", path) : ls_strdup(path);   // no option
  launch_quote(full, &file);
  ls_text_addf(&out, "%s ", chosen());   // may have options of its own: a line of shell, as git has it
  for (const char *p = line > 0 ? form_of(editor_name()) : "%f"; *p; p++)
    if (p[0] == '%' && p[1] == 'l') ls_text_addf(&out, "%d", line), p++;
    else if (p[0] == '%' && p[1] == 'f') ls_text_add(&out, ls_text_str(&file)), p++;
    else ls_text_addc(&out, *p);
  free(full);
  ls_text_free(&file);
  return ls_text_take(&out);
}
