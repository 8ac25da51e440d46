// test_program_timeline.c: a program over time on the command line: the model and the rule of the default stream in
// `stats`, pictures, the timeline for Perfetto, and what is refused.
#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "program/program.h"
#include "program/wellformed.h"

// status: 1 where something is wrong with the program by the rule that is asked for.
static double timed(const char *options, int status) {
  ProgramRun run;
  char *line = ls_format("lanescope stats stream_pipeline --json %s", options);
  program_run(&run, line);
  CHECK(run.status == status && json_is_valid(run.out));
  double ns = run.status == status ? json_number(run.out, "computed_ns") : -1;
  program_run_free(&run);
  free(line);
  return ns;
}

static double total_of(const char *options) { return timed(options, 0); }

// Without the wall nothing orders the kernel that slips behind its copy: it is faster, and wrong.
static void the_wall_orders(void) {
  double slips = total_of("-p slip=2"), per_thread = timed("-p slip=2 --default-stream per-thread", 1);
  CHECK(per_thread > 0 && per_thread < slips);
  CHECK(timed("-p slip=2 --model default-stream=per-thread", 1) == per_thread);
}

// Each rule makes a difference where it should, and none where it should not.
static void rules_change_times(void) {
  double four = total_of(""), one = total_of("-p streams=1"), slips = total_of("-p slip=2");
  CHECK(one > 1.5 * four && slips > four);
  CHECK(total_of("--model streams=1") == one);
  CHECK(total_of("-p streams=2") == total_of("--model streams=2"));
  CHECK(total_of("--default-stream per-thread") == four);
  CHECK(total_of("--model memory=pageable") == total_of("-p host=pageable"));
  CHECK(total_of("-p host=pageable --model memory=pinned") == four);
  CHECK(total_of("--model link=110") < four && total_of("--model engines=1") > four);
  CHECK(total_of("--model latency=0 --model launch=0 --model start=0") < total_of("--model latency=0"));
}

// Before compute capability 3.5 there is one queue, before 2.0 one engine and one kernel at once.
static void profiles_bring_their_own(void) {
  static const struct { const char *profile; int queue, engines, at_once; } rows[] = {
      {"h200", 0, 2, 128}, {"fermi", 1, 2, 16}, {"gt200", 1, 1, 1}};
  double many = total_of(""), single = total_of("--model queue=one");
  CHECK(single > many && total_of("-p order=steps --model queue=one") > total_of("-p order=steps"));
  for (int i = 0; i < LS_COUNT(rows); i++) {
    ProgramRun run;
    char *line = ls_format("lanescope stats stream_pipeline --json --profile %s", rows[i].profile);
    program_run(&run, line);
    CHECK(run.status == 0 && json_is_string(run.out, "model.queue", rows[i].queue ? "one" : "many"));
    CHECK(json_number(run.out, "model.engines") == rows[i].engines);
    CHECK(json_number(run.out, "model.at-once") == rows[i].at_once);
    program_run_free(&run);
    free(line);
  }
}

static void steps_say_the_same(void) {
  ProgramRun run;
  program_run(&run, "lanescope stats stream_pipeline --json");
  CHECK(json_is_string(run.out, "steps.1.kind", "launch") && json_is_string(run.out, "steps.1.time", "computed"));
  CHECK(json_number(run.out, "steps.1.waited_for") == 0);
  CHECK(json_number(run.out, "steps.1.begin_ns") == json_number(run.out, "steps.0.end_ns"));
  CHECK(json_number(run.out, "model.link") == 55 && json_is_string(run.out, "model.default-stream", "legacy"));
  program_run_free(&run);
}

// ---- Perfetto --------------------------------------------------------------------------------------------------------

static int count_of(const char *text, const char *part) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) count++;
  return count;
}

static void perfetto_gets_one_timeline(void) {
  ProgramRun run;
  program_run(&run, "lanescope export stream_pipeline --format chrome");
  CHECK(run.status == 0 && json_is_valid(run.out));
  CHECK(json_is_string(run.out, "otherData.times", "computed"));
  int events = json_count(run.out, "traceEvents"), slices = 0, starts = 0, ends = 0;
  for (int i = 0; i < events; i++) {
    char path[64];
    snprintf(path, sizeof path, "traceEvents.%d.ph", i);
    starts += json_is_string(run.out, path, "s");
    ends += json_is_string(run.out, path, "f");
    if (!json_is_string(run.out, path, "X")) continue;
    slices++;
    snprintf(path, sizeof path, "traceEvents.%d.dur", i);
    CHECK(json_number(run.out, path) > 0);
    snprintf(path, sizeof path, "traceEvents.%d.args.step", i);
    CHECK(json_number(run.out, path) >= 1);
  }
  CHECK_INT(count_of(run.out, "\"thread_name\""), 8);   // host, two engines, four streams, the critical path
  CHECK(slices > 12 + 8 && starts == ends && starts >= 11);
  program_run_free(&run);
}

// ---- pictures, and what is refused ---------------------------------------------------------------------------------------

typedef struct Line { const char *line; int status; const char *out, *err; } Line;
static const Line lines[] = {
    {"lanescope export stream_pipeline --view timeline --size 100x20 | head -1", 0, "*timeline * computed for*", NULL},
    {"lanescope export stream_pipeline --view timeline --format svg | head -c 4", 0, "<svg", NULL},
    {"lanescope export reduce2 --view timeline --size 80x6", 0, "*this is one launch*", NULL},
    {"lanescope stats stream_pipeline", 0, "*computed for*--model changes it*link 55 GB/s*", NULL},
    {"lanescope stats stream_pipeline --model link=2 --model memory=pageable", 0, "*link 2 GB/s*memory pageable*", NULL},
    {"lanescope cast stream_pipeline --view timeline --size 80x24 -o t.cast && wc -l < t.cast", 0, "*", NULL},
    {"lanescope cast stream_pipeline --view lanes -o t.cast", 2, NULL, "*cast --view takes timeline, not 'lanes'*"},
    {"lanescope cast reduce2 --view timeline -o t.cast", 2, NULL, "*this is one launch*"},
    {"lanescope trace stream_pipeline -p n=256 -o p.lst && lanescope export p.lst --format chrome | head -c 120", 0,
     "*\"program\": \"stream_pipeline\", \"times\": \"computed\"*", NULL},
    {"lanescope export p.lst --launch 2 --format chrome | head -c 120", 0, "*\"kernel\": \"work\"*", NULL},
    {"lanescope export p.lst --view timeline --size 100x14", 0, "*computed for*stream s2*", NULL},
    {"lanescope man | grep -c 'default.stream'", 0, "*", NULL},
    {"lanescope stats stream_pipeline --model speed=2", 2, NULL,
     "lanescope: the model of times has no 'speed'; it has link, pageable, *"},
    {"lanescope stats stream_pipeline --model link=0", 2, NULL, "*link of the model of times is a number from 0.01 to*"},
    {"lanescope stats stream_pipeline --default-stream both", 2, NULL, "*--default-stream takes legacy|per-thread, not 'both'*"},
    {"lanescope stats reduce2 --model link=2", 2, NULL, "*--model is for programs of several launches: reduce2 is one launch*"},
};

static void lines_say_what_they_should(void) {
  for (int i = 0; i < LS_COUNT(lines); i++) {
    ProgramRun run;
    program_run(&run, lines[i].line);
    bool fits = run.status == lines[i].status && (!lines[i].out || program_matches(lines[i].out, run.out)) &&
                (!lines[i].err || program_matches(lines[i].err, run.err));
    if (!fits) printf("\n%s: %d\n%.600s\n%s\n", lines[i].line, run.status, run.out, run.err);
    CHECK(fits);
    program_run_free(&run);
  }
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"the wall orders", the_wall_orders}, {"rules change times", rules_change_times},
      {"profiles bring their own", profiles_bring_their_own}, {"steps say the same", steps_say_the_same}, {"Perfetto gets one timeline", perfetto_gets_one_timeline},
      {"lines say what they should", lines_say_what_they_should},
  };
  program_set_up();
  int status = check_main("program_timeline", checks, LS_COUNT(checks), argc, argv);
  program_tear_down();
  return status;
}
