// test_line.c: lines between the programs of a demo: what is one, what is none, and bytes that come in pieces.
#include "app/stage/line.h"

#include "base/json.h"
#include "base/mem.h"
#include "check.h"

static bool reads(const char *text) {
  static LineFields fields;
  char *line = ls_strdup(text);
  bool ok = line_read(&fields, line);
  free(line);
  return ok;
}

static void test_lines(void) {
  static const char *const good[] = {
      "{}", " { } ", "{\"a\":1}", "{\"a\": -999999999999999}", "{\"a\":\"\"}", "{\"a\":true, \"b\": false}",
          "{\"a\":[]}",
      "{\"a\":[1,\"x\",true]}", "{\"a\":\"\\u00e9\\ud83d\\ude00\\n\\\"\"}", "{\"a\":1}\r"};
  static const char *const bad[] = {
      "", "x", "[]", "{", "}", "{\"a\"}", "{\"a\":}", "{\"a\":1", "{\"a\":1}}", "{\"a\":1,}", "{a:1}", "{\"a\":1.5}",
          "{\"a\":1e9}",
      "{\"a\":null}", "{\"a\":{}}", "{\"a\":[[1]]}", "{\"a\":[1,]}", "{\"a\":1000000000000000}", "{\"a\":-}",
          "{\"a\":\"}",
      "{\"a\":\"\\x\"}", "{\"a\":\"\\u00\"}", "{\"a\":\"\\u\x10\x10""41\"}", "{\"a\":\"\\u0000\"}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\\udc00\"}",
          "{\"a\":\"\\",
      "{\"a\":\"\t\"}", "{\"a\":\"\xff\"}", "{\"a\":\"\xc3\"}", "{\"a\":\"\xed\xa0\x80\"}", "{\"a\xc3\":1}",
          "{\"a\":[1,2,3,4,5,6,7,8,9,10,11,12,13]}"};
  for (int i = 0; i < LS_COUNT(good); i++) {
    if (!reads(good[i])) printf("is no line: %s\n", good[i]);
    CHECK(reads(good[i]));
  }
  for (int i = 0; i < LS_COUNT(bad); i++) {
    if (reads(bad[i])) printf("is a line: %s\n", bad[i]);
    CHECK(!reads(bad[i]));
  }
}

// Whatever is written is read as it was; and no beginning of it is a line.
static void test_round_trip(void) {
  static const char said[] = "tile[tx][ty] \"quoted\" \\ back\nnext \xc3\xa9 \xf0\x9f\x98\x80 \x01";
  LsText text = {0};
  LsJson json;
  ls_json_init(&json, &text);
  ls_json_open(&json, '{');
  ls_json_member(&json, "says", said);
  ls_json_member_i64(&json, "step", 1184);
  ls_json_member_bool(&json, "open", true);
  ls_json_open_member(&json, "options", '[');
  for (int i = 0; i < 9; i++) ls_json_i64(&json, i * i);
  ls_json_close(&json, ']');
  ls_json_close(&json, '}');
  LineFields fields;
  for (size_t length = 0; length < text.length; length++) {
    char *part = ls_strndup(text.data, length);
    CHECK(!line_read(&fields, part));
    free(part);
  }
  CHECK(line_read(&fields, text.data));
  CHECK_STR(line_text(&fields, "says", 100, "-"), said);
  CHECK_STR(line_text(&fields, "says", 10, "-"), "-");
  CHECK_STR(line_text(&fields, "step", 100, "-"), "-");
  CHECK_INT(line_number(&fields, "step", 0, 2000, -1), 1184);
  CHECK_INT(line_number(&fields, "step", 0, 1183, -1), -1);
  CHECK(line_flag(&fields, "open") && !line_flag(&fields, "step") && !line_flag(&fields, "none"));
  CHECK_INT(line_field(&fields, "options")->count, 9);
  CHECK_INT(line_field(&fields, "options")->items[8].number, 64);
  ls_text_free(&text);
}

static void test_pieces(void) {
  static const char bytes[] = "one\n\nthree\nfo";
  for (size_t piece = 1; piece < sizeof bytes; piece++) {
    LineReader reader;
    LsText lines = {0};
    line_reader_init(&reader, 8);
    for (size_t at = 0; at < sizeof bytes - 1;) {
      size_t size = LS_MIN(LS_MIN(piece, sizeof bytes - 1 - at), line_reader_room(&reader));
      CU_ASSERT_FATAL(size > 0);
      line_feed(&reader, bytes + at, size);
      at += size;
      for (char *line; (line = line_next(&reader));) ls_text_addf(&lines, "%s|", line);
    }
    CHECK_STR(ls_text_str(&lines), "one||three|");
    CHECK(!reader.broken);
    ls_text_free(&lines);
    line_reader_fini(&reader);
  }
}

static void test_too_long_breaks(void) {
  LineReader reader;
  line_reader_init(&reader, 4);
  line_feed(&reader, "abcd\n", 5);
  CHECK_STR(line_next(&reader), "abcd");
  line_feed(&reader, "abcde", 5);
  CHECK(!line_next(&reader) && reader.broken && !line_reader_room(&reader));
  line_reader_fini(&reader);
  line_reader_init(&reader, 4);
  line_feed(&reader, "a\0b\n", 4);
  CHECK(!line_next(&reader) && reader.broken);
  line_reader_fini(&reader);
}

static const Check checks[] = {
    {"what is a line and what is none", test_lines},
    {"a line is read as it was written", test_round_trip},
    {"lines in pieces of any size", test_pieces},
    {"a line that is too long", test_too_long_breaks},
};

int main(int argc, char **argv) { return check_main("line", checks, LS_COUNT(checks), argc, argv); }
