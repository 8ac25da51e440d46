// test_edit.c: the keys of the editor of a few lines.
#include "app/course/edit.h"
#include "app/keys.h"
#include "base/mem.h"
#include "check.h"

static void keys(Edit *edit, const char *text) {
  for (; *text; text++) edit_key(edit, *text == '\n' ? KEY_RETURN_ : *text == '\b' ? KEY_BACKSPACE_ :
                                 (unsigned char)*text);
}

static void lines_are_typed(void) {
  Edit edit;
  edit_init(&edit, "", false);
  keys(&edit, "  if (a) {\nb;\n\b}");
  CHECK_STR(edit.text, "  if (a) {\n    b;\n  }");
  CHECK_INT(edit_row(&edit), 2);
  CHECK_INT(edit_column(&edit), 3);
  CHECK_INT(edit_rows(&edit), 3);
  CHECK(edit_key(&edit, KEYX_UP) && edit_row(&edit) == 1 && edit_column(&edit) == 3);
  CHECK(edit_key(&edit, KEYX_END) && edit_column(&edit) == 6);
  CHECK(edit_key(&edit, KEYX_UP) && edit_column(&edit) == 6);
  CHECK(edit_key(&edit, KEYX_PGDN) && edit_row(&edit) == 2 && edit_column(&edit) == 3);
  CHECK(edit_key(&edit, KEYX_HOME) && edit_column(&edit) == 2);
  CHECK(edit_key(&edit, KEYX_HOME) && edit_column(&edit) == 0);
  CHECK(edit_key(&edit, KEYX_LEFT) && edit_row(&edit) == 1);
  CHECK(edit_key(&edit, KEYX_DELETE));
  CHECK_STR(edit.text, "  if (a) {\n    b;  }");
  CHECK(edit_key(&edit, 21));
  CHECK_STR(edit.text, "  if (a) {\n    b;\n  }");
  CHECK(edit_key(&edit, 11));
  CHECK_STR(edit.text, "  if (a) {\n  }");
  CHECK(edit_key(&edit, KEY_TAB_));
  CHECK_STR(edit.text, "  if (a) {\n    }");
  CHECK(edit_key(&edit, KEYX_SHIFT_TAB) && edit_key(&edit, KEYX_SHIFT_TAB) && !edit_key(&edit, KEYX_SHIFT_TAB));
  CHECK_STR(edit.text, "  if (a) {\n}");
  edit_fini(&edit);
}

static void typing_is_undone_at_once(void) {
  Edit edit;
  edit_init(&edit, "x", true);
  keys(&edit, "yz");
  edit_key(&edit, KEYX_LEFT);
  keys(&edit, "01");
  CHECK_STR(edit.text, "xy01z");
  CHECK(edit_key(&edit, 21));
  CHECK_STR(edit.text, "xyz");
  CHECK(edit_key(&edit, 21));
  CHECK_STR(edit.text, "x");
  CHECK(!edit_key(&edit, 21));
  CHECK(!edit_key(&edit, KEY_RETURN_) && !edit_key(&edit, KEYX_UP) && !edit_key(&edit, KEY_TAB_));
  CHECK(!edit_key(&edit, KEY_ESC_));
  edit_fini(&edit);
}

static void characters_stay_whole(void) {
  Edit edit;
  edit_init(&edit, "a é b", true);
  CHECK_INT(edit_column(&edit), 5);
  edit_key(&edit, KEYX_CTRL_LEFT);
  CHECK_INT(edit_column(&edit), 4);
  edit_key(&edit, KEYX_CTRL_LEFT);
  CHECK_INT(edit_column(&edit), 2);
  edit_key(&edit, KEYX_RIGHT);
  CHECK_INT(edit_column(&edit), 3);
  edit_key(&edit, KEY_BACKSPACE_);
  CHECK_STR(edit.text, "a  b");
  edit_key(&edit, 0x6f22);
  CHECK_STR(edit.text, "a 漢 b");
  CHECK_INT(edit_column(&edit), 4);
  edit_key(&edit, KEYX_CTRL_RIGHT);
  CHECK_INT(edit_column(&edit), 6);
  edit_fini(&edit);
}

// Whatever is pressed, the cursor stands between two characters.
static void any_keys_are_survived(void) {
  static const uint32_t some[] = {'a', ' ', '{', 0xe9, KEY_RETURN_, KEY_BACKSPACE_, KEYX_DELETE, KEYX_UP, KEYX_DOWN,
                                  KEYX_LEFT, KEYX_RIGHT, KEYX_HOME, KEYX_END, KEYX_PGUP, KEYX_PGDN, KEYX_CTRL_LEFT,
                                  KEYX_CTRL_RIGHT, KEY_TAB_, KEYX_SHIFT_TAB, 1, 5, 11, 21};
  Edit edit;
  uint32_t state = 12345;
  edit_init(&edit, "for (;;)\n  x++;", false);
  for (int i = 0; i < 20000; i++) {
    state = state * 1664525u + 1013904223u;
    edit_key(&edit, some[(state >> 16) % LS_COUNT(some)]);
    CHECK(edit.cursor <= strlen(edit.text) && (edit.text[edit.cursor] & 0xc0) != 0x80);
    CHECK(edit_row(&edit) < edit_rows(&edit));
  }
  edit_fini(&edit);
}

static const Check checks[] = {
    {"lines are typed", lines_are_typed},
    {"typing is undone at once", typing_is_undone_at_once},
    {"characters stay whole", characters_stay_whole},
    {"any keys are survived", any_keys_are_survived},
};

int main(int argc, char **argv) { return check_main("edit", checks, LS_COUNT(checks), argc, argv); }
