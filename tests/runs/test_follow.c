// test_follow.c: students on a demo: where the speaker stands, votes, either side gone and back, floods.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/stage/follow.h"
#include "app/stage/hub.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "script/lesson.h"
#include "script/recipe.h"
#include "ui/pages/page.h"

enum { PATIENCE = 20 };   // seconds; what is waited for is there after some milliseconds

// ---- a hall ---------------------------------------------------------------------------------------------------------

static char folder[256];

static void set_up(void) {
  CU_ASSERT_FATAL(check_folder(folder, sizeof folder));
  setenv("XDG_STATE_HOME", folder, 1);
  setenv("XDG_RUNTIME_DIR", folder, 1);
}

static void tear_down(void) {
  char *command = ls_format("rm -rf '%s'", folder);
  CHECK_INT(system(command), 0);
  free(command);
}

// The address on this machine, by the loopback.
static void address_of(const Share *share, char out[64]) {
  const char *invitation = share_invitation(share), *port = strchr(invitation, ':');
  snprintf(out, 64, "%.4s@127.0.0.1%s", invitation, port ? port : "");
}

static Share *open_share(char address[64]) {
  LsErr err = {0};
  Share *share = share_open(NULL, &err);
  if (!share) printf("%s\n", err.message);
  CU_ASSERT_FATAL(share != NULL);
  address_of(share, address);
  return share;
}

static StageStand stand_at(uint64_t step) {
  StageStand stand = {.run = {.kernel = "transpose_32x32"}, .step = step, .block = -1, .warp = 3, .lane = -1,
      .variant = -1, .margin = -1,
                 .focus = "banks", .scene = 2, .ask = -1};
  return stand;
}

static StageStand asking(int ask, int round, bool open) {
  StageStand stand = stand_at(7);
  stand.ask = ask;
  stand.options = 4;
  stand.round = round;
  stand.open = open;
  return stand;
}

static bool sees(Follow *follow, const StageStand *wanted) {
  LsText want = {0}, has = {0};
  bool same = false;
  stand_write(wanted, &want);
  for (double end = ls_clock() + PATIENCE; !same && ls_clock() < end; poll(NULL, 0, 1)) {
    follow_turn(follow);
    ls_text_clear(&has);
    if (follow_stand(follow) && follow_state(follow) == FOLLOW_IN) stand_write(follow_stand(follow), &has);
    same = strcmp(ls_text_str(&want), ls_text_str(&has)) == 0;
  }
  if (!same) printf("sees %s instead of %s, %s\n", ls_text_str(&has), ls_text_str(&want), follow_why(follow));
  ls_text_free(&want);
  ls_text_free(&has);
  return same;
}

static bool comes_to(Follow *follow, FollowState state) {
  for (double end = ls_clock() + PATIENCE; ls_clock() < end; poll(NULL, 0, 1)) {
    follow_turn(follow);
    if (follow_state(follow) == state) return true;
  }
  return false;
}

// The votes of a round, until they are these.
static bool counts(Share *share, int ask, int round, const int wanted[4]) {
  int count[VOTE_OPTIONS];
  for (double end = ls_clock() + PATIENCE; ls_clock() < end; poll(NULL, 0, 1)) {
    share_count(share, ask, round, count);
    if (memcmp(count, wanted, 4 * sizeof *count) == 0) return true;
  }
  printf("votes are %d %d %d %d\n", count[0], count[1], count[2], count[3]);
  return false;
}

static int port_of(const char *address) {
  const char *port = strchr(address, ':');
  return port ? atoi(port + 1) : SHARE_PORT;
}

static int connect_to(const char *address) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port_of(address))};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  CHECK_INT(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
  return fd;
}

static void say(int fd, const char *line) { send(fd, line, strlen(line), MSG_NOSIGNAL); }

static bool is_dropped(int fd) {
  char bytes[4096];
  struct pollfd polled = {fd, POLLIN, 0};
  while (poll(&polled, 1, PATIENCE * 1000) == 1)
    if (recv(fd, bytes, sizeof bytes, 0) <= 0) return close(fd), true;
  return close(fd), false;
}

// ---- lines ----------------------------------------------------------------------------------------------------------

static void test_stands_as_lines(void) {
  StageStand full = asking(5, 1, true), read;
  snprintf(full.run.values, sizeof full.run.values, "type=double N=64");
  snprintf(full.run.profile, sizeof full.run.profile, "v100");
  full.run.stack = full.run.compiled = full.run.recorded = full.zoom = full.hidden = full.black = true;
  full.run.launch = 3;
  full.beside = full.run;
  full.block = 12, full.lane = 31, full.variant = 2, full.margin = 1;
  const StageStand stands[] = {stand_at(0), stand_at(1234567), asking(0, 0, false), full};
  for (int i = 0; i < LS_COUNT(stands); i++) {
    LsText line = {0}, again = {0};
    stand_write(&stands[i], &line);
    for (size_t length = 0; length < line.length; length++) {
      char *part = ls_strndup(line.data, length);
      CHECK(!stand_read(&read, part));
      free(part);
    }
    char *copy = ls_strdup(line.data);
    CHECK(stand_read(&read, copy));
    stand_write(&read, &again);
    CHECK_STR(ls_text_str(&again), ls_text_str(&line));
    CHECK(line.length < (i < 2 ? 120 : STAND_LINE));
    free(copy);
    ls_text_free(&line);
    ls_text_free(&again);
  }
  char wild[] = "{\"scene\": 1, \"kernel\": 7, \"step\": -4, \"warp\": 99, \"lane\": 32, \"ask\": 64, \"open\": true, \"round\": 2}";
  CHECK(stand_read(&read, wild));
  CHECK(!read.run.kernel[0] && read.step == 0 && read.warp == -1 && read.lane == -1 && read.ask == -1 && !read.open);
}

static void test_command_lines(void) {
  StageStand stand = stand_at(1184);
  LsText words = {0};
  snprintf(stand.run.values, sizeof stand.run.values, "type=double");
  stand_words(&stand, &words);
  CHECK_STR(ls_text_str(&words), "lanescope explore transpose_32x32 -p type=double --at 1184 --focus banks --warp 3");
  ls_text_free(&words);
}

static void test_ballot(void) {
  Ballot ballot = {0};
  int count[VOTE_OPTIONS];
  CHECK(!ballot_cast(&ballot, 0, 0, 1, 0));        // none is open
  ballot_open(&ballot, 3, 0, 4);
  CHECK(ballot_cast(&ballot, 3, 0, 11, 0) && ballot_cast(&ballot, 3, 0, 12, 0) && ballot_cast(&ballot, 3, 0, 11, 2));
  CHECK(!ballot_cast(&ballot, 3, 0, 13, 4) && !ballot_cast(&ballot, 3, 1, 13, 1) && !ballot_cast(&ballot, 2, 0, 13, 1));
  ballot_open(&ballot, 3, 1, 4);
  CHECK(ballot_cast(&ballot, 3, 1, 11, 3));
  ballot_count(&ballot, 3, 0, count);
  CHECK(count[0] == 1 && count[2] == 1 && count[3] == 0);
  ballot_open(&ballot, 3, 0, 4);                   // again open: who voted may change it
  CHECK(ballot_cast(&ballot, 3, 0, 12, 1));
  for (uint64_t number = 100; number < 100 + 2 * BALLOT_MOST; number++) ballot_cast(&ballot, 3, 0, number, 3);
  ballot_count(&ballot, 3, 0, count);
  CHECK_INT(count[0] + count[1] + count[2] + count[3], BALLOT_MOST);
  CHECK(ballot_cast(&ballot, 3, 0, 11, 1));
  ballot_fini(&ballot);
}

static void test_addresses(void) {
  static const char *const bad[] = {"lam@127.0.0.1", "lamos@127.0.0.1", "lamo@", "lamo@127.0.0.1:", "lamo@127.0.0.1:0",
                                    "lamo@127.0.0.1:70000", "lamo@127.0.0.1:x", "lamo@[::1",
                                        "lamo@no.such.host.invalid"};
  for (int i = 0; i < LS_COUNT(bad); i++) {
    LsErr err = {0};
    Follow *follow = follow_open(bad[i], &err);
    if (follow) printf("is an address: %s\n", bad[i]);
    CHECK(!follow && err.kind == LS_EREQUEST);
    follow_close(follow);
  }
  CHECK(follow_is_address("lamo@host") && follow_is_address("/tmp") && follow_is_address("./talk") &&
      !follow_is_address("column"));
}

// ---- through a port -------------------------------------------------------------------------------------------------

static void test_follows_and_votes(void) {
  char address[64];
  set_up();
  Share *share = open_share(address);
  Follow *one = follow_open(address, NULL), *two = follow_open(address, NULL);
  StageStand stand = stand_at(100), question = asking(0, 0, true), closed = asking(0, 0, false), again = asking(0, 1, true);
  share_tell(share, &stand);
  CHECK(sees(one, &stand) && sees(two, &stand));
  CHECK(!follow_vote(one, 1));                     // nothing is open
  share_tell(share, &question);
  CHECK(sees(one, &question) && sees(two, &question));
  CHECK(!follow_vote(one, 4) && !follow_vote(one, -1));
  CHECK(follow_vote(one, 1) && follow_vote(two, 2));
  CHECK(counts(share, 0, 0, (int[]){0, 1, 1, 0}));
  CHECK(follow_vote(one, 2) && follow_voted(one) == 2);   // the last one counts
  CHECK(counts(share, 0, 0, (int[]){0, 0, 2, 0}));
  share_tell(share, &closed);
  CHECK(sees(one, &closed));
  CHECK(!follow_vote(one, 0));
  share_tell(share, &again);
  CHECK(sees(one, &again) && sees(two, &again));
  CHECK_INT(follow_voted(one), -1);
  CHECK(follow_vote(one, 3) && counts(share, 0, 1, (int[]){0, 0, 0, 1}));
  CHECK(counts(share, 0, 0, (int[]){0, 0, 2, 0}));
  follow_close(two);
  follow_close(one);
  share_close(share);
  tear_down();
}

static void test_wrong_words(void) {
  char address[64], wrong[64];
  set_up();
  Share *share = open_share(address);
  StageStand stand = stand_at(1);
  share_tell(share, &stand);
  snprintf(wrong, sizeof wrong, "xxxx%s", address + SHARE_WORD);
  Follow *follow = follow_open(wrong, NULL);
  CHECK(comes_to(follow, FOLLOW_REFUSED));
  CHECK(strstr(follow_why(follow), "word is another one") != NULL);
  follow_close(follow);
  static const char *const greetings[] = {"GET / HTTP/1.1\r\n\r\n", "{\"word\": \"xxxx\"}\n", "{}\n",
      "{\"word\": [1]}\n", "\x16\x03\x01\n"};
  for (int i = 0; i < LS_COUNT(greetings); i++) {
    int fd = connect_to(address);
    say(fd, greetings[i]);
    CHECK(is_dropped(fd));
  }
  char other_version[96];
  snprintf(other_version, sizeof other_version, "{\"word\": \"%.4s\", \"version\": 99}\n", address);
  int fd = connect_to(address);
  say(fd, other_version);
  CHECK(is_dropped(fd));
  CHECK_INT(share_students(share), 0);
  share_close(share);
  tear_down();
}

static int enter(const char *address) {
  char hello[96];
  snprintf(hello, sizeof hello, "{\"word\": \"%.4s\", \"version\": %d}\n", address, SHARE_VERSION);
  int fd = connect_to(address);
  say(fd, hello);
  return fd;
}

// Truncated lines, too long ones, too many, another number: dropped. The others see and vote as before.
static void test_bad_students(void) {
  char address[64], long_line[600];
  set_up();
  Share *share = open_share(address);
  Follow *good = follow_open(address, NULL);
  StageStand question = asking(0, 0, true);
  share_tell(share, &question);
  CHECK(sees(good, &question));
  memset(long_line, 'x', sizeof long_line);
  long_line[sizeof long_line - 1] = 0;
  const char *const bad[] = {
      "{\"number\": 5, \"ask\": 0,\n", "\n{\"number\": 5}\n",
          "{\"number\": 0, \"ask\": 0, \"round\": 0, \"option\": 1}\n",
      "{\"number\": 5, \"ask\": 0, \"round\": 0, \"option\": \"b\"}\n", long_line,
      "{\"number\": 5, \"ask\": 0, \"round\": 0, \"option\": 9}\n",
          "{\"number\": 281474976710656, \"ask\": 0, \"round\": 0, \"option\": 1}\n"};
  for (int i = 0; i < LS_COUNT(bad); i++) {
    int fd = enter(address);
    say(fd, bad[i]);
    CHECK(is_dropped(fd));
  }
  int two_numbers = enter(address), flood = enter(address);
  say(two_numbers,
      "{\"number\": 5, \"ask\": 0, \"round\": 0, \"option\": 1}\n{\"number\": 6, \"ask\": 0, \"round\": 0, \"option\": 1}\n");
  CHECK(is_dropped(two_numbers));
  for (int i = 0; i < 3 * HUB_BURST; i++) say(flood, "{\"number\": 7, \"ask\": 0, \"round\": 0, \"option\": 0}\n");
  CHECK(is_dropped(flood));
  CHECK(follow_vote(good, 3));
  CHECK(counts(share, 0, 0, (int[]){1, 1, 0, 1}));   // what they said in order was counted, once
  follow_close(good);
  share_close(share);
  tear_down();
}

// One that takes nothing does not hold the speaker up, nor the others: all of this is told and seen meanwhile.
static void test_a_deaf_student(void) {
  char address[64];
  set_up();
  Share *share = open_share(address);
  Follow *good = follow_open(address, NULL);
  int deaf = enter(address);
  StageStand stand;
  for (uint64_t step = 0; step < 20000; step++) {
    stand = stand_at(step);
    share_tell(share, &stand);
    if (step % 500 == 0) follow_turn(good);
  }
  CHECK(sees(good, &stand));
  close(deaf);
  follow_close(good);
  share_close(share);
  tear_down();
}

static void test_the_speaker_is_killed(void) {
  char address[64];
  int told[2];
  set_up();
  CHECK_INT(pipe(told), 0);
  StageStand question = asking(1, 0, true);
  pid_t speaker = fork();
  if (speaker == 0) {
    Share *share = open_share(address);
    share_tell(share, &question);
    if (write(told[1], address, sizeof address) != sizeof address) _exit(1);
    pause();
  }
  CHECK_INT(read(told[0], address, sizeof address), sizeof address);
  Follow *follow = follow_open(address, NULL);
  CHECK(sees(follow, &question) && follow_vote(follow, 1));
  kill(speaker, SIGKILL);
  waitpid(speaker, NULL, 0);
  CHECK(comes_to(follow, FOLLOW_SEEKS));
  char again[64];
  Share *share = open_share(again);                // the same word, and the same port
  CHECK_STR(again, address);
  share_tell(share, &question);
  CHECK(sees(follow, &question));
  for (double end = ls_clock() + PATIENCE; ls_clock() < end && share_students(share) < 1;) follow_turn(follow);
  follow_turn(follow);
  CHECK(counts(share, 1, 0, (int[]){0, 1, 0, 0}));   // the vote was lost with the speaker, and is told again
  follow_close(follow);                            // and the other side
  follow = follow_open(address, NULL);
  CHECK(sees(follow, &question));
  follow_close(follow);
  share_close(share);
  char *word = ls_path_join(folder, "lanescope/demo.word");
  CHECK(!ls_file_exists(word));                    // a talk that was ended has a new word the next time
  free(word);
  close(told[0]);
  close(told[1]);
  tear_down();
}

static void test_two_speakers(void) {
  char one[64], two[64], taken[16];
  LsErr err = {0};
  set_up();
  Share *first = open_share(one), *second = open_share(two);
  CHECK(port_of(one) != port_of(two));
  StageStand left = stand_at(1), right = stand_at(2);
  share_tell(first, &left);
  share_tell(second, &right);
  Follow *a = follow_open(one, NULL), *b = follow_open(two, NULL);
  CHECK(sees(a, &left) && sees(b, &right));
  snprintf(taken, sizeof taken, "%d", port_of(one));
  CHECK(!share_open(taken, &err) && strstr(err.message, "cannot be opened"));
  CHECK(!share_open("70000", &err) && strstr(err.message, "a port is a number"));
  follow_close(a);
  follow_close(b);
  share_close(first);
  share_close(second);
  tear_down();
}

static void test_fifty_students(void) {
  enum { STUDENTS = 50 };
  char address[64];
  Follow *follows[STUDENTS];
  set_up();
  Share *share = open_share(address);
  StageStand question = asking(0, 0, true), stand = stand_at(9);
  for (int i = 0; i < STUDENTS; i++) follows[i] = follow_open(address, NULL);
  share_tell(share, &question);
  for (int i = 0; i < STUDENTS; i++) CHECK(sees(follows[i], &question) && follow_vote(follows[i], i % 4));
  CHECK(counts(share, 0, 0, (int[]){13, 13, 12, 12}));
  CHECK_INT(share_students(share), STUDENTS);
  share_tell(share, &stand);
  for (int i = 0; i < STUDENTS; follow_close(follows[i++])) CHECK(sees(follows[i], &stand));
  share_close(share);
  tear_down();
}

// ---- through a folder -----------------------------------------------------------------------------------------------

static void put_vote(const char *votes, const char *name, const char *text) {
  char *path = ls_path_join(votes, name);
  CHECK(ls_file_write(path, text, strlen(text), NULL));
  free(path);
}

static void test_a_folder(void) {
  LsErr err = {0};
  struct stat status;
  set_up();
  char *path = ls_path_join(folder, "talk"), *votes = ls_path_join(path, "votes");
  Share *share = share_open(path, &err);
  CU_ASSERT_FATAL(share != NULL);
  CHECK(stat(path, &status) == 0 && (status.st_mode & 0777) == 0755);
  CHECK(stat(votes, &status) == 0 && (status.st_mode & 07777) == 01733);   // to put something in, and not to look
  CHECK(!share_open(path, &err) && strstr(err.message, "somebody speaks in"));
  StageStand stand = stand_at(5), question = asking(0, 0, true);
  Follow *follow = follow_open(path, NULL);
  share_tell(share, &stand);
  CHECK(sees(follow, &stand));
  char *outside = ls_path_join(folder, "outside"), *link = ls_path_join(votes, "41"),
      *pipe_path = ls_path_join(votes, "42");
  const char vote[] = "{\"number\": 41, \"ask\": 0, \"round\": 0, \"option\": 0}\n";
  CHECK(ls_file_write(outside, vote, strlen(vote), NULL));
  CHECK(symlink(outside, link) == 0 && mkfifo(pipe_path, 0666) == 0);      // neither is read, nor waited for
  put_vote(votes, "43", "{\"number\": 44, \"ask\": 0, \"round\": 0, \"option\": 0}\n");   // another's number
  put_vote(votes, "45", "{\"number\": 45, \"ask\": 0,");
  put_vote(votes, "46", "{\"number\": 46, \"ask\": 0, \"round\": 0, \"option\": 1}\n");
  share_tell(share, &question);
  CHECK(sees(follow, &question) && follow_vote(follow, 2));
  CHECK(counts(share, 0, 0, (int[]){0, 1, 1, 0}));
  share_close(share);
  CHECK(comes_to(follow, FOLLOW_SEEKS));
  share = share_open(path, &err);                  // again, at once
  CHECK(share != NULL);
  share_tell(share, &stand);
  CHECK(sees(follow, &stand));
  follow_close(follow);
  share_close(share);
  CHECK(chmod(path, 0700) == 0 && !share_open("/proc/none", &err));
  free(outside), free(link), free(pipe_path), free(votes), free(path);
  tear_down();
}

// ---- pages ----------------------------------------------------------------------------------------------------------

static const char small[] =
    "demo { title = 'A title', minutes = 1 }\n"
    "local READ = { line = 'tile[tx][ty]', kind = 'load', space = 'shared' }\n"
    "scene { kernel = 'transpose_32x32', at = READ, focus = 'banks', big = true, hide = true, say = 'First words.' }\n"
    "ask { 'How many turns?', options = { '1', '2', '32' }, answer = function(r) return r:event(READ).wavefronts end }\n"
    "reveal { say = 'So many turns.' }\n"
    "scene { kernel = 'transpose_32x33', at = READ, focus = 'banks', say = 'Third words.' }\n"
    "whatif { param = 'type', try = { 'double' }, say = 'Other words.' }\n";

typedef struct Pages { RecipeBook *book; Course *course; Page *speaker, *student; Canvas *canvas; } Pages;

static bool shows(Pages *pages, Page *page, const char *words) {
  LsText text = {0};
  pages->canvas->stage = false;
  page_draw(page, pages->canvas);
  canvas_to_text(pages->canvas, false, &text);
  bool found = strstr(ls_text_str(&text), words) != NULL;
  ls_text_free(&text);
  return found;
}

static bool comes(Pages *pages, Page *page, const char *words) {
  for (double end = ls_clock() + PATIENCE; ls_clock() < end; poll(NULL, 0, 1)) {
    pages->speaker->class->tick(pages->speaker, 0.001);
    pages->student->class->tick(pages->student, 0.001);
    if (shows(pages, page, words)) return true;
  }
  LsText text = {0};
  canvas_to_text(pages->canvas, false, &text);
  printf("no '%s' in\n%s\n", words, ls_text_str(&text));
  ls_text_free(&text);
  return false;
}

static void press(Page *page, uint32_t code) { page->class->key(page, (AppKey){.code = code}); }

static void open_pages(Pages *pages) {
  char *file = ls_path_join(folder, "small.lua"), address[64];
  LsErr err = {0};
  CHECK(ls_file_write(file, small, strlen(small), NULL));
  *pages = (Pages){.book = recipe_book_open(NULL, NULL), .course = course_open(NULL, NULL), .canvas = canvas_new(100,
      30)};
  Demo *demo = demo_open(pages->course, file, pages->book, &err);
  CU_ASSERT_FATAL(demo && demo_prepare_all(demo, &err));
  pages->speaker = page_demo_new(demo, pages->book, false, folder);
  Share *share = open_share(address);
  page_demo_connect(pages->speaker, NULL, share);
  pages->student = page_follow_new(follow_open(address, NULL), pages->book);
  free(file);
}

static void close_pages(Pages *pages) {
  pages->student->class->free(pages->student);
  pages->speaker->class->free(pages->speaker);
  pages->course->free(pages->course);
  pages->book->free(pages->book);
  canvas_free(pages->canvas);
}

static void test_pages(void) {
  Pages pages;
  set_up();
  ses_taste.motion = false;
  open_pages(&pages);
  Page *speaker = pages.speaker, *student = pages.student;
  CHECK(comes(&pages, student, "with the speaker"));
  CHECK(comes(&pages, student, "tile[tx][ty]"));
  // Nothing is given away here, either.
  CHECK(!shows(&pages, student, "bank 0") && !shows(&pages, student, "wavefront"));
  CHECK(shows(&pages, speaker, "lanescope follow "));
  press(speaker, KEYX_PGDN);
  CHECK(comes(&pages, student, "Vote:"));
  press(student, 'c');
  CHECK(comes(&pages, student, "counted"));
  CHECK(comes(&pages, speaker, "1 vote"));
  CHECK(!shows(&pages, speaker, "100%"));          // how is not shown before it is closed
  press(student, KEYX_RIGHT);
  CHECK(shows(&pages, student, "alone, f returns"));
  press(student, 'a');                             // a letter of the explorer now
  press(speaker, KEYX_PGDN);
  CHECK(comes(&pages, speaker, "1, 100%"));
  press(speaker, KEYX_PGDN);
  press(speaker, KEYX_PGDN);
  CHECK(shows(&pages, student, "alone"));
  press(student, 'f');
  CHECK(comes(&pages, student, "transpose_32x33"));
  CHECK(comes(&pages, student, "with the speaker"));
  press(speaker, KEYX_PGDN);
  CHECK(comes(&pages, student, "double"));
  close_pages(&pages);
  ses_taste.motion = true;
  tear_down();
}

static const Check checks[] = {
    {"stands as lines", test_stands_as_lines},
    {"stands as command lines", test_command_lines},
    {"a ballot", test_ballot},
    {"addresses", test_addresses},
    {"students follow and vote", test_follows_and_votes},
    {"wrong words", test_wrong_words},
    {"students who say what is none", test_bad_students},
    {"a student who takes nothing", test_a_deaf_student},
    {"the speaker is killed and comes back", test_the_speaker_is_killed},
    {"two speakers", test_two_speakers},
    {"fifty students", test_fifty_students},
    {"a folder", test_a_folder},
    {"the pages of both sides", test_pages},
};

int main(int argc, char **argv) { return check_main("follow", checks, LS_COUNT(checks), argc, argv); }
