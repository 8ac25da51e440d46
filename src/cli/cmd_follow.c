// cmd_follow.c: lanescope follow: a student's end of a demo, on the screen, as lines, or without a network.
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "app/stage/follow.h"
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/plain.h"
#include "script/lesson.h"
#include "ui/pages/page.h"

enum { LOOKS_MS = 100 };

// ---- as lines -------------------------------------------------------------------------------------------------------

static void print_stand(const StageStand *stand, LsText *last) {
  LsText words = {0};
  if (stand->open) ls_text_addf(&words, "question %d is open\n", stand->ask + 1);
  stand_words(stand, &words);
  bool news = words.length && strcmp(ls_text_str(&words), ls_text_str(last)) != 0;
  if (news) plain_print(stdout, "%s\n", ls_text_str(&words));
  ls_text_free(news ? last : &words);
  if (news) *last = words;
}

static int refused(const Follow *follow, LsErr *err) { return ls_fail(err, LS_EREQUEST, "%s", follow_why(follow)), -1; }

// The command line of each place, until it is stopped, or nobody reads it any more.
static int print(Follow *follow, LsErr *err) {
  LsText last = {0};
  uint64_t news = 0;
  while (follow_state(follow) != FOLLOW_REFUSED && !ferror(stdout)) {
    int fd = follow_fd(follow);
    struct pollfd polled[2] = {{STDOUT_FILENO, 0, 0}, {fd ? fd : -1, POLLIN, 0}};
    if ((poll(polled, 2, LOOKS_MS) < 0 && errno != EINTR) || polled[0].revents & POLLERR) break;
    follow_turn(follow);
    if (news != follow_news(follow)) print_stand(follow_stand(follow), &last);
    news = follow_news(follow);
    fflush(stdout);
  }
  ls_text_free(&last);
  return follow_state(follow) == FOLLOW_REFUSED ? refused(follow, err) : 0;
}

// A wrong word is told on the command line, and so is a speaker who is not there.
static bool arrives(Follow *follow, LsErr *err) {
  static const double PATIENCE = 3;   // seconds
  double end = ls_clock() + PATIENCE;
  for (; follow_state(follow) == FOLLOW_SEEKS && ls_clock() < end; follow_turn(follow)) poll(NULL, 0, LOOKS_MS / 10);
  if (follow_state(follow) == FOLLOW_REFUSED) return refused(follow, err), false;
  if (follow_state(follow) == FOLLOW_SEEKS)
    fprintf(stderr, "lanescope: nobody speaks there yet: %s\n", follow_why(follow));
  return true;
}

static int follow_there(Cli *cli, const char *where, LsErr *err) {
  RecipeBook *book = cli_book(cli, err);
  Follow *follow = book ? follow_open(where, err) : NULL;
  if (!follow) return -1;
  if (!arrives(follow, err)) return follow_close(follow), -1;
  if (cli_wants_screen(cli)) return cli_show_page(cli, page_follow_new(follow, book), err);
  int status = print(follow, err);
  follow_close(follow);
  return status;
}

// ---- without a network ----------------------------------------------------------------------------------------------

// The first beat of a scene that shows a kernel.
static const DemoBeat *beat_of(const Demo *demo, int scene) {
  int first = demo_of_scene(demo, scene);
  for (int i = first; i >= 0 && i < demo_ready(demo) && demo_beat(demo, i)->scene == scene; i++)
    if (demo_beat(demo, i)->place.run >= 0) return demo_beat(demo, i);
  return NULL;
}

static bool scene_number(const Cli *cli, int *scene, LsErr *err) {
  uint64_t number = 1;
  bool ok = cli->word_count < 2 || (ls_parse_u64(cli->words[1], &number) && number >= 1 && number <= 999);
  *scene = (int)number;
  return ok || ls_fail(err, LS_EREQUEST, "'%s' is no number of a scene", LS_QUOTE(cli->words[1]));
}

static int show_beat(Cli *cli, Demo *demo, int scene, LsErr *err) {
  const DemoBeat *beat = beat_of(demo, scene);
  Session *session = NULL;
  if (!beat) return ls_fail(err, LS_EREQUEST, "scene %d of %d shows no kernel", scene, demo_scenes(demo)), -1;
  demo_show(demo, beat, &session);
  session->book = cli->book;
  if (cli_wants_screen(cli)) return cli_show_page(cli, page_explorer_new(session), err);
  LsText words = {0};
  StageStand stand;
  Talk talk;
  talk_init(&talk, demo);
  talk_to(&talk, demo_of_scene(demo, scene));
  stand_of(&stand, &talk, session, NULL, NULL);
  stand_words(&stand, &words);
  plain_print(stdout, "%s\n", ls_text_str(&words));
  ls_text_free(&words);
  ses_free(session);
  return 0;
}

static int open_scene(Cli *cli, LsErr *err) {
  int scene, status = -1;
  RecipeBook *book = scene_number(cli, &scene, err) ? cli_book(cli, err) : NULL;
  Course *course = book ? course_open(NULL, err) : NULL;
  Demo *demo = course ? demo_open(course, cli->words[0], book, err) : NULL;
  bool ok = demo && demo_prepare_all(demo, err);
  if (ok && scene > demo_scenes(demo)) ok = ls_fail(err, LS_EREQUEST, "there are %d scenes", demo_scenes(demo));
  if (ok) status = show_beat(cli, demo, scene, err);
  demo_free(demo);
  if (course) course->free(course);
  return status;
}

int cmd_follow(Cli *cli, LsErr *err) {
  if (!cli->word_count)
    return ls_fail(err, LS_EREQUEST,
        "lanescope follow needs what the speaker's screen shows: WORD@HOST, a folder, or a demo's "
                   "name and scene"), -1;
  bool address = cli->word_count == 1 && follow_is_address(cli->words[0]) && !ls_ends_with(cli->words[0], ".lua");
  return address ? follow_there(cli, cli->words[0], err) : open_scene(cli, err);
}
