// recipe_sequence.c: from the table that a recipe's sequence function returns to a HostProgram.
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "script/fields.h"
#include "script/mod_buffer.h"
#include "script/recipe_impl.h"

enum { SEQUENCE_BUDGET = 200000000 };
static const char what_sequence[] = "the sequence";
static const char *const sequence_fields[] = {"buffers", "symbols", "streams", "steps", NULL};
static const char *const buffer_fields[] = {"name", "type", "count", "init", "values", "host", NULL};
static const char *const stream_fields[] = {"name", "priority", "nonblocking", NULL};
static const char *const host_words[] = {"pageable", "pinned", "managed", "none"};
static const char *const direction_words[] = {"h2d", "d2h", "d2d", "h2h"};
static const char *const sync_words[] = {"device", "stream", "event"};

typedef struct Sequencing {
  const Recipe *recipe;
  const RecipeValues *values;
  HostProgram *program;
  bool is_read;                    // the function has returned: what is wrong now is the recipe, not what was asked of it
} Sequencing;

// What a step is, is the name of its first field.
typedef struct StepForm {
  const char *name;
  ProgramKind kind;
  void (*read)(lua_State *L, int table, HostProgram *program, ProgramStep *step, const char *what);
  const char *const *fields;
} StepForm;

// ---- pieces --------------------------------------------------------------------------------------------------------

static int word_of(lua_State *L, const char *word, const char *const *words, int count, const char *what) {
  for (int i = 0; i < count; i++)
    if (strcmp(words[i], word) == 0) return i;
  LsText list = {0};
  for (int i = 0; i < count; i++) ls_text_addf(&list, "%s%s", i ? ", " : "", words[i]);
  lua_pushstring(L, ls_text_str(&list));
  ls_text_free(&list);
  return luaL_error(L, "%s: '%s' is none of %s", what, word, lua_tostring(L, -1));
}

// A name that the program has not, with those that it has.
static int unknown(lua_State *L, const char *what, const char *kind, const char *name, const HostProgram *program,
                   bool streams) {
  LsText list = {0};
  int count = streams ? program->stream_count : program->buffer_count;
  for (int i = 0; i < count; i++)
    ls_text_addf(&list, "%s%s", i ? ", " : "", streams ? program->streams[i].name : program->buffers[i].contents.name);
  lua_pushstring(L, ls_text_str(&list));
  ls_text_free(&list);
  return luaL_error(L, "%s: there is no %s '%s'; there are: %s", what, kind, name, lua_tostring(L, -1));
}

static int read_buffer_name(lua_State *L, int table, const char *field, const HostProgram *program, const char *what) {
  const char *name = field_string(L, table, field, what, NULL);
  int buffer = program_buffer(program, name);
  return buffer >= 0 ? buffer : unknown(L, what, "buffer", name, program, false);
}

static int read_stream(lua_State *L, int table, const HostProgram *program, const char *what) {
  int type = lua_getfield(L, table, "stream");
  if (type == LUA_TNIL || (type == LUA_TNUMBER && lua_tointeger(L, -1) == 0)) return 0;
  if (type != LUA_TSTRING) return luaL_error(L, "%s: 'stream' must be a name of 'streams'", what);
  int stream = program_stream(program, lua_tostring(L, -1));
  return stream >= 0 ? stream : unknown(L, what, "stream", lua_tostring(L, -1), program, true);
}

static uint64_t read_whole(lua_State *L, int table, const char *field, uint64_t fallback, const char *what) {
  lua_Integer value = field_integer_or(L, table, field, (lua_Integer)fallback, what);
  if (value < 0) luaL_error(L, "%s: '%s' is %I; it cannot be below 0", what, field, (LUAI_UACINT)value);
  return (uint64_t)value;
}

// ---- buffers, symbols, streams -------------------------------------------------------------------------------------

static void read_buffer(lua_State *L, int table, HostProgram *program, int number) {
  char what[96];
  snprintf(what, sizeof what, "buffer %d", number);
  const char *name = field_string(L, table, "name", what, NULL);
  snprintf(what, sizeof what, "buffer '%.60s'", name);
  field_check_names(L, table, buffer_fields, what);
  if (program_buffer(program, name) >= 0) luaL_error(L, "two buffers are called '%s'", name);
  LS_PUSH(program->buffers, program->buffer_count, program->buffer_capacity, (ProgramBuffer){0});
  ProgramBuffer *buffer = &program->buffers[program->buffer_count - 1];
  LaunchArg *arg = &buffer->contents;
  arg->name = ls_strdup(name);
  arg->role = LAUNCH_MEMORY;
  const char *type = field_string(L, table, "type", what, NULL);
  if (!launch_type_parse(type, strlen(type), &arg->type)) luaL_error(L, "%s: there is no type '%s'", what, type);
  recipe_read_contents(L, table, arg, what);
  const char *host = field_string_or(L, table, "host", "pageable", what, NULL);
  buffer->host = (ProgramHost)word_of(L, host, host_words, PROGRAM_HOST_COUNT, what);
}

static void each_of(lua_State *L, int table, const char *field, int most, HostProgram *program,
                    void (*read)(lua_State *, int, HostProgram *, int)) {
  if (field_push(L, table, field, LUA_TTABLE, what_sequence) == LUA_TNIL) {
    lua_pop(L, 1);
    return;
  }
  int list = lua_gettop(L);
  lua_Unsigned count = lua_rawlen(L, list);
  if (count > (lua_Unsigned)most) luaL_error(L, "%s: more than %d %s", what_sequence, most, field);
  for (int i = 1; i <= (int)count; i++) {
    lua_rawgeti(L, list, i);
    read(L, list + 1, program, i);
    lua_settop(L, list);
  }
  lua_settop(L, list - 1);
}

static void read_buffer_row(lua_State *L, int table, HostProgram *program, int number) {
  if (!lua_istable(L, table)) luaL_error(L, "buffer %d must be a table", number);
  read_buffer(L, table, program, number);
}

static void read_stream_row(lua_State *L, int at, HostProgram *program, int number) {
  char what[64];
  snprintf(what, sizeof what, "stream %d", number);
  bool plain = lua_type(L, at) == LUA_TSTRING;
  if (!plain && !lua_istable(L, at)) luaL_error(L, "%s must be a name, or { name = ..., priority = ... }", what);
  const char *name = plain ? lua_tostring(L, at) : field_string(L, at, "name", what, NULL);
  if (program_stream(program, name) >= 0) luaL_error(L, "two streams are called '%s'", name);
  ProgramStream stream = {0};
  if (!plain) {
    field_check_names(L, at, stream_fields, what);
    stream.priority = (int)field_integer_or(L, at, "priority", 0, what);
    stream.nonblocking = field_bool(L, at, "nonblocking", what);
  }
  stream.name = ls_strdup(name);
  LS_PUSH(program->streams, program->stream_count, program->stream_capacity, stream);
}

// The numbers of a list as the command line has them behind @NAME=; or that text itself.
static void read_symbol(lua_State *L, int at, const char *name, HostProgram *program) {
  LsText text = {0};
  bool plain = lua_type(L, at) == LUA_TSTRING;
  LaunchArg arg = {.name = ls_strdup(name), .role = LAUNCH_VARIABLE, .is_buffer = true};
  if (plain) ls_text_add(&text, lua_tostring(L, at));
  for (int i = 1; !plain && i <= (int)lua_rawlen(L, at); i++) {
    lua_rawgeti(L, at, i);
    bool whole = lua_isinteger(L, -1);
    if (i > 1) ls_text_add(&text, ",");
    if (whole) ls_text_addf(&text, "%lld", (long long)lua_tointeger(L, -1));
    else ls_text_addf(&text, "%.17g", lua_tonumber(L, -1));
    lua_pop(L, 1);
  }
  arg.text = ls_text_take(&text);
  LS_PUSH(program->symbols, program->symbol_count, program->symbol_capacity, arg);
}

// symbols = { scale = { 2.0 } }. Their order in the program is of no meaning: the module's is taken.
static void read_symbols(lua_State *L, int table, HostProgram *program) {
  if (field_push(L, table, "symbols", LUA_TTABLE, what_sequence) != LUA_TNIL) {
    int list = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, list); lua_settop(L, list + 1)) {
      bool ok = lua_istable(L, list + 2) || lua_type(L, list + 2) == LUA_TSTRING;
      if (lua_type(L, list + 1) != LUA_TSTRING || !ok)
        luaL_error(L, "symbols are lists of numbers by the names of variables");
      read_symbol(L, list + 2, lua_tostring(L, list + 1), program);
    }
  }
  lua_pop(L, 1);
}

// ---- steps ---------------------------------------------------------------------------------------------------------

// "y" or { "y", first } is the address of a buffer, anything else a number. { host = "y" } is the host's address.
static void read_launch_arg(lua_State *L, HostProgram *program, ProgramStep *step, const char *what) {
  int at = lua_gettop(L), type = lua_type(L, at);
  ProgramArg arg = {0};
  const char *name = NULL;
  if (type == LUA_TTABLE) {
    lua_getfield(L, at, "host");
    arg.of_host = lua_type(L, -1) == LUA_TSTRING;
    if (!arg.of_host) lua_rawgeti(L, at, 1);
    name = lua_tostring(L, -1);
    lua_rawgeti(L, at, 2);
    arg.first = (uint64_t)LS_MAX(lua_tointeger(L, -1), 0);
    if (!name) luaL_error(L, "%s: an argument in braces is { \"buffer\", first element }", what);
  } else if (type == LUA_TSTRING) {
    name = lua_tostring(L, at);
  } else if (type == LUA_TNUMBER) {
    arg.is_integer = lua_isinteger(L, at);
    arg.integer = lua_tointeger(L, at);
    arg.number = lua_tonumber(L, at);
  } else {
    luaL_error(L, "%s: an argument is a number or the name of a buffer, not a %s", what, luaL_typename(L, at));
  }
  if (name) {
    arg.is_buffer = true;
    arg.buffer = program_buffer(program, name);
    if (arg.buffer < 0) unknown(L, what, "buffer", name, program, false);
  }
  LS_PUSH(step->args, step->arg_count, step->arg_capacity, arg);
  lua_settop(L, at);
}

static void read_dims(lua_State *L, int table, const char *field, uint32_t dims[3], bool is_grid, const char *what) {
  static const uint32_t grid_limit[3] = {INT32_MAX, 65535, 65535}, block_limit[3] = {1024, 1024, 64};
  const uint32_t *limit = is_grid ? grid_limit : block_limit;
  if (field_push(L, table, field, LUA_TTABLE, what) == LUA_TNIL) luaL_error(L, "%s has no field '%s'", what, field);
  for (int i = 0; i < 3; i++) {
    int exact = 1;
    bool given = lua_rawgeti(L, -1, i + 1) != LUA_TNIL;
    lua_Integer value = given ? lua_tointegerx(L, -1, &exact) : 1;
    if (!exact || value < 1 || value > limit[i])
      luaL_error(L, "%s: %s.%c must be a whole number from 1 to %I", what, field, "xyz"[i], (LUAI_UACINT)limit[i]);
    dims[i] = (uint32_t)value;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static const char *const launch_fields[] = {"launch", "grid", "block", "shared", "args", "stream", "cooperative", NULL};
static void read_launch(lua_State *L, int table, HostProgram *program, ProgramStep *step, const char *what) {
  step->kernel = ls_strdup(field_string(L, table, "launch", what, NULL));
  read_dims(L, table, "grid", step->grid, true, what);
  read_dims(L, table, "block", step->block, false, what);
  uint64_t threads = (uint64_t)step->block[0] * step->block[1] * step->block[2];
  if (threads > 1024) luaL_error(L, "%s: a block of %I threads; it can have 1024", what, (LUAI_UACINT)threads);
  step->shared_bytes = read_whole(L, table, "shared", 0, what);
  if (step->shared_bytes > 1 << 20) luaL_error(L, "%s: shared is %I bytes", what, (LUAI_UACINT)step->shared_bytes);
  step->cooperative = field_bool(L, table, "cooperative", what);
  step->stream = read_stream(L, table, program, what);
  if (field_push(L, table, "args", LUA_TTABLE, what) == LUA_TNIL) luaL_error(L, "%s has no field 'args'", what);
  int list = lua_gettop(L);
  for (int i = 1; i <= LS_MIN((int)lua_rawlen(L, list), 256); i++) {
    lua_rawgeti(L, list, i);
    read_launch_arg(L, program, step, what);
    lua_settop(L, list);
  }
}

static const char *const copy_fields[] = {"copy", "buffer", "to", "first", "from_first", "count", "async", "stream",
                                          NULL};
static void read_copy(lua_State *L, int table, HostProgram *program, ProgramStep *step, const char *what) {
  const char *way = field_string(L, table, "copy", what, NULL);
  step->direction = (ProgramDirection)word_of(L, way, direction_words, PROGRAM_DIRECTION_COUNT, what);
  step->from = step->buffer = read_buffer_name(L, table, "buffer", program, what);
  bool across = step->direction == PROGRAM_H2D || step->direction == PROGRAM_D2H;
  if (lua_getfield(L, table, "to") != LUA_TNIL) step->buffer = read_buffer_name(L, table, "to", program, what);
  else if (!across) luaL_error(L, "%s: a copy on one side needs to = \"BUFFER\"", what);
  const LaunchArg *from = &program->buffers[step->from].contents;
  step->first = read_whole(L, table, "first", 0, what);
  step->from_first = read_whole(L, table, "from_first", step->first, what);
  step->count = read_whole(L, table, "count", from->count - LS_MIN(from->count, step->from_first), what);
  step->async = field_bool(L, table, "async", what);
  step->stream = read_stream(L, table, program, what);
}

static const char *const set_fields[] = {"set", "byte", "first", "count", "stream", NULL};
static const char *const touch_fields[] = {"read", "write", "free", "first", "count", NULL};
static void read_range(lua_State *L, int table, const char *field, HostProgram *program, ProgramStep *step,
                       const char *what) {
  step->buffer = step->from = read_buffer_name(L, table, field, program, what);
  const LaunchArg *b = &program->buffers[step->buffer].contents;
  step->first = read_whole(L, table, "first", 0, what);
  step->count = read_whole(L, table, "count", b->count - LS_MIN(b->count, step->first), what);
}

static void read_set(lua_State *L, int table, HostProgram *program, ProgramStep *step, const char *what) {
  read_range(L, table, "set", program, step, what);
  uint64_t byte = read_whole(L, table, "byte", 0, what);
  if (byte > 255) luaL_error(L, "%s: 'byte' is %I; a byte has 0 to 255", what, (LUAI_UACINT)byte);
  step->byte = (uint8_t)byte;
  step->stream = read_stream(L, table, program, what);
}
static void read_read(lua_State *L, int table, HostProgram *p, ProgramStep *s, const char *w) {
    read_range(L, table, "read", p, s, w); }
static void read_write(lua_State *L, int table, HostProgram *p, ProgramStep *s, const char *w) {
    read_range(L, table, "write", p, s, w); }
static void read_free(lua_State *L, int table, HostProgram *p, ProgramStep *s, const char *w) {
    read_range(L, table, "free", p, s, w); }

// The function of a host step is called when the step is run: its place in the list is all that is kept of it.
static const char *const host_fields[] = {"host", "ms", "run", NULL};
static void read_host(lua_State *L, int table, HostProgram *program, ProgramStep *step, const char *what) {
  step->words = ls_strdup(field_string(L, table, "host", what, NULL));
  lua_getfield(L, table, "ms");
  step->milliseconds = lua_tonumber(L, -1);
  if (step->milliseconds < 0) luaL_error(L, "%s: 'ms' cannot be below 0", what);
  int type = lua_getfield(L, table, "run");
  if (type != LUA_TNIL && type != LUA_TFUNCTION) luaL_error(L, "%s: 'run' must be a function", what);
  step->function = type == LUA_TFUNCTION ? program->step_count : 0;   // it is in the list already: from 1
}

static const char *const sync_fields[] = {"sync", "stream", "event", NULL};
static void read_sync(lua_State *L, int table, HostProgram *program, ProgramStep *step, const char *what) {
  const char *which = field_string(L, table, "sync", what, NULL);
  step->sync = (ProgramSync)word_of(L, which, sync_words, LS_COUNT(sync_words), what);
  step->stream = read_stream(L, table, program, what);
  if (step->sync == PROGRAM_SYNC_EVENT) step->event = program_event(program, field_string(L, table, "event", what,
      NULL));
}

static const char *const event_fields[] = {"record", "wait", "stream", NULL};
static void read_record(lua_State *L, int table, HostProgram *program, ProgramStep *step, const char *what) {
  step->event = program_event(program, field_string(L, table, "record", what, NULL));
  step->stream = read_stream(L, table, program, what);
}
static void read_wait(lua_State *L, int table, HostProgram *program, ProgramStep *step, const char *what) {
  step->event = program_event(program, field_string(L, table, "wait", what, NULL));
  step->stream = read_stream(L, table, program, what);
}

static const StepForm forms[] = {
    {"launch", PROGRAM_LAUNCH, read_launch, launch_fields}, {"copy", PROGRAM_COPY, read_copy, copy_fields},
    {"set", PROGRAM_SET, read_set, set_fields},             {"host", PROGRAM_HOST, read_host, host_fields},
    {"sync", PROGRAM_SYNC, read_sync, sync_fields},         {"record", PROGRAM_RECORD, read_record, event_fields},
    {"wait", PROGRAM_WAIT, read_wait, event_fields},        {"read", PROGRAM_READ, read_read, touch_fields},
    {"write", PROGRAM_WRITE, read_write, touch_fields},     {"free", PROGRAM_FREE, read_free, touch_fields},
};

static void read_step(lua_State *L, int table, HostProgram *program, int number) {
  char what[64];
  snprintf(what, sizeof what, "step %d", number);
  if (!lua_istable(L, table)) luaL_error(L, "%s must be a table", what);
  for (int i = 0; i < LS_COUNT(forms); i++) {
    if (lua_getfield(L, table, forms[i].name) != LUA_TNIL) {
      ProgramStep step;
      program_step_init(&step, forms[i].kind);
      LS_PUSH(program->steps, program->step_count, program->step_capacity, step);   // before an error can jump over it
      field_check_names(L, table, forms[i].fields, what);
      forms[i].read(L, table, program, &program->steps[program->step_count - 1], what);
      return;
    }
    lua_pop(L, 1);
  }
  LsText list = {0};
  for (int i = 0; i < LS_COUNT(forms); i++) ls_text_addf(&list, "%s%s", i ? ", " : "", forms[i].name);
  lua_pushstring(L, ls_text_str(&list));
  ls_text_free(&list);
  luaL_error(L, "%s does nothing that is known: it needs one of %s", what, lua_tostring(L, -1));
}

// ---- the whole -----------------------------------------------------------------------------------------------------

// Pushes what the recipe's sequence function returns.
static int call_sequence(lua_State *L, const Sequencing *s) {
  recipe_enter(L);
  lua_getfield(L, RECIPE_TABLE, "sequence");
  recipe_push_values(L, s->recipe, s->values);
  lua_call(L, 1 + recipe_push_draw(L, s->recipe, s->values), 1);
  if (!lua_istable(L, -1)) luaL_error(L, "sequence must return a table, not a %s", luaL_typename(L, -1));
  return lua_gettop(L);
}

static void sequence_body(lua_State *L, void *context) {
  Sequencing *s = context;
  HostProgram *program = s->program;
  int table = call_sequence(L, s);
  s->is_read = true;
  field_check_names(L, table, sequence_fields, what_sequence);
  each_of(L, table, "streams", PROGRAM_MOST_STREAMS, program, read_stream_row);
  each_of(L, table, "buffers", PROGRAM_MOST_BUFFERS, program, read_buffer_row);
  read_symbols(L, table, program);
  each_of(L, table, "steps", PROGRAM_MOST_STEPS, program, read_step);
}

bool recipe_run_sequence(const Recipe *recipe, const RecipeValues *values, HostProgram *program, LsErr *err) {
  RecipeScript *owner = recipe->script;
  Sequencing s = {recipe, values, program, false};
  program_init(program);
  program->name = ls_strdup(recipe->name);
  pthread_mutex_lock(&owner->lock);
  bool ok = script_run(owner->script, SEQUENCE_BUDGET, sequence_body, &s, err);
  pthread_mutex_unlock(&owner->lock);
  if (!ok && err && strstr(err->message, "MB of memory"))
    ls_err_append(err, "%s", "that is room for the tables of some 100,000 steps: let one launch do more, or a 'host' step "
                  "stand for many");
  for (int i = 0; ok && i < program->buffer_count; i++) recipe_fill_result(values, &program->buffers[i].contents);
  if (ok) ok = program_settle(program, err);
  if (!ok) {
    if (s.is_read) recipe_add_place(owner, err);
    program_fini(program);
    program_init(program);
  }
  return ok;
}

// ---- host steps ----------------------------------------------------------------------------------------------------

typedef struct Hosting {
  Sequencing sequencing;
  int step;
  const RecipeHost *host;
} Hosting;

// Its own buffers alone; what it touches is noted by whoever hands them out.
static int l_host_buffer(lua_State *L) {
  Hosting *h = lua_touserdata(L, lua_upvalueindex(1));
  bool writes = lua_toboolean(L, lua_upvalueindex(2));
  const char *name = luaL_checkstring(L, 1);
  int buffer = program_buffer(h->host->program, name);
  if (buffer < 0) return luaL_error(L, "the program has no buffer '%s'", name);
  const LaunchArg *arg = &h->host->program->buffers[buffer].contents;
  uint8_t *bytes = h->host->bytes(h->host->context, buffer, writes);
  if (!bytes) return luaL_error(L, "'%s' is on the device only: the host cannot touch it", name);
  if (writes) mod_buffer_push_writable(L, arg->name, arg->type, bytes, arg->count);
  else mod_buffer_push(L, arg->name, arg->type, bytes, arg->count, false);
  return 1;
}

static void push_host(lua_State *L, Hosting *h) {
  static const char *const names[] = {"read", "write"};
  lua_createtable(L, 0, LS_COUNT(names));
  for (int i = 0; i < LS_COUNT(names); i++) {
    lua_pushlightuserdata(L, h);
    lua_pushboolean(L, i);
    lua_pushcclosure(L, l_host_buffer, 2);
    lua_setfield(L, -2, names[i]);
  }
}

static void host_body(lua_State *L, void *context) {
  Hosting *h = context;
  int table = call_sequence(L, &h->sequencing);
  lua_getfield(L, table, "steps");
  lua_rawgeti(L, -1, h->step + 1);
  if (lua_getfield(L, -1, "run") != LUA_TFUNCTION) luaL_error(L, "step %d is another one than before", h->step + 1);
  push_host(L, h);
  lua_call(L, 1, 0);
}

bool recipe_run_host(const Recipe *recipe, const RecipeValues *values, int step, const RecipeHost *host, LsErr *err) {
  RecipeScript *owner = recipe->script;
  Hosting hosting = {{recipe, values, NULL, false}, step, host};
  pthread_mutex_lock(&owner->lock);
  bool ok = script_run(owner->script, SEQUENCE_BUDGET, host_body, &hosting, err);
  pthread_mutex_unlock(&owner->lock);
  return ok;
}
