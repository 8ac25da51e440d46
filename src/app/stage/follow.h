// follow.h: a student's end of a shared demo: where the speaker stands, and the student's vote. No screen, no runs.
#ifndef LS_APP_FOLLOW_H
#define LS_APP_FOLLOW_H

#include "app/stage/share.h"

typedef enum FollowState {
  FOLLOW_SEEKS,                // nobody is there yet, or any more: it goes on by itself
  FOLLOW_IN,
  FOLLOW_REFUSED,              // a wrong word, another version, no room: follow_why
} FollowState;

typedef struct Follow Follow;
// where: WORD@HOST, WORD@HOST:PORT, or the path of a folder. NULL with LS_EREQUEST: it is none of these, or there is no
// such host.
Follow *follow_open(const char *where, LsErr *err);
void follow_close(Follow *follow);                       // NULL is fine
// Looks for news, and connects again where that is due; waits for nothing but the files of a folder.
void follow_turn(Follow *follow);
FollowState follow_state(const Follow *follow);
const char *follow_why(const Follow *follow);            // why it seeks, or was refused
int follow_fd(const Follow *follow);                     // to be watched; 0: there is none
const StageStand *follow_stand(const Follow *follow);         // the last one; NULL: none yet
uint64_t follow_news(const Follow *follow);              // how many came: another number, another stand
// The last vote of a round counts. False: nothing is open, or this is no option of it.
bool follow_vote(Follow *follow, int option);
int follow_voted(const Follow *follow);                  // in the round that is open; -1
// Whether a word of the command line is an address of a shared demo and no name.
bool follow_is_address(const char *where);

#endif
