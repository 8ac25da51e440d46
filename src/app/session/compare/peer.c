// peer.c: the other side of a comparison at the place that corresponds to the cursor.
#include <string.h>

#include "app/session/session_parts.h"

// At a difference the other side stands on its counterpart, else where the same line was come to as often.
static uint64_t peer_step(Session *session) {
  uint64_t counterpart = differ_counterpart(session);
  if (counterpart != UINT64_MAX) return counterpart;
  Place place;
  ses_place_save(session, &place);
  session->peer->warp = LS_MIN(place.warp, ses_warps(session->peer) - 1);
  return ses_place_find(session->peer, &place);
}

static void bring_peer(Session *session) {
  bool same_place = session->peer_at.step == session->step && session->peer_at.warp == session->warp;
  if (session->peer_at.known && same_place) return;
  if (session->peer->steps) ses_go(session->peer, peer_step(session));
  session->peer_at.known = true;
  session->peer_at.step = session->step;
  session->peer_at.warp = session->warp;
}

Session *ses_peer(Session *session) {
  Session *peer = session->peer;
  if (!peer) return NULL;
  bring_peer(session);
  peer->hex = session->hex;
  peer->untold = session->untold;
  peer->hides = session->hides;
  peer->line_marked = session->line_marked ? ses_first_own_line(peer) : 0;
  peer->margin = session->margin;   // numbers that can be held against each other
  peer->margin_chosen = true;
  peer->focus_auto = session->focus_auto;
  if (!session->focus_auto) peer->focus = session->focus;
  memcpy(peer->variant, session->variant, sizeof session->variant);
  return peer;
}
