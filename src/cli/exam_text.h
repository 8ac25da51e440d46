// exam_text.h: an exam on paper, and its key: text of 80 columns, in pages where it is to be printed.
#ifndef LS_CLI_EXAM_TEXT_H
#define LS_CLI_EXAM_TEXT_H

#include "app/exam/paper.h"

enum { EXAM_TEXT_COLUMNS = 80, EXAM_TEXT_ROWS = 56 };   // of a page, which fits A4 and letter

// The key as lines of text: each question with its answer and why.
void exam_key_text(const Exam *exam, const ExamPaper *paper, const char *who, LsText *out);

// To be printed. key: with the answers; else with room for them: a line for a number, boxes to be crossed, 32 of them
// for lanes. pages: a form feed in front of each page but the first; a question stands on one page where it can.
typedef struct ExamPrint { const Exam *exam; const ExamPaper *paper; const char *who; bool key, pages; } ExamPrint;
void exam_print_text(const ExamPrint *print, LsText *out);

// exam_groff.c: pages of text as PostScript or PDF; caller frees. LS_EENV where groff, or its part for PDF, is missing.
char *exam_typeset(const char *text, bool pdf, size_t *size, LsErr *err);

#endif
