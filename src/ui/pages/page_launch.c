// page_launch.c: the launch of a file's kernel, filled in field by field.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/own/changes.h"
#include "app/own/editor.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "ui/pages/launch_page.h"

static void note(LaunchPage *self, bool is_error, const char *text) {
  snprintf(self->note, sizeof self->note, "%.*s", (int)sizeof self->note - 1, text);
  self->note_is_error = is_error;
}

// ---- the form -------------------------------------------------------------------------------------------------------

// What the command line says wins over what is kept, and that over guesses.
static void open_form(LaunchPage *self, int kernel) {
  if (self->has_form) form_fini(&self->form);
  form_init(&self->form, &self->file->kernels->items[kernel], self->file->source);
  self->has_form = true;
  self->kernels.chosen = kernel;
  self->typing = false;
  LsErr err = {0};
  bool asked = !self->given.kernel || sigfile_find(self->file->kernels, self->given.kernel) == kernel;
  if (asked && !form_take(&self->form, &self->given, &err)) note(self, true, err.message);
  if (asked && self->run) form_loosen(&self->form);   // of a run: nobody said that it has to stay
  kept_load(self->kept, self->file->path, &self->form);
  self->row = LS_MIN(self->row, form_rows(&self->form) - 1);
}

// Which kernel comes first: the one that was asked for, the one before, or the last one launched.
static int first_kernel(LaunchPage *self, const char *before) {
  char last[256];
  int found = -1;
  if (before) found = sigfile_find(self->file->kernels, before);
  if (found < 0 && self->given.kernel) {
    found = sigfile_find(self->file->kernels, self->given.kernel);
    if (found < 0) note(self, true, "there is no such kernel in it: k lists those there are");
  }
  if (found < 0 && kept_kernel(self->kept, self->file->path, last, sizeof last))
    found = sigfile_find(self->file->kernels, last);
  return LS_MAX(found, 0);
}

static const char *kernel_text(void *context, int row) {
  const LaunchPage *self = context;
  return self->file->kernels->items[row].title;
}

// What was entered stays, as far as the new parameters are the old ones.
static void carry_fields(LaunchPage *self, const Form *from) {
  char key[96], other[96];
  for (int i = 0; i < from->count; i++) {
    if (from->fields[i].from != FROM_TYPING) continue;
    form_key(from, i, key, sizeof key);
    for (int k = 0; k < self->form.count; k++) {
      form_key(&self->form, k, other, sizeof other);
      if (strcmp(key, other) != 0 || self->form.fields[k].kind != from->fields[i].kind) continue;
      form_enter(&self->form, k, from->fields[i].text, FROM_TYPING);
    }
  }
}

static void take_file(LaunchPage *self, OwnFile *file) {
  OwnFile *old = self->file;
  Form before = self->form;
  bool had = self->has_form;
  self->file = file;
  self->has_form = false;
  self->kernels = (List){.count = file->kernels->count, .text = kernel_text, .context = self};
  open_form(self, first_kernel(self, had ? before.sig->name : NULL));
  if (had) {
    carry_fields(self, &before);
    form_fini(&before);
    note(self, false, "the file was saved: compiled again");
  }
  ownfile_free(old);
}

// ---- reading the file -----------------------------------------------------------------------------------------------

static void start_reading(LaunchPage *self) {
  reading_free(self->reading);
  self->reading = reading_start(self->request.what);
  self->seconds = 0;
}

static bool finish_reading(LaunchPage *self) {
  LsErr err = {0};
  OwnFile *file = reading_take(self->reading, &err);
  self->reading = NULL;
  self->error = err;
  self->scroll = 0;
  if (file) take_file(self, file);
  return true;
}

static bool look(LaunchPage *self, bool *settling) {
  switch (watch_look(self->watch, ls_clock())) {
  case WATCH_SETTLING: *settling = true; return false;
  case WATCH_CHANGED: start_reading(self); return true;
  case WATCH_GONE: note(self, true, "the file is not there any more"); return true;
  default: return false;
  }
}

// ---- what keys do ---------------------------------------------------------------------------------------------------

static bool copy(LaunchPage *self) {
  LsText line = {0};
  launch_line(self, &line, 0);
  self->base.copy = ls_text_take(&line);
  note(self, false, "the line is in the clipboard, if this terminal lets programs put it there (OSC 52)");
  return true;
}

static bool start_run(LaunchPage *self) {
  LsErr err = {0};
  int wrong = form_wrong(&self->form);
  if (wrong >= 0) {
    self->row = self->form.fields[wrong].row;
    self->nth = wrong - form_field(&self->form, self->row, 0);
    note(self, true, self->form.fields[wrong].error);
    return true;
  }
  RunRequest request;
  run_request_copy(&request, &self->request);
  launch_fini(&request.launch);
  if (!form_launch(&self->form, &request.launch, &err)) {
    note(self, true, err.message);
    run_request_fini(&request);
    return true;
  }
  kept_save(self->kept, self->file->path, &self->form);
  self->note[0] = 0;
  self->base.ticking = true;   // the file may have changed when this page is on top again
  if (self->run) {
    self->run(self->context, &request);   // takes it
    self->base.closed = true;
    return true;
  }
  self->base.open = self->open(&request, self->book);
  run_request_fini(&request);
  return true;
}

static bool edit(LaunchPage *self) {
  char words[8];
  int line = self->has_form ? self->form.sig->line : 0;
  if (self->error.kind) line = changes_compile_error(&self->error, words, sizeof words);
  self->base.shell = editor_command(self->request.what, line);
  self->base.ticking = true;
  return true;
}

static bool help(LaunchPage *self) {
  self->base.open = page_message_new("the launch page",
      "The launch of a kernel: how many blocks and threads, and what it is given. What nobody entered is guessed "
      "from the kernel's signature and follows what is entered.\n\n"
      "up, down     from row to row; tab: to the next field\n"
      "left, right  other contents of a buffer; half, double of a number\n"
      "digits       type a number; enter takes it, esc drops it\n"
      "backspace    guess this field again\n"
      "enter        run the kernel\n"
      "y            the command line into the clipboard\n"
      "E            the file in $VISUAL or $EDITOR\n"
      "k            another kernel of the file\n"
      "q            back\n\n"
      "Contents: zero; iota: 0, 1, 2, ...; const:V: all V; random:SEED: floats from 0 to 1, or any bits; "
      "mod:M: 0 to M - 1 again and again; file:PATH: the bytes of a file; none: never "
      "written, so that reading it is a fault.\n\n"
      "What you enter is kept for this file, and offered the next time.");
  return true;
}

static void leave(LaunchPage *self) { self->base.closed = true; }

// ---- typing ---------------------------------------------------------------------------------------------------------

// The part of a field that is typed: behind the colon of random:1, const:1, mod:16, file:.
static const char *prefix_of(const Field *field, char out[16]) {
  const char *colon = field->kind == FIELD_INIT ? strchr(field->text, ':') : NULL;
  snprintf(out, 16, "%.*s", colon ? (int)LS_MIN(colon + 1 - field->text, 15) : 0, field->text);
  return out;
}

static void finish_typing(LaunchPage *self) {
  if (!self->typing) return;
  self->typing = false;
  int field = launch_field(self);
  char prefix[16], whole[16 + sizeof self->typed];
  snprintf(whole, sizeof whole, "%s%s", self->typed[0] ? prefix_of(&self->form.fields[field], prefix) : "",
           self->typed);
  form_enter(&self->form, field, whole, FROM_TYPING);
}

static void begin_typing(LaunchPage *self, bool keep) {
  const Field *field = &self->form.fields[launch_field(self)];
  char prefix[16];
  self->typing = true;
  snprintf(self->typed, sizeof self->typed, "%s", keep ? field->text + strlen(prefix_of(field, prefix)) : "");
}

// Digits at zero, iota or none mean the number of elements.
static void aim(LaunchPage *self) {
  const Field *field = &self->form.fields[launch_field(self)];
  if (field->kind == FIELD_INIT && !strchr(field->text, ':')) self->nth = 0;
}

static bool begins_value(uint32_t code) {
  return (code >= '0' && code <= '9') || code == '-' || code == '.' || code == '+';
}

static bool type(LaunchPage *self, uint32_t code) {
  bool letters = launch_takes_letters(self) && code > ' ' && code < 0x110000 && code != 127;
  if (!self->typing && !begins_value(code) && !(letters && code != '?')) return false;
  if (self->typing && (code < ' ' || code == 127 || code >= 0x110000)) return false;
  if (!self->typing && begins_value(code) && !letters) aim(self);
  if (!self->typing) begin_typing(self, letters);
  char bytes[5];
  ls_utf8_encode(code, bytes);
  size_t length = strlen(self->typed);
  if (length + strlen(bytes) < sizeof self->typed) strcpy(self->typed + length, bytes);
  return true;
}

static bool untype(LaunchPage *self) {
  if (!self->typing && launch_takes_letters(self)) begin_typing(self, true);
  if (!self->typing) {
    form_enter(&self->form, launch_field(self), "", FROM_GUESS);
    return true;
  }
  size_t length = strlen(self->typed);
  while (length && ((uint8_t)self->typed[length - 1] & 0xC0) == 0x80) length--;
  if (length) self->typed[length - 1] = 0;
  else self->typing = false;
  return true;
}

// ---- moving ---------------------------------------------------------------------------------------------------------

static bool move_row(LaunchPage *self, int by) {
  finish_typing(self);
  int before = launch_field(self), row = LS_CLAMP(self->row + by, 0, form_rows(&self->form) - 1);
  self->row = row;
  int second = form_field(&self->form, row, 1);
  bool was_count = self->form.fields[before].kind == FIELD_COUNT;
  self->nth = second >= 0 && !was_count ? 1 : 0;   // contents are changed most
  return true;
}

static bool move_field(LaunchPage *self, int by) {
  finish_typing(self);
  int field = LS_CLAMP(launch_field(self) + by, 0, self->form.count - 1);
  self->row = self->form.fields[field].row;
  self->nth = field - form_field(&self->form, self->row, 0);
  return true;
}

static bool choose(LaunchPage *self, int by) {
  finish_typing(self);
  form_choose(&self->form, launch_field(self), by);
  return true;
}

static bool form_key_pressed(LaunchPage *self, uint32_t code) {
  switch (code) {
  case KEYX_UP: return move_row(self, -1);
  case KEYX_DOWN: return move_row(self, 1);
  case KEYX_PGUP: case KEYX_HOME: return move_row(self, -form_rows(&self->form));
  case KEYX_PGDN: case KEYX_END: return move_row(self, form_rows(&self->form));
  case KEY_TAB_: return move_field(self, 1);
  case KEYX_SHIFT_TAB: return move_field(self, -1);
  case KEYX_LEFT: return choose(self, -1);
  case KEYX_RIGHT: return choose(self, 1);
  case KEY_BACKSPACE_: case KEYX_DELETE: return untype(self);
  case KEY_RETURN_:
    if (self->typing) return finish_typing(self), true;
    return start_run(self);
  case KEY_ESC_:
    if (!self->typing) leave(self);
    self->typing = false;
    return true;
  default: return type(self, code);
  }
}

static bool page_key(LaunchPage *self, uint32_t code) {
  switch (code) {
  case 'q': leave(self); return true;
  case 'E': return edit(self);
  case '?': case KEYX_F1: return help(self);
  case 'y': return self->has_form && copy(self);
  case 'k':
    if (!self->has_form || self->file->kernels->count < 2)
      return note(self, false, "this is the only kernel of the file"), true;
    self->choosing = true;
    return true;
  default: return false;
  }
}

static bool list_pressed(LaunchPage *self, AppKey key) {
  bool leaves = (key.code == KEY_ESC_ || key.code == 'q' || key.code == 'k') && !self->kernels.searching;
  ListResult result = leaves ? LIST_CHANGED : list_key(&self->kernels, key);
  if (result == LIST_OPEN) {
    self->row = 0;
    open_form(self, self->kernels.chosen);
  }
  if (leaves || result == LIST_OPEN) self->choosing = false;
  return result != LIST_IGNORED;
}

static bool scroll_text(LaunchPage *self, uint32_t code) {
  int by = code == KEYX_UP ? -1 : code == KEYX_DOWN ? 1 : 0;
  if (code == KEYX_PGUP || code == KEYX_PGDN) by = code == KEYX_PGUP ? -self->height : self->height;
  self->scroll = LS_CLAMP(self->scroll + by, 0, LS_MAX(self->text_rows - self->height, 0));
  if (code == KEY_ESC_) leave(self);
  return by || code == KEY_ESC_;
}

// Nothing to go back to: then the program ends, and says why.
static bool cancel_reading(LaunchPage *self) {
  reading_free(self->reading);
  self->reading = NULL;
  note(self, false, "canceled: what was read before stands");
  if (self->has_form || self->error.kind) return true;
  leave(self);
  self->base.parting = ls_alloc(sizeof *self->base.parting);
  return !ls_fail(self->base.parting, LS_ECANCEL, "canceled: %s was not compiled to its end",
                  LS_QUOTE_PATH(self->request.what));
}

static bool pressed(LaunchPage *self, uint32_t code) {
  if (code == KEY_ESC_ && self->reading) return cancel_reading(self);
  bool form = self->has_form && !self->error.kind;
  if (form && (self->typing || launch_takes_letters(self)) && type(self, code)) return true;
  if (page_key(self, code)) return true;
  return form ? form_key_pressed(self, code) : scroll_text(self, code);
}

static void click_spot(LaunchPage *self, const LaunchSpot *spot) {
  finish_typing(self);
  switch (spot->kind) {
  case SPOT_FIELD:
    self->row = self->form.fields[spot->index].row;
    self->nth = spot->index - form_field(&self->form, self->row, 0);
    break;
  case SPOT_CHOICE: form_enter(&self->form, launch_field(self), form_choice(spot->index), FROM_TYPING); break;
  case SPOT_RUN: start_run(self); break;
  case SPOT_COPY: copy(self); break;
  }
}

static bool click(LaunchPage *self, AppKey key) {
  int count;
  if (key.button == 4 || key.button == 5) return pressed(self, key.button == 4 ? KEYX_UP : KEYX_DOWN);
  if (key.button != 1) return false;
  for (int i = 0; i < self->spot_count; i++) {
    Rect r = self->spots[i].rect;
    if (key.y != r.y || key.x < r.x || key.x >= r.x + r.w) continue;
    click_spot(self, &self->spots[i]);
    return true;
  }
  const FooterKey *keys = launch_keys(self, &count);
  uint32_t code = key.y == self->rows - 1 ? footer_key_at(self->cols, !self->ascii, keys, count, key.x) : KEY_NONE_;
  return code != KEY_NONE_ && pressed(self, code);
}

// What is typed while the file is read for the first time is for the page that comes then, but for what this one knows.
static bool keep_for_later(LaunchPage *self, AppKey key) {
  static const uint32_t known[] = {KEY_ESC_, 'q', 'E', '?', KEYX_F1, KEYX_MOUSE};
  if (!self->reading || self->has_form || self->error.kind) return false;
  for (int i = 0; i < LS_COUNT(known); i++)
    if (key.code == known[i]) return false;
  if (self->ahead_count < LAUNCH_AHEAD) self->ahead[self->ahead_count++] = key;
  return true;
}

static bool launch_key(Page *page, AppKey key) {
  LaunchPage *self = (LaunchPage *)page;
  if (keep_for_later(self, key)) return false;
  self->note[0] = 0;
  if (self->choosing) return list_pressed(self, key);
  if (key.code == KEYX_MOUSE) return click(self, key);
  return pressed(self, key.code);
}

// Up to one that leads away.
static void press_kept(LaunchPage *self) {
  int count = self->ahead_count;
  self->ahead_count = 0;
  for (int i = 0; i < count && self->has_form && !self->base.open && !self->base.closed; i++)
    launch_key(&self->base, self->ahead[i]);
}

static bool launch_tick(Page *page, double seconds) {
  LaunchPage *self = (LaunchPage *)page;
  bool settling = false, changed = look(self, &settling);
  bool is_read = self->reading && reading_done(self->reading);
  self->seconds += seconds;
  if (is_read) changed = finish_reading(self);
  page->ticking = self->reading || settling;
  page->cancels = self->reading && (self->has_form || self->error.kind);
  if (is_read) press_kept(self);
  return changed || self->reading;
}

static void launch_page_draw(Page *page, Canvas *canvas) { launch_draw((LaunchPage *)page, canvas); }

static char *copy_or_null(const char *text) { return text ? ls_strdup(text) : NULL; }

static void copy_given(FormGiven *to, const FormGiven *from) {
  char **args = ls_alloc(sizeof *args * (size_t)(from->arg_count + 1));
  for (int i = 0; i < from->arg_count; i++) args[i] = ls_strdup(from->args[i]);
  *to = (FormGiven){copy_or_null(from->kernel), copy_or_null(from->grid), copy_or_null(from->block),
                    copy_or_null(from->shared),
                    (const char *const *)args, from->arg_count};
}

static void free_given(FormGiven *given) {
  const char *const texts[] = {given->kernel, given->grid, given->block, given->shared};
  for (int i = 0; i < LS_COUNT(texts); i++) free((char *)(uintptr_t)texts[i]);
  for (int i = 0; i < given->arg_count; i++) free((char *)(uintptr_t)given->args[i]);
  free((void *)(uintptr_t)given->args);
}

static void launch_free(Page *page) {
  LaunchPage *self = (LaunchPage *)page;
  reading_free(self->reading);
  if (self->has_form) form_fini(&self->form);
  ownfile_free(self->file);
  watch_free(self->watch);
  kept_close(self->kept);
  run_request_fini(&self->request);
  free_given(&self->given);
  free(self->command);
  free(self);
}

static const PageClass launch_class = {launch_page_draw, launch_key, launch_tick, launch_free};

Page *page_launch_new(const LaunchAsk *ask) {
  enum { PATIENCE_MS = 30 };
  LaunchPage *self = ls_alloc(sizeof *self);
  self->base.class = &launch_class;
  run_request_copy(&self->request, ask->request);
  self->book = ask->book;
  copy_given(&self->given, &ask->given);
  self->command = ls_strdup(ask->command);
  self->open = ask->open;
  self->run = ask->run;
  self->context = ask->context;
  self->kept = kept_open(NULL);
  self->watch = watch_new(self->request.what);
  self->base.watch_fd = LS_MAX(watch_fd(self->watch), 0);
  self->base.period_ms = watch_period(self->watch);
  self->base.ticking = true;
  self->row = FORM_FIRST_ARG;
  start_reading(self);
  // most are compiled already: no flash of progress
  if (reading_wait(self->reading, PATIENCE_MS)) finish_reading(self);
  return &self->base;
}
