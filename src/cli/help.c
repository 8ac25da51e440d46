// help.c: help texts, the man page and shell completion, all from the tables of commands and options.
#include <string.h>

#include "app/session/session.h"
#include "cli/cli.h"
#include "cli/man_report.h"
#include "cli/speed.h"
#include "config.h"
#include "ui/views/view.h"

// The options by the commands that take them, in the order in which they are listed.
static const struct { unsigned group; const char *title; } groups[] = {
    {OPT_EVERY, "Options of every command"},
    {OPT_JSON, "Of lesson, quiz, class, grade, kernels, what, stats, test, model, occupancy, claims, museum, devices and "
               "doctor"},
    {OPT_WHAT, "What is run, of explore, stats, trace, export and cast"},
    {OPT_RUN, "How it is run, of the same commands, of test, and of model --kernel"},
    {OPT_MODEL, "Of model"},
    {OPT_OUTPUT, "Of trace, export, cast and report"},
    {OPT_PLACE, "A place in the run, of explore, play, export and cast"},
    {OPT_EXPORT, "Of export"},
    {OPT_CAST, "Of cast"},
    {OPT_LESSON, "Of lesson and quiz"},
    {OPT_QUIZ, "Of quiz"},
    {OPT_PRACTICE, "Of practice"},
    {OPT_DEMO, "Of demo"},
    {OPT_REPORT, "Of report"},
    {OPT_CLASS, "Of class"},
    {OPT_STATS, "Of stats, and --orders of test"},
    {OPT_TEST, "Of test; --jobs of grade, too"},
    {OPT_GRADE, "Of grade"},
    {OPT_OCCUPANCY, "Of occupancy"},
    {OPT_CLAIMS, "Of claims"},
};

static bool in_group(const OptionDef *option, int group) {
  unsigned before = 0;
  for (int i = 0; i < group; i++) before |= groups[i].group;
  return option->groups & groups[group].group && !(option->groups & before);
}

// The help of an option as it is, or with the names that it takes from another table.
static const char *option_help(const OptionDef *option, LsText *text) {
  ls_text_clear(text);
  ls_text_add(text, option->help);
  int count;
  const View *views = view_all(&count);
  for (int i = 0; option == cli_option(OPT_ID_VIEW) && i < count; i++)
    if (strcmp(views[i].name, "screen") != 0) ls_text_addf(text, " %s", views[i].name);
  return ls_text_str(text);
}

enum { HELP_COLUMN = 32, HELP_COLS = 80 };

// Words from HELP_COLUMN on, folded at HELP_COLS; what is left of them has been printed, `at` columns of it.
static void print_folded(FILE *out, int at, const char *text) {
  while (*text) {
    int length = (int)strcspn(text, " ");
    bool fold = at > HELP_COLUMN && at + 1 + length > HELP_COLS;
    if (fold || at > HELP_COLUMN) fputc(fold ? '\n' : ' ', out), at = fold ? 0 : at + 1;
    if (at < HELP_COLUMN) fprintf(out, "%*s", HELP_COLUMN - at, ""), at = HELP_COLUMN;
    fprintf(out, "%.*s", length, text);
    at += length;
    text += length + (text[length] == ' ');
  }
  fputc('\n', out);
}

static void print_option(FILE *out, const OptionDef *option) {
  LsText text = {0};
  const char *help = option_help(option, &text);
  char left[80];
  int n = 0;
  n += snprintf(left + n, sizeof left - (size_t)n, "  %c%c%s", option->letter ? '-' : ' ', option->letter ?
                option->letter : ' ',
                option->letter && option->name ? ", " : "  ");
  if (option->name) n += snprintf(left + n, sizeof left - (size_t)n, "--%s", option->name);
  if (option->argument) snprintf(left + n, sizeof left - (size_t)n, " %s", option->argument);
  bool wide = strlen(left) > HELP_COLUMN - 2;
  fprintf(out, "%s%s", left, wide ? "\n" : "");
  print_folded(out, wide ? 0 : (int)strlen(left), help);
  ls_text_free(&text);
}

static void print_options(FILE *out, const char *title, unsigned taken) {
  fprintf(out, "\n%s:\n", title);
  for (int i = 0; i < OPT_ID_COUNT; i++)
    if (cli_option((OptionId)i)->groups & taken) print_option(out, cli_option((OptionId)i));
}

static void print_all_options(FILE *out) {
  for (int group = 0; group < LS_COUNT(groups); group++) {
    fprintf(out, "\n%s:\n", groups[group].title);
    for (int i = 0; i < OPT_ID_COUNT; i++)
      if (in_group(cli_option((OptionId)i), group)) print_option(out, cli_option((OptionId)i));
  }
}

static void program_help(FILE *out, bool full) {
  int count;
  const CliCommand *commands = cli_commands(&count);
  if (full)
    fputs("Examples:\n  lanescope                      the course\n"
          "  lanescope explore reduce2      walk through the warps of a reduction\n"
          "  lanescope stats matmul_tiled   its counters\n"
          "  lanescope explore mine.cu -g 4 -b 256 -a 'f32[1024]=iota' -a i32=1024\n\n", out);
  fputs("lanescope: see what the 32 lanes of a warp really do\n\nUsage: lanescope [COMMAND] [OPTION]...\n\nCommands:\n", out);
  for (int i = 0; i < count; i++)
    if (!commands[i].hidden) fprintf(out, "  %-12s%s\n", commands[i].name, commands[i].summary);
  if (full) print_all_options(out);
  else print_options(out, "Options", OPT_EVERY);
  if (!full) fputs("\nlanescope COMMAND --help tells more of one command.\n", out);
}

static void print_examples(FILE *out, const CliCommand *command) {
  fputs("Examples:\n", out);
  for (const char *p = command->examples; *p;) {
    size_t length = strcspn(p, "\n");
    fprintf(out, "  %.*s\n", (int)length, p);
    p += length + (p[length] == '\n');
  }
  fputs("\n", out);
}

void cli_help(FILE *out, const CliCommand *command, bool full) {
  if (!command) {
    program_help(out, full);
    return;
  }
  if (full) print_examples(out, command);
  fprintf(out, "lanescope %s: %s\n\nUsage: lanescope %s%s%s\n", command->name, command->summary, command->name,
          *command->usage ? " " : "", command->usage);
  if (command->groups) print_options(out, "Options", command->groups);
  if (full) print_options(out, command->groups ? groups[0].title : "Options", OPT_EVERY);
}

// ---- man page ------------------------------------------------------------------------------------------------------

static void roff(FILE *out, const char *text) {
  if (*text == '.' || *text == '\'') fputs("\\&", out);
  for (; *text; text++) {
    if (*text == '\\') fputs("\\e", out);
    else if (*text == '-') fputs("\\-", out);
    else fputc(*text, out);
  }
}

static void roff_option(FILE *out, const OptionDef *option) {
  fputs(".TP\n\\fB", out);
  if (option->letter) fprintf(out, "\\-%c", option->letter);
  if (option->letter && option->name) fputs("\\fR, \\fB", out);
  if (option->name) fputs("\\-\\-", out), roff(out, option->name);
  fputs("\\fR", out);
  if (option->argument) fputs(" \\fI", out), roff(out, option->argument), fputs("\\fR", out);
  fputs("\n", out);
  LsText text = {0};
  roff(out, option_help(option, &text));
  ls_text_free(&text);
  fputs("\n", out);
}

static void roff_options(FILE *out) {
  fputs(".SH OPTIONS\n", out);
  for (int group = 0; group < LS_COUNT(groups); group++) {
    fprintf(out, ".SS %s\n", groups[group].title);
    for (int i = 0; i < OPT_ID_COUNT; i++)
      if (in_group(cli_option((OptionId)i), group)) roff_option(out, cli_option((OptionId)i));
  }
}

static void roff_keys(FILE *out) {
  fputs(".SH KEYS\n", out);
  const char *section = NULL;
  for (int i = 0; i < CMD_GOTO; i++) {
    const CommandDef *command = command_def((CommandId)i);
    if (command_section((CommandId)i) != section) section = command_section((CommandId)i),
        fprintf(out, ".SS %s\n", section);
    fputs(".TP\n", out);
    uint32_t code;
    for (int n = 0; (code = command_key((CommandId)i, n)); n++) {
      fputs(n ? ", \\fB" : "\\fB", out);
      roff(out, key_name(code, false));
      fputs("\\fR", out);
    }
    fputs("\n", out);
    roff(out, command->help);
    fputs("\n", out);
  }
}

// What a command runs, in the words of the command line.
static void roff_what(FILE *out) {
  static const char *const forms[][2] = {
      {"TYPE=VALUE", "a scalar; TYPE is u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64, or C's word for it: int, unsigned char, size_t, "
       "half, float; a vector has its lanes: float2=1,2"},
      {"TYPE[COUNT]=INIT", "a buffer in global memory, whose address is the argument; float4[100] has 400 elements"},
      {"TYPE[COUNT]=INIT>FILE", "the same, and its bytes are written to FILE after the run"},
      {"tex.TYPE[WxH]=INIT,OPTION,...",
       "a texture object with texels of TYPE, TYPEx2 or TYPEx4, in [W], [WxH] or [WxHxD]; options are linear "
       "or point; clamp, wrap, mirror or border (as in wrap/clamp for x and y); normalized (coordinates); float (8- and 16-bit "
       "numbers are read as 0 to 1); layered (the last number counts layers); cube (a cube map [WxWx6] of faces +x -x +y -y +z -z, or "
       "with layered [WxWx12] and so on; the filter stays in a face)"},
      {"surf.TYPE[WxH]=INIT>FILE", "a surface object; its only option is layered"},
      {"struct:MEMBER=VALUE,...",
       "a struct by value. MEMBER is a name, with .name and [index] behind it where it has such; what is not named is zero. Arrays and "
       "structs take {V,V,...}, pointers a buffer: struct:n=100,x=float[100]=iota,v={1,2,3}"},
      {"struct:TYPE=VALUE,...",
       "the same where nobody knows the names: all members in order, an array in place as TYPE[COUNT]={V,V,...}"},
      {"NAME=VALUE, NAME=TYPE[COUNT]=INIT", "the parameter of that name, where the source is known"},
      {"@NAME=TYPE:V,V,..., @NAME=INIT, @NAME=struct:...",
       "contents of a __device__ or __constant__ variable before the launch (NAME may have its namespace); a pointer takes TYPE[COUNT]=INIT"},
      {"@NAME>FILE", "writes the variable to FILE after the run; also behind its contents"},
  };
  fputs(".SH WHAT IS RUN\nWHAT is the name of a lecture kernel, with \\fB\\-p\\fR \\fINAME=VALUE\\fR for its parameters; or "
        "a .cu or .ptx file with its launch: \\fB\\-g\\fR blocks, \\fB\\-b\\fR threads, and one \\fB\\-a\\fR for each parameter "
        "of the kernel, in order; or, where nothing has to run, a saved trace.\n", out);
  for (int i = 0; i < LS_COUNT(forms); i++) {
    fputs(".TP\n\\fB\\-a\\fR \\fI", out);
    roff(out, forms[i][0]);
    fprintf(out, "\\fR\n%s\n", forms[i][1]);
  }
  fputs(".PP\nINIT is zero, iota (0, 1, 2, ...), const:V, mod:M (the index modulo M), random:SEED, file:PATH (raw little\\-endian "
        "bytes), none (never written: reading it is a fault), or the values themselves: V,V,...\n", out);
}

// What `stats --json` adds where a GPU ran the kernel.
static void roff_measure(FILE *out) {
  const char *object, *key, *help;
  fputs(".SH MEASURED NUMBERS\nWhere a GPU ran the kernel, \\fBstats \\-\\-json\\fR adds the objects \"measure\" and \"waves\"; "
        "\"numbers\" says emulated, measured or recorded. What is not known is null.\n", out);
  for (int i = 0; speed_key(i, &object, &key, &help); i++) {
    fprintf(out, ".TP\n\\fB%s.%s\\fR\n", object, key);
    roff(out, help);
    fputs("\n", out);
  }
}

// What the times of a program rest on: the rows of program_model.def.
static void roff_model(FILE *out) {
  fputs(".SH TIMES OF PROGRAMS\nThe times of a program of several launches, in \\fBstats\\fR and on its timeline (T in the "
        "explorer), are computed from a model: copies take the latency and their bytes over the rate of the link, kernels as "
        "many waves as their blocks need, the host its calls. \\fB\\-\\-model\\fR \\fIKEY=VALUE\\fR changes it; the "
        "object \"model\" of \\fBstats \\-\\-json\\fR has all values. A profile brings its own.\n", out);
  for (int i = 0; i < PROGRAM_MODEL_COUNT; i++) {
    const ProgramModelDef *def = program_model_def((ProgramModelId)i);
    fprintf(out, ".TP\n\\fB%s\\fR ", def->key);
    if (def->words) roff(out, def->words);
    else fprintf(out, "%g to %g%s%s", def->least, def->most, *def->unit ? " " : "", def->unit);
    fputs("\n", out);
    roff(out, def->help);
    fputs("\n", out);
  }
}

static void roff_ssh(FILE *out) {
  fputs(".SS Over ssh\nEvery run is a connection of its own, without a terminal, so ssh cannot ask for a password, nor whether a "
        "new host is the right one. Log in by hand once, and use a key with ssh\\-agent, or share a connection that is open "
        "already, with \\fBControlMaster auto\\fR, \\fBControlPath ~/.ssh/%C\\fR and \\fBControlPersist 10m\\fR for that host in "
        "\\fI~/.ssh/config\\fR: then \\fBssh gpu01 true\\fR asks, and lanescope gets in for ten minutes. What the shell's startup "
        "files print there is passed over; they must not read the standard input. \\fBssh \\-t\\fR, \\fB\\-n\\fR and \\fB\\-f\\fR "
        "keep the two sides from talking. Traces are compressed, inputs and outputs are not: \\fBssh \\-C\\fR. When this program "
        "ends, or the connection breaks, the process there ends, too.\n", out);
}

static void roff_slurm(FILE *out) {
  fputs(".SS With Slurm\nEvery run is a job of its own: \\fB\\-\\-runner\\fR 'srun \\-\\-gres=gpu:1'. While srun says that it is "
        "queued, that is shown and the time limit does not count; Esc or ^C cancels the job. lanescope has to be in a folder that "
        "the nodes see; srun takes PATH along. It must start one task (\\fB\\-n 1\\fR), without \\fB\\-\\-pty\\fR and "
        "\\fB\\-u\\fR. For more than a few runs, \\fBsalloc \\-\\-gres=gpu:1\\fR, and inside it \\fB\\-\\-runner\\fR 'srun \\-n "
        "1'. With \\fB\\-\\-runner\\fR 'ssh login srun \\-\\-gres=gpu:1' a job that is canceled while it is queued stays there "
        "until its turn, and then ends at once. Never kill srun with SIGKILL: its job may keep the GPU until Slurm's own time "
        "limit.\n", out);
}

static void roff_runner(FILE *out) {
  fputs(".SH RUNNING ELSEWHERE\nA GPU is used by a process of its own, which is this program as \\fBlanescope serve\\-run\\fR, so "
        "that a kernel that hangs or a driver that crashes costs a message and no session. \\fB\\-\\-runner\\fR \\fICOMMAND\\fR "
        "starts it on another machine: the words \\fBlanescope serve\\-run\\fR are put behind the command, and /bin/sh runs the "
        "line, without a terminal. What COMMAND prints before serve\\-run answers is passed over. lanescope has to be installed "
        "there, of a version that speaks the same protocol; the folder of this program is the last one of COMMAND's PATH. Kernels "
        "are compiled to PTX here; PTX, launch and inputs travel there, and the run and the outputs come back.\n.PP\n"
        "\\fB\\-\\-device\\fR auto is the emulator, with \\fB\\-\\-runner\\fR it is cuda; with \\fB\\-\\-device\\fR emu the "
        "emulator of that machine does the work. \\fBLANESCOPE_RUNNER\\fR is the \\fB\\-\\-runner\\fR of \\fB\\-\\-device\\fR "
        "cuda where none is given. \\fB\\-\\-time\\-limit\\fR counts once for the answer of the other side, and once more from "
        "the request to the first results.\n", out);
  roff_ssh(out);
  roff_slurm(out);
}

static void roff_exams(FILE *out) {
  fputs(".SH EXAMS\n\\fBlanescope exam make\\fR chooses questions of families (\\fBFQ5\\fR, \\fBFQ5:3\\fR for three of them, "
        "\\fBbanks\\fR for a word of the topic, \\fBFQ6:1+open\\fR with the open question, \\fBFQ6:open\\fR for that alone) and a "
        "seed by chance, and seals the file with a word of yours. Each ID gets other numbers of the same class, and an order of "
        "its own; the file and the ID give the same paper on every machine that has the same questions.\n.PP\n"
        "\\fBlanescope exam\\fR \\fIFILE\\fR \\fB\\-\\-who\\fR \\fIID\\fR sits for it. Every answer is on disk at once, in "
        "\\fIFILE.ID.result\\fR (or that of \\fB\\-o\\fR), so that whatever ends the program, the same command leads back; the time "
        "goes on meanwhile, by the clock of the day or by that since the machine was started, whichever says more. When it is "
        "handed in, or the time is up, a receipt is shown: write it down in the room.\n.PP\n"
        "\\fBexam key\\fR has the answers of an ID, \\fBexam tick\\fR asks for the points of open answers without saying whose they "
        "are, \\fBexam marks\\fR checks results and marks them: questions of several true options or of an order count as a whole. "
        "\\fB\\-\\-print\\fR makes the paper, or the key, for printing.\n.PP\n"
        "Each line of a result carries a code that rests on the word and on the line before it: a change, a line left out, another "
        "ID or another exam are seen. That is no proof against somebody with a debugger: the program has to draw the questions and "
        "make the codes without the word, so whoever takes it apart can read answers from the exam, and make a result that looks "
        "genuine. For real stakes use it in a supervised room, give the exam out when it begins, and compare receipts.\n", out);
}

static void roff_examples(FILE *out) {
  int count;
  const CliCommand *commands = cli_commands(&count);
  fputs(".SH EXAMPLES\n.nf\n", out);
  for (int i = 0; i < count; i++) roff(out, commands[i].examples);
  fputs(".fi\n", out);
}

void cli_man(FILE *out) {
  int count;
  const CliCommand *commands = cli_commands(&count);
  fputs(".TH LANESCOPE 1 \"\" \"lanescope " PACKAGE_VERSION "\" \"User Commands\"\n.SH NAME\n"
        "lanescope \\- terminal tutor and visual warp explorer for CUDA\n"
        ".SH SYNOPSIS\n\\fBlanescope\\fR [\\fICOMMAND\\fR] [\\fIOPTION\\fR]...\n"
        ".SH DESCRIPTION\nRuns real kernels and shows what the 32 lanes of a warp do: masks, divergence, sectors, banks, shuffles, "
        "barriers, atomics. Without a command it opens the course.\n.SH COMMANDS\n", out);
  for (int i = 0; i < count; i++) {
    fprintf(out, ".TP\n\\fBlanescope %s\\fR ", commands[i].name);
    roff(out, commands[i].usage);
    fputs("\n", out);
    roff(out, commands[i].summary);
    fputs("\n", out);
  }
  roff_what(out);
  roff_runner(out);
  man_report(out);
  roff_options(out);
  roff_keys(out);
  roff_model(out);
  roff_measure(out);
  roff_exams(out);
  roff_examples(out);
  fputs(".SH EXIT STATUS\n0 ran clean; 1 the kernel has a fault, a wrong answer or a failed check; 2 the request is bad; "
        "3 the environment lacks something.\n"
        ".SH FILES\n\\fI$XDG_STATE_HOME/lanescope\\fR, \\fI$XDG_CACHE_HOME/lanescope\\fR\n"
        ".SH TERMINALS\nControl characters of a kernel's printf, of names and of traces are shown, as \\ee[2J, and not obeyed. Where the\n"
        "output goes to a file or a pipe, what the kernel printed stands there as it printed it.\n"
        ".SH ENVIRONMENT\nNO_COLOR, CLICOLOR_FORCE, TERM, LANESCOPE_DATA, LANESCOPE_ISA, LANESCOPE_RUNNER, CUDA_VISIBLE_DEVICES;\n"
        "LANESCOPE_DATA is the directory of kernels, lessons, lua and assets; LANESCOPE_ISA the instruction set of the emulator's\n"
        "arithmetic: generic, avx2 or avx512, the best one if it is not set;\n"
        "LANESCOPE_ARCH is the compute capability that .cu files are compiled for, without its point: 75 if it is not set,\n"
        "80 for files that include a header of asynchronous copies;\n"
        "LANESCOPE_COMPILER is the only compiler of .cu files to be asked: nvrtc, nvcc or clang; LANESCOPE_NVRTC the file of the library\n"
        "of NVRTC, which is otherwise looked for where the linker and Python's packages have it;\n"
        "LANESCOPE_CUDA_LIBRARY names the file of another NVIDIA driver library than libcuda.so.1;\n"
        "LANESCOPE_CUDADEVRT that of NVIDIA's device runtime, libcudadevrt.a: kernels that launch kernels need it on a GPU\n"
        ".SH BUGS\nWhile a kernel tells its events, lanes of a warp that parted may meet again later than in the plain kernel.\n", out);
}

// ---- completion ----------------------------------------------------------------------------------------------------

static void print_words(FILE *out) {
  int count;
  const CliCommand *commands = cli_commands(&count);
  for (int i = 0; i < count; i++)
    if (!commands[i].hidden) fprintf(out, "%s ", commands[i].name);
}

static void print_option_words(FILE *out) {
  const char *last = "";   // options that share a name stand side by side
  for (int i = 0; i < OPT_ID_COUNT; i++) {
    const char *name = cli_option((OptionId)i)->name;
    if (name && strcmp(name, last) != 0) fprintf(out, "--%s ", last = name);
  }
}

// An option whose argument is one of a few words offers them.
static void print_choices(FILE *out) {
  for (int i = 0; i < OPT_ID_COUNT; i++) {
    const OptionDef *option = cli_option((OptionId)i);
    if (!option->argument || option->argument[0] == '[' || !strchr(option->argument, '|')) continue;
    fprintf(out, "    --%s) words='", option->name);
    for (const char *p = option->argument; *p; p++) fputc(*p == '|' ? ' ' : *p, out);
    fputs("' ;;\n", out);
  }
}

static void bash_completion(FILE *out) {
  fputs("_lanescope() {\n  local word=${COMP_WORDS[COMP_CWORD]} files= words=\n  case ${COMP_WORDS[COMP_CWORD-1]} in\n", out);
  print_choices(out);
  fputs("    -o|--output) files=-f ;;\n    *) if [[ $word == -* ]]; then\n      words='", out);
  print_option_words(out);
  fputs("'\n    elif [[ $COMP_CWORD == 1 ]]; then\n      words='", out);
  print_words(out);
  fputs("'\n    else\n      case ${COMP_WORDS[1]} in\n        completion) words='bash zsh' ;;\n"
        "        lesson) words=$(lanescope lesson --list 2>/dev/null | cut -d' ' -f1) ;;\n"
        "        what) words=$(lanescope what 2>/dev/null | cut -c1-28 | tr ' ' '-' | sed 's/-*$//') ;;\n"
        "        kernels|explore|stats|trace|export) words=$(lanescope kernels 2>/dev/null | cut -d' ' -f1) ;;\n      esac\n"
        "      [[ ${COMP_WORDS[1]} =~ ^(explore|stats|trace|play|export|class|test|grade)$ ]] && files=-f\n    fi ;;\n"
        "  esac\n"
        "  COMPREPLY=($(compgen $files -W \"$words\" -- \"$word\"))\n}\ncomplete -o filenames -F _lanescope lanescope\n", out);
}

static void zsh_completion(FILE *out) {
  fputs("#compdef lanescope\n_lanescope() {\n  if [[ $words[CURRENT] == -* ]]; then\n    compadd -- ", out);
  print_option_words(out);
  fputs("\n  elif (( CURRENT == 2 )); then\n    compadd -- ", out);
  print_words(out);
  fputs("\n  else\n    compadd -- $(lanescope kernels --plain 2>/dev/null | cut -d' ' -f1)\n    _files\n  fi\n}\n"
        "compdef _lanescope lanescope\n", out);
}

int cli_completion(const char *shell, FILE *out, LsErr *err) {
  if (strcmp(shell, "bash") == 0) return bash_completion(out), 0;
  if (strcmp(shell, "zsh") == 0) return zsh_completion(out), 0;
  ls_fail(err, LS_EREQUEST, "completion is for bash or zsh, not '%s'", LS_QUOTE(shell));
  return -1;
}

int cmd_completion(Cli *cli, LsErr *err) {
  const char *shell = cli_word(cli, "bash or zsh", err);
  return shell ? cli_completion(shell, stdout, err) : -1;
}

int cmd_man(Cli *cli, LsErr *err) {
  (void)cli, (void)err;
  cli_man(stdout);
  return 0;
}
