// draw_dataflow.c: lanes for the host, the bus and the GPU with what happens in them; wasted copies are marked.
#include <stdio.h>

#include "app/models/dataflow.h"
#include "base/mem.h"
#include "ui/models/pictures.h"

enum { LABEL_W = 9, LANES = 4, LANE_LEAST = 2, LANE_MOST = 5, HEAD_H = 1, NODES_H = 2 };
enum { BOX_LEAST = 3, BOX_MOST = 20, NODE_W = 8 };

static const char *const lanes[LANES] = {"host", "bus in", "GPU", "bus out"};
static int lane_of(FlowKind kind) { return kind == FLOW_CPU ? 0 : kind == FLOW_IN ? 1 : kind == FLOW_GPU ? 2 : 3; }

static Role role_of(const FlowStep *step) {
  if (step->wasted) return ROLE_WAITING;
  return step->kind == FLOW_GPU ? ROLE_USED : step->kind == FLOW_CPU ? ROLE_SET1 : ROLE_ACTIVE;
}

// Every step has a column of its own, so that one reads from left to right what happens. Between a lane and the next
// one
// it is said of a copy that it is one too many.
static void draw_steps(const DataflowModel *m, Canvas *canvas, Rect rect) {
  int lane_h = LS_CLAMP(rect.h / LANES, LANE_LEAST, LANE_MOST), bar_h = lane_h - 1;
  int room = rect.w - LABEL_W, box = LS_CLAMP(room / LS_MAX(m->step_count, 1), BOX_LEAST, BOX_MOST),
      fit = LS_MIN(m->step_count, room / box);
  int first = LS_CLAMP(m->shown - fit, 0, LS_MAX(m->step_count - fit, 0));
  for (int lane = 0; lane < LANES; lane++) {
    canvas_text(canvas, rect.x, rect.y + lane * lane_h, ROLE_DIM, 0, lanes[lane]);
    Rect line = {rect.x + LABEL_W, rect.y + lane * lane_h + (bar_h - 1) / 2, fit * box, 1};
    canvas_fill(canvas, line, 0x2508, ROLE_RULE, 0);
  }
  for (int i = 0; i < fit; i++) {
    const FlowStep *step = &m->steps[first + i];
    int x = rect.x + LABEL_W + i * box, y = rect.y + lane_of(step->kind) * lane_h;
    if (first + i >= m->shown) continue;
    bool now = first + i == m->shown - 1;
    Role role = now ? ROLE_CURSOR : role_of(step);
    canvas_fill(canvas, (Rect){x, y, box - 1, bar_h}, step->wasted ? 0x2592 : 0x2588, role, 0);
    char name[16];
    snprintf(name, sizeof name, "%.*s", LS_MIN(box - 1, 15), step->name);
    if (ls_utf8_width(step->name) <= box - 1) canvas_text(canvas, x, y, role, STYLE_BOLD | STYLE_REVERSE, name);
    if (step->wasted) canvas_text_cut(canvas, x, y + bar_h, box, ROLE_WAITING, 0, box > 6 ? "▲ again" : "▲");
  }
  if (fit < m->step_count) canvas_textf(canvas, rect.x, rect.y + LANES * lane_h - 1, ROLE_DIM, 0,
                                        "▸ steps %d to %d of %d", first + 1, first + fit, m->step_count);
}

// The nodes of a pipeline with the borders between them.
static void draw_nodes(const DataflowModel *m, Canvas *canvas, Rect rect) {
  int fit = LS_MIN(m->node_count, rect.w / NODE_W);
  for (int i = 0; i < fit; i++) {
    int x = rect.x + i * NODE_W;
    Role role = i == m->chosen ? ROLE_CURSOR : m->on_gpu[i] ? ROLE_USED : ROLE_SET1;
    canvas_textf(canvas, x, rect.y, role, i == m->chosen ? STYLE_BOLD | STYLE_REVERSE : STYLE_BOLD, " %d %s ", i,
                 m->on_gpu[i] ? "GPU" : "CPU");
    bool border = i + 1 < m->node_count && m->on_gpu[i] != m->on_gpu[i + 1];
    if (i + 1 < fit) canvas_put(canvas, x + NODE_W - 1, rect.y, border ? 0x2503 : 0x2500,
                                border ? ROLE_WAITING : ROLE_DIM, STYLE_BOLD);
  }
  if (fit < m->node_count) canvas_textf(canvas, rect.x, rect.y + 1, ROLE_DIM, 0, "▸ %d more nodes",
                                        m->node_count - fit);
}

PictureRoom model_room_dataflow(const ModelValues *values, int cols) {
  DataflowModel m;
  (void)cols;
  dataflow_model(values, &m);
  return (PictureRoom){HEAD_H + LANES * LANE_LEAST + (m.pipeline ? 1 : 0),
                       HEAD_H + LANES * LANE_MOST + 1 + (m.pipeline ? NODES_H : 0)};
}

void model_draw_dataflow(const ModelValues *values, Canvas *canvas, Rect rect) {
  DataflowModel m;
  dataflow_model(values, &m);
  char right[64];
  snprintf(right, sizeof right, "%d copies, %d needed, %.3g ms", m.copies, m.least, m.ms);
  const char *title = m.pipeline ? "a pipeline of nodes" : "a product of matrices";
  canvas_text_cut(canvas, rect.x, rect.y, rect.w - ls_utf8_width(right) - 1, ROLE_TEXT, STYLE_BOLD, title);
  canvas_text_right(canvas, rect.x + rect.w, rect.y, m.copies > m.least ? ROLE_WAITING : ROLE_GOOD, STYLE_BOLD, right);
  int y = rect.y + HEAD_H;
  if (m.pipeline) {
    int spare = rect.h - HEAD_H - LANES * LANE_LEAST;
    draw_nodes(&m, canvas, (Rect){rect.x, y, rect.w, NODES_H});
    y += LS_CLAMP(spare, 1, NODES_H);
  } else if (rect.h > HEAD_H + LANES * LANE_LEAST) y++;
  draw_steps(&m, canvas, (Rect){rect.x, y, rect.w, rect.y + rect.h - y});
}
