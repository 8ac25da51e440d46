// cmd_notes.c: lanescope notes: the speaker's second terminal, as a screen or as lines.
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "app/stage/uplink.h"
#include "app/stage/notes.h"
#include "app/stage/runtime.h"
#include "cli/cli.h"
#include "cli/plain.h"
#include "ui/pages/page.h"

enum { LOOKS_MS = 250 };

// ---- as lines -------------------------------------------------------------------------------------------------------

// News alone: the same words do not come twice. False: nobody reads them.
static bool print_news(Uplink *uplink, LsText *last) {
  Notes notes;
  for (char *line; (line = uplink_next(uplink));) {
    LsText words = {0};
    if (notes_read(&notes, line)) notes_words(&notes, &words);
    bool news = words.length && strcmp(ls_text_str(&words), ls_text_str(last)) != 0;
    if (news) plain_print(stdout, "%s\n", ls_text_str(&words));
    ls_text_free(news ? last : &words);
    if (news) *last = words;
  }
  return fflush(stdout) == 0;
}

static void say_state(const Uplink *uplink, int *said) {
  int state = uplink_is_up(uplink);
  if (state == *said) return;
  if (!state) fputs(*said < 0 ? "no talk yet: lanescope demo NAME begins one\n" : "the talk is gone\n", stderr);
  *said = state;
}

// Until it is stopped, or the one who reads is gone.
static int print(Uplink *uplink) {
  LsText last = {0};
  int said = -1;
  for (bool reads = true; reads;) {
    struct pollfd polled[2] = {{STDOUT_FILENO, 0, 0}, {uplink_fd(uplink) ? uplink_fd(uplink) : -1, POLLIN, 0}};
    uplink_turn(uplink);
    reads = print_news(uplink, &last);
    say_state(uplink, &said);
    polled[1].fd = uplink_fd(uplink) ? uplink_fd(uplink) : -1;
    if (poll(polled, 2, LOOKS_MS) < 0 && errno != EINTR) break;
    if (polled[0].revents & POLLERR) break;
  }
  ls_text_free(&last);
  return 0;
}

int cmd_notes(Cli *cli, LsErr *err) {
  const char *name = cli->word_count ? cli->words[0] : NOTES_NAME;
  if (!runtime_name_fits(name, err)) return -1;
  Uplink *uplink = uplink_new(&(UplinkTo){.name = name}, err);
  if (cli_wants_screen(cli)) return cli_show_page(cli, page_notes_new(uplink), err);
  int status = print(uplink);
  uplink_free(uplink);
  return status;
}
