// parser.h: what the parts of the PTX parser share. Inside ptx/ only.
//
// Every word of the text is interned once as a PtxName; a name carries what it means now (symbol, innermost scope
// first), the instruction form if it was used as one, and where it last stood as a label or a variable (the DWARF
// sections at the end of the file refer to those after their scopes are gone).
//
// A parse function returns false after it has reported an error with ptx_error; the statement loops then skip to a
// place where parsing can go on. Growing arrays of the module are on the heap, all else is in its arena.
#ifndef LS_PTX_PARSER_H
#define LS_PTX_PARSER_H

#include "base/table.h"
#include "ptx/lex.h"
#include "ptx/module.h"
#include "ptx/section.h"

enum {
  PTX_TEXT_LIMIT = 64 << 20,    // bytes of a PTX text
  PTX_ERROR_LIMIT = 8,          // errors gathered before the parser gives up
  PTX_BODY_DEPTH = 1,          // scope of a function's parameters and body
  PTX_NEST_LIMIT = 200,         // scopes and parentheses inside one another
  PTX_CODE_LIMIT = 1 << 20,     // instructions
  PTX_REG_LIMIT = 1 << 18,      // registers of a function
  PTX_ALL_REGS_LIMIT = 1 << 21, // registers of a module
  PTX_ELEM_LIMIT = 1024,        // elements of a vector or of an argument list
};
#define PTX_VAR_LIMIT ((int64_t)1 << 28)   // bytes of an initialized variable
#define PTX_SIZE_LIMIT ((int64_t)1 << 40)  // bytes of any variable

typedef enum PtxSymbolKind {
  PTX_SYM_REG, PTX_SYM_VECTOR, PTX_SYM_VAR, PTX_SYM_FUNC, PTX_SYM_LABEL, PTX_SYM_TABLE, PTX_SYM_SREG, PTX_SYM_SREGS
} PtxSymbolKind;

typedef struct PtxSymbol PtxSymbol;
struct PtxSymbol {
  uint8_t kind;         // PtxSymbolKind
  int index;            // register, variable, function, pc, table, special register; of a VECTOR and of SREGS (%tid): the first
  int count;            // VECTOR: registers; SREG: the number after %envreg or %pm
  int depth;            // scope; 0 is the module's
  PtxSymbol *outer;     // what the name means outside this scope
  PtxSymbol *next;      // of the same scope
  struct PtxName *name;
};

// A scope that is open: what it declares, and which uses of labels stand in it.
typedef struct PtxOpenScope { PtxSymbol *symbols; int first_fixup; } PtxOpenScope;

typedef struct PtxName {
  const char *text;         // terminated, in the arena
  int length;
  uint32_t hash;
  int label_pc;             // pc of the last label of this name; -1
  int var;                  // index of the last variable of this name; -1
  int section;              // section in which it is a label; -1
  int64_t section_at;       // and where
  PtxSymbol *symbol;        // NULL: means nothing here
  struct PtxInstr *form;    // decoded modifiers, if this is the name of an instruction
} PtxName;

// A use of a label or table before we know it: operand of code[pc], or entry of tables[table].
typedef struct PtxFixup {
  PtxName *name;
  PtxToken at;
  int depth, pc, operand, table, entry;   // table -1: an operand
} PtxFixup;

// What .loc says, before files and strings are known (both may come later in the text).
typedef struct PtxLocNote {
  PtxName *function;
  int64_t function_offset;
  int call_file, call_line, call_col;
} PtxLocNote;

typedef struct PtxParser {
  PtxModule *module;
  PtxLexer lex;
  PtxToken token, ahead, previous;
  LsErr *err;
  int errors;

  PtxName **names;
  int name_count, name_capacity;          // capacity is a power of two
  PtxOpenScope *scopes;                   // by depth
  int depth, scope_capacity;
  int open_braces;                        // { of a vector in this statement, for recovery
  int nest;                               // of expressions and operands

  int code_capacity, func_capacity, var_capacity, loc_capacity, file_capacity, table_capacity;
  PtxLocNote *loc_notes;
  int loc_note_capacity, loc_note_count;
  LsTable loc_of, last_loc;               // 1 + index into locs, by all of it and by its place
  LsTable file_of_id;                     // 1 + index into files
  int loc;                                // current .loc
  int func;                               // function being read, or -1
  PtxReg *regs;
  int reg_count, reg_capacity, all_regs;
  PtxFixup *fixups;
  int fixup_count, fixup_capacity;
  PtxSections sections;
} PtxParser;

// parser.c: tokens, errors, names, scopes
void ptx_parser_init(PtxParser *p, PtxModule *module, LsErr *err);
void ptx_parser_fini(PtxParser *p);
void ptx_advance(PtxParser *p);
bool ptx_accept(PtxParser *p, int punct);
bool ptx_accept_word(PtxParser *p, const char *word);
bool ptx_expect(PtxParser *p, int punct);                       // reports "expected ';', found ..."
bool ptx_error(PtxParser *p, const PtxToken *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool ptx_error_expected(PtxParser *p, const char *what);        // at the current token
void ptx_recover(PtxParser *p, int start_line);
PtxName *ptx_name(PtxParser *p, const char *text, int length);
PtxName *ptx_token_name(PtxParser *p, const PtxToken *token);
const char *ptx_closest_symbol(PtxParser *p, const PtxName *name);   // NULL if none is close

// The candidate most like a misspelled word; best is NULL while none is close.
typedef struct PtxGuess { const char *word, *best; int score; } PtxGuess;
void ptx_guess(PtxGuess *guess, const char *candidate);
const char *ptx_guess_text(const PtxGuess *guess, const char *dot, char out[64]);   // "; did you mean '.f32'?" or ""

bool ptx_scope_enter(PtxParser *p);
void ptx_scope_leave(PtxParser *p);
bool ptx_declare(PtxParser *p, const PtxToken *at, PtxName *name, PtxSymbolKind kind, int index, int count);
bool ptx_name_operand(PtxParser *p, PtxName **name);            // reads a word that names something

// parse_expr.c
bool ptx_parse_expr(PtxParser *p, int64_t *value);
bool ptx_parse_offset(PtxParser *p, int64_t *value);            // [ "+" expr | "-" expr ]; 0 if there is none

// parse_operand.c
bool ptx_parse_operand(PtxParser *p, PtxInstr *instr, int index);

// parse_instr.c
bool ptx_parse_instr(PtxParser *p);

// parse_var.c
typedef struct PtxDecl {
  uint8_t space, type, linkage, vec;
  int align;
} PtxDecl;
bool ptx_parse_decl_words(PtxParser *p, PtxDecl *decl);         // .align 4 .v2 .b8 ...
bool ptx_parse_dims(PtxParser *p, int64_t *count);              // [4][8]; 1 if there are none, -1 if unsized
bool ptx_parse_vars(PtxParser *p, PtxDecl decl);                // after the space word, up to and with ";"
bool ptx_parse_regs(PtxParser *p);                              // after .reg
bool ptx_add_vector_reg(PtxParser *p, const PtxToken *at, const char *name, int length, const PtxDecl *decl);
bool ptx_add_reg(PtxParser *p, const PtxToken *at, const char *name, int length, uint8_t type, int *reg);
int ptx_add_var(PtxParser *p, PtxVar var);
bool ptx_is_space_word(const PtxToken *token, uint8_t *space);

// parse_func.c
bool ptx_parse_function(PtxParser *p, bool is_entry);

// debuginfo.c
struct PtxDebugInfo *ptx_read_debuginfo(PtxModule *module, const PtxSections *sections);   // NULL without DWARF

// parse_loc.c
bool ptx_parse_loc(PtxParser *p);
bool ptx_parse_file(PtxParser *p);
void ptx_finish_locs(PtxParser *p);

#endif
