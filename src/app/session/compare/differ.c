// differ.c: where both sides of a comparison differ, found bit by bit.
#include <stdlib.h>

#include "app/session/session_parts.h"

struct SesDiffer { Difference difference; };

void differ_free(SesDiffer *differ) {
  if (differ) difference_free(&differ->difference);
  free(differ);
}

const Difference *ses_difference(Session *session) {
  if (!session->other) return NULL;
  if (!session->differ) {
    session->differ = ls_alloc(sizeof *session->differ);
    difference_begin(&session->differ->difference, session->run, session->other);
  }
  if (session->patience <= 0) differ_advance(session);
  return &session->differ->difference;
}

bool ses_difference_waits(const Session *session) {
  return session->other && session->differ && !session->differ->difference.done;
}

void differ_advance(Session *session) {
  difference_advance(&session->differ->difference, session->run, session->other,
                     LS_MAX(session->patience, 0));
}

uint64_t differ_counterpart(const Session *session) {
  const Difference *d = session->differ ? &session->differ->difference : NULL;
  int item = d && d->done ? difference_at(d, session->step) : -1;
  return item >= 0 ? d->items[item].right : UINT64_MAX;
}
