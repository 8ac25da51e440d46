// page_own.c: one's own files: those of the folder, another one by its path, or a new one to begin with.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/own/files.h"
#include "base/file.h"
#include "ui/pages/list.h"
#include "ui/pages/page.h"
#include "ui/views/frame.h"
#include "ui/views/syntax.h"

enum { TOP = 2, NAME_X = 4, AGE_W = 15, LIST_W = 44, WIDE = 100, NARROW_W = 38, GAP = 2, TAB_W = 4, SOURCE_LIMIT =
      1 << 16 };

typedef struct OwnPage {
  Page base;
  PageOwn own;
  char *folder;                    // as it is called on the screen
  OwnFiles files;
  List list;
  bool typing; char path[1024];
  char note[256];                  // until the next key; what went wrong
  char *source; int source_of;     // of the file of this row; -1: none was read
} OwnPage;

static const char *row_text(void *context, int row) { return ((const OwnPage *)context)->files.items[row].name; }

static void look(OwnPage *self) {
  LsErr err = {0};
  ownfiles_free(&self->files);
  if (!ownfiles_list(".", &self->files, &err)) snprintf(self->note, sizeof self->note, "%.*s", 250, err.message);
  self->list.count = self->files.count;
  self->list.chosen = LS_CLAMP(self->list.chosen, 0, LS_MAX(self->files.count - 1, 0));
  self->source_of = -1;
}

// ---- the picture ---------------------------------------------------------------------------------------------------

static void draw_row(const OwnPage *self, Canvas *canvas, int width, int row) {
  const OwnEntry *entry = &self->files.items[row];
  int y = self->list.y + row - self->list.top;
  LsText age = {0};
  ownfiles_age(entry->saved, time(NULL), &age);
  list_mark(&self->list, canvas, 0, width, row);
  canvas_text_cut(canvas, NAME_X, y, width - AGE_W - NAME_X - 1, ROLE_TEXT, row == self->list.chosen ? STYLE_BOLD : 0,
                  entry->name);
  canvas_text_right(canvas, width - 1, y, ROLE_DIM, 0, ls_text_str(&age));
  ls_text_free(&age);
}

static const char *source_of_chosen(OwnPage *self) {
  if (self->source_of == self->list.chosen) return self->source;
  free(self->source);
  self->source_of = self->list.chosen;
  self->source = ls_file_read(self->files.items[self->list.chosen].path, SOURCE_LIMIT, NULL, NULL);
  return self->source;
}

// A line with its colors, cut where the rectangle ends.
static void draw_line(Canvas *canvas, Syntax *syntax, int x, int y, int end, const char *line) {
  uint8_t *roles = ls_alloc(strlen(line) + 1);
  syntax_line(syntax, line, roles);
  for (const char *at = line; *at && x < end;) {
    Role role = (Role)roles[at - line];
    uint32_t code = *at == '\t' ? (uint8_t)*at++ : ls_utf8_next(&at);
    x += code == '\t' ? TAB_W : canvas_put(canvas, x, y, code, role, 0);
  }
  if (x >= end && ls_utf8_width(line) > 0) canvas_put(canvas, end - 1, y, 0x2026, ROLE_DIM, 0);
  free(roles);
}

static void draw_source(OwnPage *self, Canvas *canvas, Rect rect) {
  const char *rest = source_of_chosen(self);
  Syntax syntax = {0};
  Rect old = canvas_clip(canvas, rect);
  for (int y = rect.y; rest && *rest && y < rect.y + rect.h; y++) {
    size_t length = strcspn(rest, "\n");
    char *line = ls_strndup(rest, length);
    draw_line(canvas, &syntax, rect.x, y, rect.x + rect.w, line);
    free(line);
    rest += length + (rest[length] == '\n');
  }
  canvas_clip(canvas, old);
}

static void draw_empty(Canvas *canvas) {
  static const char words[] =
      "There is no .cu and no .ptx file in this folder.\n\n"
      "Press S, and a small saxpy.cu is written here to begin with. Or press : and type the path of a file, or leave, "
      "go to a folder that has some, and start lanescope there.\n\n"
      "A file needs no main and no launch: lanescope asks for grid and arguments, and guesses them from the code. Keep "
      "it open in your editor: saved, it is compiled and run again.";
  const char *rest = words;
  int y = TOP;
  while (*rest) {
    int length = (int)strcspn(rest, "\n");
    char *part = ls_strndup(rest, (size_t)length);
    y += length ? canvas_text_wrap(canvas, (Rect){NAME_X, y, LS_MIN(canvas->cols - 2 * NAME_X, 76),
                                                  canvas->rows - y - 1}, 0,
                                   ROLE_TEXT, 0, part) : 1;
    free(part);
    rest += length + (rest[length] == '\n');
  }
}

static void draw_keys(const OwnPage *self, Canvas *canvas) {
  static const FooterKey keys[] = {{"⏎", "enter", "open"}, {":", NULL, "type a path"}, {"S", NULL, "start a new one"},
                                  {"/", NULL, "find"}, {"?", NULL, "help"}, {"q", NULL, "back"}};
  if (self->typing) frame_prompt(canvas, ":", self->path, "the path of a .cu or .ptx file");
  else if (self->list.searching) frame_prompt(canvas, "/", self->list.search, "a part of its name");
  else if (self->note[0]) frame_message(canvas, self->note, true);
  else frame_keys(canvas, keys, LS_COUNT(keys));
}

static void own_draw(Page *page, Canvas *canvas) {
  OwnPage *self = (OwnPage *)page;
  char right[32];
  int width = canvas->cols >= WIDE ? LIST_W : NARROW_W, rows = canvas->rows - TOP - 2, x = width + GAP;
  snprintf(right, sizeof right, "%d file%s", self->files.count, self->files.count == 1 ? "" : "s");
  frame_title(canvas, &(FrameTitle){.crumbs = {"lanescope", "your own file"}, .crumb_count = 2,
                                    .middle = {self->folder}, .right = right});
  list_place(&self->list, TOP, self->list.count > rows ? rows - 1 : rows);
  for (int row = self->list.top; list_shows(&self->list, row); row++) draw_row(self, canvas, width, row);
  list_count(&self->list, canvas, NAME_X);
  if (self->files.count) draw_source(self, canvas, (Rect){x, TOP, canvas->cols - x - 1, rows});
  else draw_empty(canvas);
  draw_keys(self, canvas);
}

// ---- keys ----------------------------------------------------------------------------------------------------------

static void open_path(OwnPage *self, const char *path) {
  if (!ownfile_is_one(path)) snprintf(self->note, sizeof self->note, "the name of a kernel's file ends in .cu or .ptx");
  else if (!ls_file_exists(path)) snprintf(self->note, sizeof self->note, "there is no file %.*s", 200, path);
  else self->base.open = self->own.open(&self->own, path);
}

// "~/a.cu" is in the home.
static void open_typed(OwnPage *self) {
  const char *home = getenv("HOME");
  bool from_home = ls_starts_with(self->path, "~/") && home;
  char *path = from_home ? ls_path_join(home, self->path + 2) : ls_strdup(self->path);
  if (*path) open_path(self, path);
  free(path);
}

static void rub_out(char *text) {
  size_t length = strlen(text);
  while (length && ((uint8_t)text[--length] & 0xc0) == 0x80) continue;
  text[length] = 0;
}

static void type(OwnPage *self, uint32_t code) {
  size_t length = strlen(self->path);
  bool empty = code == KEY_BACKSPACE_ && !length;
  if (code == KEY_RETURN_ || code == KEY_ESC_ || empty) self->typing = false;
  if (code == KEY_RETURN_) open_typed(self);
  if (code == KEY_BACKSPACE_) rub_out(self->path);
  if (code >= ' ' && code < KEYX_UP && length + 5 < sizeof self->path) ls_utf8_encode(code, self->path + length);
}

static void begin_file(OwnPage *self) {
  LsErr err = {0};
  char *path = ownfiles_begin(".", &err);
  if (!path) snprintf(self->note, sizeof self->note, "%.*s", 250, err.message);
  look(self);
  for (int i = 0; path && i < self->files.count; i++)
    if (strcmp(self->files.items[i].path, path) == 0) self->list.chosen = i;
  free(path);
}

static bool own_key(Page *page, AppKey key) {
  OwnPage *self = (OwnPage *)page;
  self->note[0] = 0;
  if (self->typing) return type(self, key.code), true;
  bool was_searching = self->list.searching;
  ListResult result = list_key(&self->list, key);
  if (result == LIST_OPEN && self->files.count) open_path(self, self->files.items[self->list.chosen].path);
  if (result != LIST_IGNORED || was_searching) return true;
  CommandId id = command_for_key(key.code, CTX_M);
  if (key.code == ':') self->typing = true, self->path[0] = 0;
  else if (key.code == 'S') begin_file(self);
  else if (id == CMD_HELP) page->open = page_help_new(CTX_M);
  else page->closed = id == CMD_QUIT || id == CMD_CANCEL;
  return true;
}

static void own_free(Page *page) {
  OwnPage *self = (OwnPage *)page;
  ownfiles_free(&self->files);
  free(self->folder);
  free(self->source);
  free(self);
}

static const PageClass own_class = {own_draw, own_key, NULL, own_free};

Page *page_own_new(const PageOwn *own) {
  OwnPage *self = ls_alloc(sizeof *self);
  self->base.class = &own_class;
  self->own = *own;
  self->folder = getcwd(NULL, 0);
  self->list = (List){.text = row_text, .context = self};
  look(self);
  return &self->base;
}
