// finding_parts.h: what the files that judge a run share.
//
// A judge looks at one kind, or some that are measured alike: it goes through the sites of the run, and puts what it
// finds into the Judge. findings.c calls them all, sorts, and leaves out what is below the least share.
#ifndef LS_MODEL_FINDING_PARTS_H
#define LS_MODEL_FINDING_PARTS_H

#include "base/mem.h"
#include "model/findings/finding.h"

typedef struct Judge {
  const FindingsOf *of;
  LsArena *arena;              // of all texts
  Finding *items; int count, capacity;
  FindingGood *good; int good_count, good_capacity;
  int *callers;                // per function: the first call of it; -1: none
} Judge;

// One row per judge, in the order in which they are asked.
void judge_banks(Judge *judge);          // bank_conflict
void judge_sectors(Judge *judge);        // uncoalesced
void judge_memory(Judge *judge);         // reloaded, unused_bytes, local_memory, serialized_constant
void judge_atomics(Judge *judge);        // contended_atomic
void judge_barriers(Judge *judge);       // redundant_barrier
void judge_lanes(Judge *judge);          // divergence, partial_warps
void judge_grid(Judge *judge);           // idle_tail, low_occupancy

// ---- places --------------------------------------------------------------------------------------------------------

// The line that a finding at this instruction is told of: the innermost one in the kernel's own file, else the
// kernel's line that calls it. False if the PTX does not say.
bool judge_line(const Judge *judge, int pc, int *file, int *line);
// Accesses gathered by line, loads and stores and arrays apart: calls back once for each, with its instructions in
// order.
typedef struct JudgeLine { int file, line; bool is_store; const int *pcs; int count; } JudgeLine;
typedef void (*JudgeLineFn)(Judge *judge, const JudgeLine *line, void *context);
void judge_lines(Judge *judge, TraceSpace space, JudgeLineFn fn, void *context);

// The index of the object in TraceInfo that an instruction accesses, as the witness saw it; -1: not seen.
int judge_object(const Judge *judge, int pc);

// ---- findings ------------------------------------------------------------------------------------------------------

// A finding without words, of the line of an instruction (-1: of the launch). It is added by judge_add, which sets
// its share.
Finding judge_finding(const Judge *judge, FindingKind kind, int pc);
void judge_add(Judge *judge, Finding *finding);
void judge_add_good(Judge *judge, int pc, const char *what, const char *words);
bool judge_is_told(const Finding *finding);       // its waste is FINDING_LEAST of the total, or more
const char *judge_text(Judge *judge, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The contents of a text as one of the findings; NULL if it is empty. The text is freed.
const char *judge_take(Judge *judge, LsText *text);

// ---- numbers as people write them ----------------------------------------------------------------------------------

typedef struct JudgeNumber { char text[32]; } JudgeNumber;
JudgeNumber judge_count(uint64_t value);          // "3,968"
JudgeNumber judge_average(double value);          // "32", "4.5", "0.25"
JudgeNumber judge_percent(double share);          // "97%", "0.4%", "more than 99%"
#define COUNT(value) (judge_count(value).text)
#define AVERAGE(value) (judge_average(value).text)
#define PERCENT(share) (judge_percent(share).text)
const char *judge_unit(const char *one, const char *many, double value);   // one where the value is 1

// ---- shapes --------------------------------------------------------------------------------------------------------

// Of all shapes that the witness saw of an instruction the one that wastes most in all; NULL: it saw none.
const WitnessShape *judge_worst(const Judge *judge, int pc, const WitnessSite **site, uint32_t *block);

#endif
