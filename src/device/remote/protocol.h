// protocol.h: what lanescope and `lanescope serve-run` say to each other, version 6. This comment is the specification.
//
// The client writes to the standard input of the server and reads its standard output; ssh, srun and the like in between
// pass both on. Numbers are little-endian; "varint", "svarint" and "text" are those of trace/format.h; FNV-1a is ls_hash64.
//
//   greeting = 89 'L' 'S' 'R' 0d 0a 1a 0a, u16 protocol version, u16 length, `length` bytes: the program's own version,
//              u64 FNV-1a of all bytes before
//   message  = u8 type, 3 zero bytes, u32 length, u64 FNV-1a of these 8 bytes and of the payload; `length` bytes of payload
//   filler   = 0a: the server writes one behind its greeting and behind messages that are to be read now, since srun passes on
//              whole lines only. Fillers between its messages mean nothing
//
// Each side greets first, without waiting for the other. The greeting has this form in every version of the protocol, so
// that both sides can name both versions; they go on only if these are equal. Before the server's greeting other text may come
// (what a login shell prints, the words of a queue): up to PROTO_BANNER_MOST bytes of it are passed over, and shown if no
// greeting follows. After it there is nothing but messages.
//
//   client   REQUEST* RUN                                        one run; if its request says that more follow, the
//   next
//                                                                one may come after DONE
//   server   OPENED, TRACE*, FAULT*, (BUFFER (BYTES | CHANGED)*)*, OUTPUT*, DONE     with STAGE, PROGRESS and LOG
//            anywhere between or ERROR at any point, which ends the run
//
//   client   REQUEST* PROGRAM                     a program of many steps, timed as a whole (device/program.h)
//   server   (HOST, then client (FETCH | STORE)* GO_ON)*, STEPS*, (BUFFER BYTES*)*, DONE    or ERROR, as above
//
//   REQUEST   the next bytes of the request (see below): all parts together are at most PROTO_REQUEST_MOST bytes
//   RUN       u64 bytes of the request: begin
//   PROGRAM   u64 bytes of the request: begin
//   HOST      varint step: the client is to do what its function does. The server waits for GO_ON
//   FETCH     varint buffer: its host's side, please. The answer is BUFFER, BYTES*
//   STORE     varint buffer, varint first byte, bytes: what the function wrote there
//   GO_ON     nothing: the function is over
//   STEPS     the next bytes of the times (see below); at most PROTO_STEPS_MOST
//   STAGE     u8 index into stages.def
//   PROGRESS  u64 done, u64 all: blocks of the grid, or 0 and 0 while that is not known
//   LOG       text for the person who waits, UTF-8
//   OPENED    TraceInfo (trace/info.c) with device_name and objects: the request is fine, and the kernel starts
//   TRACE     the next bytes of the run as a trace file (trace/format.h) without PTX and sources; at most PROTO_TRACE_MOST
//   FAULT     a fault (trace/info.c) as it was at the end of the run, with its count; in the order of the trace's faults
//   BUFFER    varint launch argument (of a program: twice its buffer's number, and 1 more for its host's side), varint
//             size, u8: 0 its bytes are what they were before the run; 1 BYTES follow; 2 they are so but for what
//             CHANGED has (not of a program)
//   BYTES     the next bytes of the buffer announced last, until it is full
//   CHANGED   varint first byte, the bytes from there on, of the buffer announced last
//   OUTPUT    the next bytes of what the kernel printed; at most PROTO_OUTPUT_MOST
//   DONE      u64 bytes of the trace (of a program: of all STEPS), u64 nanoseconds that the run took
//   ERROR     u8 LsErrKind, text message, text file, varint line, varint column
//
//   request = text device ("cuda", "emu"); TraceInfo with PTX, its path, plain name of the entry, launch; no sources, no objects
//             u8 scheduler; varint seed, budget; u32 checks; varint SMs, threads; varint most shared, most global bytes
//             u8 record all; varint record limit; varint blocks recorded in runs, each: varint blocks left out, varint blocks in
//             u8 timed (1), known to stop with a fault (2), more requests follow this one (4), or the sum of these;
//             f64 time limit in seconds (its bits as u64)
//             varint named parameters, 0 or all of the entry; each: text name, text type, u8 PtxDwKind, varint bytes
//             varint kept buffers, each: varint argument. It begins with what the run before, on this link, left in the
//             argument of the same number and size; the launch has no bytes of it
//
//   request of a program = text device; TraceInfo with PTX, its path, the first launch, whose arguments are the buffers
//             of the program with their contents and then variables of the module; program (trace/program_bytes.h);
//             f64 time limit
//   times   = text name of the device, driver, date; varint runs, u64 shortest, median, longest (ns); varint steps,
//             each: issued, begin, end, all varints of nanoseconds
//
// The server reads nothing between RUN or PROGRAM and its DONE or ERROR, but behind HOST. Its standard input is watched
// for its end all that time: when the client goes away, or writes out of turn, the server ends at once, whatever its GPU
// is doing. That is how a run is canceled through ssh: the client ends its own child, and the far end finds its input
// closed.
//
// Nothing that arrives is trusted: types, lengths, sums and order are checked, and sizes are bounded before memory is taken.
#ifndef LS_DEVICE_PROTOCOL_H
#define LS_DEVICE_PROTOCOL_H

#include "base/text.h"
#include "device/device.h"
#include "device/remote/kept.h"
#include "trace/bytes.h"

#define PROTO_MAGIC "\x89LSR\r\n\x1a\n"

enum {
  PROTO_VERSION = 6,
  PROTO_MAGIC_BYTES = 8, PROTO_HEADER_BYTES = 16,
  PROTO_PAYLOAD_MOST = 1 << 20,      // of one message
  PROTO_PART = 64 << 10,             // of what comes in parts: small, so that a slow line shows that something moves
  PROTO_BANNER_MOST = 64 << 10,
  PROTO_NAME_MOST = 256,             // the program's version in a greeting
  PROTO_OUTPUT_MOST = 16 << 20,
};
#define PROTO_REQUEST_MOST (4ull << 30)
#define PROTO_TRACE_MOST (4ull << 30)
#define PROTO_STEPS_MOST (64ull << 20)

typedef enum ProtoType {
#define PROTO_MESSAGE(NAME, number, ...) PROTO_##NAME = number,
#include "device/remote/messages.def"
#undef PROTO_MESSAGE
} ProtoType;
typedef enum ProtoSide { PROTO_CLIENT, PROTO_SERVER } ProtoSide;
const char *proto_type_name(ProtoType type);   // "request"; "?" if there is no such type

// ---- writing: bytes to be sent are appended ------------------------------------------------------------------------

void proto_put_greeting(TraceBytes *out, unsigned version, const char *program);
void proto_put(TraceBytes *out, ProtoType type, const void *payload, size_t size);
// For the server, behind what is written out now.
void proto_put_filler(TraceBytes *out);
// As many messages of that type as the bytes need; none for no bytes.
void proto_put_parts(TraceBytes *out, ProtoType type, const void *bytes, size_t size);
void proto_put_error(TraceBytes *out, const LsErr *err);

// ---- reading: bytes are fed as they come, messages taken out when they are whole ---------------------------------------

typedef struct ProtoMessage { ProtoType type; const uint8_t *payload; size_t size; } ProtoMessage;   // borrowed: see below

// Embedded; proto_reader_init begins it, proto_reader_fini ends it. It holds at most one message and what was fed with it.
typedef struct ProtoReader {
  ProtoSide from;              // who speaks
  bool greeted;
  unsigned version;            // the other side's, once greeted
  char program[PROTO_NAME_MOST + 1];
  LsText banner;               // what came before the greeting
  TraceBytes bytes; size_t taken;
} ProtoReader;
void proto_reader_init(ProtoReader *reader, ProtoSide from);
void proto_reader_fini(ProtoReader *reader);
void proto_feed(ProtoReader *reader, const void *bytes, size_t size);

typedef enum ProtoState { PROTO_MORE, PROTO_READY, PROTO_BAD } ProtoState;
// PROTO_READY once, when the greeting has come: version and program are set. PROTO_BAD with LS_EFORMAT: this is no greeting.
ProtoState proto_greeting(ProtoReader *reader, LsErr *err);
// The next message, valid until the next call that takes the reader. PROTO_BAD with LS_EFORMAT if it is none, or not one that
// this side sends.
ProtoState proto_next(ProtoReader *reader, ProtoMessage *message, LsErr *err);
// The reader holds the beginning of something that is not whole.
bool proto_pending(const ProtoReader *reader);

// Whether two versions understand each other; the message (LS_EENV) names both and says what to do. where: who the other is.
bool proto_agree(unsigned other_version, const char *other_program, const char *where, LsErr *err);

bool proto_get_error(const ProtoMessage *message, LsErr *err);   // fills *err with what the other side said; false: malformed

// ---- requests ------------------------------------------------------------------------------------------------------

typedef struct ProtoParam { char *name, *type; uint8_t kind; int size; } ProtoParam;   // type NULL: not known

// A request as it arrives. Everything is owned.
typedef struct ProtoRequest {
  char *device;
  TraceInfo info;              // kernel, launch, ptx and its path
  SimOptions options;          // record_block is `record`; cancel, progress and memory are NULL
  uint8_t *record;
  bool timed, stops, more_follow;
  double time_limit;
  ProtoParam *params; int param_count;
  int *kept; int kept_count;   // arguments that begin as the run before left them (kept.h)
} ProtoRequest;

// kept: what the last run on the link left; NULL: there was none.
void proto_put_request(TraceBytes *out, const char *device, const DevRequest *request, const TraceInfo *info,
                       const ProtoKept *kept);
// Checked: a launch that no GPU has, blocks beyond the grid and the like are refused with LS_EFORMAT. Always proto_request_fini.
bool proto_get_request(const uint8_t *bytes, size_t size, ProtoRequest *request, LsErr *err);
void proto_request_fini(ProtoRequest *request);
// Gives the entry's parameters the names that came with the request, as the client's own module has them.
void proto_name_params(const ProtoRequest *request, PtxModule *module, int entry);

#endif
