// program_bytes.h: a program's buffers, streams, events and steps as bytes and back. What is in the buffers is not
// among them.
//
//   program = text name
//             varint buffers, each: text name, u8 type, varint count, u8 host side
//             varint streams behind the default one, each: text name, svarint priority, u8 nonblocking
//             varint events, each: text name
//             varint steps, each: u8 kind, varint stream, and by kind
//               launch    text kernel, 6 varint grid and block, varint shared bytes, u8 cooperative, varint arguments,
//               each:
//                         u8 0 number: u64 bits, u64 the double's bits, svarint whole, u8 is it whole
//                            1 address on the device, 2 of the host's side: varint buffer, varint element
//               copy      u8 direction, u8 async, varint buffer, from, first, from_first, count
//               set       varint buffer, first, count, u8 byte;     read, write, free   varint buffer, first, count
//               host      text words, f64 milliseconds, u8 has a function;     sync   u8 what for, varint event
//               record, wait   varint event
//
// Numbers are as in format.h.
#ifndef LS_TRACE_PROGRAM_BYTES_H
#define LS_TRACE_PROGRAM_BYTES_H

#include "launch/program.h"
#include "trace/bytes.h"

void trace_put_program(TraceBytes *bytes, const HostProgram *program);
// Fills `program`, which program_fini ends also after a failure. Every index and size is checked, and it is settled
// (program_settle); what is not as it should be fails the cursor.
void trace_get_program(TraceCursor *cursor, HostProgram *program);

#endif
