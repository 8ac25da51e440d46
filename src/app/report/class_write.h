// class_write.h: a class as JSON, and its points as a table for a learning platform.
#ifndef LS_APP_REPORT_CLASS_WRITE_H
#define LS_APP_REPORT_CLASS_WRITE_H

#include "app/report/class_files.h"

// anonymous: nobody is named, and numbers of fewer than CLASS_FEW students are null. After class_end.
void class_json(const ClassFiles *files, bool anonymous, LsText *out);
// who,points,of: a line for each student.
void class_csv(const Class *self, LsText *out);
// What was left out, in a sentence each; nothing if all that was read counts.
void class_left_out(const ClassFiles *files, LsText *out);
// Names of those who have not begun, with commas.
void class_not_begun(const Class *self, LsText *out);
// Whether a number of so many students may be told.
static inline bool class_tells(bool anonymous, int students) { return !anonymous || students >= CLASS_FEW; }

#endif
