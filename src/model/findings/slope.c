// slope.c: fits planes through the first addresses of threads, and through those of blocks.
#include "model/findings/slope.h"

typedef struct Fit { uint64_t base; int64_t by[3]; } Fit;

static void coords(const uint32_t dim[3], uint64_t linear, int64_t out[3]) {
  out[0] = (int64_t)(linear % dim[0]);
  out[1] = (int64_t)(linear / dim[0] % dim[1]);
  out[2] = (int64_t)(linear / dim[0] / dim[1]);
}

static uint64_t value_at(const Fit *fit, const int64_t at[3]) {
  uint64_t value = fit->base;
  for (int k = 0; k < 3; k++) value += (uint64_t)fit->by[k] * (uint64_t)at[k];
  return value;
}

// The step along an axis, from two threads that are neighbors on it; 0 if no such two took part.
static int64_t step_along(const WitnessSite *site, const uint32_t dim[3], int axis, int threads) {
  int apart = axis == 0 ? 1 : axis == 1 ? (int)dim[0] : (int)(dim[0] * dim[1]);
  for (int t = 0; t + apart < threads; t++) {
    int64_t at[3];
    coords(dim, (uint64_t)t, at);
    if (at[axis] + 1 >= dim[axis] || !site->first_known[t] || !site->first_known[t + apart]) continue;
    return (int64_t)(site->first[t + apart] - site->first[t]);
  }
  return 0;
}

static bool fit_threads(const WitnessSite *site, const uint32_t dim[3], Fit *fit) {
  int threads = (int)(dim[0] * dim[1] * dim[2]), known = -1;
  for (int axis = 0; axis < 3; axis++) fit->by[axis] = step_along(site, dim, axis, threads);
  for (int t = 0; t < threads; t++) {
    int64_t at[3];
    if (!site->first_known[t]) continue;
    coords(dim, (uint64_t)t, at);
    if (known < 0) {
      fit->base = 0;
      fit->base = site->first[t] - value_at(fit, at);
    }
    known = t;
    if (value_at(fit, at) != site->first[t]) return false;
  }
  return known >= 0;
}

// ---- blocks --------------------------------------------------------------------------------------------------------

typedef struct Point { int64_t at[3]; uint64_t base; } Point;

static bool all_agree(const Point *points, int count, const int64_t by[3]) {
  Fit fit = {.by = {by[0], by[1], by[2]}};
  fit.base = points[0].base - value_at(&fit, points[0].at);
  for (int i = 0; i < count; i++)
    if (value_at(&fit, points[i].at) != points[i].base) return false;
  return true;
}

// a * b - c * d; false: addresses out of all bounds make it too large.
static bool cross(int64_t a, int64_t b, int64_t c, int64_t d, int64_t *out) {
  int64_t p, q;
  return !__builtin_mul_overflow(a, b, &p) && !__builtin_mul_overflow(c, d, &q) && !__builtin_sub_overflow(p, q, out) &&
         *out != INT64_MIN;
}

// Solves u * x + v * y = value for two points that are seen from points[0] (Cramer's rule). With one axis, b is -1
// and y is 0.
static bool solve(const Point *points, int i, int j, int a, int b, int64_t by[3]) {
  int64_t ua = points[i].at[a] - points[0].at[a], value = (int64_t)(points[i].base - points[0].base);
  int64_t ub = b < 0 ? 0 : points[i].at[b] - points[0].at[b], wa = b < 0 ? 0 : points[j].at[a] - points[0].at[a];
  int64_t wb = b < 0 ? 1 : points[j].at[b] - points[0].at[b],
          other = b < 0 ? 0 : (int64_t)(points[j].base - points[0].base);
  int64_t det, x, y;
  if (!cross(ua, wb, wa, ub, &det) || !cross(value, wb, other, ub, &x) || !cross(ua, other, wa, value, &y))
    return false;
  if (!det || x % det || y % det) return false;
  by[a] = x / det;
  if (b >= 0) by[b] = y / det;
  return true;
}

// Two unknown steps at most: of three axes nothing is claimed.
static bool fit_points(const Point *points, int count, const uint32_t grid[3], int64_t by[3]) {
  int axes[3] = {-1, -1, -1}, axis_count = 0;
  for (int k = 0; k < 3; k++)
    if (grid[k] > 1) axes[axis_count++] = k;
  if (axis_count == 0 || axis_count > 2 || count < axis_count + 1) return false;
  for (int i = 1; i < count; i++)
    for (int j = 1; j < count; j++) {
      by[0] = by[1] = by[2] = 0;
      if (solve(points, i, j, axes[0], axes[1], by) && all_agree(points, count, by)) return true;
    }
  return false;
}

void slopes_of(const FindingsOf *of, int pc, Slopes *out) {
  *out = (Slopes){0};
  if (!of->witness) return;
  const Launch *launch = &of->info->launch;
  Point points[WITNESS_BLOCKS];
  int count = 0;
  bool agree = true;
  for (int i = 0; i < witness_blocks(of->witness); i++) {
    const WitnessSite *site = witness_site(of->witness, i, pc);
    Fit fit = {0};
    if (!site || !site->first || site->mixed) continue;
    if (!out->round_known && site->round_all && site->round_same * 10 >= site->round_all * 9)
      out->round_known = true, out->round = site->round;
    if (!fit_threads(site, launch->block, &fit)) { agree = false; continue; }
    if (count) for (int k = 0; k < 3; k++) agree = agree && fit.by[k] == out->thread[k];
    for (int k = 0; k < 3; k++) out->thread[k] = fit.by[k];
    points[count].base = fit.base;
    coords(launch->grid, witness_block(of->witness, i)->block, points[count++].at);
  }
  out->threads_known = agree && count > 0;
  out->blocks_known = out->threads_known && fit_points(points, count, launch->grid, out->block);
}
