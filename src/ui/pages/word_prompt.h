// word_prompt.h: the ':' line of a lesson where no explorer stands beside it: what a word means.
#ifndef LS_UI_WORD_PROMPT_H
#define LS_UI_WORD_PROMPT_H

#include "app/course/lesson.h"
#include "app/keys.h"
#include "ui/term/canvas.h"

typedef struct WordPrompt { bool open; char text[64]; } WordPrompt;   // embedded; zero it to start

void word_prompt_open(WordPrompt *prompt);
// While it is open all keys are its own. What it tells goes to message.
void word_prompt_key(WordPrompt *prompt, const Lesson *lesson, AppKey key, char *message, size_t size);
void word_prompt_draw(const WordPrompt *prompt, Canvas *canvas);

#endif
