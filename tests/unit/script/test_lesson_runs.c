// test_lesson_runs.c: what a lesson may ask of the runs that it measures: form, seed, order, recordings, programs.
#include "course_of.h"
#include "script/recipe.h"

static RecipeBook *book;

// The text of the only screen of a lesson.
static void says(const char *lesson_text, const char *expected) {
  CourseOf of = course_of(lesson_text);
  Lesson *lesson = course_of_lesson(&of, book);
  if (lesson) CHECK_STR(lesson_current(lesson)->text, expected);
  lesson_free(lesson);
  course_of_drop(&of);
}

static void forms_and_seeds(void) {
  says("local good = measure { kernel = 'race_add' }\n"
       "local bad = measure { kernel = 'race_add', form = 'plain', seed = 3, order = 'whole' }\n"
       "say { good.verdict .. ' ' .. bad.verdict .. ' ' .. bad.parameters.form .. ' ' .. bad.faults[1].kind }",
       "right wrong plain race");
}

// 1 of thread 32 is read before and stored after thread 0's 5.
static void one_order_is_chosen(void) {
  says("local function last(order) return measure { kernel = 'race_add_5_1', cut = 'compiled', order_of = order }\n"
       "  :output('v')[0] end\n"
       "say { last('0101') .. ' ' .. last('011') .. ' ' .. last('0') }", "1 5 6");
}

static void sizes_of_the_recipe(void) {
  says("local a = measure { kernel = 'race_add_5_1', lecture = true }\n"
       "local b = measure { kernel = 'race_add_5_1', lecture = true, params = { other = 50 } }\n"
       "local c = measure { kernel = 'race_add_5_1' }\n"
       "say { a.parameters.other .. ' ' .. b.parameters.other .. ' ' .. tostring(c.parameters.other ~= 1917) }",
       "1917 50 true");
}

static void recordings_have_times(void) {
  says("local r = measure { kernel = 'reduce1', device = 'recorded', timing = true }\n"
       "local e = measure { kernel = 'reduce1' }\n"
       "say { tostring(r.measured) .. tostring(e.measured) .. ' ' .. tostring(r.time > 1 and r.time < 1e6) .. ' '\n"
       " .. tostring(r.registers > 0 and r.registers < 256) .. ' ' .. tostring(r.occupancy > 0 and r.occupancy <= 100)\n"
       " .. ' ' .. tostring(r.waves > 0) }", "truefalse true true true true");
}

static void programs_have_launches(void) {
  says("local r = measure { kernel = 'stream_pipeline', params = { n = 256, chunks = 4, rounds = 16 } }\n"
       "local l = r.launches[3]\n"
       "say { #r.launches .. ' ' .. l.kernel .. ' ' .. l.stream .. ' ' .. l.grid[1] .. ' ' .. l.number .. ' '\n"
       " .. tostring(l.counters.warp_instructions > 0) .. ' ' .. tostring(l.start < l.finish and l.finish < r.span) }",
       "4 work s2 1 3 true true");
  says("local r = measure { kernel = 'stream_pipeline', launch = 2, params = { n = 512, chunks = 2, rounds = 16 } }\n"
       "say { r.blocks .. ' ' .. r.threads .. ' ' .. #r.prints }", "2 256 0");
}

static void runs_have_findings(void) {
  says("local r = measure { kernel = 'local_array', form = 'index' }\n"
       "local kinds = {} for _, f in ipairs(r.findings) do kinds[#kinds + 1] = f.kind .. ':' .. f.line end\n"
       "local first = r.findings[1]\n"
       "say { table.concat(kinds, ' ') .. ' ' .. tostring(first.share > 0.05 and #first.message > 20) }",
       "low_occupancy:0 local_memory:10 local_memory:12 true");
}

// The launch leaves its word on the device; what the host prints it fetches later, or never.
static void programs_have_results(void) {
  static const char text[] = "local r = measure { kernel = 'encrypt_host', form = '%s' }\n"
                             "local printed, m = r:result 'printed', r:output 'm'\n"
                             "say { string.char(printed[0], printed[9]) .. string.char(m[0], m[9]) }";
  static const char *const cases[][2] = {{"right", "kgkg"}, {"no-copy-back", "hdkg"}, {"early", "hdkg"}};
  for (int i = 0; i < LS_COUNT(cases); i++) {
    char *filled = ls_format(text, cases[i][0]);
    says(filled, cases[i][1]);
    free(filled);
  }
}

// What is wrong between steps is the program's, not its launch's.
static void programs_are_wrong_between(void) {
  static const char text[] = "local r = measure { kernel = 'copy_back', form = '%s' }\n"
                             "local b = r.between\n"
                             "say { r.verdict .. ' ' .. #r.faults .. ' ' .. (b[1] and b[1].kind .. ' ' .. b[1].step or 'none') }";
  static const char *const cases[][2] = {
      {"right", "right 0 none"}, {"async", "right 0 early_read 4"}, {"elsewhere", "right 0 unordered 3"}};
  for (int i = 0; i < LS_COUNT(cases); i++) {
    char *filled = ls_format(text, cases[i][0]);
    says(filled, cases[i][1]);
    free(filled);
  }
}

static void faults_of_asking(void) {
  static const struct { const char *text; int line; const char *message; } bugs[] = {
      {"say { 'a' }\nmeasure { kernel = 'bcast', parms = { arg = 1 } }", 2,
       "measure has an unknown field 'parms'; did you mean 'params'?"},
      {"run { kernel = 'bcast', att = 'end' }", 1, "run has an unknown field 'att'; did you mean 'at'?"},
      {"local r = measure { kernel = 'bcast' }\nshow(r, { colour = 1 })", 2, "show has an unknown field 'colour'"},
      {"model { 'occupancy', param = { } }", 1, "a model has an unknown field 'param'; did you mean 'params'?"},
      {"measure { kernel = 'race_add', form = 'nothing' }", 1, "form cannot be 'nothing'"},
      {"measure { kernel = 'race_add', order = 'random' }", 1, "run: order is \"turns\" or \"whole\""},
      {"measure { kernel = 'bcast', launch = 2 }", 1, "bcast is one launch"},
      {"measure { kernel = 'bcast', timing = true, lecture = true }", 1, "not both"},
      {"measure { kernel = 'bcast', timing = 1 }", 1, "timing is true or false"},
      {"measure { kernel = 'bcast', profile = 'x200' }", 1, "there is no device profile 'x200'"},
      {"local r = measure { kernel = 'bcast' }\nsay { r.time }", 2, "no GPU made this run of bcast"},
      {"local r = measure { kernel = 'bcast' }\nsay { #r.launches }", 2, "bcast is one launch, not a program"},
      {"local r = measure { kernel = 'bcast' }\nsay { #r.between }", 2, "bcast is one launch, not a program"},
      {"local r = measure { kernel = 'bcast' }\nsay { #r:result 'y' }", 2, "bcast is one launch, not a program"},
      {"local r = measure { kernel = 'sums' }\nsay { #r:result 'z' }", 2, "the program has no buffer 'z'"},
  };
  for (int i = 0; i < LS_COUNT(bugs); i++) course_of_fails(bugs[i].text, bugs[i].line, bugs[i].message, book);
}

static const Check checks[] = {
    {"forms and seeds", forms_and_seeds},
    {"one order is chosen", one_order_is_chosen},
    {"sizes of the recipe", sizes_of_the_recipe},
    {"recordings have times", recordings_have_times},
    {"programs have launches", programs_have_launches},
    {"runs have findings", runs_have_findings},
    {"programs have results", programs_have_results},
    {"programs are wrong between", programs_are_wrong_between},
    {"faults of asking", faults_of_asking},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  book = recipe_book_open(NULL, NULL);
  int status = check_main("lesson_runs", checks, LS_COUNT(checks), argc, argv);
  book->free(book);
  return status;
}
