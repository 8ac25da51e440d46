// plain_place.h: where the cursor of the explorer stands, in words: what its panes show, for pipes and screen readers.
#ifndef LS_CLI_PLAIN_PLACE_H
#define LS_CLI_PLAIN_PLACE_H

#include <stdio.h>

#include "app/session/session.h"

// Two to four lines: block, warp and step; the line of the source; the sentence of the picture, and of the event.
void plain_place(Session *session, FILE *out);
// The source alone, with numbers: where the run would give an answer away.
void plain_source(Session *session, FILE *out);
// All of it: the place, the lanes of every warp of the block, the variables of the shown one, the totals so far.
void plain_look(Session *session, FILE *out);

#endif
