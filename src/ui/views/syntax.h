// syntax.h: colors CUDA C++ and PTX, a line at a time.
#ifndef LS_UI_SYNTAX_H
#define LS_UI_SYNTAX_H

#include "ui/term/canvas.h"

// What a line leaves open for the next one.
typedef struct Syntax { bool in_comment; } Syntax;

// One role per byte of line (roles has room for strlen(line)).
void syntax_line(Syntax *syntax, const char *line, uint8_t *roles);

#endif
