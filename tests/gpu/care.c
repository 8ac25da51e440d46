// care.c: keeps the operands of random code away from where PTX leaves a result open, with min, max and selects
// before them.
#include "care.h"
#include <string.h>
#include "base/mem.h"

static bool is(const VecForm *form, const char *prefix) { return ls_starts_with(form->op, prefix); }

static bool keeps_one_nan(const VecForm *form) {
  static const char *const names[] = {"add", "sub", "mul", "fma", "mad", "min", "max", "div"};
  for (int i = 0; i < LS_COUNT(names); i++)
    if (form->out == PTX_F64 && form->sources > 1 && is(form, names[i])) return true;
  return false;
}

static bool wants_number(const VecForm *form) {
  if (!ptx_type_is_float(form->in[0])) return false;
  if (is(form, "neg") || is(form, "abs") || is(form, "cvt.sat")) return true;
  return is(form, "cvt") && !ptx_type_is_float(form->out) && ptx_type_size(form->out) == 8;
}

Care care_of(const VecForm *form, int source) {
  bool whole = !ptx_type_is_float(form->out), last = source == form->sources - 1;
  if (whole && source == 1 && (is(form, "div") || is(form, "rem"))) return CARE_NONZERO;
  if (source > 0 && forms_is_wide_field(form) && ptx_type_size(form->in[source]) == 4) return CARE_BYTE;
  if (last && (is(form, "shl.") || is(form, "shr.") || is(form, "shf."))) return CARE_DISTANCE;
  if (whole && (is(form, "neg") || is(form, "abs"))) return CARE_NOT_LEAST;
  if (keeps_one_nan(form)) return CARE_ONE_NAN;
  return wants_number(form) ? CARE_NUMBER : CARE_NONE;
}

typedef struct Zero { const char *type, *text; } Zero;
static const Zero zeros[] = {{"f32", "0f00000000"}, {"f64", "0d0000000000000000"}, {"b16", "0"}};

void care_copy(LsText *out, Care care, PtxType type, const char *from, const char *to) {
  int bits = 8 * ptx_type_size(type);
  bool is_single = type == PTX_F32 || type == PTX_F64;
  const Zero *zero = &zeros[type == PTX_F32 ? 0 : type == PTX_F64 ? 1 : 2];
  ls_text_addf(out, ".reg .%c%d %s; ", is_single ? 'f' : 'b', bits, to);
  switch (care) {
    case CARE_NONE: ls_text_addf(out, "mov.b%d %s, %s; ", bits, to, from); break;
    case CARE_NONZERO: ls_text_addf(out, "or.b%d %s, %s, 1; ", bits, to, from); break;
    case CARE_BYTE: ls_text_addf(out, "and.b32 %s, %s, 255; ", to, from); break;
    case CARE_DISTANCE: ls_text_addf(out, "and.b32 %s, %s, 127; ", to, from); break;
    case CARE_ONE_NAN:
      ls_text_addf(out, "testp.notanumber.f64 %%n, %s; ", from);
      ls_text_addf(out, "selp.f64 %s, 0d7FF8000000000000, %s, %%n; ", to, from);
      break;
    case CARE_NUMBER:
      ls_text_addf(out, "setp.nan.%s %%n, %s, %s; ", ptx_type_name(type), from, from);
      ls_text_addf(out, "selp.%s %s, %s, %s, %%n; ", zero->type, to, zero->text, from);
      break;
    case CARE_NOT_LEAST:
      ls_text_addf(out, "max.s%d %s, %s, -%llu; ", bits, to, from, (1ull << (bits - 1)) - 1);
      break;
  }
}

// Pairs and halves have no simple test for NaN. A product without a rounding may become part of an fma (PTX says so).
// The compiler keeps 16 bits in 32, with the sign or without, and takes
// what it finds there for the upper half of a product.
bool care_leave_out(const VecForm *form) {
  if (is(form, "mul.hi.u16") || is(form, "mul.hi.s16") || is(form, "mul.f16") || is(form, "mul.ftz.f16")) return true;
  bool half = ptx_type_is_float(form->in[0]) && form->in[0] != PTX_F32 && form->in[0] != PTX_F64;
  return half && (is(form, "neg") || is(form, "abs"));
}

// Under a guard the compiler also converts what lanes that are switched off had in the register.
bool care_may_be_guarded(const VecForm *form) { return !is(form, "set.") || form->out != PTX_F32; }
