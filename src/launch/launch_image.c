// launch_image.c: textures and surfaces among the arguments of a launch. The grammar is in launch.h.
//
// Sizes are bounded as the CUDA programming guide's table of technical specifications says for compute capability 7.5 and
// above; one-dimensional textures without layers may be as large as linear memory bound to a texture.
#include "launch/launch.h"

#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "base/text.h"

static const char *const kinds[] = {[LAUNCH_NO_IMAGE] = "?", [LAUNCH_TEXTURE] = "tex", [LAUNCH_SURFACE] = "surf"};
static const char *const addresses[LAUNCH_ADDRESS_COUNT] = {
    [LAUNCH_CLAMP] = "clamp", [LAUNCH_WRAP] = "wrap", [LAUNCH_MIRROR] = "mirror", [LAUNCH_BORDER] = "border"};
#define OPTION_NAMES "linear, point, clamp, wrap, mirror, border, normalized, float, layered or cube"

// The most texels in x, y, z, and layers.
static const struct { uint64_t most[3], layers; } limits[2][4] = {
    {{{0}, 0}, {{1u << 28, 1, 1}, 1}, {{131072, 65536, 1}, 1}, {{16384, 16384, 16384}, 1}},
    {{{0}, 0}, {{32768, 1, 1}, 2048}, {{32768, 32768, 1}, 2048}, {{0}, 0}},
};

enum { MOST_FACES = 2046 };

static bool is_word(const char *word, size_t length, const char *name) {
  return strlen(name) == length && memcmp(word, name, length) == 0;
}

bool launch_is_image(const char *text) { return ls_starts_with(text, "tex.") || ls_starts_with(text, "surf."); }

// address = mode { "/" mode }
static bool parse_address(LaunchImage *image, const char *word, size_t length) {
  uint8_t modes[3] = {0};
  int count = 0;
  for (size_t at = 0; at <= length && count < 3; count++) {
    size_t end = at;
    while (end < length && word[end] != '/') end++;
    int mode = 0;
    while (mode < LAUNCH_ADDRESS_COUNT && !is_word(word + at, end - at, addresses[mode])) mode++;
    if (mode == LAUNCH_ADDRESS_COUNT) return false;
    modes[count] = (uint8_t)mode;
    at = end + 1;
    if (at <= length && count == 2) return false;
  }
  for (int i = 0; i < 3; i++) image->address[i] = modes[LS_MIN(i, count - 1)];
  return true;
}

// Options of a group contradict each other, and none is given twice.
typedef enum OptionGroup { NO_OPTION, FILTER, NORMALIZED, AS_FLOAT, LAYERED, CUBE, ADDRESS, OPTION_GROUPS } OptionGroup;

// Applies an option, and tells its group.
static OptionGroup apply_option(LaunchImage *image, const char *word, size_t length) {
  static const struct { const char *name; OptionGroup group; bool value; } rows[] = {
      {"point", FILTER, false}, {"linear", FILTER, true}, {"normalized", NORMALIZED, true}, {"float", AS_FLOAT, true},
      {"layered", LAYERED, true}, {"cube", CUBE, true}};
  bool *const flags[OPTION_GROUPS] = {[FILTER] = &image->linear, [NORMALIZED] = &image->normalized, [AS_FLOAT] = &image->as_float,
                                      [LAYERED] = &image->layered, [CUBE] = &image->cube};
  for (int i = 0; i < LS_COUNT(rows); i++) {
    if (!is_word(word, length, rows[i].name)) continue;
    *flags[rows[i].group] = rows[i].value;
    return rows[i].group;
  }
  return parse_address(image, word, length) ? ADDRESS : NO_OPTION;
}

// ---- what goes together --------------------------------------------------------------------------------------------

// Six faces, or six for each layer.
static bool check_cube(const LaunchImage *image, int sizes, LsErr *err) {
  if (image->kind == LAUNCH_SURFACE)
    return ls_fail(err, LS_EREQUEST, "a surface of a cube map is one of its faces as layers: say layered");
  if (sizes != 3 || image->width != image->height)
    return ls_fail(err, LS_EREQUEST, "a cube map is [WxWx6], six square faces, or with layered [WxWx12] and so on");
  if (image->layered ? image->depth % LAUNCH_FACES == 0 : image->depth == LAUNCH_FACES) return true;
  return ls_fail(err, LS_EREQUEST, image->layered ? "%u faces are not six for each layer" : "a cube map has 6 faces, not %u",
                 image->depth);
}

static bool check_size(const LaunchImage *image, LsErr *err) {
  bool planes = launch_has_planes(image);
  const uint64_t *most = limits[planes][image->dims].most;
  uint32_t size[3] = {image->width, image->height, planes ? 1 : image->depth};
  for (int i = 0; i < image->dims; i++)
    if (size[i] > most[i])
      return ls_fail(err, LS_EREQUEST, "%u texels in %c are too many for %d dimension%s%s; %llu are possible", size[i],
                     "xyz"[i], image->dims, image->dims == 1 ? "" : "s",
                     image->cube ? " of a cube map" : image->layered ? " with layers" : "",
                     (unsigned long long)most[i]);
  uint64_t layers = image->cube ? MOST_FACES : limits[planes][image->dims].layers;
  return !planes || image->depth <= layers ||
         ls_fail(err, LS_EREQUEST, "%u %s are too many; %llu are possible", image->depth, image->cube ? "faces" : "layers",
                 (unsigned long long)layers);
}

static bool check_surface(const LaunchImage *image, LsErr *err) {
  bool sampled = image->linear || image->normalized || image->as_float;
  for (int i = 0; i < 3; i++) sampled |= image->address[i] != LAUNCH_CLAMP;
  return !sampled || ls_fail(err, LS_EREQUEST,
                             "a surface has no filter, address mode or read mode; the instructions that "
                             "access it say what is outside (.trap, .clamp, .zero)");
}

static bool check_texture(const LaunchArg *arg, LsErr *err) {
  const LaunchImage *image = &arg->image;
  bool floating = launch_type_is_float(arg->type);
  if (image->as_float && !floating && launch_type_size(arg->type) == 4)
    return ls_fail(err, LS_EREQUEST, "only 8- and 16-bit numbers can be read as floats, not %s",
                   launch_type_name(arg->type));
  if (image->linear && !floating && !image->as_float)
    return ls_fail(err, LS_EREQUEST,
                   "linear filtering needs texels that are read as floats: f16, f32, or 8- and 16-bit "
                   "numbers with the option float");
  for (int i = 0; i < image->dims && !image->normalized; i++)
    if (image->address[i] == LAUNCH_WRAP || image->address[i] == LAUNCH_MIRROR)
      return ls_fail(err, LS_EREQUEST, "%s works with normalized coordinates only (CUDA clamps without a word): add "
                     "normalized, or say clamp or border", addresses[image->address[i]]);
  return true;
}

static bool check_texel(const LaunchArg *arg, LsErr *err) {
  int channels = arg->image.channels;
  if (launch_type_size(arg->type) == 8)
    return ls_fail(err, LS_EREQUEST, "a texel has channels of 8, 16 or 32 bits, not %s", launch_type_name(arg->type));
  return channels == 1 || channels == 2 || channels == 4 ||
         ls_fail(err, LS_EREQUEST, "a texel has 1, 2 or 4 channels, such as %s, %sx2 or %sx4",
                 launch_type_name(arg->type),
                 launch_type_name(arg->type), launch_type_name(arg->type));
}

bool launch_image_shape(LaunchArg *arg, const uint64_t *size, int sizes, LsErr *err) {
  LaunchImage *image = &arg->image;
  int dims = sizes - launch_has_planes(image);
  uint64_t most = 1u << 28, texel = (uint64_t)launch_type_size(arg->type) * image->channels;
  if (sizes < 1 || sizes > 3 || dims < 1)
    return ls_fail(err, LS_EREQUEST,
                   image->cube      ? "a cube map is [WxWx6], six square faces"
                   : image->layered ? "a layered image is [WxL] or [WxHxL]: the last number counts layers"
                                                    : "the size of an image is [W], [WxH] or [WxHxD]");
  for (int i = 0; i < sizes; i++)
    if (size[i] < 1 || size[i] > most)
      return ls_fail(err, LS_EREQUEST, "a size is a whole number from 1 to %llu", (unsigned long long)most);
  image->dims = (uint8_t)dims;
  image->width = (uint32_t)size[0];
  image->height = dims > 1 ? (uint32_t)size[1] : 1;
  image->depth = launch_has_planes(image) || dims > 2 ? (uint32_t)size[sizes - 1] : 1;
  image->normalized |= image->cube;
  if (image->cube && !check_cube(image, sizes, err)) return false;
  if (!check_texel(arg, err) || !check_size(image, err)) return false;
  if (launch_texels(image) > LAUNCH_MAX_BYTES / texel)
    return ls_fail(err, LS_EREQUEST, "%llu texels of %llu bytes are more than the 64 GiB that an image may have",
                   (unsigned long long)launch_texels(image), (unsigned long long)texel);
  arg->is_buffer = true;
  arg->count = launch_texels(image) * image->channels;
  return image->kind == LAUNCH_SURFACE ? check_surface(image, err) : check_texture(arg, err);
}

// ---- text ----------------------------------------------------------------------------------------------------------

// texel = type [ "x" channels ] | vector
static bool parse_texel(LaunchArg *arg, const char *text, size_t length, LsErr *err) {
  size_t name = 0;
  int lanes;
  while (name < length && text[name] != 'x') name++;
  bool known = launch_type_read(text, name, &arg->type, &lanes);
  arg->image.channels = (uint8_t)lanes;
  if (known && name < length && lanes == 1) {
    bool digit = length == name + 2 && text[name + 1] >= '1' && text[name + 1] <= '9';
    arg->image.channels = digit ? (uint8_t)(text[name + 1] - '0') : 0;
  }
  known &= lanes == 1 || name == length;
  return known || ls_fail(err, LS_EREQUEST,
                          "'%s' is no type of a texel: it is u8 i8 u16 i16 u32 i32 f16 or f32, with x2 "
                          "or x4 for 2 or 4 channels", LS_QUOTE_N(text, length));
}

// sizes = whole { "x" whole }
static int parse_sizes(const char *text, size_t length, uint64_t size[3]) {
  int count = 0;
  for (size_t at = 0; at <= length; count++) {
    size_t end = at;
    char digits[24] = "";
    while (end < length && text[end] != 'x') end++;
    if (count == 3 || end - at >= sizeof digits) return 0;
    memcpy(digits, text + at, end - at);
    if (!ls_parse_u64(digits, &size[count])) return 0;
    at = end + 1;
  }
  return count;
}

// Where the options at the end of the text begin; what is before them is the initial content, which may have commas of its own.
static size_t find_options(const char *text, size_t length) {
  size_t end = length;
  LaunchImage trial = {0};
  for (size_t at = length, next = length; at-- > 0;) {
    if (text[at] != ',') continue;
    if (!apply_option(&trial, text + at + 1, next - at - 1)) break;
    end = next = at;
  }
  return end;
}

typedef struct Word { const char *text; size_t length; } Word;

static bool option_again(Word before, Word now, LsErr *err) {
  bool same = before.length == now.length && memcmp(before.text, now.text, now.length) == 0;
  if (same) return ls_fail(err, LS_EREQUEST, "the option '%s' is given twice", LS_QUOTE_N(now.text, now.length));
  return ls_fail(err, LS_EREQUEST, "the options '%s' and '%s' contradict each other: give one of them",
                 LS_QUOTE_N(before.text, before.length), LS_QUOTE_N(now.text, now.length));
}

static bool take_options(LaunchImage *image, const char *text, size_t at, size_t length, LsErr *err) {
  Word seen[OPTION_GROUPS] = {0};
  while (at < length) {
    Word word = {text + at + 1, strcspn(text + at + 1, ",>")};
    OptionGroup group = apply_option(image, word.text, word.length);
    if (seen[group].text) return option_again(seen[group], word, err);
    seen[group] = word;
    at += word.length + 1;
  }
  return true;
}

// The last word of the text if it looks like an option but is none.
static bool unknown_option(const char *text, size_t length, LsErr *err) {
  const char *comma = memchr(text, ',', length);
  if (!comma || ls_starts_with(text, "file:")) return false;
  size_t left = length - (size_t)(comma + 1 - text);
  return !ls_fail(err, LS_EREQUEST, "'%s' is no option of an image: it is " OPTION_NAMES, LS_QUOTE_N(comma + 1, left));
}

static bool parse_content(LaunchArg *arg, const char *text, const uint64_t *size, int sizes, LsErr *err) {
  const char *output = strchr(text, '>');
  size_t length = output ? (size_t)(output - text) : strlen(text), only = find_options(text, length);
  if (!take_options(&arg->image, text, only, length, err) || unknown_option(text, only, err)) return false;
  if (!launch_image_shape(arg, size, sizes, err)) return false;
  if (output && arg->image.kind == LAUNCH_TEXTURE)
    return ls_fail(err, LS_EREQUEST, "a kernel cannot write a texture, so there is nothing to write to %s; use surf.",
                   output[1] ? LS_QUOTE_PATH(output + 1) : "a file");
  if (output && !launch_parse_output(arg, output + 1, err)) return false;
  char *init = ls_strndup(text, only);
  bool ok = launch_parse_init(arg, init, err);
  free(init);
  return ok;
}

bool launch_parse_image(LaunchArg *arg, const char *text, LsErr *err) {
  const char *dot = strchr(text, '.'), *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;
  uint64_t size[3] = {0};
  arg->image = (LaunchImage){.kind = ls_starts_with(text, "surf.") ? LAUNCH_SURFACE : LAUNCH_TEXTURE};
  if (!close || close[1] != '=')
    return ls_fail(err, LS_EREQUEST, "expected %s.TYPE[WxH]=INIT, such as %s.f32[64x32]=iota", kinds[arg->image.kind],
                   kinds[arg->image.kind]);
  if (!parse_texel(arg, dot + 1, (size_t)(open - dot - 1), err)) return false;
  int sizes = parse_sizes(open + 1, (size_t)(close - open - 1), size);
  if (!sizes)
    return ls_fail(err, LS_EREQUEST, "the size of an image is [W], [WxH] or [WxHxD], not '%s'",
                   LS_QUOTE_N(open, (size_t)(close - open + 1)));
  return parse_content(arg, close + 2, size, sizes, err);
}

void launch_image_place(const LaunchArg *arg, uint64_t offset, LsText *out) {
  const LaunchImage *image = &arg->image;
  uint64_t texel = offset / ((uint64_t)launch_type_size(arg->type) * image->channels), row = texel / image->width;
  ls_text_addf(out, "(%llu", (unsigned long long)(texel % image->width));
  if (image->dims > 1) ls_text_addf(out, ", %llu", (unsigned long long)(row % image->height));
  if (image->dims > 2) ls_text_addf(out, ", %llu", (unsigned long long)(row / image->height));
  ls_text_add(out, ")");
  unsigned long long plane = row / image->height;
  if (image->cube) ls_text_addf(out, " in face %s", launch_face_name(plane));
  if (image->cube && image->layered) ls_text_addf(out, " of layer %llu", plane / LAUNCH_FACES);
  else if (image->layered) ls_text_addf(out, " in layer %llu", plane);
}

const char *launch_face_name(uint64_t plane) {
  static const char *const names[LAUNCH_FACES] = {"+x", "-x", "+y", "-y", "+z", "-z"};
  return names[plane % LAUNCH_FACES];
}

static void add_addresses(const LaunchImage *image, LsText *out) {
  bool same = true;
  for (int i = 1; i < image->dims; i++) same &= image->address[i] == image->address[0];
  for (int i = 0; i < (same ? 1 : image->dims); i++)
    ls_text_addf(out, "%s%s", i ? "/" : ",", addresses[LS_MIN(image->address[i], LAUNCH_BORDER)]);
}

char *launch_image_text(const LaunchArg *arg) {
  const LaunchImage *image = &arg->image;
  LsText out = {0};
  ls_text_addf(&out, "%s.%s", kinds[LS_MIN(image->kind, LAUNCH_SURFACE)], launch_type_name(arg->type));
  if (image->channels > 1) ls_text_addf(&out, "x%d", image->channels);
  ls_text_addf(&out, "[%u", image->width);
  if (image->dims > 1) ls_text_addf(&out, "x%u", image->height);
  if (image->dims > 2 || launch_has_planes(image)) ls_text_addf(&out, "x%u", image->depth);
  ls_text_add(&out, "]");
  if (image->cube) ls_text_add(&out, ",cube");
  if (image->layered) ls_text_add(&out, ",layered");
  if (image->linear) ls_text_add(&out, ",linear");
  if (image->kind == LAUNCH_TEXTURE) add_addresses(image, &out);
  if (image->normalized && !image->cube) ls_text_add(&out, ",normalized");
  if (image->as_float) ls_text_add(&out, ",float");
  return ls_text_take(&out);
}
