// exam.h: an exam as a teacher makes it: which questions, how long, and a seed, sealed with the teacher's word.
//
// What a student is asked follows from the seed and the student's ID alone, so the file has to give the seed to every
// machine on which somebody sits for it; the word stays with the teacher. This is the scheme, in plain words:
//
//   master = PBKDF2(the teacher's word, salt)          never in a file
//   seed   = random                                    in the exam
//   chain  = HMAC(master, all lines above it)          in the exam: results are chained with it
//   seal   = HMAC(master, all lines above it)          in the exam
//   paper  = HMAC(seed, ID)                            of a student: draws all numbers, and the order of the questions
//   key    = HMAC(chain, exam and ID)                  of a student: each line of a result has
//            HMAC(key, code of the line before, line)  as its code
//
// Without the word nobody can make an exam, or change one, so that its seal holds: a student who gives himself more
// time has a file whose seal is wrong and a result that is of another exam. A line of a result that is changed, left
// out, put in or moved, and a result that goes by another ID, has a code that does not fit. The items are not to be
// read by eye: a class ("free") would be half an answer.
//
// What it does not protect against. The program has to draw the questions and make the codes without the word, so
// whoever takes it apart, or has a debugger, can read the questions and their answers from the exam, and make a result
// that looks genuine. The end of a result can be cut off: it is then one that was not handed in. A result can be
// removed: a note of when it began is kept on that machine, so that what begins anew has no more time, and says so; but
// another account or machine knows nothing of it. Who sits before the screen, nobody can see. Against all that: a
// supervised room, the exam given out when it begins, and the receipt, a short code of the whole result that the
// student writes down when it is handed in: after that nothing can be changed.
#ifndef LS_APP_EXAM_H
#define LS_APP_EXAM_H

#include "app/course/course.h"
#include "base/digest.h"

enum { EXAM_ITEMS = 60, EXAM_MINUTES = 24 * 60, EXAM_TITLE = 80, EXAM_ID = 32 };

typedef struct ExamItem {
  const char *family;          // "FQ5"
  const char *skill, *class;   // "L11.count", "2.free": each student gets a draw of this class; NULL: the family's open
                               // question
} ExamItem;

typedef struct Exam {
  const char *title;
  int minutes;
  const char *version;         // of the program that made it
  ExamItem items[EXAM_ITEMS]; int count;
  uint8_t salt[16];
  uint32_t rounds;
  LsDigest seed, questions;    // questions: of a paper that nobody gets; another version of the course may have others
  LsDigest chain, seal;
  LsDigest sum;                // of the whole file: names the exam
  LsArena *arena;              // has the texts
} Exam;

Exam *exam_new(void);
void exam_free(Exam *exam);    // NULL is fine

// ---- exam_plan.c: which questions ----
// "FQ5", "FQ5:3", "bank:2" (a part of the topic), "FQ5:open", "FQ5:2+open": adds so many draws of the family's skills,
// skills and looks in turn, and its open question. Classes are not chosen yet (exam_settle).
bool exam_add(Exam *exam, const CourseFamily *families, int count, const char *wish, LsErr *err);
// A family by its id or by words of its topic. NULL: there is none, or there are several.
const CourseFamily *exam_family(const CourseFamily *families, int count, const char *name, LsErr *err);

// ---- sealing ----
// seed and salt by chance. To be done before exam_add.
bool exam_draw_seed(Exam *exam, LsErr *err);
void exam_set_seed(Exam *exam, uint64_t number);      // the same exam again
void exam_master(const Exam *exam, const char *word, LsDigest *master);   // takes some tenths of a second
// The file's text; seals it, and sets chain, seal and sum. Caller frees.
char *exam_sealed_text(Exam *exam, const LsDigest *master);
// Reads a file: every line is checked, so that an error says which one was damaged, and the sum of all. The seal cannot
// be checked without the word.
Exam *exam_read(const char *path, LsErr *err);
Exam *exam_parse(const char *text, const char *path, LsErr *err);
// Whether it was sealed with this word, as it is. master may be NULL.
bool exam_unseal(const Exam *exam, const char *word, LsDigest *master, LsErr *err);

// An ID as it is used: small letters. out has EXAM_ID + 1 bytes. False if it is empty or has other things than letters,
// digits, - and _.
bool exam_who(const char *given, char *out, LsErr *err);

#endif
