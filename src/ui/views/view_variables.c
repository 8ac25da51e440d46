// view_variables.c: the variables of a warp by name; with a lane inspected, its values and registers.
#include <stdio.h>
#include <string.h>
#include "base/mem.h"
#include "ui/views/view.h"

//   • id       0  1  2 .. 31            int
//     name     values                   type, or "all lanes"
enum { MARK_X = 1, NAME_X = 3, NAME_MIN = 6, NAME_MAX = 14, GAP = 3, VALUES_MIN = 14 };

typedef struct Columns { int name_w, values, values_w, type; } Columns;

static const char *type_words(const Session *session, const SceneVar *var) {
  bool uniform = session->lane < 0 && ses_lanes_shape(var) == SES_LANES_SAME && var->valid == UINT32_MAX;
  return uniform && !var->is_param ? "all lanes" : var->type ? var->type : "";
}

static void value_words(const Session *session, const SceneVar *var, int width, LsText *out) {
  ls_text_clear(out);
  bool known = session->lane < 0 ? var->valid != 0 : (var->valid >> session->lane & 1) != 0;
  if (!var->in_scope) ls_text_add(out, "out of scope");
  else if (!known) ls_text_add(out, "not yet set");
  else if (session->lane < 0) ses_format_lanes(var, session->hex, width, out);
  else ses_format_value(var->kind, var->size, var->bits[session->lane], session->hex, out);
}

// Types stand right behind the longest value, so that the eye need not cross an empty pane.
static Columns columns_of(const Session *session, const Scene *scene, Rect body) {
  Columns c = {.name_w = NAME_MIN};
  int type_w = 0, longest = VALUES_MIN;
  for (int i = 0; i < scene->var_count; i++) {
    c.name_w = LS_MAX(c.name_w, ls_utf8_width(scene->vars[i].name));
    type_w = LS_MAX(type_w, ls_utf8_width(type_words(session, &scene->vars[i])));
  }
  c.name_w = LS_MIN(c.name_w, NAME_MAX);
  c.values = body.x + NAME_X + c.name_w + GAP;
  int room = body.x + body.w - c.values - 1;
  if (type_w > 16) type_w = 16;
  bool types = room - type_w - GAP >= VALUES_MIN;
  c.values_w = types ? room - type_w - GAP : room;
  LsText text = {0};
  for (int i = 0; i < scene->var_count; i++) {
    value_words(session, &scene->vars[i], c.values_w, &text);
    longest = LS_MAX(longest, ls_utf8_width(ls_text_str(&text)));
  }
  ls_text_free(&text);
  c.type = types ? c.values + LS_MIN(longest, c.values_w) + GAP : 0;
  return c;
}

static Role value_role(const Session *session, const SceneVar *var) {
  bool known = session->lane < 0 ? var->valid != 0 : (var->valid >> session->lane & 1) != 0;
  if (!var->in_scope || !known) return ROLE_DIM;
  if (session->lane < 0 ? var->changed : var->changed >> session->lane & 1) return ROLE_CHANGED;
  return session->lane < 0 && ses_lanes_shape(var) != SES_LANES_SAME ? ROLE_ACTIVE : ROLE_TEXT;
}

static void draw_variable(Session *session, Canvas *canvas, const Columns *c, Rect body, int y, int i, LsText *text) {
  const SceneVar *var = &ses_scene(session)->vars[i];
  Role role = value_role(session, var);
  bool chosen = session->pane == PANE_VARIABLES && i == session->var_shown;
  if (chosen) canvas_background(canvas, (Rect){body.x, y, body.w, 1}, ROLE_SELECTED);
  if (role == ROLE_CHANGED) canvas_put(canvas, body.x + MARK_X, y, 0x2022, ROLE_CHANGED, 0);
  canvas_text_cut(canvas, body.x + NAME_X, y, c->name_w, var->in_scope ? ROLE_TEXT : ROLE_DIM, 0, var->name);
  value_words(session, var, c->values_w, text);
  canvas_text_cut(canvas, c->values, y, c->values_w, role, role == ROLE_CHANGED ? STYLE_BOLD : 0, ls_text_str(text));
  if (c->type)
    canvas_text_cut(canvas, c->type, y, body.x + body.w - 1 - c->type, ROLE_DIM, 0, type_words(session, var));
}

// In the order of the scene, so that a click on a row finds its variable.
static int draw_list(Session *session, Canvas *canvas, Rect body) {
  const Scene *scene = ses_scene(session);
  int count = scene->var_count, first = LS_CLAMP(session->scroll[PANE_VARIABLES], 0, LS_MAX(count - body.h, 0));
  int rows = LS_MIN(count - first, body.h);
  bool more = first + rows < count && rows > 1;
  Columns c = columns_of(session, scene, body);
  LsText text = {0};
  for (int i = 0; i < rows - (more ? 1 : 0); i++)
    draw_variable(session, canvas, &c, body, body.y + i, first + i, &text);
  if (more)
    canvas_textf(canvas, body.x + NAME_X, body.y + rows - 1, ROLE_DIM, 0, "▾ %d more", count - first - rows + 1);
  ls_text_free(&text);
  return rows;
}

static void draw_registers(Session *session, Canvas *canvas, Rect body) {
  LsText text = {0};
  int count = ses_registers(session, &text);
  if (count > 0 && body.h >= 2) {
    char title[32];
    snprintf(title, sizeof title, "registers%s", view_values_tag(session));
    const char *line = ls_text_str(&text);
    int column_w = LS_MAX(LS_MIN(body.w / 2, 40), 24), columns = LS_MAX(body.w / column_w, 1);
    int hidden = count - columns * (body.h - 1);
    char more[32] = "";
    if (hidden > 0) snprintf(more, sizeof more, "▾ %d more", hidden);
    canvas_rule(canvas, body.x, body.y, body.w, title, more);
    for (int i = 0; i < count && i / columns < body.h - 1 && *line; i++) {
      size_t length = strcspn(line, "\n");
      char row[96];
      snprintf(row, sizeof row, "%.*s", (int)LS_MIN(length, sizeof row - 1), line);
      canvas_text_cut(canvas, body.x + NAME_X + i % columns * column_w, body.y + 1 + i / columns, column_w - 2,
                      ROLE_TEXT, 0, row);
      line += length + (line[length] == '\n');
    }
  }
  ls_text_free(&text);
}

void view_draw_variables(Session *session, Canvas *canvas, Rect rect) {
  const Scene *scene = ses_scene(session);
  char title[96], lane[24] = "";
  if (session->lane >= 0) snprintf(lane, sizeof lane, " · lane %d", session->lane);
  snprintf(title, sizeof title, "variables · warp %d%s%s", session->warp, lane, view_values_tag(session));
  Rect body = view_pane_rule(session, PANE_VARIABLES, canvas, rect, title, session->lane < 0 ? "i inspect a lane" : NULL);
  if (!scene->values_known) {
    Rect words = {body.x + NAME_X, body.y, body.w - NAME_X - 1, body.h};
    canvas_text_wrap(canvas, words, 0, ROLE_DIM, 0, scene->why_not);
    return;
  }
  bool registers = session->lane >= 0 && session->show_ptx && body.h >= 6;
  Rect list = body;
  if (registers) list.h = LS_MIN(scene->var_count, body.h / 2);
  int used = draw_list(session, canvas, list);
  if (registers) draw_registers(session, canvas, (Rect){body.x, body.y + used, body.w, body.h - used});
}
