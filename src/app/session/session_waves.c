// session_waves.c: the chart of blocks on SMs: when it is made, its window, and its words.
#include "app/session/session_impl.h"
#include "app/run/timing.h"

// ---- the chart -----------------------------------------------------------------------------------------------------

// Registers of a computed chart may take a while: until they are there, it is drawn without.
static bool registers_are_there(Session *session) {
  SesImpl *impl = ses_impl(session);
  if (!impl->registers) impl->registers = registers_ask(session->run);
  return session->patience <= 0 || registers_known(impl->registers);
}

const WaveChart *ses_wave_chart(Session *session) {
  SesImpl *impl = ses_impl(session);
  bool there = registers_are_there(session);
  if (impl->chart_made && there == impl->chart_has_registers) return &impl->chart;
  wavechart_free(&impl->chart);
  run_wave_chart(session->run, there ? registers_count(impl->registers) : 0, &impl->chart);
  bool first = !impl->chart_made, few = impl->chart.blocks <= (uint64_t)LS_MAX(impl->chart.sms, 0);
  impl->chart_made = true;
  impl->picture_key.kind = -1;   // its words are others now
  impl->chart_has_registers = there;
  if (first) session->waves.rows = few ? WAVES_SM : WAVES_ALL;   // a few blocks would be lost among all SMs
  return &impl->chart;
}

bool ses_waves_wait(const Session *session) {
  const SesImpl *impl = session->impl;
  return impl->chart_made && !impl->chart_has_registers;
}

void ses_waves_clear(Session *session) {
  SesImpl *impl = ses_impl(session);
  wavechart_free(&impl->chart);
  registers_free(impl->registers);
  impl->registers = NULL;
  impl->chart_made = false;
  session->waves = (SesWaves){.block = -1};
}

void ses_waves_words(Session *session, LsText *out) {
  SesImpl *impl = ses_impl(session);
  const WaveChart *chart = ses_wave_chart(session);
  waveview_words(chart, out);
  if (!chart->computed || !chart->span) return;
  ls_text_addc(out, ' ');
  if (impl->chart_has_registers) registers_words(impl->registers, out);
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
  else ls_text_addf(out, "%s to %s, %s long", from, to, took);
  if (view->cursor.block == session->block) ls_text_add(out, " · shown");
  else if (is_recorded(session, view->cursor.block)) ls_text_add(out, " · enter shows its steps");
  else ls_text_add(out, " · not recorded");
}
