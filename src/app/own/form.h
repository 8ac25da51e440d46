// form.h: the launch of a kernel as fields that somebody fills in: what is guessed follows what is entered.
//
//   row 0  grid     4                  "so that every element has a thread: n / 256, rounded up"
//   row 1  block    256                "8 warps"
//   row 2  shared   0
//   row 3  n        1000               a row for each parameter; that of a buffer has two fields: how many elements,
//   row 4  x        1000   iota        and what is in them
//
// A field that nobody entered is guessed anew with every change: more elements make more blocks. What is wrong with a
// field stands in it. A launch of a form is made of the same texts that the command line takes, so the line that it
// prints does the same.
#ifndef LS_APP_FORM_H
#define LS_APP_FORM_H

#include "app/own/hostcode.h"
#include "app/own/signature.h"
#include "base/text.h"

typedef enum FieldKind {
  FIELD_DIM,       // "16,16"
  FIELD_BYTES,
  FIELD_NUMBER,    // a scalar
  FIELD_COUNT,     // "1000", or a product: "64*48"
  FIELD_INIT,      // "iota", "random:1"
  FIELD_TEXT,      // what stands behind -a, or behind its "struct:"
} FieldKind;

typedef enum FieldFrom { FROM_GUESS, FROM_KEPT, FROM_COMMAND, FROM_TYPING } FieldFrom;

enum { FORM_GRID, FORM_BLOCK, FORM_SHARED, FORM_FIRST_ARG };   // rows

typedef struct Field {
  FieldKind kind;
  FieldFrom from;
  int row, param;                // param -1: not of a parameter
  char text[800];                // structs by value are long
  char error[240];               // "": it is fine
  uint64_t good;                 // hash of the argument that was found good last; 0: none
} Field;

typedef struct Form {
  const Signature *sig;          // borrowed
  HostLaunch host;
  // a shared array of as many elements (a side of it) as a block has threads; NULL: none
  const char *tile; int tile_side;
  Field *fields; int count;      // owned
  char (*why)[160];              // a line for each row; owned
  char **variables; int variable_count;   // what a command line gives variables of the module: "@table=iota"; owned
} Form;

// All fields guessed. source: the text of the .cu for what its main does, or NULL.
void form_init(Form *form, const Signature *sig, const char *source);
void form_fini(Form *form);
static inline int form_rows(const Form *form) { return FORM_FIRST_ARG + signature_rows(form->sig); }
// The nth field of a row; -1: it has no such field.
static inline int form_field(const Form *form, int row, int nth) {
  for (int i = 0; i < form->count; i++)
    if (form->fields[i].row == row && nth-- == 0) return i;
  return -1;
}
// Enters a text, and guesses what was not entered. An empty text gives the field back to guessing.
void form_enter(Form *form, int field, const char *text, FieldFrom from);
// The next or previous of a field's choices: contents of buffers, or the double and the half of a number. False: it has
// none.
bool form_choose(Form *form, int field, int direction);
// Contents of buffers to choose from, with the operand that each begins with.
int form_choices(void);
const char *form_choice(int index);                              // "random:1"
int form_chosen(const Form *form, int field);                    // index of the one that it has; -1
// What a command line gives: borrowed texts, NULL where it says nothing.
typedef struct FormGiven {
  const char *kernel, *grid, *block, *shared;
  const char *const *args; int arg_count;
} FormGiven;
// Enters it: arguments by position or by name. False, with words, if something does not fit; the rest is entered.
bool form_take(Form *form, const FormGiven *given, LsErr *err);
// Arguments that are for parameters, not for variables of the module.
int form_given_count(const FormGiven *given);
// Which of the arguments is for a parameter; -1: none.
int form_given_for(const Signature *sig, const FormGiven *given, int param);
// Gives back to guessing whatever equals its guess, so that it follows what is entered from now on.
void form_loosen(Form *form);
// How a field is called where its value is kept: "grid", "arg x count", "arg x". In out, at least 96 bytes.
void form_key(const Form *form, int field, char *out, size_t size);
// The first field that something is wrong with; -1: all are fine.
int form_wrong(const Form *form);
// What -a takes for a parameter: "float[1000]=iota".
void form_argument(const Form *form, int param, LsText *out);
// The launch; false, with words, if a field is wrong. *launch is for launch_fini in any case.
bool form_launch(const Form *form, Launch *launch, LsErr *err);
// The words of the same on the command line, quoted for a shell where they need it: "-g 4", "-a 'float[1000]=iota'".
typedef struct FormWords { char **items; int count, capacity; } FormWords;
void form_words(const Form *form, bool with_kernel, FormWords *words);
void form_words_free(FormWords *words);

// guess.c: fills in what nobody entered, and says why.
void guess_fill(Form *form);
// What a count field comes to; 0: it is no number.
uint64_t form_count_value(const char *text);

#endif
