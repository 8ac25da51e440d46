// quiz_list.h: the families of questions and what the student knows of them, and the questions held to be wrong, as
// text and as JSON.
#ifndef LS_CLI_QUIZ_LIST_H
#define LS_CLI_QUIZ_LIST_H

#include "app/course/course.h"

void quiz_list_text(Progress *progress, const CourseFamily *families, int count);
void quiz_list_json(Progress *progress, const CourseFamily *families, int count);
void quiz_doubts_text(Progress *progress);
void quiz_doubts_json(Progress *progress);

#endif
