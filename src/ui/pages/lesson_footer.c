// lesson_footer.c: which keys a step of a lesson has.
#include "ui/pages/lesson_footer.h"

#include <stdio.h>

#include "base/mem.h"
#include "ui/views/frame.h"

enum { MOST = 12 };
typedef struct Keys { FooterKey list[MOST]; int count; } Keys;

static const FooterKey enter_answers = {"⏎", "enter", "answer"}, enter_goes_on = {"⏎", "enter", "go on"},
                       back = {"⌫", "backspace", "back"}, skip = {"s", NULL, "skip"}, leave = {"q", NULL, "leave"},
                       help = {"?", NULL, "help"}, step = {"←→", "left right", "step"},
                       enlarge = {"z", NULL, "enlarge"}, change = {"←→", "left right", "change"},
                       choose = {"↑↓", "up down", "choose"}, parameters = {"p", NULL, "parameters"},
                       home = {"r", NULL, "return"}, play = {"space", NULL, "play"}, focus = {"tab", NULL, "focus"},
                       run = {"o", NULL, "its run"}, wrong = {"e", NULL, "it is wrong"};

static void add(Keys *keys, FooterKey key) { keys->list[keys->count++] = key; }

// Of a drawn question what it leaves is said before it is asked for.
static FooterKey tip_of(const LessonStep *asks) {
  static char words[32];
  bool priced = asks->skill && !asks->looked && asks->tips_shown < asks->question.tip_count;
  if (priced) snprintf(words, sizeof words, "tip, leaves %g", step_worth_after_tip(asks));
  return (FooterKey){"t", NULL, priced ? words : "tip"};
}

static void add_asking(Keys *keys, const LessonStep *asks, bool shows) {
  add(keys, enter_answers);
  add(keys, tip_of(asks));
  add(keys, skip);
  if (shows) add(keys, step);
  add(keys, back);
  if (shows) add(keys, enlarge);
  if (shows) add(keys, help);
}

static void add_trying(Keys *keys, const LessonStep *tries, bool model) {
  add(keys, model ? change : parameters);
  if (model) add(keys, choose);
  add(keys, tip_of(tries));
  add(keys, skip);
  if (!model) add(keys, step);
  add(keys, back);
  if (!model) add(keys, enlarge);
  if (!model) add(keys, help);
}

static void add_model(Keys *keys) {
  add(keys, enter_goes_on);
  add(keys, change);
  add(keys, choose);
  add(keys, back);
  add(keys, home);
}

static void add_explorer(Keys *keys) {
  add(keys, enter_goes_on);
  add(keys, play);
  add(keys, back);
  add(keys, step);
  add(keys, enlarge);
  add(keys, home);
  add(keys, parameters);
  add(keys, focus);
  add(keys, help);
}

// Of a drawn question that was answered.
static void add_told(Keys *keys, const Lesson *lesson) {
  add(keys, enter_goes_on);
  if (lesson_opens(lesson)) add(keys, run);
  add(keys, wrong);
  add(keys, back);
  add(keys, help);
}

static void add_reading(Keys *keys) {
  add(keys, enter_goes_on);
  add(keys, back);
  add(keys, help);
}

void lesson_footer(const Lesson *lesson, bool shows, bool model, Canvas *canvas) {
  const LessonStep *now = lesson_current(lesson);
  bool waits = lesson_waits(now), asks = lesson_asks(now);
  Keys keys = {.count = 0};
  if (waits && now->kind == LESSON_TRY) add_trying(&keys, now, model);
  else if (waits && asks) add_asking(&keys, now, shows);
  else if (asks && now->skill) add_told(&keys, lesson);
  else if (model) add_model(&keys);
  else if (shows) add_explorer(&keys);
  else add_reading(&keys);
  add(&keys, leave);
  frame_keys(canvas, keys.list, keys.count);
}
