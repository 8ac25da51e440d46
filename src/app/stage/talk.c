// talk.c: moves from beat to beat; a vote is closed before it is left.
#include "app/stage/talk.h"

#include <math.h>

#include "base/mem.h"

void talk_init(Talk *talk, const Demo *demo) { *talk = (Talk){.demo = demo, .beat = -1}; }
const DemoBeat *talk_beat(const Talk *talk) { return demo_beat(talk->demo, talk->beat); }

bool talk_asks(const Talk *talk) {
  const DemoBeat *beat = talk_beat(talk);
  return beat && beat->kind == STAGE_ASK;
}

Vote *talk_vote(Talk *talk) {
  const DemoBeat *beat = talk_beat(talk);
  if (!beat || beat->question < 0 || beat->question >= TALK_QUESTIONS || beat->option_count < 2) return NULL;
  Vote *vote = &talk->votes[beat->question];
  if (!vote->options) vote_begin(vote, beat->option_count);
  return vote;
}

bool talk_hides(const Talk *talk) {
  const DemoBeat *beat = talk_beat(talk);
  return beat && (beat->kind == STAGE_ASK || (beat->kind == STAGE_SCENE && beat->staging && beat->staging->hide));
}

static TalkMove arrive(Talk *talk, int beat) {
  talk->beat = beat;
  talk->off_script = false;
  talk->on_beat = 0;
  return TALK_MOVED;
}

TalkMove talk_to(Talk *talk, int beat) {
  if (beat < 0) return TALK_STAYS;
  if (demo_beat(talk->demo, beat)) return arrive(talk, beat);
  return beat < demo_beats(talk->demo) ? TALK_NOT_READY : TALK_STAYS;
}

TalkMove talk_next(Talk *talk) {
  Vote *vote = talk_asks(talk) ? talk_vote(talk) : NULL;
  if (talk->off_script) return arrive(talk, talk->beat);
  if (vote && vote_close(vote)) return TALK_VOTED;
  return talk_to(talk, talk->beat + 1);
}

TalkMove talk_back(Talk *talk) {
  Vote *vote = talk_asks(talk) ? talk_vote(talk) : NULL;
  if (talk->off_script) return arrive(talk, talk->beat);
  if (vote && vote_reopen(vote)) return TALK_VOTED;
  return talk_to(talk, talk->beat - 1);
}

TalkMove talk_jump(Talk *talk, int scene) {
  int beat = demo_of_scene(talk->demo, scene);
  if (beat >= 0) return talk_to(talk, beat);
  return scene >= 1 && scene <= demo_scenes(talk->demo) ? TALK_NOT_READY : TALK_STAYS;
}

void talk_tick(Talk *talk, double seconds) {
  talk->seconds += seconds;
  talk->on_beat += seconds;
}

int talk_seconds(const Talk *talk) {
  const DemoBeat *beat = talk_beat(talk);
  int seconds = beat && beat->staging ? beat->staging->seconds : 0;
  if (!seconds) return 0;
  int left = seconds - (int)floor(talk->on_beat);
  return left ? left : -1;
}
