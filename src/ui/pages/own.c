// own.c: from a saved file to the run that takes its place.
#include "ui/pages/own.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/own/changes.h"
#include "app/own/editor.h"
#include "app/own/reading.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "ui/views/frame.h"

static const double NOTICED_AFTER = 0.08;   // seconds; shorter runs come without a flash of progress

void own_init(Own *own, Session *session, Page *page) {
  *own = (Own){0};
  const RunRequest *request = &session->run->request;
  if (request->recipe || !session->run->device || !request->what || !ownfile_is_one(request->what)) return;
  own->path = ls_strdup(request->what);
  own->watch = watch_new(own->path);
  page->watch_fd = LS_MAX(watch_fd(own->watch), 0);
  page->period_ms = watch_period(own->watch);
  session->is_own = true;
}

void own_fini(Own *own) {
  job_free(own->job);
  watch_free(own->watch);
  free(own->path);
  *own = (Own){0};
}

// ---- what came of it ------------------------------------------------------------------------------------------------

static void tell_failure(Own *own, Session *session, int lacks) {
  char words[200];
  const LsErr *err = &own->failure;
  if (err->kind == LS_ECANCEL) {
    ses_say(session, "canceled: this is the run from before the file was saved");
    own->failure = (LsErr){0};
  } else if (lacks == RUN_LACKS_CODE) {
    int line = changes_compile_error(err, words, sizeof words);
    if (line) ses_complain(session, "line %d: %s · M: all of it · the run from before stays", line, words);
    else ses_complain(session, "%s · M: all of it · the run from before stays", words);
  } else {
    snprintf(words, sizeof words, "%.*s", (int)strcspn(err->message, "\n"), err->message);
    ses_complain(session, "%s%s", words, lacks == RUN_LACKS_LAUNCH ? " · A: the launch" : " · M: all of it");
  }
}

static void take_run(Own *own, Session *session, Run *run, double compiled) {
  LsText words = {0};
  Run *before = run_share(session->run);
  if (compiled > 0) ls_text_addf(&words, compiled < 0.1 ? "compiled in %.2f s · " : "compiled in %.1f s · ", compiled);
  changes_words(before, run, &words);
  ses_replace_run(session, run);
  ses_keep_before(session, before);
  ls_text_add(&words, " · c: beside the version before");
  ses_say(session, "%s", ls_text_str(&words));
  own->failure = (LsErr){0};
  ls_text_free(&words);
}

static bool finish(Own *own, Session *session) {
  LsErr err = {0};
  const RunProgress *progress = job_progress(own->job);
  int lacks = progress->lacks;
  double compiled = (double)progress->compiled_ns / 1e9;
  Run *run = job_take(own->job, &err);
  own->job = NULL;
  if (run) {
    take_run(own, session, run, compiled);
  } else {
    own->failure = err;
    tell_failure(own, session, lacks);
  }
  return true;
}

// ---- looking --------------------------------------------------------------------------------------------------------

static void start(Own *own, Session *session) {
  job_free(own->job);   // of a version that is none any more
  own->job = job_start(&session->run->request);
  own->seconds = 0;
  own->waiting = false;
}

static bool look(Own *own, Session *session) {
  WatchNews news = watch_look(own->watch, ls_clock());
  own->settling = news == WATCH_SETTLING;
  if (news == WATCH_CHANGED) own->waiting = true;
  if (news == WATCH_GONE) ses_complain(session, "%s is not there any more; its run stays open",
                                       LS_QUOTE(ls_path_base(own->path)));
  return news == WATCH_GONE;
}

bool own_tick(Own *own, Session *session, bool busy, double seconds) {
  if (!own->watch) return false;
  bool changed = look(own, session);
  own->seconds += seconds;
  if (own->waiting && !busy) start(own, session);
  if (own->job && job_done(own->job) && !busy) return finish(own, session);
  return changed || (own->job && own->seconds >= NOTICED_AFTER);
}

bool own_active(const Own *own) { return own->job || own->settling || own->waiting; }

bool own_cancel(Own *own) {
  if (own->job) job_cancel(own->job);
  return own->job != NULL;
}

void own_draw(const Own *own, Canvas *canvas) {
  if (!own->job || own->seconds < NOTICED_AFTER) return;
  const RunProgress *progress = job_progress(own->job);
  char note[RUN_NOTE];
  run_note(progress, note);
  frame_progress(canvas, &(FrameProgress){progress->stage, note, own->seconds, progress->permille, progress->bytes});
}

// ---- editing --------------------------------------------------------------------------------------------------------

// The file that the line is in: the kernel's own, or one that it includes.
char *own_editor(const Own *own, Session *session) {
  const Scene *scene = session->steps ? ses_scene(session) : NULL;
  const TraceInfo *info = &session->run->info;
  int line = scene ? scene->line : 0, file = scene ? scene->file : -1;
  const char *path = file >= 0 && file < info->source_count ? info->sources[file].path : NULL;
  bool other = line && path && strcmp(ls_path_base(path), ls_path_base(own->path)) != 0;
  if (own->failure.line && !other) line = own->failure.line;
  if (other && ls_file_exists(path)) return editor_command(path, line);
  return editor_command(own->path, other ? 0 : line);
}

Page *own_messages(const Own *own) { return own->failure.kind == LS_OK ? NULL : page_error_new(&own->failure); }
