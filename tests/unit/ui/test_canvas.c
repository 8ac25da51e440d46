// test_canvas.c: cells, clipping, cutting and wrapping, lane strips, colors, and the forms a canvas leaves in.
#include "check.h"
#include "base/mem.h"
#include "ui/term/canvas.h"
#include "ui/term/theme.h"

static char *text_of(const Canvas *canvas, bool ascii) {
  LsText out = {0};
  canvas_to_text(canvas, ascii, &out);
  return ls_text_take(&out);
}

static void check_text(const Canvas *canvas, bool ascii, const char *expected) {
  char *text = text_of(canvas, ascii);
  CHECK_STR(text, expected);
  free(text);
}

static void text_is_clipped(void) {
  Canvas *canvas = canvas_new(8, 2);
  CHECK_INT(canvas_text(canvas, -2, 0, ROLE_TEXT, 0, "abcdefghijkl"), 10);
  Rect old = canvas_clip(canvas, (Rect){2, 1, 3, 5});
  CHECK_INT(old.w, 8);
  canvas_text(canvas, 0, 1, ROLE_TEXT, 0, "01234567");
  canvas_text(canvas, 0, 0, ROLE_TEXT, 0, "zzz");
  canvas_clip(canvas, old);
  canvas_put(canvas, 100, 100, 'x', ROLE_TEXT, 0);
  check_text(canvas, false, "cdefghij\n  234\n");
  CHECK(canvas_at(canvas, 8, 0) == NULL && canvas_at(canvas, 0, -1) == NULL);
  canvas_free(canvas);
}

static void control_characters_are_blank(void) {
  Canvas *canvas = canvas_new(6, 1);
  canvas_text(canvas, 0, 0, ROLE_TEXT, 0, "a\tb\x1b" "c\xff");
  check_text(canvas, false, "a b c\xef\xbf\xbd\n");
  check_text(canvas, true, "a b c?\n");
  canvas_free(canvas);
}

static void text_is_cut(void) {
  Canvas *canvas = canvas_new(12, 3);
  CHECK_INT(canvas_text_cut(canvas, 0, 0, 6, ROLE_TEXT, 0, "abcdef"), 6);
  CHECK_INT(canvas_text_cut(canvas, 0, 1, 6, ROLE_TEXT, 0, "abcdefg"), 6);
  CHECK_INT(canvas_text_cut(canvas, 0, 1, 0, ROLE_TEXT, 0, "x"), 0);
  CHECK_INT(canvas_text_right(canvas, 12, 2, ROLE_TEXT, 0, "1.0"), 9);
  check_text(canvas, false, "abcdef\nabcde…\n         1.0\n");
  canvas_free(canvas);
}

static void words_wrap(void) {
  Canvas *canvas = canvas_new(10, 4);
  const char *text = "one two three\n\nfourfourfourfour x";
  CHECK_INT(canvas_text_wrap(canvas, (Rect){0, 0, 10, 0}, 0, ROLE_TEXT, 0, text), 5);
  CHECK_INT(canvas_text_wrap(canvas, (Rect){0, 0, 10, 4}, 0, ROLE_TEXT, 0, text), 5);
  check_text(canvas, false, "one two\nthree\n\nfourfourfo\n");
  canvas_clear(canvas);
  canvas_text_wrap(canvas, (Rect){1, 0, 7, 2}, 1, ROLE_TEXT, 0, "one two three four");
  check_text(canvas, false, " three\n four\n\n\n");
  CHECK_INT(canvas_text_wrap(canvas, (Rect){0, 0, 3, 0}, 0, ROLE_TEXT, 0, "abc"), 1);
  CHECK_INT(canvas_text_wrap(canvas, (Rect){0, 0, 0, 0}, 0, ROLE_TEXT, 0, "abc"), 0);
  CHECK_INT(canvas_text_wrap(canvas, (Rect){0, 0, 3, 0}, 0, ROLE_TEXT, 0, ""), 0);
  canvas_free(canvas);
}

static void rules_have_titles(void) {
  Canvas *canvas = canvas_new(24, 4);
  canvas_rule(canvas, 0, 0, 24, "source", "lanes");
  canvas_rule(canvas, 0, 1, 16, "a long title of it", "lanes");
  canvas_rule(canvas, 0, 2, 24, NULL, "right");
  canvas_rule(canvas, 0, 3, 5, "x", NULL);
  check_text(canvas, false, "── source ───── lanes ──\n── a long ti… ──\n─────────────── right ──\n─────\n");
  canvas_free(canvas);
}

static void lanes_show_their_state(void) {
  Canvas *canvas = canvas_new(32, 1);
  canvas_lanes(canvas, 0, 0, 0x0fffffff, 0x000000ff, 0x0000ff00);
  check_text(canvas, false, "████████▒▒▒▒▒▒▒▒░░░░░░░░░░░░····\n");
  check_text(canvas, true, "########========............\n");
  CHECK_INT(canvas_at(canvas, 31, 0)->role, ROLE_GONE);
  canvas_free(canvas);
}

static void meters_fill_in_eighths(void) {
  Canvas *canvas = canvas_new(4, 4);
  canvas_meter(canvas, 0, 0, 4, 0, 8, ROLE_GOOD);
  canvas_meter(canvas, 0, 1, 4, 5, 8, ROLE_GOOD);
  canvas_meter(canvas, 0, 2, 4, 9, 8, ROLE_GOOD);
  canvas_meter(canvas, 0, 3, 4, 1, 0, ROLE_GOOD);
  check_text(canvas, false, "░░░░\n██▌░\n████\n░░░░\n");
  canvas_free(canvas);
}

static void every_glyph_has_ascii(void) {
  const char *drawn = "█░▒▲▸·…─│╭╮╰╯┌┐└┘├┤┬┴┼←→↑↓⇧●○◉×≥≤▁▂▃▄▅▆▇▏▕–—“”’⠀⣿";
  for (uint32_t code; (code = ls_utf8_next(&drawn));)
    CHECK(glyph_ascii(code) >= ' ' && glyph_ascii(code) < 0x7f && glyph_ascii(code) != '?');
  CHECK_INT(glyph_ascii(0x4e00), '?');
  CHECK_INT(glyph_ascii('a'), 'a');
}

static void background_stays_under_text(void) {
  Canvas *canvas = canvas_new(4, 1);
  canvas_background(canvas, (Rect){1, 0, 2, 1}, ROLE_SELECTED);
  canvas_text(canvas, 0, 0, ROLE_TEXT, 0, "abcd");
  CHECK_INT(canvas_at(canvas, 0, 0)->background, ROLE_NONE);
  CHECK_INT(canvas_at(canvas, 1, 0)->background, ROLE_SELECTED);
  CHECK_INT(canvas_at(canvas, 2, 0)->code, 'c');
  canvas_free(canvas);
}

static void ansi_has_as_many_colors_as_asked(void) {
  Canvas *canvas = canvas_new(3, 1);
  canvas_put(canvas, 0, 0, 'a', ROLE_ALARM, 0);
  canvas_put(canvas, 1, 0, 'b', ROLE_TEXT, STYLE_BOLD);
  LsText out = {0};
  canvas_to_ansi(canvas, false, THEME_MONO, &out);
  CHECK_STR(ls_text_str(&out), "ab\n");
  ls_text_clear(&out);
  canvas_to_ansi(canvas, false, THEME_8, &out);
  CHECK_STR(ls_text_str(&out), "\033[0;1;31ma\033[0;1mb\033[0m\n");
  ls_text_clear(&out);
  canvas_to_ansi(canvas, false, THEME_256, &out);
  CHECK(strstr(ls_text_str(&out), "\033[0;38;5;") != NULL);
  ls_text_clear(&out);
  canvas_to_ansi(canvas, false, THEME_DIRECT, &out);
  CHECK(strstr(ls_text_str(&out), "\033[0;38;2;224;106;16ma") != NULL);
  ls_text_free(&out);
  canvas_free(canvas);
}

// The cube and gray values of xterm's 256 colors, brute force, are the oracle.
static int nearest_by_search(int rgb) {
  static const int level[] = {0, 95, 135, 175, 215, 255};
  int best = 16, best_distance = 1 << 30;
  for (int i = 16; i < 256; i++) {
    int c = i - 16, gray = 8 + 10 * (i - 232);
    int r = i < 232 ? level[c / 36] : gray, g = i < 232 ? level[c / 6 % 6] : gray, b = i < 232 ? level[c % 6] : gray;
    int dr = (rgb >> 16) - r, dg = (rgb >> 8 & 255) - g, db = (rgb & 255) - b, d = dr * dr + dg * dg + db * db;
    if (d < best_distance) best = i, best_distance = d;
  }
  return best_distance == 1 << 30 ? -1 : best;
}

static void roles_find_their_256_color(void) {
  for (int role = 0; role < ROLE_COUNT; role++)
    for (int dark = 0; dark < 2; dark++) {
      int rgb = theme_rgb((Role)role, dark);
      if (rgb >= 0) CHECK_INT(theme_nearest_256(rgb), nearest_by_search(rgb));
    }
}

static void monochrome_keeps_meanings_apart(void) {
  Cell alarm = {'x', ROLE_ALARM, 0, 0}, dim = {'x', ROLE_DIM, 0, 0}, chosen = {'x', ROLE_DIM, 0, ROLE_SELECTED};
  CHECK_INT(theme_paint(&alarm, THEME_MONO, true).style, STYLE_BOLD);
  CHECK_INT(theme_paint(&dim, THEME_MONO, true).style, STYLE_DIM);
  CHECK_INT(theme_paint(&chosen, THEME_MONO, true).style, STYLE_REVERSE);
  CHECK_INT(theme_paint(&alarm, THEME_MONO, true).fore, -1);
}

static void environment_tells_the_background(void) {
  static const struct { const char *value; bool dark; } cases[] = {
      {"15;0", true}, {"0;15", false}, {"0;default;15", false}, {"0;7", false}, {"nonsense", true}, {"", true},
  };
  for (int i = 0; i < LS_COUNT(cases); i++) {
    setenv("COLORFGBG", cases[i].value, 1);
    CHECK_INT(theme_is_dark(), cases[i].dark);
  }
  unsetenv("COLORFGBG");
  CHECK(theme_is_dark());
}

// Text on a colored background must stand out, in both themes and with few colors.
static void ink_stands_out(void) {
  for (int role = ROLE_NONE + 1; role < ROLE_COUNT; role++) {
    Cell cell = {'x', ROLE_TEXT, 0, (uint8_t)role};
    Paint few = theme_paint(&cell, THEME_8, true);
    CHECK(few.fore != few.back || (few.style & STYLE_REVERSE));
    for (int dark = 0; dark < 2; dark++) {
      Paint paint = theme_paint(&cell, THEME_DIRECT, dark);
      if (paint.fore < 0 || paint.back < 0) continue;   // the terminal's own text on a shade of its own background
      int difference = 0;
      for (int shift = 0; shift <= 16; shift += 8) difference += abs((paint.fore >> shift & 255) - (paint.back >> shift & 255));
      CHECK(difference > 200);
    }
  }
}

static void svg_is_whole(void) {
  Canvas *canvas = canvas_new(12, 2);
  canvas_text(canvas, 0, 0, ROLE_TEXT, 0, "a<b && c>d");
  canvas_lanes(canvas, 0, 1, UINT32_MAX, 0xff, 0);
  LsText out = {0};
  canvas_to_svg(canvas, false, true, &out);
  const char *svg = ls_text_str(&out);
  CHECK(ls_starts_with(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\""));
  CHECK(ls_ends_with(svg, "</svg>\n"));
  CHECK(strstr(svg, ">a&lt;b</text>") != NULL);
  CHECK(strstr(svg, ">&amp;&amp;</text>") != NULL);
  CHECK(strstr(svg, "width=\"72\" height=\"18\"") != NULL);   // eight lanes are one rectangle
  CHECK(strstr(svg, "href") == NULL);                          // nothing from elsewhere
  ls_text_free(&out);
  canvas_free(canvas);
}

static const Check checks[] = {
    {"text is clipped", text_is_clipped},
    {"control characters are blank", control_characters_are_blank},
    {"text is cut with an ellipsis", text_is_cut},
    {"words wrap", words_wrap},
    {"rules have titles", rules_have_titles},
    {"lanes show their state", lanes_show_their_state},
    {"meters fill in eighths", meters_fill_in_eighths},
    {"every glyph has ASCII", every_glyph_has_ascii},
    {"background stays under text", background_stays_under_text},
    {"ANSI has as many colors as asked", ansi_has_as_many_colors_as_asked},
    {"roles find their 256 color", roles_find_their_256_color},
    {"monochrome keeps meanings apart", monochrome_keeps_meanings_apart},
    {"the environment tells the background", environment_tells_the_background},
    {"ink stands out", ink_stands_out},
    {"SVG is whole", svg_is_whole},
};

int main(int argc, char **argv) { return check_main("canvas", checks, LS_COUNT(checks), argc, argv); }
