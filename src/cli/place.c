// place.c: the options of a place as a wish of the session.
#include "cli/place.h"

#include <string.h>

#include "base/mem.h"

static bool number(const Cli *cli, OptionId id, uint64_t most, int *out, LsErr *err) {
  uint64_t value = 0;
  if (!cli->given[id]) return true;
  if (!cli_unsigned(cli, id, 0, most, &value, err)) return false;
  *out = (int)value;
  return true;
}

// A word out of a table: its place there; else the message lists them.
static bool word(const Cli *cli, OptionId id, const char *(*name)(int i), int count, int *out, LsErr *err) {
  LsText names = {0};
  if (!cli->given[id]) return true;
  for (int i = 0; i < count; i++) {
    if (strcmp(name(i), cli->value[id]) == 0) return ls_text_free(&names), *out = i, true;
    ls_text_addf(&names, "%s%s", i ? ", " : "", name(i));
  }
  ls_fail(err, LS_EREQUEST, "--%s takes one of %s, not '%s'", cli_option(id)->name, ls_text_str(&names),
          LS_QUOTE(cli->value[id]));
  ls_text_free(&names);
  return false;
}

static const char *focus_word(int i) { return focus_name((FocusKind)i); }

bool place_wish(const Cli *cli, SesWish *wish, LsErr *err) {
  enum { MOST_VARIANTS = 8, MOST_WARPS = 32 };
  *wish = (SesWish){.at = cli->given[OPT_ID_AT] ? cli->value[OPT_ID_AT] : NULL, .zoom = cli->given[OPT_ID_ZOOM],
                    .focus = -1, .variant = -1, .warp = -1, .lane = -1, .margin = -1};
  return word(cli, OPT_ID_FOCUS, focus_word, FOCUS_COUNT, &wish->focus, err) &&
         number(cli, OPT_ID_VARIANT, MOST_VARIANTS - 1, &wish->variant, err) &&
         number(cli, OPT_ID_WARP, MOST_WARPS - 1, &wish->warp, err) && number(cli, OPT_ID_LANE, 31, &wish->lane, err) &&
         word(cli, OPT_ID_MARGIN, ses_margin_name, ses_margin_count(), &wish->margin, err);
}
