// word_prompt.c: a typed word and what the glossary says of it, or a typed doubt.
#include "ui/pages/word_prompt.h"

#include <stdio.h>
#include <string.h>

#include "ui/views/frame.h"

static const char what[] = "what ";

void word_prompt_open(WordPrompt *prompt, bool doubts) {
  *prompt = (WordPrompt){.open = true, .doubts = doubts};
  if (!doubts) snprintf(prompt->text, sizeof prompt->text, "%sis ", what);
}

static void tell(const WordPrompt *prompt, Lesson *lesson, char *message, size_t size) {
  const char *asked = prompt->text + (ls_starts_with(prompt->text, what) ? strlen(what) : 0);
  LsText words = {0};
  if (prompt->doubts) {
    bool kept = lesson_doubt(lesson, prompt->text);
    snprintf(message, size, "%s", kept ? "Kept, with what was drawn: your report tells of it." : "");
    return;
  }
  if (*asked) lesson_what(lesson, asked, &words);
  snprintf(message, size, "%s", ls_text_str(&words));
  ls_text_free(&words);
}

static void type(WordPrompt *prompt, uint32_t code) {
  char bytes[5];
  size_t length = strlen(prompt->text), room = sizeof prompt->text - length;
  ls_utf8_encode(code, bytes);
  if (strlen(bytes) < room) snprintf(prompt->text + length, room, "%s", bytes);
}

static void erase(WordPrompt *prompt) {
  size_t length = strlen(prompt->text);
  while (length && ((unsigned char)prompt->text[--length] & 0xc0) == 0x80) {}
  prompt->text[length] = 0;
}

void word_prompt_key(WordPrompt *prompt, Lesson *lesson, AppKey key, char *message, size_t size) {
  size_t length = strlen(prompt->text);
  bool erases = key.code == KEY_BACKSPACE_;
  if (key.code == KEY_RETURN_) tell(prompt, lesson, message, size);
  if (key.code == KEY_RETURN_ || key.code == KEY_ESC_ || (erases && !length)) prompt->open = false;
  else if (erases) erase(prompt);
  else if (key.code >= ' ' && key.code != 127 && key.code < KEYX_UP) type(prompt, key.code);
}

void word_prompt_draw(const WordPrompt *prompt, Canvas *canvas) {
  if (prompt->doubts) frame_prompt(canvas, "wrong because ", prompt->text, "Enter keeps it, Esc leaves it");
  else frame_prompt(canvas, ":", prompt->text, "such as what is a wavefront");
}
