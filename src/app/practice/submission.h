// submission.h: the files that a class handed in, as they lie in folders, and which exercise each is for.
//
//   FOLDER/STUDENT/.../EXERCISE.cu      a folder for each student
//   FOLDER/STUDENT.cu                   a file for each student; its kernel's name says which exercise it is
//   FOLDER/EXERCISE.cu                  the folder of one student
//
// What lies there is not trusted: links are not followed, pipes and devices are not opened, and what is no file of a
// sensible size is a submission with a trouble, never a reason to stop.
#ifndef LS_APP_PRACTICE_SUBMISSION_H
#define LS_APP_PRACTICE_SUBMISSION_H

#include "app/practice/exercise.h"

typedef struct Submission {
  char *student, *path;          // as the system has them: any bytes but zero and, in student, slashes
  int exercise;                  // index into the book; -1: not known, and trouble says why
  char *text; size_t size;       // of the file; NULL: trouble
  char *trouble;                 // why it cannot be judged, a sentence; NULL: it can
} Submission;

typedef struct Submissions { Submission *items; int count, capacity; } Submissions;

enum { SUBMISSION_SIZE = 256 << 10, SUBMISSION_FILES = 200 };   // bytes of a source; files of a student

// wanted: the exercise that all files are for, except those that are named after another one, which are left out; -1:
// each says
// itself. In the order of students, exercises, files. False: a folder that was named is none (LS_EREQUEST).
bool submissions_find(Submissions *found, const char *const *folders, int count, ExerciseBook *book, int wanted,
                      LsErr *err);
void submissions_free(Submissions *found);

#endif
