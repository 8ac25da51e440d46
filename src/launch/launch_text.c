// launch_text.c: a launch back to what -a, -g and -b take.
#include "launch/launch.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"

enum { MOST_VALUES = 4096 };   // on a command line; more are a file's

// Whole numbers as such, others with the fewest digits that make the same bits again.
static void add_float(LaunchType type, uint64_t bits, LsText *out) {
  char text[64];
  double value = launch_value(type, bits), again = 0;
  if (fabs(value) < 1e9 && floor(value) == value) {
    ls_text_addf(out, "%.0f", value);
    return;
  }
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (isnan(value) || (ls_parse_f64(text, &again) && launch_bits(type, again) == bits)) break;
  }
  ls_text_add(out, text);
}

static void add_value(LaunchType type, uint64_t bits, LsText *out) {
  int shift = 64 - 8 * launch_type_size(type);
  if (launch_type_is_float(type)) add_float(type, bits, out);
  else if (launch_type_is_signed(type)) ls_text_addf(out, "%lld", (long long)((int64_t)(bits << shift) >> shift));
  else ls_text_addf(out, "%llu", (unsigned long long)(bits << shift >> shift));
}

static void add_values(const LaunchArg *arg, LsText *out) {
  size_t size = (size_t)launch_type_size(arg->type);
  for (uint64_t i = 0; i < arg->count; i++) {
    uint64_t bits = 0;
    memcpy(&bits, arg->data + i * size, size);
    if (i) ls_text_add(out, ",");
    add_value(arg->type, bits, out);
  }
}

static void add_data(const LaunchArg *arg, int index, LsText *out) {
  if (arg->path) ls_text_addf(out, "file:%s", arg->path);
  else if (arg->data && arg->count <= MOST_VALUES) add_values(arg, out);
  else if (arg->name) ls_text_addf(out, "file:%s.bin", arg->name);
  else ls_text_addf(out, "file:argument%d.bin", index + 1);
}

static void add_init(const LaunchArg *arg, int index, LsText *out) {
  switch (arg->init) {
    case LAUNCH_NONE: ls_text_add(out, "none"); break;
    case LAUNCH_ZERO: ls_text_add(out, "zero"); break;
    case LAUNCH_IOTA: ls_text_add(out, "iota"); break;
    case LAUNCH_MOD: ls_text_addf(out, "mod:%.0f", arg->init_value); break;
    case LAUNCH_RANDOM: ls_text_addf(out, "random:%.0f", arg->init_value); break;
    case LAUNCH_CONST:
      ls_text_add(out, "const:");
      add_value(arg->type, launch_bits(arg->type, arg->init_value), out);
      break;
    case LAUNCH_DATA: add_data(arg, index, out); break;
  }
}

// Options of an image stand behind its contents: "tex.f32[4x4]=iota,clamp".
static void add_image(const LaunchArg *arg, int index, LsText *out) {
  char *image = launch_image_text(arg), *options = strchr(image, ']') + 1;
  ls_text_addf(out, "%.*s=", (int)(options - image), image);
  add_init(arg, index, out);
  ls_text_add(out, options);
  free(image);
}

static void add_contents(const LaunchArg *arg, int index, LsText *out) {
  if (arg->is_struct) ls_text_addf(out, "struct:%s", arg->text ? arg->text : "");
  else if (arg->image.kind != LAUNCH_NO_IMAGE) add_image(arg, index, out);
  else if (arg->is_buffer) {
    ls_text_addf(out, "%s[%llu]=", launch_type_name(arg->type), (unsigned long long)arg->count);
    add_init(arg, index, out);
  } else if (arg->by_name && arg->text) ls_text_add(out, arg->text);
  else {
    ls_text_addf(out, "%s=", arg->perhaps_name ? arg->name : launch_type_name(arg->type));
    if (arg->text) ls_text_add(out, arg->text);
    else add_value(arg->type, arg->scalar, out);
  }
}

// A pointer of the module has passed its file on to what it points at.
static const char *output_of(const Launch *launch, int index) {
  const LaunchArg *arg = &launch->args[index];
  for (int i = index + 1; arg->role == LAUNCH_VARIABLE && arg->type == LAUNCH_U64 && !arg->output &&
       i < launch->arg_count; i++)
    if (launch->args[i].role == LAUNCH_POINTEE && launch->args[i].owner == index) return launch->args[i].output;
  return arg->output;
}

char *launch_argument_text(const Launch *launch, int index) {
  const LaunchArg *arg = &launch->args[index];
  LsText out = {0};
  if (arg->role == LAUNCH_POINTEE || arg->role == LAUNCH_MEMORY || arg->points) return NULL;
  if (arg->role == LAUNCH_VARIABLE) {
    ls_text_addf(&out, "@%s%s%s", arg->name, arg->text && *arg->text ? "=" : "", arg->text ? arg->text : "");
  } else {
    if (arg->by_name) ls_text_addf(&out, "%s=", arg->name);
    add_contents(arg, index, &out);
  }
  const char *output = output_of(launch, index);
  if (output) ls_text_addf(&out, ">%s", output);
  return ls_text_take(&out);
}

// ---- command lines -------------------------------------------------------------------------------------------------

void launch_quote(const char *word, LsText *out) {
  bool plain = *word != 0;
  for (const char *s = word; *s; s++) plain &= isalnum((unsigned char)*s) || strchr("_-+=.,:/@%", *s) != NULL;
  if (plain) {
    ls_text_add(out, word);
    return;
  }
  ls_text_addc(out, '\'');
  for (const char *s = word; *s; s++)
    if (*s == '\'') ls_text_add(out, "'\\''");
    else ls_text_addc(out, *s);
  ls_text_addc(out, '\'');
}

static void add_dim(const char *option, const uint32_t dim[3], LsText *out) {
  ls_text_addf(out, " %s %u", option, dim[0]);
  if (dim[1] > 1 || dim[2] > 1) ls_text_addf(out, ",%u", dim[1]);
  if (dim[2] > 1) ls_text_addf(out, ",%u", dim[2]);
}

void launch_command_line(const Launch *launch, LsText *out) {
  if (launch->kernel) {
    ls_text_add(out, " -k ");
    launch_quote(launch->kernel, out);
  }
  add_dim("-g", launch->grid, out);
  add_dim("-b", launch->block, out);
  if (launch->shared_bytes) ls_text_addf(out, " -s %llu", (unsigned long long)launch->shared_bytes);
  for (int i = 0; i < launch->arg_count; i++) {
    char *text = launch_argument_text(launch, i);
    if (!text) continue;
    ls_text_add(out, " -a ");
    launch_quote(text, out);
    free(text);
  }
}
