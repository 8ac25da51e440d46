// exam_text.h: an exam on paper, and its key, as text.
#ifndef LS_CLI_EXAM_TEXT_H
#define LS_CLI_EXAM_TEXT_H

#include "app/exam/paper.h"

enum { EXAM_TEXT_COLUMNS = 80 };

// The key: each question with its answer and why.
void exam_key_text(const Exam *exam, const ExamPaper *paper, const char *who, LsText *out);

#endif
