// share_parts.h: what a shared demo through a port and through a folder have in common.
#ifndef LS_APP_SHARE_PARTS_H
#define LS_APP_SHARE_PARTS_H

#include <pthread.h>

#include "app/stage/hub.h"
#include "app/stage/share.h"

struct Share {
  char *invitation;
  char word[SHARE_WORD + 1];
  LsText line;                 // that was told last
  Hub *hub;                    // through a port; else NULL
  struct ShareFolder *folder;  // through a folder; else NULL
  pthread_mutex_t mutex;       // over the ballot
  Ballot ballot;
};

// share_folder.c: a thread that writes where the speaker stands, and reads votes while a round is open.
typedef struct ShareFolder ShareFolder;
ShareFolder *share_folder_open(Share *share, const char *path, LsErr *err);
void share_folder_close(ShareFolder *folder);            // NULL is fine
void share_folder_tell(ShareFolder *folder, const char *line);
int share_folder_students(ShareFolder *folder);
uint64_t share_folder_bytes(ShareFolder *folder);

// share_vote.c
bool share_vote_of(ShareVote *vote, const LineFields *fields);
bool share_cast(Share *share, const ShareVote *vote);    // false: it does not count
bool share_is_open(Share *share);                        // a round

#endif
