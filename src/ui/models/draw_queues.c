// draw_queues.c: SMs as rows, time as columns, each block in the color of its kernel; and the kernels with their times.
#include <stdio.h>
#include <stdlib.h>

#include "app/models/queues.h"
#include "base/mem.h"
#include "ui/models/pictures.h"

enum { LABEL_W = 7, AXIS_H = 1, HEAD_H = 1, LEAST = 9, KERNEL_W = 24, MARKS = 8, CELL_MOST = 10, BAR_MOST = 3 };

static uint32_t letter(int kernel) { return (uint32_t)('A' + kernel % 26); }

static void draw_sms(const QueuesModel *m, Canvas *canvas, Rect rect) {
  int room = rect.w - LABEL_W, per_cell = (LS_MAX(m->end, 1) + room - 1) / room, cells = (LS_MAX(m->end,
      1) + per_cell - 1) / per_cell;
  int cell_w = LS_CLAMP(room / cells, 1, CELL_MOST), shown = LS_MIN(m->places, rect.h - AXIS_H);
  if (shown < m->places) shown--;
  int bar_h = shown < m->places ? 1 : LS_CLAMP((rect.h - AXIS_H) / m->places, 1, BAR_MOST);
  for (int sm = 0; sm < shown; sm++) {
    canvas_textf(canvas, rect.x, rect.y + sm * bar_h, ROLE_DIM, 0, "SM %d", sm);
    int width = (LS_MIN(m->now, m->end) + per_cell - 1) / per_cell * cell_w;
    Rect idle = {rect.x + LABEL_W, rect.y + sm * bar_h, width, LS_MAX(bar_h - 1, 1)};
    canvas_fill(canvas, idle, 0x2591, ROLE_GONE, 0);
  }
  int below = rect.y + shown * bar_h;
  if (shown < m->places) canvas_textf(canvas, rect.x, below, ROLE_DIM, 0, "▾ %d more", m->places - shown);
  for (int b = 0; b < m->block_count; b++) {
    const QueuesBlock *block = &m->blocks[b];
    int from = block->start / per_cell * cell_w, to = (LS_MIN(block->end, m->now) + per_cell - 1) / per_cell * cell_w;
    if (block->place >= shown || block->start >= m->now) continue;
    Role role = m->kernels[block->kernel].high ? ROLE_CURSOR : picture_set(block->kernel);
    int x = rect.x + LABEL_W + from, y = rect.y + block->place * bar_h;
    picture_bar(canvas, (Rect){x, y, LS_MAX(to - from - (cell_w > 1), 1), bar_h}, picture_shade(block->kernel), role);
    canvas_put(canvas, x, y, letter(block->kernel), role, STYLE_BOLD | STYLE_REVERSE);
  }
  int y = below + (shown < m->places), apart = LS_MAX((cells + MARKS - 1) / MARKS, 1), end = 0;
  canvas_text(canvas, rect.x, y, ROLE_DIM, 0, "ms");
  for (int cell = 0; cell <= cells; cell += apart) {
    char text[16];
    int at = rect.x + LABEL_W + cell * cell_w;
    snprintf(text, sizeof text, "%d", cell * per_cell);
    if (at >= end && at + ls_utf8_width(text) <= rect.x + rect.w) end = canvas_text(canvas, at, y, ROLE_DIM, 0,
                                                                                    text) + 1;
  }
}

// Kernels side by side: stream, blocks, and from when to when they ran.
static void draw_kernels(const QueuesModel *m, Canvas *canvas, Rect rect) {
  int across = LS_MAX(rect.w / KERNEL_W, 1), rows = (m->kernel_count + across - 1) / across, fit = LS_MIN(rows,
      rect.h) * across;
  bool more = fit < m->kernel_count;
  for (int i = 0; i < LS_MIN(m->kernel_count, fit) - more; i++) {
    const QueuesKernel *k = &m->kernels[i];
    char text[64];
    int x = rect.x + i % across * KERNEL_W, y = rect.y + i / across;
    canvas_put(canvas, x, y, letter(i), k->high ? ROLE_CURSOR : picture_set(i), STYLE_BOLD | STYLE_REVERSE);
    if (k->start > m->now) snprintf(text, sizeof text, "stream %d waits", k->stream);
    else snprintf(text, sizeof text, k->end > m->now ? "stream %d from %d" : "stream %d %d to %d", k->stream, k->start,
                  k->end);
    canvas_text_cut(canvas, x + 2, y, KERNEL_W - 3, ROLE_TEXT, 0, text);
  }
  int last = LS_MIN(m->kernel_count, fit) - 1;
  if (more) canvas_textf(canvas, rect.x + last % across * KERNEL_W, rect.y + last / across, ROLE_DIM, 0, "▾ %d more",
                         m->kernel_count - last);
}

static int rows_of_kernels(const QueuesModel *m, int cols) {
  int across = LS_MAX(cols / KERNEL_W, 1);
  return (m->kernel_count + across - 1) / across;
}

PictureRoom model_room_queues(const ModelValues *values, int cols) {
  QueuesModel *m = ls_alloc(sizeof *m);
  queues_model(values, m);
  int around = HEAD_H + AXIS_H + 1 + rows_of_kernels(m, cols);
  PictureRoom room = {LS_MIN(LEAST, around + m->places), around + BAR_MOST * m->places};
  free(m);
  return room;
}

void model_draw_queues(const ModelValues *values, Canvas *canvas, Rect rect) {
  QueuesModel *m = ls_alloc(sizeof *m);
  queues_model(values, m);
  canvas_textf(canvas, rect.x, rect.y, ROLE_TEXT, STYLE_BOLD, "%s",
               m->next_only ? "one queue, before 3.5" : "a queue for each stream");
  char right[48];
  if (m->now < m->end) snprintf(right, sizeof right, "%d of %d ms", m->now, m->end);
  else snprintf(right, sizeof right, "%d ms", m->end);
  canvas_text_right(canvas, rect.x + rect.w, rect.y, ROLE_TEXT, STYLE_BOLD, right);
  int kernels = LS_MIN(rows_of_kernels(m, rect.w), LS_MAX((rect.h - HEAD_H) / 4, 1)), sms = rect.h - HEAD_H - kernels;
  if (sms > m->places + AXIS_H) sms = LS_CLAMP((sms - AXIS_H - 1) / m->places, 1, BAR_MOST) * m->places + AXIS_H;
  draw_sms(m, canvas, (Rect){rect.x, rect.y + HEAD_H, rect.w, sms});
  int gap = HEAD_H + sms + kernels < rect.h;
  draw_kernels(m, canvas, (Rect){rect.x, rect.y + HEAD_H + sms + gap, rect.w, kernels});
  free(m);
}
