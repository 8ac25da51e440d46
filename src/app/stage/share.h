// share.h: a demo that students follow on their own terminals: where the speaker stands goes out, votes come in.
//
// Through a port, or through a folder that all see:
//
//   port     a student says {"word": "lamo", "version": 1}, and gets stands (stand.h) as long as the word is right;
//            a wrong one gets {"no": "word"}. A vote is {"number": 81985529, "ask": 0, "round": 0, "option": 2}
//   folder   FOLDER/speaker is the stand with "alive", which counts on; FOLDER/votes/NUMBER are votes, one line each.
//            Students may write there, but neither list nor read
//
// A student is a number that its program draws at random and keeps while it runs. Nothing else of a student comes in,
// and nothing is shown but counts.
#ifndef LS_APP_SHARE_H
#define LS_APP_SHARE_H

#include "app/stage/ballot.h"
#include "app/stage/stand.h"

enum {
  SHARE_VERSION = 1, SHARE_PORT = 6770, SHARE_PORTS = 20,   // the first that is free, where none is asked for
  SHARE_WORD = 4, SHARE_NUMBER_BITS = 48,
};

typedef struct Share Share;
// where: NULL or "" a free port, "7001" that one, else the path of a folder, which is made. NULL with *err.
Share *share_open(const char *where, LsErr *err);
void share_close(Share *share);                          // NULL is fine
const char *share_invitation(const Share *share);        // what follows "lanescope follow": "lamo@host", a folder
void share_tell(Share *share, const StageStand *stand);       // where the speaker stands; nothing if that is as before
int share_students(Share *share);                        // of a folder: those who voted
uint64_t share_bytes(Share *share);                      // sent so far
// The votes that came from students.
void share_count(Share *share, int ask, int round, int counts[VOTE_OPTIONS]);

// What a student says: the line of a vote. False: it is none.
typedef struct ShareVote { uint64_t number; int ask, round, option; } ShareVote;
void share_write_vote(const ShareVote *vote, LsText *line);
bool share_read_vote(ShareVote *vote, char *line);

#endif
