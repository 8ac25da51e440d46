// names.c: the tables of trace.h as names, and what fields each kind of event uses.
#include "trace/format.h"

static const struct { const char *name; bool interesting; } kinds[TRACE_KIND_COUNT] = {
#define TRACE_EVENT(NAME, name, interesting, what) [TRACE_##NAME] = {name, interesting},
#include "trace/event.def"
#undef TRACE_EVENT
};

static const char *const spaces[TRACE_SPACE_COUNT] = {
    [TRACE_GLOBAL] = "global", [TRACE_SHARED] = "shared", [TRACE_LOCAL] = "local",
    [TRACE_CONST] = "const",   [TRACE_PARAM] = "param",
    [TRACE_TEXTURE] = "texture",
};

enum { GOES_ON, STOPS };
enum { FAULT = GRADE_FAULT, WARNING = GRADE_WARNING, NOTE = GRADE_NOTE };
enum { ONE, MANY };
static const FaultDef faults[FAULT_KIND_COUNT] = {
#define TRACE_FAULT(NAME, name, what, grade, ends, of, advise, advice) \
  [FAULT_##NAME] = {name, what, advice, (FaultGrade)grade, ends == STOPS, of == MANY},
#include "trace/fault.def"
#undef TRACE_FAULT
};

const uint16_t trace_kind_uses[TRACE_KIND_COUNT] = {
    [TRACE_LOAD] = TRACE_USES_ADDR,
    [TRACE_STORE] = TRACE_USES_ADDR,
    [TRACE_ATOM] = TRACE_USES_ADDR | TRACE_USES_VALUE | TRACE_USES_RESULT,
    [TRACE_BRANCH] = TRACE_USES_TAKEN | TRACE_USES_TARGET | TRACE_USES_RECONVERGE,
    [TRACE_BARRIER] = TRACE_USES_BARRIER,
    [TRACE_SYNCWARP] = TRACE_USES_MEMBERS,
    [TRACE_SHUFFLE] = TRACE_USES_MEMBERS | TRACE_USES_SOURCE | TRACE_USES_VALUE | TRACE_USES_RESULT,
    [TRACE_VOTE] = TRACE_USES_MEMBERS | TRACE_USES_TAKEN | TRACE_USES_RESULT,
    [TRACE_MATCH] = TRACE_USES_MEMBERS | TRACE_USES_VALUE | TRACE_USES_RESULT,
    [TRACE_REDUX] = TRACE_USES_MEMBERS | TRACE_USES_VALUE | TRACE_USES_RESULT,
    [TRACE_CALL] = TRACE_USES_TARGET,
    [TRACE_FAULT] = TRACE_USES_FAULT,
    [TRACE_NOTE] = TRACE_USES_FAULT,
};

const char *trace_kind_name(TraceKind kind) { return (unsigned)kind < TRACE_KIND_COUNT ? kinds[kind].name : "?"; }
bool trace_kind_interesting(TraceKind kind) { return (unsigned)kind < TRACE_KIND_COUNT && kinds[kind].interesting; }
const char *trace_space_name(TraceSpace space) { return (unsigned)space < TRACE_SPACE_COUNT ? spaces[space] : "?"; }
static const char *const grades[] = {
    [GRADE_FAULT] = "fault", [GRADE_WARNING] = "warning", [GRADE_NOTE] = "note"};

const char *trace_grade_name(FaultGrade grade) { return (unsigned)grade < FAULT_GRADE_COUNT ? grades[grade] : "?"; }

FaultGrade trace_fault_grade(const TraceFault *fault) { return trace_fault_def((FaultKind)fault->kind)->grade; }

const char *trace_fault_name(FaultKind kind) { return trace_fault_def(kind)->name; }

const FaultDef *trace_fault_def(FaultKind kind) {
  static const FaultDef unknown = {.name = "?", .what = "?"};
  return (unsigned)kind < FAULT_KIND_COUNT ? &faults[kind] : &unknown;
}
