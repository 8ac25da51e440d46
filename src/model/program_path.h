// program_path.h: what the end of a program hangs on (its critical path), from the last end back to the beginning, and
// what one step waits for, in words.
#ifndef LS_MODEL_PROGRAM_PATH_H
#define LS_MODEL_PROGRAM_PATH_H

#include "base/text.h"
#include "model/program_time.h"

// Time that the way spends in a step, or, of_host, in the host's call of it. Parts touch one another.
typedef struct ProgramPathPart { int step; double begin, end; bool of_host; } ProgramPathPart;
typedef struct ProgramPath { ProgramPathPart *parts; int count, capacity; } ProgramPath;   // the last one first

void program_path_init(ProgramPath *path, const HostProgram *program, const ProgramTime *times);
void program_path_fini(ProgramPath *path);

// Why a step begins no earlier than another one ends.
typedef enum ProgramWhy {
  WHY_STREAM,      // it is before it in its stream
  WHY_EVENT,       // a stream waits for an event that stands behind it
  WHY_DEFAULT,     // one of the two is in the legacy default stream
  WHY_ENGINE,      // it has the copy engine
  WHY_QUEUE,       // it is before it in the one queue
  WHY_KERNELS,     // no more kernels at once
  WHY_HOST,        // the host waits for it
  WHY_TAIL,        // of a child: it is in the tail stream, and another child was the last to end
  WHY_DEVICE_EVENT // of a child: its stream waits for an event of its block
} ProgramWhy;
// event: of WHY_EVENT. Of a step with waited_for >= 0.
ProgramWhy program_why(const HostProgram *program, ProgramRules rules, const ProgramTime *times, int step, int *event);
// "copy x to the device in stream a, by event parts done": what it waits for, and by what rule. Nothing if it does not
// wait.
void program_why_words(const HostProgram *program, ProgramRules rules, const ProgramTime *times, int step, LsText *out);

#endif
