// publish.h: the notes of a talk for whoever listens on this machine: lanescope notes, any number of them.
#ifndef LS_APP_PUBLISH_H
#define LS_APP_PUBLISH_H

#include "app/stage/notes.h"

typedef struct Publish Publish;
// The notes are called NOTES_NAME; where another talk has that, wanted (the demo's name) or wanted-2, ... are free.
// NULL with *err: this machine has no room for a socket; the talk goes on without.
Publish *publish_open(const char *wanted, LsErr *err);
void publish_close(Publish *publish);                    // NULL is fine
const char *publish_name(const Publish *publish);
bool publish_is_second(const Publish *publish);          // another talk was there before
// Tells what is new, if anything is. invitation, students: as in NotesFrom.
void publish_talk(Publish *publish, Talk *talk, const char *invitation, int students);

#endif
