// cmd_what.c: lanescope what: a word of the course, or the list of them.
#include "app/run/glossary.h"
#include "cli/cli.h"

static const Glossary *glossary_of(Cli *cli, LsErr *err) {
  RecipeBook *book = cli_book(cli, err);
  return book ? book->glossary(book, err) : NULL;
}

static void print_term(const GlossaryTerm *term) {
  LsText text = {0};
  glossary_print(term, &text);
  if (term->also_count) ls_text_add(&text, "\nalso: ");
  for (int i = 0; i < term->also_count; i++) ls_text_addf(&text, "%s%s", i ? ", " : "", term->also[i]);
  plain_print(stdout, "%s\n", ls_text_str(&text));
  ls_text_free(&text);
}

static void json_term(LsJson *json, const GlossaryTerm *term) {
  ls_json_open(json, '{');
  ls_json_member(json, "name", term->name);
  ls_json_member(json, "says", term->says);
  ls_json_open_member(json, "also", '[');
  for (int i = 0; i < term->also_count; i++) ls_json_str(json, term->also[i]);
  ls_json_close(json, ']');
  ls_json_member(json, "lesson", *term->lesson ? term->lesson : NULL);
  ls_json_close(json, '}');
}

// One term, or all of them if it is NULL.
static void print_json(const Glossary *glossary, const GlossaryTerm *one) {
  LsText text = {0};
  LsJson json;
  ls_json_init(&json, &text);
  ls_json_open(&json, '{');
  ls_json_open_member(&json, "terms", '[');
  for (int i = 0; i < glossary->count; i++)
    if (!one || one == &glossary->terms[i]) json_term(&json, &glossary->terms[i]);
  ls_json_close(&json, ']');
  ls_json_close(&json, '}');
  cli_print_json(&text);
}

static void print_list(const Glossary *glossary) {
  enum { NAME_WIDTH = 28 };
  for (int i = 0; i < glossary->count; i++)
    plain_print(stdout, "%-*s  %s\n", NAME_WIDTH, glossary->terms[i].name, glossary->terms[i].lesson);
}

// The words after the command as one text: what is a bank conflict.
static void join(const Cli *cli, LsText *words) {
  for (int i = 0; i < cli->word_count; i++) ls_text_addf(words, "%s%s", i ? " " : "", cli->words[i]);
}

int cmd_what(Cli *cli, LsErr *err) {
  const Glossary *glossary = glossary_of(cli, err);
  if (!glossary) return -1;
  LsText words = {0};
  join(cli, &words);
  const GlossaryTerm *term = words.length ? glossary_find(glossary, words.data, err) : NULL;
  bool wanted = words.length != 0;
  ls_text_free(&words);
  if (wanted && !term) return ls_err_append(err, "lanescope what lists the words that it can tell of"), -1;
  if (cli->given[OPT_ID_JSON]) print_json(glossary, term);
  else if (term) print_term(term);
  else print_list(glossary);
  return 0;
}
