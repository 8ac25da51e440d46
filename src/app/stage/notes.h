// notes.h: what the speaker of a demo reads on the second terminal: note, clock, votes, what comes next.
//
// It travels as one line (line.h) over a socket of the user (runtime.h), so both sides have one clock: moments are
// milliseconds of ls_clock.
#ifndef LS_APP_NOTES_H
#define LS_APP_NOTES_H

#include "app/stage/line.h"
#include "app/stage/talk.h"

#define NOTES_NAME "talk"      // of the socket, unless another talk has it
enum {
  // Bytes; longer is cut.
  NOTES_TEXT = 1600, NOTES_SAYS = 1000, NOTES_NEXT = 240, NOTES_OPTION = 80, NOTES_WORDS = 120,
  NOTES_YELLOW = 30,           // seconds before the end
};

typedef struct Notes {
  char title[NOTES_WORDS + 1], place[NOTES_WORDS + 1], kind[NOTES_WORDS + 1];   // "scene 2 of 3", "question"
  char says[NOTES_SAYS + 1];             // what the hall reads
  char note[NOTES_TEXT + 1], next[NOTES_NEXT + 1];
  char answer[NOTES_WORDS + 1];          // of the question that is open, or was asked last; "": none
  char options[VOTE_OPTIONS][NOTES_OPTION + 1]; int option_count;
  int right;                             // of the options; -1
  int votes[VOTE_ROUNDS][VOTE_OPTIONS], round;
  bool open, black, off_script;          // open: it can be voted now
  int64_t began, beat_began;             // the talk, the beat
  int seconds, beat_seconds;             // that they should take; 0: nobody says
  char invitation[NOTES_WORDS + 1];      // what students type; "": nobody follows
  int students;
} Notes;

typedef struct NotesFrom {
  Talk *talk;                            // on a beat
  int64_t began, beat_began;
  const char *invitation; int students;  // NULL: nobody can follow
} NotesFrom;
void notes_write(const NotesFrom *from, LsText *line);
// False: the line is no notes, and *notes is as it was.
bool notes_read(Notes *notes, char *line);

int notes_votes(const Notes *notes, int round);                  // in all
// Seconds that are left of what should take so many and began then; negative: over.
int notes_left(int64_t began, int seconds, int64_t now);
void notes_clock(int left, char out[16]);                        // "2:05", "-0:07"
void notes_words(const Notes *notes, LsText *out);               // as lines of text

#endif
