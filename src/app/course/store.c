// store.c: SQLite in a file, and in memory while the file cannot be used. The only file that knows SQLite.
#include "app/course/store.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

// A change that waits for the disk.
typedef struct Change { char *sql; StoreValue *values; int count; } Change;

struct Store {
  char *path;
  bool make_folder;
  const StorePlan *plan;
  StoreState state;
  char detail[256];            // FAILED: what the system says
  sqlite3 *disk;               // NULL: the file cannot be used
  sqlite3 *memory;             // NULL: everything is on disk
  Change *waiting; int waiting_count, waiting_capacity;
};

enum { BUSY_MS = 500 };

// ---- states --------------------------------------------------------------------------------------------------------

// before PATH after, and around the detail where there is one
static const struct { const char *name, *before, *after, *end; } states[] = {
    [STORE_SAVED] = {.name = "saved"},
    [STORE_UNWANTED] = {.name = "unwanted"},
    [STORE_NEWER] = {.name = "newer", .after = " was written by a newer lanescope: use that one"},
    [STORE_FOREIGN] = {.name = "foreign", .after = " is no database of lanescope: move it away"},
    [STORE_DAMAGED] = {.name = "damaged", .after = " is damaged: move it away"},
    [STORE_NO_FILE] = {.name = "no_file", .after = " is not a file: move it away"},
    [STORE_READ_ONLY] = {.name = "read_only", .after = " cannot be written: make it and its folder writable"},
    [STORE_FULL] = {.name = "full", .before = "the disk of ", .after = " is full: make room"},
    [STORE_BUSY] = {.name = "busy", .before = "another program holds ", .after = ": end it"},
    [STORE_FAILED] = {.name = "failed", .after = " cannot be used (",
                      .end = "): set XDG_STATE_HOME to a folder that can"},
};

const char *store_state_name(StoreState state) { return states[state].name; }
StoreState store_state(const Store *store) { return store->state; }
const char *store_path(const Store *store) { return store->path; }

// The home of the user is "~": short enough for a line.
static void add_path(const char *path, LsText *out) {
  const char *home = getenv("HOME");
  size_t length = home ? strlen(home) : 0;
  bool below = length > 1 && ls_starts_with(path, home) && path[length] == '/';
  ls_text_addf(out, "%s%s", below ? "~" : "", below ? path + length : path);
}

void store_words(const Store *store, LsText *out) {
  if (store->state <= STORE_UNWANTED) return;
  if (states[store->state].before) ls_text_add(out, states[store->state].before);
  add_path(store->path, out);
  ls_text_add(out, states[store->state].after);
  if (states[store->state].end) ls_text_addf(out, "%s%s", store->detail, states[store->state].end);
}

static bool fail(Store *store, StoreState state, const char *detail) {
  store->state = state;
  snprintf(store->detail, sizeof store->detail, "%s", detail);
  return false;
}

static bool fail_by_errno(Store *store, int number) {
  switch (number) {
    case ENOSPC: case EDQUOT: case EFBIG: return fail(store, STORE_FULL, "");
    case EROFS: case EACCES: case EPERM: return fail(store, STORE_READ_ONLY, "");
    default: return fail(store, STORE_FAILED, strerror(number));
  }
}

// What SQLite says of the last thing that was done with the file.
static bool fail_by_database(Store *store, sqlite3 *db) {
  if (!db) return fail(store, STORE_FAILED, "there is no memory");
  switch (sqlite3_errcode(db) & 0xff) {
    case SQLITE_FULL: return fail(store, STORE_FULL, "");
    case SQLITE_READONLY: case SQLITE_PERM: return fail(store, STORE_READ_ONLY, "");
    case SQLITE_NOTADB: return fail(store, STORE_FOREIGN, "");
    case SQLITE_CORRUPT: return fail(store, STORE_DAMAGED, "");
    case SQLITE_BUSY: case SQLITE_LOCKED: return fail(store, STORE_BUSY, "");
    case SQLITE_CANTOPEN: return fail_by_errno(store, sqlite3_system_errno(db) ? sqlite3_system_errno(db) : EACCES);
    case SQLITE_IOERR:
      if (sqlite3_system_errno(db)) return fail_by_errno(store, sqlite3_system_errno(db));
  }
  return fail(store, STORE_FAILED, sqlite3_errmsg(db));
}

// ---- statements ----------------------------------------------------------------------------------------------------

// The first statement of *sql, which goes on to what follows it.
static sqlite3_stmt *prepare_next(sqlite3 *db, const char **sql, const StoreValue *values, int count) {
  sqlite3_stmt *statement = NULL;
  if (!db || sqlite3_prepare_v2(db, *sql, -1, &statement, sql) != SQLITE_OK) return NULL;
  for (int i = 0; i < count; i++) {
    if (values[i].kind == STORE_INTEGER) sqlite3_bind_int64(statement, i + 1, values[i].integer);
    else if (values[i].kind == STORE_REAL) sqlite3_bind_double(statement, i + 1, values[i].real);
    else sqlite3_bind_text(statement, i + 1, values[i].text, -1, SQLITE_TRANSIENT);
  }
  return statement;
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql, const StoreValue *values, int count) {
  return prepare_next(db, &sql, values, count);
}

static bool change_in(sqlite3 *db, const char *sql, const StoreValue *values, int count) {
  while (*sql) {
    sqlite3_stmt *statement = prepare_next(db, &sql, values, count);
    if (!statement) return false;
    sqlite3_step(statement);
    if (sqlite3_finalize(statement) != SQLITE_OK) return false;
  }
  return true;
}

static bool run_sql(sqlite3 *db, const char *sql) { return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK; }

// On disk several statements are one transaction: a kill leaves all of it or nothing.
static bool begin(sqlite3 *db) { return run_sql(db, "begin immediate"); }

// ok: all of it could be done so far. False with the store's state if any of it could not.
static bool commit(Store *store, sqlite3 *db, bool ok) {
  if (ok && run_sql(db, "commit")) return true;
  fail_by_database(store, db);
  run_sql(db, "rollback");
  return false;
}

static StoreValue value_at(sqlite3_stmt *statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: return store_integer(sqlite3_column_int64(statement, column));
    case SQLITE_FLOAT: return store_real(sqlite3_column_double(statement, column));
    default: return store_text((const char *)sqlite3_column_text(statement, column));
  }
}

// A whole number that the database knows; -1 if it does not say.
static int64_t number_in(sqlite3 *db, const char *sql, const char *text) {
  StoreValue value = store_text(text);
  sqlite3_stmt *statement = prepare(db, sql, &value, text ? 1 : 0);
  int64_t number = statement && sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1;
  sqlite3_finalize(statement);
  return number;
}

// ---- the file ------------------------------------------------------------------------------------------------------

// Looks at the file without SQLite, which would mend what it takes for its own.
static bool is_acceptable(Store *store) {
  static const char magic[] = "SQLite format 3";
  struct stat file;
  if (stat(store->path, &file) != 0) return errno == ENOENT || fail_by_errno(store, errno);
  if (!S_ISREG(file.st_mode)) return fail(store, STORE_NO_FILE, "");
  if (file.st_size == 0) return true;
  char head[sizeof magic] = "";
  int fd = open(store->path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return fail_by_errno(store, errno);
  ssize_t n = read(fd, head, sizeof head);
  close(fd);
  return (n == sizeof head && memcmp(head, magic, sizeof magic) == 0) || fail(store, STORE_FOREIGN, "");
}

static bool has_tables(Store *store, sqlite3 *db) {
  static const char tables[] = "select count(*) from sqlite_master where type = 'table' and name = ?1";
  for (int i = 0; i < store->plan->table_count; i++)
    if (number_in(db, tables, store->plan->tables[i]) != 1) return false;
  return true;
}

// Whether all that is in it are tables of the plan, in its very words: an older version made them one by one and may
// have been ended before the last of them.
static bool is_begun(const Store *store, sqlite3 *db) {
  sqlite3 *own = NULL;
  bool begun = sqlite3_open(":memory:", &own) == SQLITE_OK && run_sql(own, store->plan->schema);
  sqlite3_stmt *made = prepare(db, "select sql from sqlite_master where sql is not null", NULL, 0);
  begun = begun && made;
  while (begun && sqlite3_step(made) == SQLITE_ROW) {
    const char *words = (const char *)sqlite3_column_text(made, 0);
    begun = number_in(own, "select count(*) from sqlite_master where sql = ?1", words) == 1;
  }
  sqlite3_finalize(made);
  sqlite3_close(own);
  return begun;
}

// *is_new: nothing is in it yet. Only looks.
static bool is_ours(Store *store, sqlite3 *db, bool *is_new) {
  int64_t version = number_in(db, "pragma user_version", NULL);
  int64_t tables = number_in(db, "select count(*) from sqlite_master", NULL);
  if (version < 0 || tables < 0) return fail_by_database(store, db);
  if (version > store->plan->version) return fail(store, STORE_NEWER, "");
  *is_new = tables == 0;
  bool begun = *is_new || has_tables(store, db) || (version == 0 && is_begun(store, db));
  if (!begun) return fail(store, STORE_FOREIGN, "");
  int64_t whole = number_in(db, "select count(*) from pragma_quick_check where quick_check = 'ok'", NULL);
  if (whole == 0) return fail(store, STORE_DAMAGED, "");
  return whole > 0 || fail_by_database(store, db);
}

// synchronous = normal with the write-ahead log: a kill loses nothing, a power cut at most the last moments. The schema
// always writes (the version), and so finds out whether that is possible.
static bool set_up(Store *store, sqlite3 *db) {
  run_sql(db, "pragma journal_mode = wal");
  run_sql(db, "pragma synchronous = normal");
  if (sqlite3_db_readonly(db, "main") == 1) return fail(store, STORE_READ_ONLY, "");
  return commit(store, db, begin(db) && run_sql(db, store->plan->schema));
}

static bool make_folder(Store *store) {
  if (!store->make_folder) return true;
  char *folder = ls_strndup(store->path, (size_t)(ls_path_base(store->path) - store->path));
  bool made = ls_make_dirs(folder, NULL);
  int number = errno;
  free(folder);
  return made || fail_by_errno(store, number);
}

static bool copy_database(sqlite3 *to, sqlite3 *from) {
  sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");
  if (!backup) return false;
  sqlite3_backup_step(backup, -1);
  return sqlite3_backup_finish(backup) == SQLITE_OK;
}

static void forget(Change *change) {
  for (int i = 0; i < change->count; i++)
    if (change->values[i].kind == STORE_TEXT) free((char *)change->values[i].text);
  free(change->values);
  free(change->sql);
}

static void forget_waiting(Store *store) {
  for (int i = 0; i < store->waiting_count; i++) forget(&store->waiting[i]);
  store->waiting_count = 0;
}

// Whoever moved the old file away does not want to lose what this session knows; it has what waits, too.
static bool fill_new_file(Store *store) {
  if (!copy_database(store->disk, store->memory)) return fail_by_database(store, store->disk);
  forget_waiting(store);
  return true;
}

// Opens the file for writing. Changes that are in memory only are not in it yet.
static bool open_disk(Store *store) {
  bool is_new = false;
  if (!make_folder(store) || !is_acceptable(store)) return false;
  bool ok = sqlite3_open(store->path, &store->disk) == SQLITE_OK || fail_by_database(store, store->disk);
  if (ok) sqlite3_busy_timeout(store->disk, BUSY_MS);
  ok = ok && is_ours(store, store->disk, &is_new) && set_up(store, store->disk);
  if (ok && is_new && store->memory) ok = fill_new_file(store);
  if (ok) return true;
  sqlite3_close(store->disk);
  store->disk = NULL;
  return false;
}

// ---- memory --------------------------------------------------------------------------------------------------------

// The path as a file: URI.
static char *uri_of(const char *path, const char *options) {
  LsText uri = {0};
  ls_text_add(&uri, "file:");
  for (const char *p = path; *p; p++) {
    if (strchr("%?#", *p)) ls_text_addf(&uri, "%%%02x", (unsigned char)*p);
    else ls_text_addc(&uri, *p);
  }
  ls_text_add(&uri, options);
  return ls_text_take(&uri);
}

// Takes over what can be read of a file that cannot be written: as it is, else without its log, which needs files
// beside it.
static void read_file_into(Store *store) {
  static const char *const options[] = {"?mode=ro", "?immutable=1"};
  bool read = false;
  for (int i = 0; i < LS_COUNT(options) && !read; i++) {
    char *uri = uri_of(store->path, options[i]);
    sqlite3 *file = NULL;
    bool is_new = false;
    StoreState why = store->state;
    read = sqlite3_open_v2(uri, &file, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) == SQLITE_OK &&
           is_ours(store, file, &is_new) && !is_new && copy_database(store->memory, file);
    store->state = why;
    sqlite3_close(file);
    free(uri);
  }
}

// From here on memory is what counts: with all that is in the file, as far as it is ours.
static void fall_back(Store *store) {
  if (sqlite3_open(":memory:", &store->memory) != SQLITE_OK) return;
  if (store->disk) copy_database(store->memory, store->disk);
  else if (store->state >= STORE_READ_ONLY && is_acceptable(store)) read_file_into(store);
  run_sql(store->memory, store->plan->schema);
}

static void remember(Store *store, const char *sql, const StoreValue *values, int count) {
  Change change = {.sql = ls_strdup(sql), .values = ls_alloc(sizeof *values * (size_t)count), .count = count};
  for (int i = 0; i < count; i++) {
    change.values[i] = values[i];
    if (values[i].kind == STORE_TEXT) change.values[i].text = ls_strdup(values[i].text);
  }
  LS_PUSH(store->waiting, store->waiting_count, store->waiting_capacity, change);
}

// All that waits, or nothing of it.
static bool save_waiting(Store *store) {
  bool ok = begin(store->disk);
  for (int i = 0; ok && i < store->waiting_count; i++) {
    const Change *change = &store->waiting[i];
    ok = change_in(store->disk, change->sql, change->values, change->count);
  }
  return commit(store, store->disk, ok);
}

// The file is gone, or another one is in its place: what is written would go nowhere.
static bool has_moved(Store *store) {
  int moved = 0;
  return sqlite3_file_control(store->disk, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved;
}

static void close_disk(Store *store) {
  sqlite3_close(store->disk);
  store->disk = NULL;
}

static void try_again(Store *store) {
  if (store->disk && has_moved(store)) close_disk(store);
  if ((!store->disk && !open_disk(store)) || !save_waiting(store)) return;
  forget_waiting(store);
  sqlite3_close(store->memory);
  store->memory = NULL;
  store->state = STORE_SAVED;
}

// ---- the store -----------------------------------------------------------------------------------------------------

Store *store_open(const char *path, bool make_folder, const StorePlan *plan) {
  Store *store = ls_alloc(sizeof *store);
  store->path = ls_strdup(path);
  store->make_folder = make_folder;
  store->plan = plan;
  if (strcmp(path, ":memory:") == 0) store->state = STORE_UNWANTED;
  else open_disk(store);
  if (!store->disk) fall_back(store);
  return store;
}

void store_close(Store *store) {
  if (!store) return;
  if (store->waiting_count) try_again(store);
  forget_waiting(store);
  free(store->waiting);
  sqlite3_close(store->memory);
  sqlite3_close(store->disk);
  free(store->path);
  free(store);
}

static bool change_on_disk(Store *store, const char *sql, const StoreValue *values, int count) {
  return commit(store, store->disk, begin(store->disk) && change_in(store->disk, sql, values, count));
}

void store_change(Store *store, const char *sql, const StoreValue *values, int count) {
  bool tries = store->state != STORE_UNWANTED;
  if (store->state == STORE_SAVED) {
    tries = has_moved(store);
    if (!tries && change_on_disk(store, sql, values, count)) return;
    fall_back(store);
  }
  change_in(store->memory, sql, values, count);
  if (store->state == STORE_UNWANTED) return;
  remember(store, sql, values, count);
  if (tries) try_again(store);
}

void store_ask(Store *store, const char *sql, const StoreValue *values, int count, StoreEach *each, void *context) {
  sqlite3_stmt *statement = prepare(store->memory ? store->memory : store->disk, sql, values, count);
  StoreValue row[STORE_COLUMNS];
  bool more = statement != NULL;
  while (more && sqlite3_step(statement) == SQLITE_ROW) {
    int columns = LS_MIN(sqlite3_column_count(statement), STORE_COLUMNS);
    for (int i = 0; i < columns; i++) row[i] = value_at(statement, i);
    more = each(context, row);
  }
  sqlite3_finalize(statement);
}
