// program_saved_parts.h: what the files share that write and read a program as bytes (program_saved.c): values,
// launches,
// and what is told of children.
#ifndef LS_APP_PROGRAM_SAVED_PARTS_H
#define LS_APP_PROGRAM_SAVED_PARTS_H

#include "app/run/program_run.h"
#include "trace/bytes.h"

void saved_put_double(TraceBytes *bytes, double value);
double saved_get_double(TraceCursor *cursor);                         // finite
void saved_put_index(TraceBytes *bytes, int index);
int saved_get_index(TraceCursor *cursor, bool none, int count);       // of `count` things; -1 is one only if `none`
char *saved_get_words(TraceCursor *cursor);                           // one that is shown, and so is never missing

// The counters of the file, as those of this version; -1: it has no such one.
enum { SAVED_MOST_COUNTERS = 1024 };
typedef struct SavedCounters { int which[SAVED_MOST_COUNTERS], count; } SavedCounters;
void saved_get_counters(TraceCursor *cursor, SavedCounters *counters);     // their names
void saved_put_launch(TraceBytes *bytes, const ProgramLaunch *launch);   // what was counted, found, printed; its cost
void saved_get_launch(TraceCursor *cursor, const SavedCounters *counters, ProgramLaunch *launch);

// ---- program_saved_children.c: launches by kernels ----
// What is known of them only once the module is, and all of them are.
typedef struct SavedChildren { char **kernels; ProgramTime *times; int count, capacity; bool has_times; } SavedChildren;
void saved_put_children(TraceBytes *bytes, const ProgramRun *run);
// Of an older file: there are none.
void saved_get_children(TraceCursor *cursor, const SavedCounters *counters, ProgramRun *run, SavedChildren *children);
bool saved_join_children(ProgramRun *run, SavedChildren *children);      // false: there is no such kernel
void saved_children_fini(SavedChildren *children);

#endif
