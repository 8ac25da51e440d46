// test_notes.c: a talk and its listeners on a second terminal: many of them, either side gone and back, two talks.
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/stage/hub.h"
#include "app/stage/publish.h"
#include "app/stage/runtime.h"
#include "app/stage/uplink.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "script/lesson.h"
#include "script/recipe.h"
#include "ui/pages/notes_page.h"

// ---- a talk ---------------------------------------------------------------------------------------------------------

static const char small[] =
    "demo { title = 'A title', minutes = 1, note = 'About all of it.' }\n"
    "scene { kernel = 'transpose_32x32', say = 'First words.', note = 'Mind the \"quotes\".' }\n"
    "ask { 'How many turns?', options = { '1', '2', '32' }, seconds = 9, answer = function() return '32' end }\n"
    "reveal { say = 'So many.' }\n"
    "keep { 'Keep this.' }\n";

typedef struct Hall {
  char folder[256], file[300];
  RecipeBook *book;
  Course *course;
  Demo *demo;
  Talk talk;
} Hall;

static void set_up(Hall *hall) {
  LsErr err = {0};
  CU_ASSERT_FATAL(check_folder(hall->folder, sizeof hall->folder));
  setenv("XDG_RUNTIME_DIR", hall->folder, 1);
  snprintf(hall->file, sizeof hall->file, "%s/small.lua", hall->folder);
  CHECK(ls_file_write(hall->file, small, strlen(small), NULL));
  hall->book = recipe_book_open(NULL, NULL);
  hall->course = course_open(NULL, NULL);
  CU_ASSERT_FATAL(hall->book && hall->course);
  hall->demo = demo_open(hall->course, hall->file, hall->book, &err);
  bool whole = hall->demo && demo_prepare_all(hall->demo, &err);
  if (!whole) printf("%s:%d: %s\n", err.file, err.line, err.message);
  CU_ASSERT_FATAL(whole);
  talk_init(&hall->talk, hall->demo);
  talk_to(&hall->talk, 0);
}

static void tear_down(Hall *hall) {
  char *command = ls_format("rm -rf '%s'", hall->folder);
  demo_free(hall->demo);
  hall->course->free(hall->course);
  hall->book->free(hall->book);
  CHECK_INT(system(command), 0);
  free(command);
}

typedef struct Ear { Uplink *uplink; Notes notes; int lines; } Ear;

static void open_ear(Ear *ear, const char *name) {
  *ear = (Ear){.uplink = uplink_new(&(UplinkTo){.name = name}, NULL)};
}

static void turn(Ear *ear) {
  uplink_turn(ear->uplink);
  for (char *line; (line = uplink_next(ear->uplink)); ear->lines++) CHECK(notes_read(&ear->notes, line));
}

enum { PATIENCE = 20 };   // seconds; what is waited for is there after some milliseconds

static bool hears(Ear *ear, const char *says) {
  for (double end = ls_clock() + PATIENCE; ls_clock() < end; poll(NULL, 0, 2)) {
    turn(ear);
    if (uplink_is_up(ear->uplink) && strcmp(ear->notes.says, says) == 0) return true;
  }
  printf("heard '%s' instead of '%s'\n", ear->notes.says, says);
  return false;
}

static bool loses(Ear *ear) {
  for (double end = ls_clock() + PATIENCE; ls_clock() < end; poll(NULL, 0, 2)) {
    turn(ear);
    if (!uplink_is_up(ear->uplink)) return true;
  }
  return false;
}

// ---- what is told ---------------------------------------------------------------------------------------------------

static void test_many_listen(void) {
  enum { EARS = 5 };
  Hall hall = {0};
  Ear ears[EARS];
  set_up(&hall);
  open_ear(&ears[0], NOTES_NAME);           // before the talk
  turn(&ears[0]);
  CHECK(!uplink_is_up(ears[0].uplink));
  Publish *publish = publish_open("small", NULL);
  CU_ASSERT_FATAL(publish != NULL);
  CHECK_STR(publish_name(publish), NOTES_NAME);
  publish_talk(publish, &hall.talk, NULL, 0);
  CHECK(hears(&ears[0], "First words."));
  CHECK_STR(ears[0].notes.note, "About all of it.\n\nMind the \"quotes\".");
  CHECK_STR(ears[0].notes.next, "question: How many turns?");
  talk_next(&hall.talk);
  for (const char *p = "2 1 9"; *p; p++) vote_key(talk_vote(&hall.talk), (uint32_t)*p);
  for (int i = 0; i < 50; i++) publish_talk(publish, &hall.talk, NULL, 0);   // nothing new after the first
  for (int i = 1; i < EARS; i++) open_ear(&ears[i], NOTES_NAME);             // in the middle of it
  for (int i = 0; i < EARS; i++) {
    CHECK(hears(&ears[i], "How many turns?"));
    const Notes *notes = &ears[i].notes;
    CHECK(notes->open && notes->right == 2 && notes->option_count == 3);
    CHECK_STR(notes->answer, "C  32");
    CHECK_INT(notes_votes(notes, 0), 12);
    CHECK_INT(notes->beat_seconds, 9);
    CHECK_INT(notes->seconds, 60);
  }
  CHECK_INT(ears[0].lines, 2);
  for (int i = 0; i < EARS; i++) uplink_free(ears[i].uplink);
  publish_close(publish);
  tear_down(&hall);
}

static void test_drawn(void) {
  Hall hall = {0};
  set_up(&hall);
  Notes notes;
  LsText line = {0}, text = {0};
  const int sizes[][2] = {{60, 18}, {80, 24}, {120, 36}};
  talk_to(&hall.talk, 1);
  vote_key(talk_vote(&hall.talk), '7');
  notes_write(&(NotesFrom){&hall.talk, 1000, 1000, "lamo@host", 31}, &line);
  CHECK(notes_read(&notes, line.data));
  for (int i = 0; i < LS_COUNT(sizes); i++) {
    Canvas *canvas = canvas_new(sizes[i][0], sizes[i][1]);
    notes_draw(&(NotesView){&notes, true, 3000, 0}, canvas);
    ls_text_clear(&text);
    canvas_to_text(canvas, false, &text);
    CHECK(strstr(text.data, "How many turns?") && strstr(text.data, "votes: 7") && strstr(text.data, "question 0:07"));
    CHECK(strstr(text.data, "32") && strstr(text.data, "next") && strstr(text.data, "lanescope follow lamo@host"));
    canvas_clear(canvas);
    notes_draw(&(NotesView){&notes, false, 3000, 0}, canvas);
    ls_text_clear(&text);
    canvas_to_text(canvas, false, &text);
    CHECK(strstr(text.data, "The talk is gone") != NULL);
    canvas_free(canvas);
  }
  ls_text_free(&line);
  ls_text_free(&text);
  tear_down(&hall);
}

static void test_the_clock(void) {
  char text[16];
  notes_clock(notes_left(5000, 60, 5999), text);
  CHECK_STR(text, "1:00");
  notes_clock(notes_left(5000, 60, 6000), text);
  CHECK_STR(text, "0:59");
  notes_clock(notes_left(5000, 60, 5000 + 67000), text);
  CHECK_STR(text, "-0:07");
}

// ---- gone and back --------------------------------------------------------------------------------------------------

static void test_the_speaker_comes_back(void) {
  Hall hall = {0};
  Ear ear;
  set_up(&hall);
  int ready[2];
  CHECK_INT(pipe(ready), 0);
  pid_t speaker = fork();
  if (speaker == 0) {                       // a talk that crashes
    Publish *publish = publish_open("small", NULL);
    publish_talk(publish, &hall.talk, NULL, 0);
    if (write(ready[1], "", 1) != 1) _exit(1);
    pause();
    _exit(0);
  }
  char byte;
  CHECK_INT(read(ready[0], &byte, 1), 1);
  open_ear(&ear, NOTES_NAME);
  CHECK(hears(&ear, "First words."));
  kill(speaker, SIGKILL);
  waitpid(speaker, NULL, 0);
  CHECK(loses(&ear));
  CHECK_STR(ear.notes.says, "First words.");   // stays to be read
  talk_next(&hall.talk);
  Publish *publish = publish_open("small", NULL);
  CHECK_STR(publish_name(publish), NOTES_NAME);   // the name is free again
  publish_talk(publish, &hall.talk, NULL, 0);
  CHECK(hears(&ear, "How many turns?"));
  uplink_drop(ear.uplink);                  // and the other side
  CHECK(hears(&ear, "How many turns?"));
  uplink_free(ear.uplink);
  publish_close(publish);
  close(ready[0]);
  close(ready[1]);
  tear_down(&hall);
}

static void test_two_talks(void) {
  Hall hall = {0};
  Ear first, second;
  set_up(&hall);
  Publish *one = publish_open(hall.file, NULL), *two = publish_open(hall.file, NULL),
      *three = publish_open(hall.file, NULL);
  CHECK(!publish_is_second(one) && publish_is_second(two) && publish_is_second(three));
  CHECK_STR(publish_name(two), "small");
  CHECK_STR(publish_name(three), "small-2");
  publish_talk(one, &hall.talk, NULL, 0);
  talk_next(&hall.talk);
  publish_talk(two, &hall.talk, NULL, 0);
  open_ear(&first, NOTES_NAME);
  open_ear(&second, "small");
  CHECK(hears(&first, "First words."));
  CHECK(hears(&second, "How many turns?"));
  uplink_free(first.uplink);
  uplink_free(second.uplink);
  publish_close(one);
  publish_close(two);
  publish_close(three);
  tear_down(&hall);
}

// ---- who may listen, and who listens badly --------------------------------------------------------------------------

static void test_the_socket_is_the_users_own(void) {
  Hall hall = {0};
  LsErr err = {0};
  struct stat status;
  set_up(&hall);
  Publish *publish = publish_open("small", NULL);
  char *folder = ls_path_join(hall.folder, "lanescope"), *path = ls_path_join(folder, NOTES_NAME);
  CHECK(stat(folder, &status) == 0 && (status.st_mode & 0777) == 0700);
  CHECK(stat(path, &status) == 0 && S_ISSOCK(status.st_mode) && (status.st_mode & 0777) == 0600);
  publish_close(publish);
  CHECK(stat(path, &status) != 0);
  chmod(folder, 0755);                      // others could put something there
  CHECK(publish_open("small", &err) == NULL);
  CHECK(strstr(err.message, "mode 0700") != NULL);
  free(folder);
  free(path);
  tear_down(&hall);
}

// One that only talks, and one that never reads; the others hear all the same.
static void test_bad_listeners(void) {
  Hall hall = {0};
  Ear ear;
  char flood[4096];
  set_up(&hall);
  Publish *publish = publish_open("small", NULL);
  int talker = runtime_connect(NOTES_NAME), deaf = runtime_connect(NOTES_NAME);
  CHECK(talker >= 0 && deaf >= 0);
  memset(flood, 'x', sizeof flood);
  open_ear(&ear, NOTES_NAME);
  for (int i = 0; i < 600; i++) {
    send(talker, flood, sizeof flood, MSG_NOSIGNAL | MSG_DONTWAIT);
    talk_to(&hall.talk, i % 2);
    publish_talk(publish, &hall.talk, NULL, i);
    if (i % 100 == 0) turn(&ear);
  }
  talk_to(&hall.talk, 3);
  publish_talk(publish, &hall.talk, NULL, 0);
  CHECK(hears(&ear, "Keep this."));
  struct pollfd polled = {talker, POLLIN, 0};
  CHECK(poll(&polled, 1, PATIENCE * 1000) == 1 && (polled.revents & (POLLHUP | POLLERR | POLLIN)));   // it was dropped
  close(talker);
  close(deaf);
  uplink_free(ear.uplink);
  publish_close(publish);
  tear_down(&hall);
}

// What is no notes changes nothing.
static void test_bad_lines(void) {
  Hall hall = {0};
  set_up(&hall);
  LsText line = {0};
  Notes notes = {.students = 77};
  notes_write(&(NotesFrom){&hall.talk, 0, 0, NULL, 0}, &line);
  for (size_t length = 0; length < line.length; length++) {
    char *part = ls_strndup(line.data, length);
    CHECK(!notes_read(&notes, part));
    free(part);
  }
  CHECK_INT(notes.students, 77);
  CHECK(!notes_read(&notes, (char[]){"{\"kind\": \"scene\"}"}));
  char wild[] = "{\"kind\": 3, \"began\": \"x\", \"options\": [1, \"a\"], \"right\": 9, \"round\": 7, \"first\": [-5, 999999999]}";
  CHECK(notes_read(&notes, wild));
  CHECK_INT(notes.right, -1);
  CHECK_INT(notes.round, 0);
  CHECK_INT(notes.votes[0][0], 0);
  CHECK_INT(notes.votes[0][1], 2 * VOTE_MOST);
  ls_text_free(&line);
  tear_down(&hall);
}

static const Check checks[] = {
    {"several listen, also from the middle on", test_many_listen},
    {"notes as they are drawn", test_drawn},
    {"the clock", test_the_clock},
    {"the speaker is killed and comes back", test_the_speaker_comes_back},
    {"two talks have two names", test_two_talks},
    {"the socket is the user's own", test_the_socket_is_the_users_own},
    {"listeners that talk or do not listen", test_bad_listeners},
    {"lines that are no notes", test_bad_lines},
};

int main(int argc, char **argv) { return check_main("notes", checks, LS_COUNT(checks), argc, argv); }
