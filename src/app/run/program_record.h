// program_record.h: a program with all of its launches recorded into one trace file.
#ifndef LS_APP_PROGRAM_RECORD_H
#define LS_APP_PROGRAM_RECORD_H

#include "app/run/run.h"

// The recipe of the request has a sequence, and no launch of it is chosen. What is recorded of each launch is its share
// of request->events. The run is that of the first launch, as it is in the file.
Run *program_record(const RunRequest *request, const char *path, RunProgress *progress, LsErr *err);

#endif
