// commands.c: the table of subcommands; help, the man page and completion are made from it.
#include <limits.h>

#include "cli/cli.h"

enum { ON_RUN = OPT_WHAT | OPT_RUN, EXAM_WORDS = 1 << 20 };

static const CliCommand commands[] = {
    {.name = "lesson", .usage = "[NAME]", .most_words = 1, .groups = OPT_LESSON | OPT_JSON, .run = cmd_lesson,
     .summary = "open or resume a lesson; without a screen, line by line",
     .examples = "lanescope lesson L08\nlanescope lesson L08 --plain\nlanescope lesson --list\nlanescope lesson L11 --auto\n"},
    {.name = "quiz", .usage = "[FAMILY]", .most_words = 1, .groups = OPT_JSON | OPT_LESSON | OPT_QUIZ, .run = cmd_quiz,
     .summary = "questions whose numbers are drawn anew each time: what is due first",
     .examples = "lanescope quiz\nlanescope quiz FQ5\nlanescope quiz --mix 10\nlanescope quiz --lesson L11\n"
                 "lanescope quiz --list\nlanescope quiz --until none\n"},
    {.name = "demo", .usage = "NAME", .most_words = 1, .groups = OPT_JSON | OPT_DEMO, .run = cmd_demo,
     .summary = "scenes for a lecture hall, with the keys of a presenter's remote, questions and votes; a lesson by its "
                "number",
     .examples = "lanescope demo --list\nlanescope demo column\nlanescope demo column --stage --light\n"
                 "lanescope demo L11\nlanescope demo column --check\nlanescope demo column --share\n"
                 "lanescope demo column --handout column.md --light\n"},
    {.name = "notes", .usage = "[NAME]", .most_words = 1, .groups = 0, .run = cmd_notes,
     .summary = "the speaker's second terminal: the notes of the demo under way here, its clock, votes, what comes next",
     .examples = "lanescope notes\nssh laptop lanescope notes --plain\n"},
    {.name = "follow", .usage = "WORD@HOST[:PORT] | FOLDER | NAME [SCENE]", .most_words = 2, .groups = 0,
     .run = cmd_follow,
     .summary = "a student's explorer that goes where the speaker of a demo goes, and votes; or a scene of a demo",
     .examples = "lanescope follow lamo@gpu01\nlanescope follow /shared/talk\nlanescope follow column 2\n"},
    {.name = "exam", .usage = "make FAMILY[:N]... --minutes M -o FILE | FILE --who ID | key FILE --who ID | "
     "marks|tick FILE RESULT...", .most_words = EXAM_WORDS, .groups = OPT_EXAM | OPT_OUTPUT | OPT_JSON, .run = cmd_exam,
     .summary = "an exam whose numbers are each student's own: made by a teacher, taken, its key, its marks",
     .examples = "lanescope exam make FQ1 FQ4 FQ5:2 EQ1 --minutes 30 --title Midterm -o midterm.exam\n"
                 "lanescope exam midterm.exam --who 01234567\n"
                 "lanescope exam midterm.exam --who 01234567 --print\n"
                 "lanescope exam key midterm.exam --who 01234567\n"
                 "lanescope exam marks midterm.exam midterm.exam.01234567.result --csv\n"},
    {.name = "practice", .usage = "[NAME]", .most_words = 1, .groups = OPT_JSON | OPT_PRACTICE, .run = cmd_practice,
     .summary = "kernels to write, from the first index to a scan in one pass: judged on sizes and data that are drawn",
     .examples = "lanescope practice --list\nlanescope practice transpose\n"
                 "lanescope practice transpose --check mine.cu\n"
                 "lanescope practice 07 --check mine.cu --json --seed 5\n"},
    {.name = "report", .usage = "-o FILE", .groups = OPT_OUTPUT | OPT_REPORT, .run = cmd_report,
     .summary = "what you have done, as a file to hand in: lessons, skills, wrong answers. Nothing is sent",
     .examples = "lanescope report -o me.json\nlanescope report -o me.json --as 'Ada L.'\n"
                 "lanescope report -o me.csv --csv\nlanescope report -o - | less\n"},
    {.name = "class", .usage = "FILE|FOLDER...", .most_words = INT_MAX, .groups = OPT_JSON | OPT_CLASS,
     .run = cmd_class,
     .summary = "what a class can do, from the reports of its students: worst skills first, commonest wrong answers",
     .examples = "lanescope class me.json\nlanescope class . --lesson L11\nlanescope class . --csv > points.csv\n"
                 "lanescope class . --json --anonymous\n"},
    {.name = "kernels", .usage = "[NAME]", .most_words = 1, .groups = OPT_JSON, .run = cmd_kernels,
     .summary = "the catalog of lecture kernels with their parameters",
     .examples = "lanescope kernels\nlanescope kernels reduce2\n"},
    {.name = "what", .usage = "[WORD]", .most_words = 6, .groups = OPT_JSON, .run = cmd_what,
     .summary = "what a word of the course means; without one, all words that it can tell of",
     .examples = "lanescope what wavefront\nlanescope what is a bank conflict\nlanescope what --json\n"},
    {.name = "explore", .usage = "WHAT", .most_words = 1, .groups = ON_RUN | OPT_PLACE, .run = cmd_explore,
     .summary = "walk through a kernel: a lecture kernel, a .cu or .ptx file, or a trace",
     .examples = "lanescope explore reduce2\nlanescope explore reduce2 -p threads=64 --code compiled\n"
                 "lanescope explore mine.cu\n"
                 "lanescope explore mine.cu -k saxpy -g 4 -b 256 -a float=2 -a 'float[1000]=iota' "
                 "-a 'float[1000]=const:1' -a int=1000\n"},
    {.name = "stats", .usage = "WHAT [WHAT]", .most_words = 2, .groups = ON_RUN | OPT_JSON | OPT_STATS,
     .run = cmd_stats,
     .summary = "run and print the counters, the findings (what wastes, where, why, the cure) and the faults; of two "
                "programs their launches side by side",
     .examples = "lanescope stats matmul_tiled\nlanescope stats transpose_32x32 --json\n"
                 "lanescope stats transpose_32x32 --sarif findings.sarif\n"
                 "lanescope stats matmul_tiled --device emu --runner 'nice -n 19'\n"},
    {.name = "grade", .usage = "FOLDER...", .most_words = 1 << 20, .groups = OPT_GRADE | OPT_JSON, .run = cmd_grade,
     .summary = "what practice says of a whole class's files, in parallel",
     .examples = "lanescope grade week3\nlanescope grade week3 --exercise transpose --csv > marks.csv\n"
                 "lanescope grade week3 --seed 7 --json\nlanescope grade week3 --runner 'srun -n1' --jobs 16\n"},
    {.name = "test", .usage = "PATH...", .most_words = 1 << 20, .groups = OPT_RUN | OPT_JSON | OPT_TEST,
     .run = cmd_test,
     .summary = "run the recipes of one's own in folders: results, faults, limits on counters; TAP, for CI",
     .examples = "lanescope test kernels\nlanescope test kernels --junit results.xml\n"
                 "lanescope test kernels/scale.lua --orders 100 --strict\nlanescope test . --json\n"},
    {.name = "trace", .usage = "WHAT -o FILE", .most_words = 1, .groups = ON_RUN | OPT_OUTPUT, .run = cmd_trace,
     .summary = "run and save the trace",
     .examples = "lanescope trace reduce2 --blocks 0,3 -o reduce2.lst\n"
                 "lanescope trace sums -p blocks=64 -o fewer.lst\nlanescope stats sums fewer.lst\n"},
    {.name = "play", .usage = "FILE", .most_words = 1, .groups = OPT_PLACE, .run = cmd_play,
     .summary = "the explorer on a saved trace; --plain prints the sentences of its events",
     .examples = "lanescope play reduce2.lst\nlanescope play --plain reduce2.lst | less\n"},
    {.name = "export", .usage = "WHAT --at STEP --view NAME", .most_words = 1,
     .groups = ON_RUN | OPT_PLACE | OPT_EXPORT | OPT_OUTPUT,
     .run = cmd_export, .summary = "one picture of a trace or a run",
     .examples = "lanescope export reduce2.lst --at line:16 --view banks --format svg > banks.svg\n"
                 "lanescope export reduce2 --at 1184 --view screen --size 120x36 --format ansi\n"},
    {.name = "cast", .usage = "WHAT --from STEP --to STEP -o FILE.cast", .most_words = 1,
     .groups = ON_RUN | OPT_PLACE | OPT_CAST | OPT_OUTPUT, .run = cmd_cast,
     .summary = "a moving picture of some steps as play shows them, for slides and web pages (asciicast v2)",
     .examples = "lanescope cast transpose_32x32 --from line:15 --to line:15 -o conflict.cast\n"
                 "lanescope cast warp_reduce --from 0 --to end --stage --size 60x18 -o butterfly.cast\n"
                 "lanescope cast waves -p blocks=20 -o waves.cast\n"
                 "lanescope cast occupancy --from registers=16 --to registers=64 -o staircase.cast\n"},
    {.name = "model", .usage = "[NAME]", .most_words = 1, .groups = OPT_MODEL | OPT_JSON | OPT_RUN, .run = cmd_model,
     .summary = "a picture without a kernel, drawn from its parameters: occupancy and others",
     .examples = "lanescope model\nlanescope model occupancy -p profile=v100 -p registers=34\n"
                 "lanescope model occupancy -p threads=320 --json\n"
                 "lanescope model latency --kernel transpose_32x32\n"
                 "lanescope model roofline --kernel gpumult0 --kernel gputiled\n"
                 "lanescope export occupancy -p threads=320 --view model --format svg > occupancy.svg\n"},
    {.name = "occupancy", .usage = "--device NAME --block X[,Y[,Z]] --regs N --shared BYTES", .groups =
     OPT_OCCUPANCY | OPT_JSON,
     .run = cmd_occupancy, .summary = "how much of a multiprocessor a launch can fill, and what limits it",
     .examples = "lanescope occupancy --device v100 --block 256 --regs 34\n"},
    {.name = "claims", .usage = "[ID]", .most_words = 1, .groups = OPT_JSON | OPT_CLAIMS, .run = cmd_claims,
     .summary = "every number of the lectures: theirs, ours, and whether they agree",
     .examples = "lanescope claims\nlanescope claims C027\nlanescope claims --json\nlanescope claims --device cuda\n"},
    {.name = "museum", .usage = "[ID]", .most_words = 1, .groups = OPT_JSON, .run = cmd_museum,
     .summary = "the mistakes of the lectures as rooms: find it, see what the checks say, see the cure",
     .examples = "lanescope museum\nlanescope museum E104\nlanescope museum --json\n"},
    {.name = "devices", .usage = "", .groups = OPT_JSON, .run = cmd_devices,
     .summary = "the devices that can run kernels, and the profiles that can be assumed", .examples =
         "lanescope devices --json\n"},
    {.name = "doctor", .usage = "", .groups = OPT_JSON, .run = cmd_doctor,
     .summary = "what this machine has (GPU, compiler, terminal) and what that means", .examples =
         "lanescope doctor\n"},
    {.name = "completion", .usage = "bash|zsh", .most_words = 1, .groups = 0, .run = cmd_completion,
     .summary = "print a completion script", .examples = "source <(lanescope completion bash)\n"},
    {.name = "man", .usage = "", .groups = 0, .run = cmd_man, .summary = "print the man page",
     .examples = "lanescope man | man -l -\n"},
    {.name = "serve-run", .usage = "", .groups = 0, .run = cmd_serve, .hidden = true,
     .summary = "run requests from standard input; what --runner starts on the other machine, not for people",
     .examples = "lanescope stats reduce2 --device emu --runner nice\n"},
    {.name = "serve-compile", .usage = "FILE -o PTX", .most_words = 1, .groups = ON_RUN | OPT_OUTPUT, .run =
     cmd_serve_compile,
     .hidden = true,
     .summary = "compile with NVRTC, in a process that can be ended; not for people",
     .examples = "lanescope serve-compile mine.cu --code written -o mine.g.ptx\n"},
    {.name = "serve-judge", .usage = "", .groups = 0, .run = cmd_serve_judge, .hidden = true,
     .summary = "judge one submission from standard input, apart and with limits; what grade starts, not for people",
     .examples = "lanescope grade week3 --runner 'nice -n 19'\n"},
};

const CliCommand *cli_commands(int *count) {
  *count = LS_COUNT(commands);
  return commands;
}
