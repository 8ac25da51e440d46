// launch_struct.c: structs by value, from text to bytes. The grammar is in launch_struct.h.
#include "launch/launch_struct.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "launch/launch_parts.h"

enum { DEPTH_MOST = 16, PLACES_MOST = 1 << 20 };

typedef struct Layout {
  Launch *launch;
  int owner;
  const PtxDwType *type;       // of the whole; NULL: not known
  uint8_t *bytes, *given;      // given: per byte, somebody named it
  uint64_t size, capacity;
  int depth;
  LsErr *err;
} Layout;

// ---- bytes: see launch_struct.h for what the source's types tell -------------------------------------------------------

static const PtxDwField *find_field(const PtxDwType *type, const char *name, size_t length) {
  for (int i = 0; type && type->kind == PTX_DW_STRUCT && i < type->field_count; i++) {
    const PtxDwField *field = &type->fields[i];
    if (length && strlen(field->name) == length && memcmp(field->name, name, length) == 0) return field;
  }
  return NULL;
}

static bool fail_members(Layout *l, const PtxDwType *type, const char *format,
                         ...) __attribute__((format(printf, 3, 4)));

// A problem, and what members there are.
static bool fail_members(Layout *l, const PtxDwType *type, const char *format, ...) {
  LsText text = {0};
  va_list args;
  va_start(args, format);
  ls_text_addv(&text, format, args);
  va_end(args);
  if (type && type->field_count) {
    ls_text_addf(&text, "; %s is ", type->name ? type->name : "the struct");
    launch_add_members(type, &text);
  }
  ls_fail(l->err, LS_EREQUEST, "%s", ls_text_str(&text));
  ls_text_free(&text);
  return false;
}

static bool reserve(Layout *l, uint64_t end) {
  if (end > (l->type ? l->size : PLACES_MOST))
    return ls_fail(l->err, LS_EREQUEST, "the members are more than the struct holds");
  if (end > l->capacity) {
    uint64_t capacity = LS_MAX(end, 2 * l->capacity + 64);
    l->bytes = ls_realloc(l->bytes, capacity);
    l->given = ls_realloc(l->given, capacity);
    memset(l->bytes + l->capacity, 0, capacity - l->capacity);
    memset(l->given + l->capacity, 0, capacity - l->capacity);
    l->capacity = capacity;
  }
  l->size = LS_MAX(l->size, end);
  return true;
}

static bool put(Layout *l, uint64_t at, const void *bytes, uint64_t size) {
  if (!reserve(l, at > UINT64_MAX - size ? UINT64_MAX : at + size)) return false;   // a damaged offset may be anything
  memcpy(l->bytes + at, bytes, size);
  memset(l->given + at, 1, size);
  return true;
}

static bool put_number(Layout *l, uint64_t at, LaunchType type, const char *text) {
  uint64_t bits = 0;
  return launch_parse_value(type, text, &bits, l->err) && put(l, at, &bits, (uint64_t)launch_type_size(type));
}

// Numbers of one type, one after another: INIT or V,V,...
static bool put_numbers(Layout *l, uint64_t at, LaunchType type, uint64_t count, const char *text) {
  LaunchArg arg = {.type = type, .is_buffer = true, .count = count};
  bool ok = launch_parse_init(&arg, text, l->err);
  if (ok && arg.init == LAUNCH_NONE)
    ok = ls_fail(l->err, LS_EREQUEST, "a struct has no bytes that nobody wrote: say zero, not none");
  if (ok) {
    uint64_t size = count * (uint64_t)launch_type_size(type);
    uint8_t *bytes = ls_alloc(size + 1);
    launch_fill(&arg, bytes);
    ok = put(l, at, bytes, size);
    free(bytes);
  }
  launch_arg_fini(&arg);
  return ok;
}

// A pointer and what it points at. Values of a buffer are in braces here, because commas part members.
static bool put_pointee(Layout *l, uint64_t at, const char *what, const char *text) {
  static const uint8_t none[8];
  LsText plain = {0};
  for (; *text; text++) if (*text != '{' && *text != '}') ls_text_addc(&plain, *text);
  LaunchArg arg = {.count = 1, .role = LAUNCH_POINTEE, .owner = l->owner, .offset = at};
  bool ok = launch_parse_buffer(&arg, ls_text_str(&plain), l->err) && put(l, at, none, sizeof none);
  ls_text_free(&plain);
  if (!ok) {
    launch_arg_fini(&arg);
    return false;
  }
  arg.name = ls_strdup(what);
  LS_PUSH(l->launch->args, l->launch->arg_count, l->launch->arg_capacity, arg);
  return true;
}

// ---- text ----------------------------------------------------------------------------------------------------------

// The next member or value: up to a comma outside of braces and brackets. Caller frees; NULL at the end.
static char *next_item(const char **at) {
  int depth = 0;
  const char *start = *at, *s = start;
  if (!*start) return NULL;
  for (; *s && (depth > 0 || *s != ','); s++) depth += (*s == '{') + (*s == '[') - (*s == '}') - (*s == ']');
  *at = *s ? s + 1 : s;
  while (isspace((unsigned char)*start)) start++;
  while (s > start && isspace((unsigned char)s[-1])) s--;
  return ls_strndup(start, (size_t)(s - start));
}

// What is in the braces of "{...}"; NULL: it is not in braces. Caller frees.
static char *inside_braces(const char *text) {
  size_t length = strlen(text);
  return length >= 2 && text[0] == '{' && text[length - 1] == '}' ? ls_strndup(text + 1, length - 2) : NULL;
}

static size_t head_of(const char *item) { return strcspn(item, "=[."); }

static bool begins_with_type(const char *item) {
  LaunchType type;
  int lanes;
  size_t head = head_of(item);
  return item[head] && item[head] != '.' && launch_type_read(item, head, &type, &lanes);
}

bool launch_is_in_order(const char *members) {
  bool all = *members != 0;
  for (char *item; all && (item = next_item(&members)); free(item)) all = begins_with_type(item);
  return all;
}

// ---- by name -------------------------------------------------------------------------------------------------------

static bool put_value(Layout *l, const PtxDwType *type, uint64_t at, const char *what, const char *text);
static bool put_named(Layout *l, const PtxDwType *type, uint64_t at, const char *what, const char *item);

static bool put_pointer(Layout *l, const PtxDwType *type, uint64_t at, const char *what, const char *text) {
  static const uint8_t none[8];
  bool null = strcmp(text, "0") == 0 || strcmp(text, "NULL") == 0 || strcmp(text, "nullptr") == 0;
  if (null) return put(l, at, none, sizeof none);
  if (strchr(text, '[')) return put_pointee(l, at, what, text);
  return ls_fail(l->err, LS_EREQUEST,
                 "%s is a pointer (%s): it takes a buffer, such as float[100]=iota, or 0, not '%s'", what,
                 type->name ? type->name : "?", LS_QUOTE(text));
}

static uint64_t elements_from(const PtxDwType *type, int level) {
  uint64_t count = 1;
  for (int i = level; i < type->dim_count; i++) count *= (uint64_t)LS_MAX(type->dims[i], 0);
  return count;
}

// An array from its dimension `level` on: {...} of rows, or of elements one after another.
static bool put_array(Layout *l, const PtxDwType *type, int level, uint64_t at, const char *what, const char *text) {
  LaunchType number;
  uint64_t elem = (uint64_t)type->elem->size, count = elements_from(type, level), n = 0;
  char *list = inside_braces(text);
  if (!list) {
    if (launch_element_type(type, &number) && launch_is_init(text))
      return put_numbers(l, at, number, count * elem / (uint64_t)launch_type_size(number), text);
    return ls_fail(l->err, LS_EREQUEST, "%s is %s: it takes {V,V,...} or INIT (zero, iota, const:V, ...), not '%s'",
                   what, type->name,
                   LS_QUOTE(text));
  }
  const char *rest = list;
  bool rows = level + 1 < type->dim_count && *list == '{', ok = true;
  uint64_t most = rows ? (uint64_t)type->dims[level] : count,
      stride = rows ? elements_from(type, level + 1) * elem : elem;
  for (char *item; ok && (item = next_item(&rest)); free(item), n++) {
    char *place = ls_format("%s[%llu]", what, (unsigned long long)n);
    if (n >= most)
      ok = ls_fail(l->err, LS_EREQUEST, "%s is %s: there are more than %llu values", what, type->name,
                   (unsigned long long)most);
    else if (rows) ok = put_array(l, type, level + 1, at + n * stride, place, item);
    else ok = put_value(l, type->elem, at + n * stride, place, item);
    free(place);
  }
  free(list);
  return ok;
}

// Members of a struct inside: by name, or in the order of its fields.
static bool put_fields(Layout *l, const PtxDwType *type, uint64_t at, const char *what, const char *text) {
  char *list = inside_braces(text);
  if (!list)
    return ls_fail(l->err, LS_EREQUEST, "%s is a struct (%s): name its members, as in %s.%s=VALUE, or give {...}, "
                   "not '%s'", what, type->name ? type->name : "?", what,
                   type->field_count ? type->fields[0].name : "x", LS_QUOTE(text));
  const char *rest = list;
  int next = 0;
  bool ok = true;
  for (char *item; ok && (item = next_item(&rest)); free(item), next++) {
    size_t head = head_of(item);
    bool named = item[head] && find_field(type, item, head);
    if (named) ok = put_named(l, type, at, what, item);
    else if (next >= type->field_count) ok = fail_members(l, type, "there are more values than members");
    else {
      const PtxDwField *field = &type->fields[next];
      char *place = ls_format("%s.%s", what, field->name);
      ok = put_value(l, field->type, at + (uint64_t)field->offset, place, item);
      free(place);
    }
  }
  free(list);
  return ok;
}

static bool put_value(Layout *l, const PtxDwType *type, uint64_t at, const char *what, const char *text) {
  LaunchType number;
  if (!type || l->depth >= DEPTH_MOST)
    return ls_fail(l->err, LS_EREQUEST, "the source does not say what type %s has", what);
  if (launch_number_type(type, text, &number)) {
    size_t head = strcspn(text, "=");
    if (text[head] && begins_with_type(text)) text += head + 1;   // n=int=3: the source knows
    if (put_number(l, at, number, text)) return true;
    return launch_blame(l->err, "%s is %s: ", what, type->name ? type->name : launch_type_name(number));
  }
  l->depth++;
  bool ok = false;
  if (type->kind == PTX_DW_POINTER) ok = put_pointer(l, type, at, what, text);
  else if (type->kind == PTX_DW_ARRAY && type->elem) ok = put_array(l, type, 0, at, what, text);
  else if (type->kind == PTX_DW_STRUCT) ok = put_fields(l, type, at, what, text);
  else ls_fail(l->err, LS_EREQUEST, "%s is a %s, which cannot be given here", what, type->name ? type->name : "?");
  l->depth--;
  return ok;
}

// "[index]" behind an array's name.
static bool follow_index(Layout *l, const PtxDwType **type, uint64_t *at, int *level, const char **path) {
  const char *close = strchr(*path, ']');
  char digits[24] = "";
  uint64_t index = 0;
  size_t length = close ? (size_t)(close - *path - 1) : 0;
  if (length && length < sizeof digits) memcpy(digits, *path + 1, length);
  if (!*type || (*type)->kind != PTX_DW_ARRAY || !(*type)->elem)
    return ls_fail(l->err, LS_EREQUEST, "'%s': this is %s, no array", LS_QUOTE(*path), *type &&
                   (*type)->name ? (*type)->name : "?");
  if (!ls_parse_u64(digits, &index) || index >= (uint64_t)LS_MAX((*type)->dims[*level], 0))
    return ls_fail(l->err, LS_EREQUEST, "'%s': an index of %s is a whole number below %lld", LS_QUOTE(*path),
                   (*type)->name,
                   (long long)(*type)->dims[*level]);
  *at += index * elements_from(*type, *level + 1) * (uint64_t)(*type)->elem->size;
  *path = close + 1;
  if (++*level == (*type)->dim_count) *type = (*type)->elem, *level = 0;
  return true;
}

// path "=" value, within a struct.
static bool put_named(Layout *l, const PtxDwType *type, uint64_t at, const char *what, const char *item) {
  const char *path = item;
  int level = 0;
  size_t end = strcspn(item, "=");
  for (bool first = true; *path && *path != '='; first = false) {
    if (*path == '[') {
      if (!follow_index(l, &type, &at, &level, &path)) return false;
      continue;
    }
    path += !first && *path == '.';
    size_t length = head_of(path);
    const PtxDwField *field = level ? NULL : find_field(type, path, length);
    if (!field)
      return fail_members(l, type && type->kind == PTX_DW_STRUCT ? type : l->type, "there is no member '%s'",
                          LS_QUOTE_N(path, length));
    at += (uint64_t)field->offset;
    type = field->type;
    path += length;
  }
  if (*path != '=') return ls_fail(l->err, LS_EREQUEST, "expected NAME=VALUE, not '%s'", LS_QUOTE(item));
  char *name = ls_format("%s.%.*s", what, (int)end, item);
  bool ok = level ? put_array(l, type, level, at, name, path + 1) : put_value(l, type, at, name, path + 1);
  free(name);
  return ok;
}

// ---- in order ------------------------------------------------------------------------------------------------------

// The number or pointer of the source that begins at a place; NULL: nothing does.
static const PtxDwType *leaf_at(const PtxDwType *type, uint64_t at, int depth) {
  if (!type || depth > DEPTH_MOST || at >= (uint64_t)type->size) return NULL;
  if (type->kind == PTX_DW_ARRAY) {
    uint64_t size = type->elem ? (uint64_t)type->elem->size : 0;
    return size ? leaf_at(type->elem, at % size, depth + 1) : NULL;
  }
  if (type->kind != PTX_DW_STRUCT || launch_is_half(type)) return at ? NULL : type;
  for (int i = 0; i < type->field_count; i++) {
    const PtxDwField *field = &type->fields[i];
    uint64_t first = (uint64_t)field->offset;
    const PtxDwType *leaf = at >= first ? leaf_at(field->type, at - first, depth + 1) : NULL;
    if (leaf) return leaf;
  }
  return NULL;
}

// A member that lies where the source has something else.
static bool check_place(Layout *l, uint64_t at, LaunchType type, bool pointer, const char *item) {
  LaunchType wanted = type;
  const PtxDwType *leaf = l->type ? leaf_at(l->type, at, 0) : NULL;
  if (!l->type) return true;
  bool fits = leaf && leaf->size == (pointer ? 8 : launch_type_size(type)) && (leaf->kind == PTX_DW_POINTER) == pointer;
  if (fits && !pointer && launch_number_type(leaf, NULL, &wanted))
    fits = launch_type_is_float(wanted) == launch_type_is_float(type);
  return fits || fail_members(l, l->type, "'%s' would lie at byte %llu, where there is %s", LS_QUOTE(item),
                              (unsigned long long)at,
                              !leaf ? "only padding" : leaf->name ? leaf->name : "something else");
}

static bool put_typed(Layout *l, uint64_t *at, uint64_t *align, const char *item) {
  LaunchType type = LAUNCH_U8;
  int lanes = 1;
  size_t head = head_of(item);
  if (!item[head] || !launch_type_read(item, head, &type, &lanes)) return launch_unknown_type(item, head, l->err);
  const char *equals = strchr(item + head, '=');
  char *list = equals ? inside_braces(equals + 1) : NULL;
  bool pointer = item[head] == '[' && !list;
  uint64_t count = 1, unit = (uint64_t)(launch_type_size(type) * lanes),
      needs = pointer ? 8 : (uint64_t)launch_type_align(type, lanes);
  char digits[24] = "";
  size_t length = item[head] == '[' ? strcspn(item + head + 1, "]") : 0;
  if (length < sizeof digits) memcpy(digits, item + head + 1, length);
  bool ok = equals && (item[head] != '[' || (ls_parse_u64(digits, &count) && count && count <= PLACES_MOST / unit) ||
                       pointer);
  *at = ls_align_up(*at, needs);
  *align = LS_MAX(*align, needs);
  if (!ok)
    ls_fail(l->err, LS_EREQUEST, "expected TYPE=VALUE, TYPE[COUNT]={V,V,...} or TYPE[COUNT]=INIT, not '%s'",
            LS_QUOTE(item));
  ok = ok && check_place(l, *at, type, pointer, item);
  char *name = ls_format("member at byte %llu", (unsigned long long)*at);
  if (ok && pointer) ok = put_pointee(l, *at, name, item);
  else if (ok && !list && lanes == 1) ok = put_number(l, *at, type, equals + 1);
  else if (ok) ok = put_numbers(l, *at, type, count * (uint64_t)lanes, list ? list : equals + 1);
  *at += pointer ? 8 : count * unit;
  free(name);
  free(list);
  return ok;
}

static bool put_in_order(Layout *l, const char *members) {
  uint64_t at = 0, align = 1;
  bool ok = true;
  for (char *item; ok && (item = next_item(&members)); free(item)) ok = put_typed(l, &at, &align, item);
  at = ls_align_up(at, align);
  if (!ok) return false;
  if (!l->type) return reserve(l, at);
  return at == (uint64_t)l->type->size || fail_members(l, l->type, "these members are %llu bytes, the struct has %d",
                                                       (unsigned long long)at, l->type->size);
}

// ---- the whole -----------------------------------------------------------------------------------------------------

static void begin(Layout *l, Launch *launch, int owner, const PtxDwType *type, LsErr *err) {
  *l = (Layout){.launch = launch, .owner = owner, .type = type, .err = err};
  if (!type) return;
  l->size = (uint64_t)type->size;
  reserve(l, l->size);
}

static bool finish(Layout *l, bool ok) {
  LaunchArg *arg = &l->launch->args[l->owner];   // laying out may have moved it
  free(l->given);
  if (!ok) {
    free(l->bytes);
    return false;
  }
  free(arg->data);
  arg->data = l->bytes ? l->bytes : ls_alloc(1);
  arg->count = l->size;
  arg->type = LAUNCH_U8;
  arg->init = LAUNCH_DATA;
  return true;
}

static void list_left(const Layout *l, LsText *left) {
  for (int i = 0; l->type && i < l->type->field_count; i++) {
    const PtxDwField *field = &l->type->fields[i];
    bool given = false;
    for (int64_t k = 0; field->type && k < field->type->size; k++) given |= l->given[field->offset + k];
    if (!given) ls_text_addf(left, "%s%s", left->length ? ", " : "", field->name);
  }
}

static bool is_member(const PtxDwType *type, const char *members) {
  return find_field(type, members, head_of(members)) != NULL;
}

bool launch_lay_out(Launch *launch, int owner, const char *members, const PtxDwType *type, const char *what,
                    LsText *left, LsErr *err) {
  Layout l;
  bool ok = true;
  if (type && type->kind != PTX_DW_STRUCT) type = NULL;
  begin(&l, launch, owner, type, err);
  bool in_order = launch_is_in_order(members) && !is_member(type, members);
  if (in_order) ok = put_in_order(&l, members);
  else if (!type)
    ok = ls_fail(err, LS_EREQUEST, "'%s': without the source's names members stand in order with their types, as in struct:i32=1,f32=2 "
                 "(names are known in a .cu, or in PTX made with nvcc -G)", LS_QUOTE(members));
  for (char *item; ok && !in_order && (item = next_item(&members)); free(item)) ok = put_named(&l, type, 0, what, item);
  if (ok && left && !in_order) list_left(&l, left);
  return finish(&l, ok);
}

bool launch_lay_out_value(Launch *launch, int owner, const char *value, const PtxDwType *type, const char *what,
                          LsErr *err) {
  Layout l;
  begin(&l, launch, owner, type, err);
  return finish(&l, put_value(&l, type, 0, what, value));
}
