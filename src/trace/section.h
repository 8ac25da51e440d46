// section.h: the frames of a trace file: section headers, the footer, and the system calls below them.
#ifndef LS_TRACE_SECTION_H
#define LS_TRACE_SECTION_H

#include "trace/bytes.h"
#include "trace/format.h"

typedef struct TraceSection {
  char tag[5];              // "INFO", "EVTS", "CNTS", "TIME", "PRNT", "STOP", "MEAS", "PROG", "LNCH", "ENDS";
                            // terminated
  uint32_t count;
  uint64_t stored, raw;
} TraceSection;

void trace_section_put(uint8_t bytes[TRACE_SECTION_BYTES], const TraceSection *section);
bool trace_section_get(const uint8_t bytes[TRACE_SECTION_BYTES], TraceSection *section);   // false: damaged

void trace_footer_put(uint8_t bytes[TRACE_FOOTER_BYTES], uint64_t offset);
bool trace_footer_get(const uint8_t bytes[TRACE_FOOTER_BYTES], uint64_t *offset);

// Contents of the INFO section, and of the faults and tallies in ENDS. The getters fill what is owned by the caller
// even if they fail; failure is cursor->bad.
void trace_put_info(TraceBytes *bytes, const TraceInfo *info);
void trace_get_info(TraceCursor *cursor, TraceInfo *info);
void trace_put_fault(TraceBytes *bytes, const TraceFault *fault);
void trace_get_fault(TraceCursor *cursor, TraceFault *fault);
void trace_put_tally(TraceBytes *bytes, const TraceTally *tally);
void trace_get_tally(TraceCursor *cursor, TraceTally *tally);

#endif
