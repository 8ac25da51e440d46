// test_canvas.c: cells, clipping, cutting and wrapping, lane strips, colors, and the forms a canvas leaves in.
#include <math.h>

#include "check.h"
#include "base/mem.h"
#include "base/random.h"
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

// As text, in as many cells as are measured; lines and tabs are blanks.
static void control_characters_are_shown(void) {
  static const char *const cases[][2] = {
      {"a\tb\x1b" "c\xff", "a b\\ec\xef\xbf\xbd\n"}, {"\x1b[2J", "\\e[2J\n"}, {"\xc2\x9b" "1mx", "\\x9b1mx\n"}, {"\a\x7f", "\\x07\\x7f\n"},
      {"a\r\nb", "a  b\n"}};
  for (int i = 0; i < LS_COUNT(cases); i++) {
    Canvas *canvas = canvas_new(20, 1);
    CHECK_INT(canvas_text(canvas, 0, 0, ROLE_TEXT, 0, cases[i][0]), ls_utf8_width(cases[i][0]));
    check_text(canvas, false, cases[i][1]);
    canvas_free(canvas);
  }
  Canvas *canvas = canvas_new(20, 1);
  CHECK_INT(canvas_text_cut(canvas, 0, 0, 4, ROLE_TEXT, 0, "ab\x1b[2J"), 3);   // no half of one
  check_text(canvas, false, "ab\xe2\x80\xa6\n");
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
    for (int look = 0; look < THEME_LOOKS; look++) {
      int rgb = theme_rgb((Role)role, look);
      if (rgb >= 0) CHECK_INT(theme_nearest_256(rgb), nearest_by_search(rgb));
    }
}

static int apart(int a, int b) {
  int dr = (a >> 16) - (b >> 16), dg = (a >> 8 & 255) - (b >> 8 & 255), db = (a & 255) - (b & 255);
  return dr * dr + dg * dg + db * db;
}

// Orange says that something is wrong: neither a wavefront nor a warp nor what lanes do looks like it.
static void nothing_looks_like_the_alarm(void) {
  static const Role others[] = {ROLE_SET0, ROLE_SET1, ROLE_SET2, ROLE_SET3, ROLE_SET4, ROLE_SET5, ROLE_ACTIVE,
                                ROLE_USED, ROLE_CURSOR};
  Cell alarm = {.code = 'x', .role = ROLE_ALARM};
  for (int i = 0; i < LS_COUNT(others); i++) {
    Cell other = {.code = 'x', .role = others[i]};
    for (int look = 0; look < THEME_LOOKS; look++) {
      CHECK(apart(theme_rgb(others[i], look), theme_rgb(ROLE_ALARM, look)) > 64 * 64);
      CHECK(theme_paint(&other, THEME_256, look).fore != theme_paint(&alarm, THEME_256, look).fore);
      CHECK(theme_paint(&other, THEME_8, look).fore != theme_paint(&alarm, THEME_8, look).fore);
    }
  }
}

static void monochrome_keeps_meanings_apart(void) {
  Cell alarm = {.code = 'x', .role = ROLE_ALARM}, dim = {.code = 'x', .role = ROLE_DIM};
  Cell chosen = {.code = 'x', .role = ROLE_DIM, .background = ROLE_SELECTED};
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

// Relative luminance and contrast as WCAG 2.1 defines them.
static double luminance(int rgb) {
  static const double weights[] = {0.2126, 0.7152, 0.0722};
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    double c = (rgb >> (16 - 8 * i) & 255) / 255.0;
    sum += weights[i] * (c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
  }
  return sum;
}

static double contrast(int a, int b) {
  double x = luminance(a), y = luminance(b);
  return (LS_MAX(x, y) + 0.05) / (LS_MIN(x, y) + 0.05);
}

// Nothing that carries words is faint on a stage: 7 to 1 on black and on white paper (WCAG's level AAA for dim words,
// too), and letters are bold.
static void stage_is_seen_from_afar(void) {
  static const Role words[] = {ROLE_TEXT, ROLE_DIM, ROLE_TITLE, ROLE_CURSOR, ROLE_COMMENT, ROLE_ALARM, ROLE_GOOD};
  for (int i = 0; i < LS_COUNT(words); i++) {
    CHECK(contrast(theme_rgb(words[i], THEME_STAGE | THEME_ON_DARK), 0x101418) >= 7);
    CHECK(contrast(theme_rgb(words[i], THEME_STAGE | THEME_ON_LIGHT), 0xffffff) >= 7);
  }
  for (int colors = 0; colors <= THEME_256; colors = colors ? colors * 32 : THEME_8)
    for (int role = ROLE_TEXT; role <= ROLE_COMMENT; role++) {
      Cell cell = {.code = 'x', .role = (uint8_t)role};
      int style = theme_paint(&cell, colors, THEME_STAGE | THEME_ON_DARK).style;
      CHECK(style & STYLE_BOLD && !(style & STYLE_DIM));
    }
}

// Text on a colored background must stand out, in both themes and with few colors.
static void ink_stands_out(void) {
  for (int role = ROLE_NONE + 1; role < ROLE_COUNT; role++) {
    Cell cell = {.code = 'x', .role = ROLE_TEXT, .background = (uint8_t)role};
    Paint few = theme_paint(&cell, THEME_8, true);
    CHECK(few.fore != few.back || (few.style & STYLE_REVERSE));
    for (int look = 0; look < THEME_LOOKS; look++) {
      Paint paint = theme_paint(&cell, THEME_DIRECT, look);
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

// ---- characters of two columns and of none -------------------------------------------------------------------------

static void wide_characters_take_two_columns(void) {
  Canvas *canvas = canvas_new(10, 3);
  CHECK_INT(canvas_text(canvas, 0, 0, ROLE_TEXT, 0, "a漢字b"), 6);
  CHECK_INT(canvas_text(canvas, 0, 1, ROLE_TEXT, 0, "한국 😀"), 7);
  CHECK_INT(canvas_text_right(canvas, 10, 2, ROLE_TEXT, 0, "漢"), 8);
  check_text(canvas, false, "a漢字b\n한국 😀\n        漢\n");
  check_text(canvas, true, "a????b\n???? ??\n        ??\n");
  CHECK_INT(canvas_at(canvas, 1, 0)->code, 0x6f22);
  CHECK_INT(canvas_at(canvas, 2, 0)->code, CELL_REST);
  CHECK_INT(canvas_at(canvas, 5, 0)->code, 'b');
  canvas_free(canvas);
}

// What would be half a character at a border is a blank.
static void borders_cut_no_character(void) {
  Canvas *canvas = canvas_new(4, 3);
  canvas_text(canvas, 0, 0, ROLE_TEXT, 0, "abc漢");
  canvas_text(canvas, -1, 1, ROLE_TEXT, 0, "漢字x");
  canvas_clip(canvas, (Rect){1, 2, 2, 1});
  canvas_text(canvas, 0, 2, ROLE_TEXT, 0, "漢字");
  check_text(canvas, false, "abc\n 字x\n\n");
  for (int i = 0; i < canvas->cols * canvas->rows; i++) CHECK_INT(canvas->cells[i].code == CELL_REST, i == 6);
  canvas_free(canvas);
}

static void half_a_character_overwritten_is_a_blank(void) {
  Canvas *canvas = canvas_new(6, 4);
  for (int y = 0; y < 4; y++) canvas_text(canvas, 0, y, ROLE_TEXT, 0, "漢字語");
  canvas_put(canvas, 2, 0, 'l', ROLE_TEXT, 0);
  canvas_put(canvas, 3, 1, 'r', ROLE_TEXT, 0);
  canvas_put(canvas, 3, 2, 0x5b57, ROLE_TEXT, 0);
  canvas_clip(canvas, (Rect){3, 3, 1, 1});   // the other half is beyond the clip
  canvas_put(canvas, 3, 3, 'c', ROLE_TEXT, 0);
  check_text(canvas, false, "漢l 語\n漢 r語\n漢 字\n漢 c語\n");
  canvas_free(canvas);
}

static void cutting_and_wrapping_count_columns(void) {
  Canvas *canvas = canvas_new(8, 6);
  CHECK_INT(canvas_text_cut(canvas, 0, 0, 6, ROLE_TEXT, 0, "漢字語"), 6);
  CHECK_INT(canvas_text_cut(canvas, 0, 1, 5, ROLE_TEXT, 0, "漢字語"), 5);
  CHECK_INT(canvas_text_cut(canvas, 0, 2, 4, ROLE_TEXT, 0, "漢字語"), 3);   // two columns are left, one of them for the ellipsis
  CHECK_INT(canvas_text_wrap(canvas, (Rect){0, 3, 5, 3}, 0, ROLE_TEXT, 0, "漢字語 漢 a"), 3);
  check_text(canvas, false, "漢字語\n漢字…\n漢…\n漢字\n語 漢\na\n");
  CHECK_INT(canvas_text_wrap(canvas, (Rect){0, 0, 1, 0}, 0, ROLE_TEXT, 0, "漢字"), 2);   // too narrow for any: it ends
  canvas_free(canvas);
}

static void marks_stay_with_their_character(void) {
  Canvas *canvas = canvas_new(8, 5);
  CHECK_INT(canvas_text(canvas, 0, 0, ROLE_TEXT, 0, "e\xcc\x81t"), 2);                      // U+0301
  CHECK_INT(canvas_text(canvas, 0, 1, ROLE_TEXT, 0, "が\xe3\x82\x99x"), 3);                 // U+3099 after a wide character
  canvas_put(canvas, 0, 2, 'a', ROLE_TEXT, 0);
  CHECK_INT(canvas_text(canvas, 1, 2, ROLE_TEXT, 0, "\xcc\x81z"), 2);                       // nothing of this text to join
  CHECK_INT(canvas_text(canvas, 0, 3, ROLE_TEXT, 0, "a\xcc\x81\xcc\x82\xcc\x83\xcc\x84" "b"), 2);   // more than there is room for
  CHECK_INT(canvas_text_cut(canvas, 0, 4, 3, ROLE_TEXT, 0, "abe\xcc\x81"), 3);
  check_text(canvas, false, "e\xcc\x81t\nが\xe3\x82\x99x\naz\na\xcc\x81\xcc\x82" "b\nabe\xcc\x81\n");
  check_text(canvas, true, "et\n??x\naz\nab\nabe\n");
  canvas_put(canvas, 0, 0, 'o', ROLE_TEXT, 0);
  CHECK_INT(canvas_at(canvas, 0, 0)->marks[0], 0);
  canvas_free(canvas);
}

// Joiners, variants and directions change what others look like, not the same way in every terminal.
static void unseen_characters_are_left_out(void) {
  Canvas *canvas = canvas_new(10, 2);
  CHECK_INT(canvas_text(canvas, 0, 0, ROLE_TEXT, 0, "👩\xe2\x80\x8d💻❤\xef\xb8\x8f!"), 6);   // U+200D, U+FE0F
  CHECK_INT(canvas_text(canvas, 0, 1, ROLE_TEXT, 0, "a\xe2\x80\xae" "b\xe2\x81\xa6" "c\xef\xbb\xbf"), 3);   // U+202E, U+2066, U+FEFF
  check_text(canvas, false, "👩💻❤!\nabc\n");
  canvas_free(canvas);
}

static void pictures_agree_about_wide_characters(void) {
  Canvas *canvas = canvas_new(6, 1);
  canvas_text(canvas, 0, 0, ROLE_TEXT, 0, "a漢e\xcc\x81" "b");
  LsText out = {0};
  canvas_to_ansi(canvas, false, THEME_8, &out);
  CHECK_STR(ls_text_str(&out), "a漢e\xcc\x81" "b\n");
  ls_text_clear(&out);
  canvas_to_svg(canvas, false, true, &out);
  const char *svg = ls_text_str(&out);
  CHECK(strstr(svg, " x=\"14\">a</text>") && strstr(svg, " x=\"23\">漢</text>"));
  CHECK(strstr(svg, " x=\"41\">e\xcc\x81</text>") && strstr(svg, " x=\"50\">b</text>"));
  ls_text_clear(&out);
  canvas_to_svg(canvas, true, true, &out);
  CHECK(strstr(ls_text_str(&out), " x=\"14 23 32 41 50\">a??eb</text>") != NULL);
  ls_text_free(&out);
  canvas_free(canvas);
}

// Whatever is drawn in whatever order: halves come in pairs, and a row is as wide as the canvas.
static void halves_come_in_pairs(void) {
  enum { COLS = 9, ROWS = 2, TIMES = 20000 };
  static const uint32_t codes[] = {'a', 'b', ' ', 0x6f22, 0xac00, 0x1f600, 0x301, 0x200d, 0x2588};
  LsMt mt;
  ls_mt_seed(&mt, 7);
  Canvas *canvas = canvas_new(COLS, ROWS);
  for (int i = 0; i < TIMES; i++) {
    int x = (int)(ls_mt_u32(&mt) % (COLS + 4)) - 2, w = (int)(ls_mt_u32(&mt) % COLS);
    canvas_clip(canvas, (Rect){w / 3, 0, COLS - w / 2, ROWS});
    canvas_put(canvas, x, (int)(ls_mt_u32(&mt) % ROWS), codes[ls_mt_u32(&mt) % LS_COUNT(codes)], ROLE_TEXT, 0);
    for (int at = 0; at < COLS * ROWS; at++) {
      const Cell *cell = &canvas->cells[at];
      bool wide = cell->code && ls_code_width(cell->code) == 2, rest_follows = at % COLS < COLS - 1 && cell[1].code == CELL_REST;
      if (wide != rest_follows) CHECK_INT(at, -1);
    }
    CHECK(canvas->cells[0].code != CELL_REST && canvas->cells[COLS].code != CELL_REST);
  }
  canvas_free(canvas);
}

static const Check checks[] = {
    {"text is clipped", text_is_clipped},
    {"control characters are blank", control_characters_are_shown},
    {"text is cut with an ellipsis", text_is_cut},
    {"words wrap", words_wrap},
    {"rules have titles", rules_have_titles},
    {"lanes show their state", lanes_show_their_state},
    {"meters fill in eighths", meters_fill_in_eighths},
    {"every glyph has ASCII", every_glyph_has_ascii},
    {"background stays under text", background_stays_under_text},
    {"ANSI has as many colors as asked", ansi_has_as_many_colors_as_asked},
    {"roles find their 256 color", roles_find_their_256_color},
    {"nothing looks like the alarm", nothing_looks_like_the_alarm},
    {"monochrome keeps meanings apart", monochrome_keeps_meanings_apart},
    {"the environment tells the background", environment_tells_the_background},
    {"ink stands out", ink_stands_out},
    {"a stage is seen from afar", stage_is_seen_from_afar},
    {"SVG is whole", svg_is_whole},
    {"wide characters take two columns", wide_characters_take_two_columns},
    {"borders cut no character", borders_cut_no_character},
    {"half a character overwritten is a blank", half_a_character_overwritten_is_a_blank},
    {"cutting and wrapping count columns", cutting_and_wrapping_count_columns},
    {"marks stay with their character", marks_stay_with_their_character},
    {"unseen characters are left out", unseen_characters_are_left_out},
    {"pictures agree about wide characters", pictures_agree_about_wide_characters},
    {"halves come in pairs", halves_come_in_pairs},
};

int main(int argc, char **argv) { return check_main("canvas", checks, LS_COUNT(checks), argc, argv); }
