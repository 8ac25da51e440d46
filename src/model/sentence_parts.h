// sentence_parts.h: what the files that write sentences share. Private to sentence*.c.
#ifndef LS_MODEL_SENTENCE_PARTS_H
#define LS_MODEL_SENTENCE_PARTS_H

#include "model/bounds.h"
#include "model/sentence.h"

// What a sentence is made from and where it goes.
typedef struct Sentence {
  const PtxModule *module;     // may be NULL
  const TraceInfo *info;       // may be NULL
  const TraceEvent *event;
  const PtxInstr *instr;       // NULL if the module does not have the pc
  LsText *out;
  CoalModel coal;              // what moves at a time in global memory
  Bounds bounds;               // who is outside of the array
  bool source;                 // see SentenceAbout
} Sentence;

static inline int say_count(uint32_t mask) { return __builtin_popcount(mask); }
static inline const char *say_s(int64_t count) { return count == 1 ? "" : "s"; }   // plural of a noun
static inline const char *say_verb(uint32_t mask) { return say_count(mask) == 1 ? "s" : ""; }   // "load" or "loads"

void say_who(LsText *out, uint32_t mask);                   // "All 32 lanes", "Lane 3"
void say_number(LsText *out, int count);                    // "1", "1,024"
void say_some(LsText *out, int count, const char *noun);    // "1 sector", "5 sectors"
void say_percent(LsText *out, int64_t part, int64_t whole); // "12.5%"
uint64_t say_unit(const TraceObject *object, int width);    // bytes of what an index counts; 0: nobody knows
void say_place(const Sentence *s, uint64_t addr);           // "ts[0]", as the access indexes it
bool say_is_unnamed(const Sentence *s, uint64_t addr);      // a piece of memory for which nobody knows a name
// "ts[0]", or "ts[0] to ts[31]" from lowest to highest.
void say_range(const Sentence *s, uint64_t first, uint64_t last);

// The texture or surface that holds addr, and its memory; NULL if nothing is known of it.
const LaunchArg *say_image(const Sentence *s, uint64_t addr, const TraceObject **object);

// What is said in place of PTX, if that is wished and the source is known.
int say_source_line(const Sentence *s, int pc);             // its number; 0: not so
void say_quote(const Sentence *s, int pc);                  // ", `if (id < k)`" behind the number of a line
bool say_source_place(const Sentence *s);                   // "Line 17, `if (id < k)`. " of the event
bool say_source_step(const Sentence *s);                    // "Line 12 sets `lane` in all 32 lanes."

// One function per family of events. say_instruction does for all of them where the event lacks what it is about.
void say_instruction(const Sentence *s);
void say_memory(const Sentence *s);      // LOAD STORE
void say_texture(const Sentence *s);     // LOAD STORE of textures and surfaces
void say_bounds(const Sentence *s);     // LOAD STORE ATOM with lanes outside of their array
void say_atomic(const Sentence *s);
bool say_grid_barrier(const Sentence *s);      // LOAD STORE ATOM; false if it is not where grid.sync() waits
void say_cluster_barrier(const Sentence *s);   // BARRIER of barrier.cluster
void say_shuffle(const Sentence *s);
void say_vote(const Sentence *s);
void say_match(const Sentence *s);
void say_redux(const Sentence *s);
void say_syncwarp(const Sentence *s);

#endif
