// session_schedule_words.c: the timeline of a program in words: names of its bars, what the chosen one does and waits
// for, and what it all takes.
#include <stdio.h>
#include <string.h>

#include "app/session/session_parts.h"

enum { MOST_FOLLOWERS = 3 };

static void add_ns(LsText *out, double ns) {
  char text[24];
  ses_format_ns((uint64_t)(LS_MAX(ns, 0.0) + 0.5), text, sizeof text);
  ls_text_add(out, text);
}

// ---- names of bars --------------------------------------------------------------------------------------------------

static const char *buffer_name(const HostProgram *program,
                               int buffer) { return program->buffers[buffer].contents.name; }

static void copy_name(const HostProgram *program, const ProgramStep *s, bool brief, LsText *out) {
  static const char *const ends[] = {" → device", " → host"};
  ls_text_add(out, buffer_name(program, s->from));
  if (brief) return;
  if (s->from == s->buffer && s->direction <= PROGRAM_D2H) ls_text_add(out, ends[s->direction]);
  else ls_text_addf(out, " → %s", buffer_name(program, s->buffer));
}

static void launch_name(const HostProgram *program, int step, bool brief, LsText *out) {
  const ProgramStep *s = &program->steps[step];
  if (s->kin) program_launch_name(program, step, out);
  if (s->kin && !brief) ls_text_add(out, " ");
  if (!s->kin || !brief) ls_text_add(out, s->kernel);
  if (brief) return;
  uint64_t blocks = (uint64_t)s->grid[0] * s->grid[1] * s->grid[2], threads =
      (uint64_t)s->block[0] * s->block[1] * s->block[2];
  ls_text_addf(out, "<<<%llu, %llu>>>", (unsigned long long)blocks, (unsigned long long)threads);
}

// What the host does at a step.
static void host_name(const HostProgram *program, const ProgramStep *s, bool brief, LsText *out) {
  static const char *const calls[PROGRAM_KIND_COUNT] = {
      [PROGRAM_LAUNCH] = "launch", [PROGRAM_COPY] = "copy", [PROGRAM_SET] = "set", [PROGRAM_RECORD] = "record",
      [PROGRAM_WAIT] = "wait", [PROGRAM_READ] = "read", [PROGRAM_WRITE] = "write", [PROGRAM_FREE] = "free"};
  if (s->kind == PROGRAM_HOST) ls_text_add(out, s->words ? s->words : "works");
  else if (s->kind == PROGRAM_SYNC && brief) ls_text_add(out, "waits");
  else if (s->kind == PROGRAM_SYNC && s->sync == PROGRAM_SYNC_DEVICE) ls_text_add(out, "waits for the device");
  else if (s->kind == PROGRAM_SYNC && s->sync == PROGRAM_SYNC_STREAM)
    ls_text_addf(out, "waits for stream %s", program->streams[s->stream].name);
  else if (s->kind == PROGRAM_SYNC) ls_text_addf(out, "waits for event %s", program->events[s->event]);
  else if (program_blocks(program, s) && program_is_on_device(s))
    ls_text_add(out, brief ? "waits" : "waits for its copy");
  else ls_text_add(out, calls[s->kind]);
}

void ses_schedule_name(const HostProgram *program, int step, bool of_host, bool brief, LsText *out) {
  const ProgramStep *s = &program->steps[step];
  if (of_host || !program_is_on_device(s)) host_name(program, s, brief, out);
  else if (s->kind == PROGRAM_LAUNCH) launch_name(program, step, brief, out);
  else if (s->kind == PROGRAM_COPY) copy_name(program, s, brief, out);
  else ls_text_addf(out, brief ? "%s" : "%s = %u", buffer_name(program, s->buffer), s->byte);
}

void ses_schedule_bar_name(const HostProgram *program, const ProgramBar *bar, bool of_host, bool brief, LsText *out) {
  if (bar->grids > 1) ls_text_addf(out, brief ? "%d" : "%d launches", bar->grids);
  else ses_schedule_name(program, bar->step, of_host, brief, out);
}

static void children_row_name(const ProgramChartRow *row, LsText *out) {
  if (row->merged) ls_text_addf(out, row->lane ? "+ %d more" : "deeper: %d", row->merged);
  else if (!row->lane && row->depth == 1) ls_text_add(out, "children");
  else if (!row->lane) ls_text_addf(out, "depth %d", row->depth);
}

void ses_schedule_row_name(const ProgramChartRow *row, LsText *out) {
  enum { ROOM = 6 };   // of a name with its kind before it
  if (row->kind == CHART_CHILDREN) {
    children_row_name(row, out);
    return;
  }
  bool brief = row->stream == 0 || ls_utf8_width(row->name) > ROOM;
  ls_text_addf(out, row->kind == CHART_STREAM && !brief ? "stream %s" : "%s", row->name);
}

// ---- the chosen bar -------------------------------------------------------------------------------------------------

static void add_when(const Schedule *schedule, const ProgramBar *bar, bool of_host, LsText *out) {
  ls_text_add(out, "from ");
  add_ns(out, bar->begin);
  ls_text_add(out, " to ");
  add_ns(out, bar->end);
  ls_text_add(out, ", ");
  add_ns(out, bar->end - bar->begin);
  bool on_path = program_chart_on_path(schedule->chart, bar->step, bar->begin, bar->end) && !of_host;
  if (schedule->chart->span > 0)
    ls_text_addf(out, ", %.0f%% of %s", 100 * (bar->end - bar->begin) / schedule->chart->span,
                 on_path ? "the critical path" : "it all");   // the path is as long as all of it
}

// "2 waves of 132 blocks, 1.2 µs each; the device has room from 4 µs on, when blocks of scale end"
static void add_blocks(const Schedule *schedule, int step, LsText *out) {
  const ProgramCost *cost = program_cost_of(schedule->program, schedule->costs, step);
  const ProgramTime *t = &schedule->times[step];
  char digits[32], each[32];
  int64_t per_wave = LS_MAX(cost->per_wave, 1), waves = (cost->blocks + per_wave - 1) / per_wave;
  ls_text_addf(out, "%s block%s, %s at once", ls_group_digits((uint64_t)cost->blocks, digits), cost->blocks == 1 ? ""
               : "s",
               ls_group_digits((uint64_t)per_wave, each));
  ls_text_addf(out, ": %lld wave%s of ", (long long)waves, waves == 1 ? "" : "s");
  add_ns(out, cost->block_ns * schedule->model.value[PROGRAM_MODEL_KERNEL]);
  if (schedule->program->steps[step].cooperative) ls_text_add(out, "; cooperative: all of them at once, or none");
  if (t->room_from >= 0) {
    ls_text_add(out, "; room for them from ");
    add_ns(out, t->runs);
    ls_text_addf(out, " on, by the end of blocks of %s", schedule->program->steps[t->room_from].kernel);
  }
  if (t->last_child < 0) return;
  ls_text_add(out, "; over at ");
  add_ns(out, t->over);
  ls_text_add(out, ", its children with launch ");
  program_launch_name(schedule->program, t->last_child, out);
}

static void add_followers(const Schedule *schedule, int step, LsText *out) {
  int found = 0;
  for (int i = 0; i < program_all_steps(schedule->program); i++) {
    if (schedule->times[i].waited_for != step || i == step) continue;
    if (found++ >= MOST_FOLLOWERS) continue;
    if (found > 1) ls_text_add(out, " · ");
    program_step_words(schedule->program, i, out);
  }
  if (found > MOST_FOLLOWERS) ls_text_addf(out, " · and %d more", found - MOST_FOLLOWERS);
}

// What the host waited for before it came to the step; -1: it came from something else.
static int host_held_by(const Schedule *schedule, int step) {
  const ProgramStep *before = step > 0 ? &schedule->program->steps[step - 1] : NULL;
  if (!before) return -1;
  if (program_is_on_device(before)) return program_blocks(schedule->program, before) ? step - 1 : -1;
  return schedule->times[step - 1].waited_for;
}

static void add_launcher(const HostProgram *program, int step, LsText *out) {
  const ProgramKin *kin = program->steps[step].kin;
  ls_text_addf(out, "block %u of launch ", kin->by_block);
  program_launch_name(program, kin->parent, out);
  ls_text_add(out, ", which launches it at its end");
}

static void add_waits(const Schedule *schedule, int step, bool of_host, LsText *out) {
  const ProgramTime *t = &schedule->times[step];
  bool blocks = of_host && program_is_on_device(&schedule->program->steps[step]);
  if (blocks) return;
  if (t->waited_for >= 0) {
    program_why_words(schedule->program, program_model_rules(&schedule->model), schedule->times, step, out);
  } else if (schedule->program->steps[step].kin) {
    add_launcher(schedule->program, step, out);
  } else if (program_is_on_device(&schedule->program->steps[step])) {
    int held = host_held_by(schedule, step);
    ls_text_add(out, held < 0 ? "nothing but the host, which comes to it then" : "the host, which waits for ");
    if (held >= 0) program_step_words(schedule->program, held, out);
  }
}

static void add_line(ScheduleLine *lines, int *count, const char *label, LsText *text) {
  if (text->length) {
    lines[*count].label = label;
    snprintf(lines[*count].text, sizeof lines[*count].text, "%s", ls_text_str(text));
    (*count)++;
  }
  ls_text_free(text);
}

int ses_schedule_lines(const Schedule *schedule, const ScheduleView *view, ScheduleLine lines[SCHEDULE_LINES]) {
  int count = 0;
  const ProgramBar *bar = scheduleview_bar(view);
  if (!bar) return 0;
  const ProgramStep *s = &schedule->program->steps[bar->step];
  bool of_host = schedule->chart->rows[view->row].kind == CHART_HOST;
  LsText when = {0}, waits = {0}, then = {0}, blocks = {0};
  add_when(schedule, bar, of_host, &when);
  add_line(lines, &count, "runs", &when);
  add_waits(schedule, bar->step, of_host, &waits);
  add_line(lines, &count, "waits for", &waits);
  if (s->kind == PROGRAM_LAUNCH && !of_host && schedule->costs) add_blocks(schedule, bar->step, &blocks);
  add_line(lines, &count, "blocks", &blocks);
  if (!of_host || !program_is_on_device(s)) add_followers(schedule, bar->step, &then);
  add_line(lines, &count, "then", &then);
  return count;
}

// A step that takes no time has no bar, and is named all the same.
void ses_schedule_step_title(const Schedule *schedule, const ScheduleView *view, int step, LsText *out) {
  bool of_host = view->bar >= 0 && schedule->chart->rows[view->row].kind == CHART_HOST;
  if (!schedule->program->steps[step].kin)
    ls_text_addf(out, "step %d of %d · ", step + 1, schedule->program->step_count);
  if (of_host && program_is_on_device(&schedule->program->steps[step])) ls_text_add(out, "the host's call: ");
  program_step_words(schedule->program, step, out);
}

// ---- all of it ------------------------------------------------------------------------------------------------------

void ses_schedule_title(const Schedule *schedule, LsText *out) {
  ls_text_addf(out, "timeline · %s", schedule->measured ? "measured" : "computed");
  if (!schedule->measured && schedule->arch) ls_text_addf(out, " for %s", schedule->arch->title);
  if (schedule->written) ls_text_add(out, ", code as written");
}

void ses_schedule_total(const Schedule *schedule, bool counts, LsText *out) {
  const HostProgram *p = schedule->program;
  if (counts)
    ls_text_addf(out, "%d step%s · %d launch%s · ", p->step_count, p->step_count == 1 ? "" : "s", p->launches,
                 p->launches == 1 ? "" : "es");
  if (counts && p->child_count) ls_text_addf(out, "%d by kernels · ", p->child_count);
  if (schedule->usual_span != schedule->chart->span) {
    add_ns(out, schedule->usual_span);
    ls_text_add(out, " → ");
  }
  add_ns(out, schedule->chart->span);
}

void ses_schedule_sum_words(const Schedule *schedule, LsText *out) {
  double span = LS_MAX(schedule->chart->span, 1.0), gain = schedule->usual_span / span;
  ls_text_add(out, schedule->measured ? "Measured: " : "Computed: ");
  add_ns(out, span);
  if (schedule->usual_span != schedule->chart->span) {
    ls_text_add(out, " in place of ");
    add_ns(out, schedule->usual_span);
    ls_text_addf(out, ", %.2f times as fast", gain);
  }
  ls_text_addf(out, "; the device idle for %.0f%% of it.", 100 * schedule->chart->device_idle / span);
}
