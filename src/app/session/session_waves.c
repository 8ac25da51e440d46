// session_waves.c: the chart of blocks on SMs: when it is made, its window, and its words.
#include <stdlib.h>

#include "app/run/registers.h"
#include "app/run/timing.h"
#include "app/session/session_parts.h"

struct SesChart {
  WaveChart chart;
  bool made, has_registers;
  int version;
  Registers *registers;
};

void chart_free(SesChart *chart) {
  if (!chart) return;
  wavechart_free(&chart->chart);
  registers_free(chart->registers);
  free(chart);
}

// ---- the chart -----------------------------------------------------------------------------------------------------

static SesChart *chart_of(Session *session) {
  if (!session->chart) session->chart = ls_alloc(sizeof *session->chart);
  return session->chart;
}

// Registers of a computed chart may take a while: until they are there, it is drawn without.
static bool registers_are_there(Session *session, SesChart *chart) {
  if (!chart->registers) chart->registers = registers_ask(session->run);
  return session->patience <= 0 || registers_known(chart->registers);
}

const WaveChart *ses_wave_chart(Session *session) {
  SesChart *chart = chart_of(session);
  bool there = registers_are_there(session, chart);
  if (chart->made && there == chart->has_registers) return &chart->chart;
  wavechart_free(&chart->chart);
  run_wave_chart(session->run, there ? registers_count(chart->registers) : 0, &chart->chart);
  bool first = !chart->made, few = chart->chart.blocks <= (uint64_t)LS_MAX(chart->chart.sms, 0);
  chart->made = true;
  chart->version++;
  chart->has_registers = there;
  if (first) session->waves.rows = few ? WAVES_SM : WAVES_ALL;   // a few blocks would be lost among all SMs
  return &chart->chart;
}

bool ses_waves_wait(const Session *session) {
  const SesChart *chart = session->chart;
  return chart && chart->made && !chart->has_registers;
}

bool chart_has_news(const Session *session) { return ses_waves_wait(session) && registers_known(session->chart->registers); }

int chart_version(const SesChart *chart) { return chart ? chart->version : 0; }

void ses_waves_words(Session *session, LsText *out) {
  const WaveChart *chart = ses_wave_chart(session);
  waveview_words(chart, out);
  if (!chart->computed || !chart->span) return;
  ls_text_addc(out, ' ');
  if (session->chart->has_registers) registers_words(session->chart->registers, out);
  else ls_text_add(out, "Registers are not counted yet: ptxas is at work.");
}

void ses_wave_view(Session *session, Rect rect, WaveView *view) {
  waveview_place(ses_wave_chart(session), &session->waves, session->block, rect, view);
}

// ---- words ---------------------------------------------------------------------------------------------------------

static bool is_recorded(const Session *session, uint32_t block) {
  int count = 0;
  const TraceBlock *blocks = session->run->trace ? trace_blocks(session->run->trace, &count) : NULL;
  for (int i = 0; i < count; i++)
    if (blocks[i].block == block && blocks[i].count) return true;
  return false;
}

void ses_wave_words(Session *session, const WaveView *view, LsText *out) {
  char from[24], to[24], took[24];
  const WaveChart *chart = view->chart;
  if (!view->has_cursor) return;
  waveview_time_text(chart, view->cursor.start, from, sizeof from);
  waveview_time_text(chart, view->cursor.end, to, sizeof to);
  waveview_time_text(chart, view->cursor.end - view->cursor.start, took, sizeof took);
  int sm = view->cursor_row / chart->slots, slot = view->cursor_row % chart->slots;
  ls_text_addf(out, "block %u · SM %d, slot %d · ", view->cursor.block, sm, slot);
  if (chart->computed) ls_text_addf(out, "wave %s", from);
  else ls_text_addf(out, "%s to %s, %s long%s", from, to, took,
                    view->cursor.slowed ? ", slowed by being recorded" : "");
  if (view->cursor.block == session->block) ls_text_add(out, " · shown");
  else if (is_recorded(session, view->cursor.block)) ls_text_add(out, " · enter shows its steps");
  else ls_text_add(out, " · not recorded");
}
