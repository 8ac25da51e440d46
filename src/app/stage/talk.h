// talk.h: where the speaker of a demo is: the beat that is shown, the votes, the clock. No screen, no runs.
#ifndef LS_APP_TALK_H
#define LS_APP_TALK_H

#include "app/stage/demo.h"
#include "app/stage/vote.h"

enum { TALK_QUESTIONS = 64 };

typedef struct Talk {
  const Demo *demo;            // borrowed
  int beat;                    // that is shown; -1: none is ready yet
  bool black;                  // nothing is shown
  bool off_script;             // somebody moves the explorer by hand: talk_next returns to the beat
  double seconds, on_beat;     // since the demo began, since the beat did
  Vote votes[TALK_QUESTIONS];  // of each question
} Talk;

typedef enum TalkMove {
  TALK_MOVED,                  // another beat, or the same one after an excursion: it is to be shown
  TALK_VOTED,                  // the vote of this beat was closed, or opened: the same place
  TALK_NOT_READY,              // the next one is still being made
  TALK_STAYS,                  // there is nothing in this direction
} TalkMove;

void talk_init(Talk *talk, const Demo *demo);
const DemoBeat *talk_beat(const Talk *talk);             // NULL: none is ready
TalkMove talk_next(Talk *talk);                          // Page Down
TalkMove talk_back(Talk *talk);                          // Page Up
TalkMove talk_jump(Talk *talk, int scene);               // from 1
TalkMove talk_to(Talk *talk, int beat);
void talk_tick(Talk *talk, double seconds);

// Of the question of this beat or, while it is revealed, of the one before; NULL: it asks nothing, or has no options.
Vote *talk_vote(Talk *talk);
bool talk_asks(const Talk *talk);                        // the beat is a question, whose answer is not told yet
// What would give an answer away is not to be seen: a question is open, or its scene waits for it.
bool talk_hides(const Talk *talk);
int talk_seconds(const Talk *talk);                      // that the beat should still take; negative: over. 0: nobody
                                                         // says

#endif
