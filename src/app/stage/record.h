// record.h: what a talk leaves on the disk of the speaker: the votes of all talks in demo.json, and, as long as a talk
// goes on, where it is, so that it begins there again after a crash or a lost terminal.
//
//   {"talks": [
//   {"id": "1764000000-4711", "demo": "column", "votes": [{"question": "...", "options": ["1", "2"], "answer": 1,
//    "rounds": [[12, 3], [2, 13]]}]},
//   ...
//   ]}
//
// A talk is one line, so that a file is mended by hand and read by anything. Nothing in it is about single voters.
#ifndef LS_APP_RECORD_H
#define LS_APP_RECORD_H

#include "app/stage/talk.h"

typedef struct Record { char id[48]; char *folder; } Record;   // folder: NULL: nothing is kept. Owned

// folder NULL: the user's own ($XDG_STATE_HOME/lanescope); "": nothing is kept.
void record_init(Record *record, const char *folder);
void record_fini(Record *record);
// Where a talk on this demo was when its program ended without being told to; -1: no such talk.
int record_place(const Record *record, const char *demo);
void record_save_place(const Record *record, const char *demo, int beat);
void record_forget_place(const Record *record, const char *demo);   // it came to its end
// Writes the votes that were counted so far, in place of what this talk wrote before. False with *err; the talk goes
// on.
bool record_votes(const Record *record, const Talk *talk, LsErr *err);

#endif
