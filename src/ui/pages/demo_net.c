// demo_net.c: what a demo tells other terminals: notes.
#include <stdio.h>

#include "ui/pages/demo_page.h"

void demo_net_tell(DemoPage *self) {
  if (self->publish) publish_talk(self->publish, &self->talk, NULL, 0);
}

void page_demo_publish(Page *page, Publish *publish) {
  DemoPage *self = (DemoPage *)page;
  self->publish = publish;
  if (publish && publish_is_second(publish))
    snprintf(self->message, sizeof self->message, "Another talk goes on here: the notes of this one are lanescope notes %s",
             publish_name(publish));
  demo_net_tell(self);
}
