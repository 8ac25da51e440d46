// program_saved.h: a program and what was found of it as bytes and back: the section PROG of trace/format.h.
#ifndef LS_APP_PROGRAM_SAVED_H
#define LS_APP_PROGRAM_SAVED_H

#include "app/run/program_run.h"
#include "trace/bytes.h"

void program_saved_put(TraceBytes *bytes, const ProgramRun *run);
// request and info are of the launch that the bytes came with, and are borrowed. NULL with LS_EFORMAT: the bytes are
// damaged. What it gives has no memory: its launches are in the file.
ProgramRun *program_saved_get(const uint8_t *data, size_t size, const RunRequest *request, const TraceInfo *info,
                              LsErr *err);

#endif
