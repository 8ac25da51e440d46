// exam_desk.h: what the acts of `lanescope exam` share: the course, the exam, and whose paper it is.
#ifndef LS_CLI_EXAM_DESK_H
#define LS_CLI_EXAM_DESK_H

#include "app/exam/paper.h"
#include "cli/cli.h"

typedef struct ExamDesk {
  Cli *cli;
  Course *course;
  RecipeBook *book;
  Exam *exam;                // NULL until it was read
  LsDigest master;           // once it was unsealed
  char who[EXAM_ID + 1];
  ExamPaper *paper;          // NULL until it was drawn
} ExamDesk;

// Reads the exam; path NULL: none was named, which is an error.
bool desk_read(ExamDesk *desk, const char *path, LsErr *err);
// Asks for the word, and checks the exam's seal.
bool desk_unseal(ExamDesk *desk, LsErr *err);
// Writes a file that is there when it is whole; "-": standard output.
bool desk_write(const char *path, const char *text, size_t size, LsErr *err);

// The paper of somebody; NULL: it cannot be drawn. Says that it works.
ExamPaper *desk_paper(const ExamDesk *desk, const char *who, LsErr *err);

// Whether results were named.
bool desk_results(const ExamDesk *desk, LsErr *err);

// exam_marks.c, exam_tick.c: exam marks FILE RESULT..., exam tick FILE RESULT...; an exit status, or -1.
int desk_marks(ExamDesk *desk, LsErr *err);
int desk_tick(ExamDesk *desk, LsErr *err);

#endif
