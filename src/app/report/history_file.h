// history_file.h: the history of the quiz as text, to be kept elsewhere or taken to another machine.
//
// A file of lines, each one object of JSON. The first names the format and the student's seed, the last says how many
// lines there are in all; between them are answers, judged texts, doubts, and how often each skill was drawn:
//
//   {"kind":"lanescope quiz","format":1,"seed":77}
//   {"kind":"answer","number":5837...,"skill":"L11.word","times":3,"mark":3,"at":1790000000,"correct":1,...}
//   {"kind":"end","lines":3}
//
// Logs that are put together have each answer once, by its number, in the order of their times.
#ifndef LS_APP_REPORT_HISTORY_FILE_H
#define LS_APP_REPORT_HISTORY_FILE_H

#include "app/course/progress.h"

enum { HISTORY_FORMAT = 1 };

void history_write(Progress *progress, LsText *out);
// Puts the history of the text into that of progress: all of it, or nothing. name: of the file, for the message of a
// line that is damaged, or of another format. *added: answers that were not there yet.
bool history_read(Progress *progress, const char *text, const char *name, int *added, LsErr *err);

#endif
