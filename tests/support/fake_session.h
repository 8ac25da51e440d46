// fake_session.h: a session with canned data, a moment in the tree of reduce2, for looking at views without a run.
#ifndef LS_TESTS_FAKE_SESSION_H
#define LS_TESTS_FAKE_SESSION_H

#include "app/course/course.h"
#include "app/session/session.h"

Session *fake_session_new(int warps);
void fake_session_free(Session *session);
// Pieces of the program that the timeline shows, each of three steps; 4 if nobody says. From now on.
void fake_schedule_pieces(int pieces);
RecipeBook *fake_book(void);   // three kernels of two topics; static
Course *fake_course(void);     // three lessons, the last one planned; static

#endif
