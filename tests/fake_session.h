// fake_session.h: a session with canned data, a moment in the tree of reduce2, for looking at views without a run.
#ifndef LS_TESTS_FAKE_SESSION_H
#define LS_TESTS_FAKE_SESSION_H

#include "app/session.h"

Session *fake_session_new(int warps);
void fake_session_free(Session *session);

#endif
