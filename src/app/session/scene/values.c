// values.c: elements of arrays, registers and groups of lanes at the cursor, as the emulator has them there.
#include <string.h>

#include "app/session/session_parts.h"

uint64_t ses_array_read(Session *session, const SceneArray *array, uint64_t first, uint64_t count, uint64_t *bits, uint8_t *init) {
  enum { PIECE = 512 };
  uint8_t bytes[PIECE * 8], written[PIECE * 8];
  SimReplay *replay;
  int size = LS_CLAMP(array->elem_size, 1, 8);
  if (first >= array->count || !scene_seek(session, session->step, &replay)) return 0;
  count = LS_MIN(count, array->count - first);
  uint32_t thread = (uint32_t)(session->warp * 32 + LS_MAX(session->lane, 0));
  uint64_t done = 0, base = run_replay_address(session->run, (TraceSpace)array->space, array->base);
  while (done < count) {
    uint64_t piece = LS_MIN(count - done, (uint64_t)PIECE);
    uint64_t got = sim_replay_read(replay, (TraceSpace)array->space, thread, base + (first + done) * (uint64_t)size,
                                   piece * (uint64_t)size, bytes, written) / (uint64_t)size;
    for (uint64_t i = 0; i < got; i++) {
      bits[done + i] = 0;
      memcpy(&bits[done + i], bytes + i * (uint64_t)size, (size_t)size);
      init[done + i] = 1;
      for (int b = 0; b < size; b++) init[done + i] &= written[i * (uint64_t)size + (uint64_t)b] != 0;
    }
    done += got;
    if (got < piece) break;
  }
  return done;
}

static void register_text(const PtxReg *reg, uint64_t bits, bool hex, LsText *out) {
  uint8_t kind = PTX_DW_INT;
  int size = ptx_type_size((PtxType)reg->type);
  if (reg->type == PTX_PRED) kind = PTX_DW_BOOL, size = 1;
  else if (reg->type == PTX_F16 || reg->type == PTX_F32 || reg->type == PTX_F64) kind = PTX_DW_FLOAT;
  else if (size == 8 && bits >= 1ull << 32 && bits >> 48 == 0) kind = PTX_DW_POINTER;   // addresses read best in hexadecimal
  ses_format_value(kind, LS_CLAMP(size, 1, 8), bits, hex, out);
}

int ses_groups(Session *session, SimGroup *groups, int room) {
  SimReplay *replay;
  if (!ses_scene(session) || !scene_seek(session, session->step, &replay)) return 0;
  return sim_replay_groups(replay, session->warp, groups, room);
}

int ses_registers(Session *session, LsText *out) {
  const PtxModule *module = session->run->module;
  const Scene *scene = ses_scene(session);
  SimReplay *replay;
  if (!module || !scene || !scene_seek(session, session->step, &replay)) return 0;
  int pc = scene->warps[session->warp].pc, lane = LS_MAX(session->lane, 0), rows = 0;
  int func = pc >= 0 && pc < module->code_count ? module->code[pc].func : session->run->entry;
  for (int r = 0; r < module->funcs[func].reg_count; r++) {
    const PtxReg *reg = &module->funcs[func].regs[r];
    uint64_t values[32];
    uint32_t written = 0;
    if (!sim_replay_reg(replay, session->warp, func, r, values, &written) || !(written >> lane & 1)) continue;
    ls_text_addf(out, "%s %s ", reg->name, ptx_type_name((PtxType)reg->type));
    register_text(reg, values[lane], session->hex, out);
    ls_text_addc(out, '\n');
    rows++;
  }
  return rows;
}
