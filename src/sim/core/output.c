// output.c: what kernels print, piece by piece, each with the event that printed it.
#include "sim/core/output.h"
#include <stdlib.h>
#include "sim/core/exec.h"

// One piece more; the last one stands for all beyond the limit.
void sim_output_piece(SimOutput *output, SimPrint piece) {
  if (output->piece_count == TRACE_MOST_PRINTS) output->pieces[output->piece_count - 1].length += piece.length;
  else LS_PUSH(output->pieces, output->piece_count, output->piece_capacity, piece);
}

void sim_output_add(SimOutput *output, SimOutput *more) {
  if (more->text.length) ls_text_addn(&output->text, more->text.data, more->text.length);
  for (int i = 0; i < more->piece_count; i++) sim_output_piece(output, more->pieces[i]);
  sim_output_free(more);
}

void sim_output_free(SimOutput *output) {
  ls_text_free(&output->text);
  free(output->pieces);
  *output = (SimOutput){0};
}

void sim_output_send(SimExec *exec) {
  if (!exec->output.piece_count || !exec->sink || !exec->sink->print) return;
  TracePrint *prints = ls_alloc(sizeof *prints * (size_t)exec->output.piece_count);
  const char *at = ls_text_str(&exec->output.text);
  for (int i = 0; i < exec->output.piece_count; i++) {
    const SimPrint *p = &exec->output.pieces[i];
    prints[i] = (TracePrint){p->block, p->thread, p->event, UINT64_MAX, ls_strndup(at, p->length)};
    at += p->length;
  }
  exec->sink->print(exec->sink, prints, exec->output.piece_count);
  for (int i = 0; i < exec->output.piece_count; i++) free(prints[i].text);
  free(prints);
}
