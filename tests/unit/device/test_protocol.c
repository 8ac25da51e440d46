// test_protocol.c: greetings, messages and requests: round trips, and everything that can be wrong with them.
#include <math.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "device/remote/protocol.h"
#include "ptx/debuginfo.h"

static const uint8_t *const nothing = (const uint8_t *)"";

// ---- greetings -----------------------------------------------------------------------------------------------------

static void a_greeting_is_understood_wherever_it_is_cut(void) {
  TraceBytes bytes = {0};
  proto_put_greeting(&bytes, PROTO_VERSION, "9.8.7");
  for (size_t cut = 0; cut <= bytes.size; cut++) {
    ProtoReader reader;
    proto_reader_init(&reader, PROTO_SERVER);
    proto_feed(&reader, bytes.data, cut);
    CHECK(proto_greeting(&reader, NULL) == (cut < bytes.size ? PROTO_MORE : PROTO_READY));
    proto_feed(&reader, bytes.data + cut, bytes.size - cut);
    CHECK(reader.greeted || proto_greeting(&reader, NULL) == PROTO_READY);
    CHECK_INT(reader.version, PROTO_VERSION);
    CHECK_STR(reader.program, "9.8.7");
    CHECK(!proto_pending(&reader) && reader.banner.length == 0);
    proto_reader_fini(&reader);
  }
  free(bytes.data);
}

static void other_text_comes_before_a_greeting(void) {
  static const char banner[] = "Welcome to gpu01\n\x89LS but no greeting\n\x89\x89L";   // beginnings of the magic among it
  TraceBytes bytes = {0};
  trace_put_bytes(&bytes, banner, strlen(banner));
  proto_put_greeting(&bytes, PROTO_VERSION, "1");
  ProtoReader reader;
  proto_reader_init(&reader, PROTO_SERVER);
  for (size_t i = 0; i < bytes.size; i++) {
    CHECK(proto_greeting(&reader, NULL) == PROTO_MORE);
    proto_feed(&reader, bytes.data + i, 1);
  }
  CHECK(proto_greeting(&reader, NULL) == PROTO_READY);
  CHECK_STR(ls_text_str(&reader.banner), banner);
  proto_reader_fini(&reader);
  free(bytes.data);
}

static void endless_text_is_no_greeting(void) {
  ProtoReader reader;
  LsErr err = {0};
  proto_reader_init(&reader, PROTO_SERVER);
  ProtoState state = PROTO_MORE;
  size_t fed = 0;
  for (; state == PROTO_MORE && fed < 1 << 20; fed += 4) {
    proto_feed(&reader, "abc\n", 4);
    state = proto_greeting(&reader, &err);
  }
  CHECK(state == PROTO_BAD && fed <= PROTO_BANNER_MOST + 8);
  CHECK_INT(err.kind, LS_EFORMAT);
  proto_reader_fini(&reader);
}

static void a_damaged_greeting_is_refused(void) {
  TraceBytes bytes = {0};
  proto_put_greeting(&bytes, PROTO_VERSION, "1.0");
  for (size_t at = PROTO_MAGIC_BYTES; at < bytes.size; at++) {   // damage in the magic makes it other text
    ProtoReader reader;
    proto_reader_init(&reader, PROTO_SERVER);
    bytes.data[at] ^= 0x10;
    proto_feed(&reader, bytes.data, bytes.size);
    CHECK(proto_greeting(&reader, NULL) != PROTO_READY);
    bytes.data[at] ^= 0x10;
    proto_reader_fini(&reader);
  }
  free(bytes.data);
}

static void other_versions_are_named(void) {
  LsErr err = {0};
  CHECK(proto_agree(PROTO_VERSION, "0.1", "the runner 'ssh a'", &err));
  CHECK(!proto_agree(PROTO_VERSION + 1, "7.7", "the runner 'ssh a'", &err));
  CHECK_INT(err.kind, LS_EENV);
  CHECK(strstr(err.message, "the runner 'ssh a'") && strstr(err.message, "lanescope 7.7") &&
        strstr(err.message, "speaks version 7 of"));
  CHECK(strstr(err.message, "this one speaks version 6\nInstall the newer lanescope here too.") != NULL);
  CHECK(!proto_agree(0, "0.0", "it", &err) && strstr(err.message, "Install this version of lanescope there too.") != NULL);
}

// ---- messages ------------------------------------------------------------------------------------------------------

typedef struct Kind { ProtoType type; ProtoSide from; } Kind;
static const Kind kinds[] = {
#define PROTO_MESSAGE(NAME, number, from, name) {PROTO_##NAME, from},
#include "device/remote/messages.def"
#undef PROTO_MESSAGE
};

static bool next_is(ProtoReader *reader, ProtoType type, const void *payload, size_t size) {
  ProtoMessage message;
  return proto_next(reader, &message, NULL) == PROTO_READY && message.type == type && message.size == size &&
         memcmp(message.payload, payload, size) == 0;
}

static void every_message_arrives_wherever_it_is_cut(void) {
  for (int k = 0; k < LS_COUNT(kinds); k++) {
    TraceBytes bytes = {0};
    proto_put(&bytes, kinds[k].type, "payload", 7);
    proto_put(&bytes, kinds[k].type, nothing, 0);
    for (size_t cut = 0; cut <= bytes.size; cut++) {
      ProtoReader reader;
      ProtoMessage message;
      proto_reader_init(&reader, kinds[k].from);
      proto_feed(&reader, bytes.data, cut);
      bool first = cut >= PROTO_HEADER_BYTES + 7;
      if (first) CHECK(next_is(&reader, kinds[k].type, "payload", 7));
      if (cut < bytes.size) CHECK(proto_next(&reader, &message, NULL) == PROTO_MORE);
      proto_feed(&reader, bytes.data + cut, bytes.size - cut);
      if (!first) CHECK(next_is(&reader, kinds[k].type, "payload", 7));
      CHECK(next_is(&reader, kinds[k].type, nothing, 0));
      CHECK(!proto_pending(&reader));
      proto_reader_fini(&reader);
    }
    free(bytes.data);
  }
}

// A flipped bit is found, or makes the message wait for more than there is; it is never taken for another message.
static void damaged_messages_are_refused(void) {
  for (int k = 0; k < LS_COUNT(kinds); k++) {
    TraceBytes bytes = {0};
    proto_put(&bytes, kinds[k].type, "some payload", 12);
    for (size_t bit = 0; bit < 8 * bytes.size; bit++) {
      ProtoReader reader;
      ProtoMessage message;
      bytes.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
      proto_reader_init(&reader, kinds[k].from);
      proto_feed(&reader, bytes.data, bytes.size);
      CHECK(proto_next(&reader, &message, NULL) != PROTO_READY);
      proto_reader_fini(&reader);
      bytes.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    free(bytes.data);
  }
}

static void nobody_speaks_for_the_other_side(void) {
  for (int k = 0; k < LS_COUNT(kinds); k++) {
    TraceBytes bytes = {0};
    ProtoReader reader;
    ProtoMessage message;
    LsErr err = {0};
    proto_put(&bytes, kinds[k].type, "x", 1);
    proto_reader_init(&reader, kinds[k].from == PROTO_CLIENT ? PROTO_SERVER : PROTO_CLIENT);
    proto_feed(&reader, bytes.data, bytes.size);
    CHECK(proto_next(&reader, &message, &err) == PROTO_BAD);
    CHECK_INT(err.kind, LS_EFORMAT);
    proto_reader_fini(&reader);
    free(bytes.data);
  }
}

// srun passes on whole lines only, so line ends may stand wherever a message may.
static void fillers_mean_nothing(void) {
  TraceBytes bytes = {0};
  ProtoReader reader;
  proto_put_greeting(&bytes, PROTO_VERSION, "1");
  for (int i = 0; i < 3; i++) proto_put_filler(&bytes);
  proto_put(&bytes, PROTO_LOG, "\n\n", 2);
  proto_put_filler(&bytes);
  CHECK(bytes.data[bytes.size - 1] == '\n');
  proto_put(&bytes, PROTO_DONE, "\n", 1);
  proto_put_filler(&bytes);
  proto_reader_init(&reader, PROTO_SERVER);
  proto_feed(&reader, bytes.data, bytes.size);
  CHECK(proto_greeting(&reader, NULL) == PROTO_READY);
  CHECK(next_is(&reader, PROTO_LOG, "\n\n", 2) && next_is(&reader, PROTO_DONE, "\n", 1));
  CHECK(!proto_pending(&reader));
  proto_reader_fini(&reader);
  free(bytes.data);
}

static void a_second_greeting_is_told(void) {
  TraceBytes bytes = {0};
  ProtoReader reader;
  ProtoMessage message;
  LsErr err = {0};
  proto_put_greeting(&bytes, PROTO_VERSION, "1");
  proto_put_greeting(&bytes, PROTO_VERSION, "1");
  proto_reader_init(&reader, PROTO_SERVER);
  proto_feed(&reader, bytes.data, bytes.size);
  CHECK(proto_greeting(&reader, NULL) == PROTO_READY);
  CHECK(proto_next(&reader, &message, &err) == PROTO_BAD && strstr(err.message, "more than one lanescope was started there"));
  proto_reader_fini(&reader);
  free(bytes.data);
}

static void giant_lengths_are_refused_at_once(void) {
  static const uint32_t lengths[] = {PROTO_PAYLOAD_MOST + 1, 1u << 31, UINT32_MAX};
  for (int i = 0; i < LS_COUNT(lengths); i++) {
    TraceBytes bytes = {0};
    ProtoReader reader;
    ProtoMessage message;
    LsErr err = {0};
    trace_put_u32(&bytes, PROTO_TRACE);
    trace_put_u32(&bytes, lengths[i]);
    trace_put_u64(&bytes, 0);
    proto_reader_init(&reader, PROTO_SERVER);
    proto_feed(&reader, bytes.data, bytes.size);
    CHECK(proto_next(&reader, &message, &err) == PROTO_BAD);
    CHECK(strstr(err.message, "longer than any") != NULL);
    proto_reader_fini(&reader);
    free(bytes.data);
  }
}

static void long_things_come_in_parts(void) {
  size_t size = 3 * PROTO_PART + 17, got = 0;
  int messages = 0;
  uint8_t *data = ls_alloc(size);
  for (size_t i = 0; i < size; i++) data[i] = (uint8_t)(i * i >> 3);
  TraceBytes bytes = {0};
  proto_put_parts(&bytes, PROTO_TRACE, data, size);
  ProtoReader reader;
  ProtoMessage message;
  proto_reader_init(&reader, PROTO_SERVER);
  proto_feed(&reader, bytes.data, bytes.size);
  while (proto_next(&reader, &message, NULL) == PROTO_READY) {
    CHECK(message.size <= PROTO_PART && got + message.size <= size && memcmp(message.payload, data + got, message.size) == 0);
    got += message.size;
    messages++;
  }
  CHECK(got == size && messages == 4);
  proto_reader_fini(&reader);
  free(bytes.data);
  free(data);
}

static void random_bytes_do_no_harm(void) {
  LsMt random;
  ls_mt_seed(&random, 42);
  for (int round = 0; round < 2000; round++) {
    ProtoReader reader;
    ProtoMessage message;
    proto_reader_init(&reader, round % 2 ? PROTO_CLIENT : PROTO_SERVER);
    uint8_t bytes[64];
    for (int i = 0; i < LS_COUNT(bytes); i++) bytes[i] = (uint8_t)ls_mt_u32(&random);
    if (round % 4 == 0) bytes[0] = PROTO_STAGE, bytes[1] = bytes[2] = bytes[3] = bytes[5] = bytes[6] = bytes[7] = 0;
    proto_feed(&reader, bytes, sizeof bytes);
    CHECK(proto_next(&reader, &message, NULL) != PROTO_READY);
    proto_reader_fini(&reader);
  }
}

static void errors_travel(void) {
  for (int kind = LS_EPARSE; kind <= LS_ENOMEM; kind++) {
    LsErr err = {0}, got = {0};
    TraceBytes bytes = {0};
    ls_fail_at(&err, (LsErrKind)kind, "mine.ptx", 12, 7, "no such thing\n  ^");
    proto_put_error(&bytes, &err);
    ProtoReader reader;
    ProtoMessage message;
    proto_reader_init(&reader, PROTO_SERVER);
    proto_feed(&reader, bytes.data, bytes.size);
    CHECK(proto_next(&reader, &message, NULL) == PROTO_READY && proto_get_error(&message, &got));
    CHECK_INT(got.kind, kind);
    CHECK_STR(got.message, err.message);
    CHECK_STR(got.file, "mine.ptx");
    CHECK(got.line == 12 && got.col == 7);
    for (size_t size = 0; size < message.size; size++)
      CHECK(!proto_get_error(&(ProtoMessage){PROTO_ERROR, message.payload, size}, &got));
    proto_reader_fini(&reader);
    free(bytes.data);
  }
  CHECK(!proto_get_error(&(ProtoMessage){PROTO_ERROR, (const uint8_t *)"\0\1\1\0\0", 5}, NULL));    // no error at all
  CHECK(!proto_get_error(&(ProtoMessage){PROTO_ERROR, (const uint8_t *)"\77\1\1\0\0", 5}, NULL));   // no such kind
}

// ---- requests ------------------------------------------------------------------------------------------------------

static const char ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry twice(.param .u64 twice_param_0, .param .f32 twice_param_1)\n{\n  ret;\n}\n";

typedef struct Example { PtxModule *module; TraceInfo info; SimOptions options; uint8_t record[30]; DevRequest request; } Example;

static void example_init(Example *e) {
  static const PtxDwType pointer = {.kind = PTX_DW_POINTER, .size = 8, .name = "float *"};
  static const PtxDwType number = {.kind = PTX_DW_FLOAT, .size = 4, .name = "float"};
  *e = (Example){.module = ptx_parse("twice.ptx", ptx, strlen(ptx), NULL)};
  ptx_name_params(e->module, 0, (PtxParamName[]){{"x", &pointer}, {"factor", &number}});
  trace_info_init(&e->info);
  e->info.profile = ls_strdup("h200");
  e->info.title = ls_strdup("twice");
  Launch *launch = &e->info.launch;
  launch->grid[0] = 5, launch->grid[1] = 3, launch->grid[2] = 2, launch->block[0] = 64;
  launch->shared_bytes = 4096;
  CHECK(launch_add_arg(launch, "f32[1024]=random:7>secret.bin", NULL) && launch_add_arg(launch, "factor=0.1", NULL));
  sim_options_init(&e->options);
  e->options.sched = SIM_STACK;
  e->options.seed = 1234567890123;
  e->options.budget = UINT64_MAX;
  e->options.checks = 5;
  e->options.sm_count = 78;
  e->options.threads = 3;
  e->options.record_limit = 1000;
  e->record[0] = e->record[7] = e->record[8] = e->record[29] = 1;
  e->options.record_block = e->record;
  e->request = (DevRequest){.module = e->module, .launch = launch, .options = &e->options, .time_limit = 12.5, .timed = true,
                            .stops = true};
}

static void example_fini(Example *e) {
  trace_info_fini(&e->info);
  ptx_module_free(e->module);
}

static void check_options(const ProtoRequest *got, const Example *sent) {
  const SimOptions *a = &got->options, *b = &sent->options;
  CHECK(a->sched == b->sched && a->seed == b->seed && a->budget == b->budget && a->checks == b->checks &&
        a->sm_count == b->sm_count && a->threads == b->threads);
  CHECK(a->record_all == b->record_all && a->record_limit == b->record_limit && a->record_block == got->record);
  CHECK(got->record && memcmp(got->record, sent->record, sizeof sent->record) == 0);
  CHECK(got->timed && got->stops && got->time_limit == 12.5);
}

static void check_launch(const ProtoRequest *got, const Example *sent) {
  const Launch *a = &got->info.launch, *b = &sent->info.launch;
  CHECK(memcmp(a->grid, b->grid, sizeof a->grid) == 0 && memcmp(a->block, b->block, sizeof a->block) == 0);
  CHECK(a->shared_bytes == 4096 && a->arg_count == 2);
  CHECK(a->args[0].is_buffer && a->args[0].count == 1024 && a->args[0].init == LAUNCH_RANDOM && a->args[0].init_value == 7);
  CHECK(a->args[1].by_name && strcmp(a->args[1].text, "0.1") == 0);
  CHECK(a->args[0].output == NULL && sent->info.launch.args[0].output != NULL);   // names of files stay at home
}

static void a_request_arrives_whole(void) {
  Example e;
  TraceBytes bytes = {0};
  ProtoRequest got;
  LsErr err = {0};
  example_init(&e);
  proto_put_request(&bytes, "cuda", &e.request, &e.info, NULL);
  CHECK(proto_get_request(bytes.data, bytes.size, &got, &err));
  CHECK_STR(got.device, "cuda");
  CHECK_STR(got.info.kernel, "twice");
  CHECK_STR(got.info.ptx_path, "twice.ptx");
  CHECK_STR(got.info.ptx, ptx);
  CHECK_STR(got.info.profile, "h200");
  check_options(&got, &e);
  check_launch(&got, &e);
  PtxModule *module = ptx_parse("twice.ptx", got.info.ptx, got.info.ptx_length, NULL);
  proto_name_params(&got, module, 0);
  CHECK_STR(ptx_param_source_name(module, 0, 1), "factor");
  CHECK_STR(ptx_param_source_type(module, 0, 0)->name, "float *");
  CHECK_INT(ptx_param_source_type(module, 0, 1)->kind, PTX_DW_FLOAT);
  ptx_module_free(module);
  proto_request_fini(&got);
  free(bytes.data);
  example_fini(&e);
}

// What the run before left is named instead of sent: only where it is that byte for byte, and never for the emulator,
// which is also told who has written what.
static void what_was_left_is_not_sent_again(void) {
  for (int what = 0; what < 3; what++) {
    static const char *const devices[] = {"cuda", "cuda", "emu"};
    Example e;
    TraceBytes bytes = {0};
    ProtoRequest got;
    ProtoKept kept = {0};
    example_init(&e);
    LaunchArg *arg = &e.info.launch.args[0];
    size_t size = (size_t)arg->count * (size_t)launch_type_size(arg->type);
    arg->data = ls_alloc(size);
    for (size_t i = 0; i < size; i++) arg->data[i] = (uint8_t)(i * i);
    arg->init = LAUNCH_DATA;
    proto_kept_begin(&kept, 2);
    proto_kept_set(&kept, 0, memcpy(ls_alloc(size), arg->data, size), size);
    if (what == 1) arg->data[size - 1] ^= 1;
    proto_put_request(&bytes, devices[what], &e.request, &e.info, &kept);
    CHECK(proto_get_request(bytes.data, bytes.size, &got, NULL));
    CHECK_INT(got.kept_count, what == 0);
    CHECK((bytes.size > size) == (what != 0));
    LaunchArg *there = &got.info.launch.args[0];
    if (got.kept_count) CHECK(got.kept[0] == 0 && !there->data && proto_kept_fill(&kept, there, 0));
    CHECK(there->init == LAUNCH_DATA && memcmp(there->data, arg->data, size) == 0);
    CHECK(!proto_kept_fill(&kept, &got.info.launch.args[1], 1));
    proto_kept_free(&kept);
    proto_request_fini(&got);
    free(bytes.data);
    example_fini(&e);
  }
}

static void a_cut_request_is_refused(void) {
  Example e;
  TraceBytes bytes = {0};
  example_init(&e);
  proto_put_request(&bytes, "emu", &e.request, &e.info, NULL);
  for (size_t size = 0; size < bytes.size; size++) {
    ProtoRequest got;
    uint8_t *exact = ls_alloc(size);   // so that a sanitizer sees a read behind it
    memcpy(exact, bytes.data, size);
    CHECK(!proto_get_request(exact, size, &got, NULL));
    proto_request_fini(&got);
    free(exact);
  }
  trace_put_u8(&bytes, 0);
  ProtoRequest got;
  CHECK(!proto_get_request(bytes.data, bytes.size, &got, NULL));   // nor is one with more behind it
  proto_request_fini(&got);
  free(bytes.data);
  example_fini(&e);
}

static void changed_requests_do_no_harm(void) {
  Example e;
  TraceBytes bytes = {0};
  LsMt random;
  ls_mt_seed(&random, 3);
  example_init(&e);
  proto_put_request(&bytes, "emu", &e.request, &e.info, NULL);
  uint8_t *copy = ls_alloc(bytes.size);
  for (int round = 0; round < 20000; round++) {
    memcpy(copy, bytes.data, bytes.size);
    for (int i = 0; i <= round % 3; i++) copy[ls_mt_u32(&random) % bytes.size] = (uint8_t)ls_mt_u32(&random);
    ProtoRequest got;
    if (proto_get_request(copy, bytes.size, &got, NULL)) CHECK(launch_blocks(&got.info.launch) > 0 && got.info.ptx != NULL);
    proto_request_fini(&got);
  }
  free(copy);
  free(bytes.data);
  example_fini(&e);
}

static void requests_that_no_device_can_have_are_refused(void) {
  for (int what = 0; what < 6; what++) {
    Example e;
    TraceBytes bytes = {0};
    ProtoRequest got;
    example_init(&e);
    switch (what) {
      case 0: e.info.launch.grid[0] = 0; break;
      case 1: e.info.launch.grid[0] = 1u << 31; e.options.record_block = NULL; break;
      case 2: e.info.launch.grid[1] = 65536; e.options.record_block = NULL; break;
      case 3: e.info.launch.block[0] = 1025; break;
      case 4: e.request.time_limit = INFINITY; break;
      default: e.options.sched = (SimSched)7; break;
    }
    proto_put_request(&bytes, "emu", &e.request, &e.info, NULL);
    CHECK(!proto_get_request(bytes.data, bytes.size, &got, NULL));
    proto_request_fini(&got);
    free(bytes.data);
    example_fini(&e);
  }
}

static void no_chosen_blocks_and_all_of_them(void) {
  for (int all = 0; all <= 1; all++) {
    Example e;
    TraceBytes bytes = {0};
    ProtoRequest got;
    example_init(&e);
    if (all) memset(e.record, 1, sizeof e.record);
    else memset(e.record, 0, sizeof e.record);
    proto_put_request(&bytes, "emu", &e.request, &e.info, NULL);
    CHECK(proto_get_request(bytes.data, bytes.size, &got, NULL));
    CHECK(got.record && memcmp(got.record, e.record, sizeof e.record) == 0);
    proto_request_fini(&got);
    free(bytes.data);
    example_fini(&e);
  }
}

static const Check checks[] = {
    {"a greeting is understood wherever it is cut", a_greeting_is_understood_wherever_it_is_cut},
    {"other text comes before a greeting", other_text_comes_before_a_greeting},
    {"endless text is no greeting", endless_text_is_no_greeting},
    {"a damaged greeting is refused", a_damaged_greeting_is_refused},
    {"other versions are named", other_versions_are_named},
    {"every message arrives wherever it is cut", every_message_arrives_wherever_it_is_cut},
    {"damaged messages are refused", damaged_messages_are_refused},
    {"nobody speaks for the other side", nobody_speaks_for_the_other_side},
    {"fillers mean nothing", fillers_mean_nothing},
    {"a second greeting is told", a_second_greeting_is_told},
    {"giant lengths are refused at once", giant_lengths_are_refused_at_once},
    {"long things come in parts", long_things_come_in_parts},
    {"random bytes do no harm", random_bytes_do_no_harm},
    {"errors travel", errors_travel},
    {"a request arrives whole", a_request_arrives_whole},
    {"what was left is not sent again", what_was_left_is_not_sent_again},
    {"a cut request is refused", a_cut_request_is_refused},
    {"changed requests do no harm", changed_requests_do_no_harm},
    {"requests that no device can have are refused", requests_that_no_device_can_have_are_refused},
    {"no chosen blocks and all of them", no_chosen_blocks_and_all_of_them},
};

int main(int argc, char **argv) { return check_main("protocol", checks, LS_COUNT(checks), argc, argv); }
