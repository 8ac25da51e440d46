// budget.h: what a script may use up: instructions, processor time, memory.
//
// A count hook takes from the budget. C functions that work longer than an instruction charge it by size before they
// work, and so does the allocator. Processor time is the backstop for work that no count foresees: the hook, every
// charge and every large block look at the clock. It is the time of the thread and not the wall's, so that a busy
// machine fails no honest script.
//
// A budget that is spent stays spent until the next script_run. From then on the hook fires at every instruction of
// whichever coroutine an error passes through, charges and resumes raise the error again, and large blocks are refused:
// no pcall and no coroutine carries on. Between two looks at the clock stand HOOK_INTERVAL instructions at most, each
// of them bounded: a text is no longer than SCRIPT_TEXT, a table has no more than 32,768 names, and nothing of a script
// runs while hooks are off, since scripts have no metatables (no __close, no __gc).
#ifndef LS_SCRIPT_BUDGET_H
#define LS_SCRIPT_BUDGET_H

#include "script/state.h"

// The lua_Alloc of a script; context is its Script.
void *budget_allocate(void *context, void *old, size_t old_size, size_t size);

// A script that has not run yet is not limited in time.
void budget_open(Script *script);
// Begins a call with so many instructions and the time that goes with them.
void budget_start(Script *script, int64_t instructions);

#endif
