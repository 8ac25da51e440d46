// word_prompt.c: a typed word, and what the glossary says of it.
#include "ui/pages/word_prompt.h"

#include <stdio.h>
#include <string.h>

#include "ui/views/frame.h"

static const char what[] = "what ";

void word_prompt_open(WordPrompt *prompt) {
  prompt->open = true;
  snprintf(prompt->text, sizeof prompt->text, "%sis ", what);
}

static void tell(const WordPrompt *prompt, const Lesson *lesson, char *message, size_t size) {
  const char *asked = prompt->text + (ls_starts_with(prompt->text, what) ? strlen(what) : 0);
  LsText words = {0};
  if (*asked) lesson_what(lesson, asked, &words);
  snprintf(message, size, "%s", ls_text_str(&words));
  ls_text_free(&words);
}

void word_prompt_key(WordPrompt *prompt, const Lesson *lesson, AppKey key, char *message, size_t size) {
  size_t length = strlen(prompt->text);
  bool erases = key.code == KEY_BACKSPACE_;
  if (key.code == KEY_RETURN_) tell(prompt, lesson, message, size);
  if (key.code == KEY_RETURN_ || key.code == KEY_ESC_ || (erases && !length)) prompt->open = false;
  else if (erases) prompt->text[length - 1] = 0;
  else if (key.code >= ' ' && key.code < 127 && length + 1 < sizeof prompt->text)
    snprintf(prompt->text + length, sizeof prompt->text - length, "%c", (char)key.code);
}

void word_prompt_draw(const WordPrompt *prompt, Canvas *canvas) {
  frame_prompt(canvas, ":", prompt->text, "such as what is a wavefront");
}
