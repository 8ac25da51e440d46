// prompt.h: a line of text that is typed and then used: what / and : have in common.
#ifndef LS_UI_PROMPT_H
#define LS_UI_PROMPT_H

#include "ui/panels/panel.h"

// Typing, and the ways out of it; done: what Return does with the text, once the panel is closed.
bool prompt_key(Session *session, uint32_t code, bool (*done)(Session *session, const char *text));

#endif
