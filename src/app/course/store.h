// store.h: a small database that can always be used: in a file, else in memory until the program ends.
//
// Opening never fails. The store has a state: saved, or kept in memory because of something that has a name and words.
// It may change with every change that is made:
//
//        saved ── the disk fills up, ... ──▶ kept in memory ── the next change can be saved ──▶ saved
//
// What could be read from the file is there in memory, too, so that nothing looks as if it were lost; changes that
// could not be saved wait in order, and every further change (and closing) tries them all again. A file that is no
// database of this plan, is damaged or of a newer version is not written to. Two programs may use one file at the same
// time.
#ifndef LS_APP_STORE_H
#define LS_APP_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

typedef enum StoreState {
  STORE_SAVED,         // each change is on disk when store_change returns
  STORE_UNWANTED,      // ":memory:" was asked for
  // Kept in memory until the program ends, because:
  STORE_NEWER,         // a newer version of the program wrote the file
  STORE_FOREIGN,       // the file is no database, or another program's
  STORE_DAMAGED,
  STORE_NO_FILE,       // a folder or a device is in its place
  // The same, and what is in the file can be read:
  STORE_READ_ONLY,     // the file, its folder or the disk cannot be written
  STORE_FULL,          // the disk or the quota is
  STORE_BUSY,          // another program does not let go of it
  STORE_FAILED,        // the system says something else
  STORE_STATE_COUNT
} StoreState;
const char *store_state_name(StoreState state);    // "saved", "read_only"

// Tables of a database. The schema may run again on a database that has them or some of them, and sets user_version.
typedef struct StorePlan {
  const char *schema;
  int version;                                     // files with a higher user_version are of a newer program
  const char *const *tables; int table_count;      // a file that has tables, but not these, is another program's
} StorePlan;

typedef struct StoreValue {
  enum { STORE_INTEGER, STORE_REAL, STORE_TEXT } kind;
  int64_t integer;
  double real;
  const char *text;                                // borrowed; as a result good until the next call
} StoreValue;
static inline StoreValue store_integer(int64_t value) { return (StoreValue){.kind = STORE_INTEGER, .integer = value}; }
static inline StoreValue store_real(double value) { return (StoreValue){.kind = STORE_REAL, .real = value}; }
static inline StoreValue store_text(const char *value) { return (StoreValue){.kind = STORE_TEXT, .text = value}; }

typedef struct Store Store;
// Never NULL. make_folder: the file's folder is made where it is missing. The plan is borrowed.
Store *store_open(const char *path, bool make_folder, const StorePlan *plan);
void store_close(Store *store);                    // NULL is fine
StoreState store_state(const Store *store);
const char *store_path(const Store *store);
// Why it is kept in memory, and what to do: "the disk of ~/x.db is full: make room". Nothing if it is saved or
// unwanted.
void store_words(const Store *store, LsText *out);

// Statements of SQL, with values for ?1, ?2 ...: all of them are done, or none.
void store_change(Store *store, const char *sql, const StoreValue *values, int count);
// Asks for rows. each gets one after the other, with as many columns as asked for, until it returns false.
typedef bool StoreEach(void *context, const StoreValue *row);
enum { STORE_COLUMNS = 16 };
void store_ask(Store *store, const char *sql, const StoreValue *values, int count, StoreEach *each, void *context);

#endif
