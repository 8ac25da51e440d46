// question_pick.h: answers that are made by choosing and moving instead of typing: how a key changes the answer.
//
// A place is where the mark stands: an option, a lane, a line of an order, a line of the source; from 0. In an order
// the
// lines that were put away stand behind the others.
#ifndef LS_APP_QUESTION_PICK_H
#define LS_APP_QUESTION_PICK_H

#include "app/course/question.h"

int question_places(const LessonQuestion *question);            // 0: the answer can only be typed
double question_nothing_picked(const LessonQuestion *question);    // what choosing begins with
int question_placed(const LessonQuestion *question, double value);    // ORDER: lines that were not put away
int question_line_shown(const LessonQuestion *question, double value, int place);   // ORDER: number of the line there
// MASK, SEVERAL: takes what is at the place, or leaves it. ORDER: puts the line away, or back behind the others.
double question_toggled(const LessonQuestion *question, double value, int place);
// ORDER: the line at the place one up (by -1) or down (1).
double question_shifted(const LessonQuestion *question, double value, int place, int by);

#endif
