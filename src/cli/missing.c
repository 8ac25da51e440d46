// missing.c: compares the options of a launch with the signature of its kernel.
#include "cli/missing.h"

#include <string.h>

#include "app/own/reading.h"

void missing_given(const Cli *cli, FormGiven *given) {
  *given = (FormGiven){.kernel = cli->value[OPT_ID_KERNEL], .grid = cli->value[OPT_ID_GRID],
                       .block = cli->value[OPT_ID_BLOCK],
                       .shared = cli->value[OPT_ID_SHARED], .args = cli->args, .arg_count = cli->arg_count};
}

static void missing_words(const Cli *cli, const Signature *sig, LsText *out) {
  bool first = true;
  FormGiven given;
  missing_given(cli, &given);
  if (!cli->given[OPT_ID_GRID]) ls_text_add(out, "-g (blocks), ");
  if (!cli->given[OPT_ID_BLOCK]) ls_text_add(out, "-b (threads of each), ");
  for (int i = 0; i < sig->param_count; i++) {
    if (form_given_for(sig, &given, i) >= 0) continue;
    ls_text_addf(out, "%s%s", first ? "-a for " : ", ", sig->params[i].name);
    first = false;
  }
  if (first && out->length) out->length -= 2;   // the last comma
}

static void add_line(const Cli *cli, const OwnFile *file, const Signature *sig, LsErr *err) {
  Form form;
  FormWords words;
  LsText line = {0};
  FormGiven given;
  missing_given(cli, &given);
  form_init(&form, sig, file->source);
  form_take(&form, &given, NULL);
  form_words(&form, file->kernels->count > 1, &words);
  ls_text_addf(&line, "lanescope %s ", cli->command);
  launch_quote(file->path, &line);
  if (cli->given[OPT_ID_PLAIN]) ls_text_add(&line, " --plain");
  for (int i = 0; i < words.count; i++) ls_text_addf(&line, " %s", words.items[i]);
  ls_err_append(err, "This would run, as a first guess:\n  %s", ls_text_str(&line));
  form_words_free(&words);
  form_fini(&form);
  ls_text_free(&line);
}

void missing_add(const Cli *cli, const char *path, LsErr *err) {
  OwnFile *file = err->kind == LS_EREQUEST && ownfile_is_one(path) ? ownfile_read(path, NULL) : NULL;
  int kernel = file ? sigfile_find(file->kernels, cli->value[OPT_ID_KERNEL]) : -1;
  const Signature *sig = kernel >= 0 ? &file->kernels->items[kernel] : NULL;
  FormGiven given;
  missing_given(cli, &given);
  bool unnamed = file && file->kernels->count > 1 && !cli->given[OPT_ID_KERNEL];
  if (sig && (unnamed || form_given_count(&given) < sig->param_count)) {
    LsText words = {0};
    missing_words(cli, sig, &words);
    ls_err_append(err, "Missing: %s%.*s", unnamed ? "-k (the kernel), " : "", (int)words.length, ls_text_str(&words));
    add_line(cli, file, sig, err);
    ls_text_free(&words);
  }
  ownfile_free(file);
}
