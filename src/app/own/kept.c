// kept.c: entered fields as rows of a database.
#include "app/own/kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/mem.h"

struct Kept { Store *store; };

static const char *const tables[] = {"entered", "launched"};
static const StorePlan plan = {
    .schema = "create table if not exists entered (file text not null, kernel text not null, field text not null,"
              " value text not null, primary key (file, kernel, field));"
              "create table if not exists launched (file text primary key, kernel text not null, at integer not null);"
              "pragma user_version = 1;",
    .version = 1,
    .tables = tables,
    .table_count = LS_COUNT(tables),
};

Kept *kept_open(const char *path) {
  Kept *kept = ls_alloc(sizeof *kept);
  char *usual = path ? NULL : ls_xdg_path("STATE", "launches.db");
  kept->store = store_open(path ? path : usual, usual != NULL, &plan);
  free(usual);
  return kept;
}

void kept_close(Kept *kept) {
  if (!kept) return;
  store_close(kept->store);
  free(kept);
}

// The same file by any way to it.
static char *absolute(const char *file) {
  char *path = realpath(file, NULL);
  return path ? path : ls_strdup(file);
}

static void forget(Kept *kept, const char *path, const char *kernel) {
  StoreValue values[] = {store_text(path), store_text(kernel)};
  store_change(kept->store, "delete from entered where file = ?1 and kernel = ?2", values, LS_COUNT(values));
}

void kept_forget(Kept *kept, const char *file, const char *kernel) {
  char *path = absolute(file);
  forget(kept, path, kernel);
  free(path);
}

void kept_save(Kept *kept, const char *file, const Form *form) {
  char *path = absolute(file), key[96];
  forget(kept, path, form->sig->name);
  for (int i = 0; i < form->count; i++) {
    if (form->fields[i].from == FROM_GUESS) continue;
    form_key(form, i, key, sizeof key);
    StoreValue values[] = {store_text(path), store_text(form->sig->name), store_text(key),
                           store_text(form->fields[i].text)};
    store_change(kept->store, "insert or replace into entered values (?1, ?2, ?3, ?4)", values, LS_COUNT(values));
  }
  StoreValue values[] = {store_text(path), store_text(form->sig->name), store_integer(time(NULL))};
  store_change(kept->store, "insert or replace into launched values (?1, ?2, ?3)", values, LS_COUNT(values));
  free(path);
}

typedef struct Entering { Form *form; int entered; } Entering;

// A value that the field does not take any more (the type has changed) is left out.
static bool enter(void *context, const StoreValue *row) {
  Entering *entering = context;
  Form *form = entering->form;
  char key[96];
  for (int i = 0; i < form->count; i++) {
    form_key(form, i, key, sizeof key);
    if (form->fields[i].from != FROM_GUESS || strcmp(key, row[0].text) != 0) continue;
    form_enter(form, i, row[1].text, FROM_KEPT);
    if (form->fields[i].error[0]) form_enter(form, i, "", FROM_GUESS);
    else entering->entered++;
  }
  return true;
}

int kept_load(Kept *kept, const char *file, Form *form) {
  char *path = absolute(file);
  StoreValue values[] = {store_text(path), store_text(form->sig->name)};
  Entering entering = {form, 0};
  store_ask(kept->store, "select field, value from entered where file = ?1 and kernel = ?2 order by rowid", values,
            LS_COUNT(values),
            enter, &entering);
  free(path);
  return entering.entered;
}

typedef struct Name { char *out; size_t size; bool found; } Name;

static bool take_name(void *context, const StoreValue *row) {
  Name *name = context;
  snprintf(name->out, name->size, "%s", row[0].text);
  name->found = true;
  return false;
}

bool kept_kernel(Kept *kept, const char *file, char *out, size_t size) {
  char *path = absolute(file);
  StoreValue values[] = {store_text(path)};
  Name name = {out, size, false};
  store_ask(kept->store, "select kernel from launched where file = ?1", values, LS_COUNT(values), take_name, &name);
  free(path);
  return name.found;
}
