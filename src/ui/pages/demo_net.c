// demo_net.c: what a demo tells other terminals, notes and where the speaker stands; and the votes that come from them.
#include <stdio.h>

#include "ui/pages/demo_page.h"

static void take_votes(DemoPage *self) {
  const DemoBeat *beat = talk_beat(&self->talk);
  Vote *vote = talk_asks(&self->talk) ? talk_vote(&self->talk) : NULL;
  int counts[VOTE_OPTIONS];
  if (!vote || vote->closed) return;
  share_count(self->share, beat->question, vote->round, counts);
  vote_set(vote, counts);
}

void demo_net_tell(DemoPage *self) {
  enum { LOOKS_MS = 100 };
  StageStand stand;
  int students = 0;
  if (self->share) {
    take_votes(self);
    stand_of(&stand, &self->talk, self->session, self->pane.model, &self->pane.values);
    share_tell(self->share, &stand);
    students = share_students(self->share);
    if (talk_asks(&self->talk)) self->base.period_ms = LOOKS_MS;
  }
  if (self->publish)
    publish_talk(self->publish, &self->talk, self->share ? share_invitation(self->share) : NULL, students);
}

bool demo_net_invites(const DemoPage *self, char *out, size_t size) {
  if (self->share) snprintf(out, size, "lanescope follow %s", share_invitation(self->share));
  return self->share != NULL;
}

int demo_net_students(const DemoPage *self) { return self->share ? share_students(self->share) : 0; }

void page_demo_connect(Page *page, Publish *publish, Share *share) {
  DemoPage *self = (DemoPage *)page;
  self->publish = publish;
  self->share = share;
  if (publish && publish_is_second(publish))
    snprintf(self->message, sizeof self->message,
        "Another talk goes on here: the notes of this one are lanescope notes %s",
             publish_name(publish));
  demo_net_tell(self);
}
