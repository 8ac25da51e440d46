// word_prompt.h: a line that is typed in a lesson: what a word means, where no explorer stands beside it, or why a
// question is wrong.
#ifndef LS_UI_WORD_PROMPT_H
#define LS_UI_WORD_PROMPT_H

#include "app/course/lesson.h"
#include "app/keys.h"
#include "ui/term/canvas.h"

typedef struct WordPrompt { bool open, doubts; char text[160]; } WordPrompt;   // embedded; zero it to start

void word_prompt_open(WordPrompt *prompt, bool doubts);
// While it is open all keys are its own. What it tells goes to message.
void word_prompt_key(WordPrompt *prompt, Lesson *lesson, AppKey key, char *message, size_t size);
void word_prompt_draw(const WordPrompt *prompt, Canvas *canvas);

#endif
