// test_launch.c: launch arguments as people write them, dimensions, and what buffers are filled with.
#include "launch/launch.h"

#include <math.h>
#include <unistd.h>
#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "launch/launch_struct.h"
#include "launch/settle.h"
#include "check.h"

// One argument parsed and told back: "name:type[count]=init value >output" or "name:type=bits".
static char *parse(const char *text) {
  Launch launch;
  LsErr err = {0};
  LsText out = {0};
  launch_init(&launch);
  if (!launch_add_arg(&launch, text, &err)) {
    ls_text_add(&out, err.message);
    CHECK_INT(err.kind, LS_EREQUEST);
    CHECK_INT(launch.arg_count, 0);
  } else {
    const LaunchArg *arg = &launch.args[0];
    if (arg->by_name) ls_text_addf(&out, "%s:", arg->name);
    ls_text_add(&out, launch_type_name(arg->type));
    if (arg->is_buffer) ls_text_addf(&out, "[%llu] init %d %g", (unsigned long long)arg->count, arg->init, arg->init_value);
    else ls_text_addf(&out, " %llx", (unsigned long long)arg->scalar);
    if (arg->image.kind) {
      char *image = launch_image_text(arg);
      ls_text_addf(&out, " %s", image);
      free(image);
    }
    if (arg->text) ls_text_addf(&out, " guessed from %s", arg->text);
    if (arg->output) ls_text_addf(&out, " >%s", arg->output);
    CHECK(arg->is_buffer || arg->count == 1);
    CHECK((arg->by_name || arg->perhaps_name) == (arg->name != NULL));
  }
  launch_fini(&launch);
  return ls_text_take(&out);
}

typedef struct Row { const char *text, *expected; } Row;

static void check_rows(const Row *rows, int count) {
  for (int i = 0; i < count; i++) {
    char *got = parse(rows[i].text);
    CHECK_STR(got, rows[i].expected);
    free(got);
  }
}

static void scalars(void) {
  static const Row rows[] = {
      {"i32=1000", "i32 3e8"},
      {"i32=-1", "i32 ffffffff"},
      {"i8=-128", "i8 80"},
      {"u8=255", "u8 ff"},
      {"u8=0x1f", "u8 1f"},
      {"i16=-2", "i16 fffe"},
      {"u64=18446744073709551615", "u64 ffffffffffffffff"},
      {"i64=-9223372036854775808", "i64 8000000000000000"},
      {"f32=1.5", "f32 3fc00000"},
      {"f32=-2e-3", "f32 bb03126f"},
      {"f32=inf", "f32 7f800000"},
      {"f64=0.1", "f64 3fb999999999999a"},
      {"f16=1", "f16 3c00"},
      {"N=1000", "N:i32 3e8 guessed from 1000"},
      {"N=5000000000", "N:i64 12a05f200 guessed from 5000000000"},
      {"N=18446744073709551615", "N:u64 ffffffffffffffff guessed from 18446744073709551615"},
      {"alpha=0.5", "alpha:f32 3f000000 guessed from 0.5"},
      {"big=1e300", "big:f64 7e37e43c8800759c guessed from 1e300"},
      {"n=u64=7", "n:u64 7"},
      {"half=3", "f16 4200 guessed from 3"},   // unless a parameter is called so
      {"int=-5", "i32 fffffffb"},
      {"const unsigned  char=0x7f", "u8 7f"},
      {"bool=true", "u8 1"},
      {"n=size_t=7", "n:u64 7"},
      {"float=nan", "f32 7fc00000"},
  };
  check_rows(rows, LS_COUNT(rows));
}

static void buffers(void) {
  static const Row rows[] = {
      {"f32[1000]=iota", "f32[1000] init 2 0"},
      {"i32[16]=zero", "i32[16] init 1 0"},
      {"u8[3]=none", "u8[3] init 0 0"},
      {"f64[8]=const:2.5", "f64[8] init 3 2.5"},
      {"i32[8]=const:-7", "i32[8] init 3 -7"},
      {"i32[64]=mod:16", "i32[64] init 4 16"},
      {"f32[9]=random:12345678", "f32[9] init 5 1.23457e+07"},
      {"f32[9]=zero>out.bin", "f32[9] init 1 0 >out.bin"},
      {"f32[0x10]=iota>a=b>c", "f32[16] init 2 0 >a=b>c"},
      {"x=f32[1000]=iota", "x:f32[1000] init 2 0"},
      {"x=f32[10]=random:1>x.bin", "x:f32[10] init 5 1 >x.bin"},
      {"u8[68719476736]=none", "u8[68719476736] init 0 0"},
      {"f64[8589934592]=zero", "f64[8589934592] init 1 0"},
  };
  check_rows(rows, LS_COUNT(rows));
}

static void images(void) {
  static const Row rows[] = {
      {"tex.f32[64x32]=iota", "f32[2048] init 2 0 tex.f32[64x32],clamp"},
      {"tex.f32[7]=zero", "f32[7] init 1 0 tex.f32[7],clamp"},
      {"tex.u8x4[3x4x5]=none,linear,float,border", "u8[240] init 0 0 tex.u8x4[3x4x5],linear,border,float"},
      {"img=tex.i16x2[8x8]=mod:3,normalized,wrap/mirror", "img:i16[128] init 4 3 tex.i16x2[8x8],wrap/mirror,normalized"},
      {"tex.f16[8x8x8]=const:1,normalized,wrap/mirror/border", "f16[512] init 3 1 tex.f16[8x8x8],wrap/mirror/border,normalized"},
      {"tex.f32[8x8x2]=zero,point,clamp/border", "f32[128] init 1 0 tex.f32[8x8x2],clamp/border/border"},
      {"tex.f32[9x2]=iota,layered", "f32[18] init 2 0 tex.f32[9x2],layered,clamp"},
      {"tex.f32[4x3x2]=iota,layered,linear", "f32[24] init 2 0 tex.f32[4x3x2],layered,linear,clamp"},
      {"tex.f32[4x4x6]=iota,cube,wrap", "f32[96] init 2 0 tex.f32[4x4x6],cube,wrap"},
      {"tex.f32[4x4x12]=iota,linear,cube,layered,normalized",
       "f32[192] init 2 0 tex.f32[4x4x12],cube,layered,linear,clamp"},
      {"surf.f32[64x32]=zero>out.bin", "f32[2048] init 1 0 surf.f32[64x32] >out.bin"},
      {"out=surf.u32x4[16x4]=iota,layered>a,b", "out:u32[256] init 2 0 surf.u32x4[16x4],layered >a,b"},
      {"tex.u8[268435456]=none", "u8[268435456] init 0 0 tex.u8[268435456],clamp"},
  };
  check_rows(rows, LS_COUNT(rows));
}

#define TYPES "u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64"
#define INITS "zero, iota, const:V, mod:M, random:SEED, file:PATH, none, or values V,V,..."
#define OR_C ", or C's: int, unsigned char, float"
static void wrong_images(void) {
  static const Row rows[] = {
      {"tex.f32[8]=zero,linear,point",
       "argument 'tex.f32[8]=zero,linear,point': the options 'linear' and 'point' contradict each other: give one of them"},
      {"tex.f32[8]=zero,normalized,clamp,wrap/mirror", "argument 'tex.f32[8]=zero,normalized,clamp,wrap/mirror': the options "
       "'clamp' and 'wrap/mirror' contradict each other: give one of them"},
      {"tex.f32[8]=zero,clamp,clamp", "argument 'tex.f32[8]=zero,clamp,clamp': the option 'clamp' is given twice"},
      {"tex.u8[8]=zero,float,linear,float", "argument 'tex.u8[8]=zero,float,linear,float': the option 'float' is given twice"},
      {"surf.f32[8x2]=zero,layered,layered", "argument 'surf.f32[8x2]=zero,layered,layered': the option 'layered' is given twice"},
      {"surf.f32[8]=zero>>x", "argument 'surf.f32[8]=zero>>x': '>>' adds to no file: TYPE[COUNT]=INIT>FILE writes FILE anew; a "
       "name that begins with '>' is written ./>NAME"},
      {"tex.f32=3", "argument 'tex.f32=3': expected tex.TYPE[WxH]=INIT, such as tex.f32[64x32]=iota"},
      {"surf.f32[3]",
       "argument 'surf.f32[3]': expected TYPE=VALUE, TYPE[COUNT]=INIT or NAME=VALUE, such as i32=1000, f32[1000]=iota or N=1000"},
      {"tex.f33[3]=zero",
       "argument 'tex.f33[3]=zero': 'f33' is no type of a texel: it is u8 i8 u16 i16 u32 i32 f16 or f32, with x2 or x4 "
                          "for 2 or 4 channels"},
      {"tex.f64[3]=zero", "argument 'tex.f64[3]=zero': a texel has channels of 8, 16 or 32 bits, not f64"},
      {"tex.f32x3[3]=zero", "argument 'tex.f32x3[3]=zero': a texel has 1, 2 or 4 channels, such as f32, f32x2 or f32x4"},
      {"tex.f32x[3]=zero", "argument 'tex.f32x[3]=zero': a texel has 1, 2 or 4 channels, such as f32, f32x2 or f32x4"},
      {"tex.f32[]=zero", "argument 'tex.f32[]=zero': the size of an image is [W], [WxH] or [WxHxD], not '[]'"},
      {"tex.f32[3x]=zero", "argument 'tex.f32[3x]=zero': the size of an image is [W], [WxH] or [WxHxD], not '[3x]'"},
      {"tex.f32[1x2x3x4]=zero", "argument 'tex.f32[1x2x3x4]=zero': the size of an image is [W], [WxH] or [WxHxD], not '[1x2x3x4]'"},
      {"tex.f32[0x4x4]=zero", "argument 'tex.f32[0x4x4]=zero': a size is a whole number from 1 to 268435456"},
      {"tex.f32[8]=zero,layered",
       "argument 'tex.f32[8]=zero,layered': a layered image is [WxL] or [WxHxL]: the last number counts layers"},
      {"tex.f32[8x2049]=zero,layered", "argument 'tex.f32[8x2049]=zero,layered': 2049 layers are too many; 2048 are possible"},
      {"tex.f32[4x4x5]=zero,cube", "argument 'tex.f32[4x4x5]=zero,cube': a cube map has 6 faces, not 5"},
      {"tex.f32[4x4x13]=zero,cube,layered", "argument 'tex.f32[4x4x13]=zero,cube,layered': 13 faces are not six for each layer"},
      {"tex.f32[4x5x6]=zero,cube", "argument 'tex.f32[4x5x6]=zero,cube': a cube map is [WxWx6], six square faces, or with layered "
       "[WxWx12] and so on"},
      {"tex.f32[4x4x2052]=none,cube,layered",
       "argument 'tex.f32[4x4x2052]=none,cube,layered': 2052 faces are too many; 2046 are possible"},
      {"surf.f32[4x4x6]=zero,cube", "argument 'surf.f32[4x4x6]=zero,cube': a surface of a cube map is one of its faces as layers: "
       "say layered"},
      {"tex.u8[131073x1]=zero",
       "argument 'tex.u8[131073x1]=zero': 131073 texels in x are too many for 2 dimensions; 131072 are possible"},
      {"tex.f32[16384x16384x65]=none",
       "argument 'tex.f32[16384x16384x65]=none': 17448304640 texels of 4 bytes are more than the 64 GiB "
                                       "that an image may have"},
      {"tex.f32[8]=iota,bilinear",
       "argument 'tex.f32[8]=iota,bilinear': 'bilinear' is no option of an image: it is linear, point, clamp, wrap, "
                                   "mirror, border, normalized, float, layered or cube"},
      {"tex.f32[8]=iota,wrap",
       "argument 'tex.f32[8]=iota,wrap': wrap works with normalized coordinates only (CUDA clamps without a word): add "
                               "normalized, or say clamp or border"},
      {"tex.i32[8]=iota,linear",
       "argument 'tex.i32[8]=iota,linear': linear filtering needs texels that are read as floats: f16, f32, or 8- "
                                 "and 16-bit numbers with the option float"},
      {"tex.u32[8]=iota,float", "argument 'tex.u32[8]=iota,float': only 8- and 16-bit numbers can be read as floats, not u32"},
      {"tex.u8[8]=iota>out",
       "argument 'tex.u8[8]=iota>out': a kernel cannot write a texture, so there is nothing to write to out; use surf."},
      {"surf.u8[8]=iota>", "argument 'surf.u8[8]=iota>': the name of the output file is missing after '>'"},
      {"surf.f32[8]=iota,linear",
       "argument 'surf.f32[8]=iota,linear': a surface has no filter, address mode or read mode; the instructions "
                                  "that access it say what is outside (.trap, .clamp, .zero)"},
      {"tex.f32[8]=ones",
       "argument 'tex.f32[8]=ones': 'ones' is no initial content of a buffer: it is " INITS},
  };
  check_rows(rows, LS_COUNT(rows));
}

static void wrong_arguments(void) {
  static const Row rows[] = {
      {"f32[4]=zero>>x", "argument 'f32[4]=zero>>x': '>>' adds to no file: TYPE[COUNT]=INIT>FILE writes FILE anew; a name that "
       "begins with '>' is written ./>NAME"},
      {"", "argument '': expected TYPE=VALUE, TYPE[COUNT]=INIT or NAME=VALUE, such as i32=1000, f32[1000]=iota or N=1000"},
      {"1000", "argument '1000': expected TYPE=VALUE, TYPE[COUNT]=INIT or NAME=VALUE, such as i32=1000, f32[1000]=iota or N=1000"},
      {"=5", "argument '=5': '' is neither a type (" TYPES OR_C ") nor the name of a parameter"},
      {"2x=5", "argument '2x=5': '2x' is neither a type (" TYPES OR_C ") nor the name of a parameter"},
      {"i32=1.5", "argument 'i32=1.5': i32 takes a whole number from -2147483648 to 2147483647, not '1.5'"},
      {"i32=2147483648", "argument 'i32=2147483648': i32 takes a whole number from -2147483648 to 2147483647, not '2147483648'"},
      {"i8=128", "argument 'i8=128': i8 takes a whole number from -128 to 127, not '128'"},
      {"u8=256", "argument 'u8=256': u8 takes a whole number from 0 to 255, not '256'"},
      {"u32=-1", "argument 'u32=-1': u32 takes a whole number from 0 to 4294967295, not '-1'"},
      {"u64=18446744073709551616", "argument 'u64=18446744073709551616': u64 takes a whole number from 0 to 18446744073709551615, "
                                   "not '18446744073709551616'"},
      {"i32=", "argument 'i32=': i32 takes a whole number from -2147483648 to 2147483647, not ''"},
      {"f32=abc", "argument 'f32=abc': f32 takes a number such as 1.5 or -2e-3, not 'abc'"},
      {"f32=1e39", "argument 'f32=1e39': '1e39' is too large for f32"},
      {"f16=70000", "argument 'f16=70000': '70000' is too large for f16"},
      {"f32=iota", "argument 'f32=iota': a buffer needs the number of its elements: TYPE[COUNT]=iota, such as f32[1000]=iota"},
      {"x=zero", "argument 'x=zero': a buffer needs the number of its elements: TYPE[COUNT]=zero, such as f32[1000]=zero"},
      {"i32=5>out", "argument 'i32=5>out': only a buffer can be written to a file: TYPE[COUNT]=INIT>FILE"},
      {"N=hello", "argument 'N=hello': expected a number after 'N=', not 'hello'"},
      {"f31[10]=iota", "argument 'f31[10]=iota': unknown type 'f31' (types: " TYPES OR_C ")"},
      {"unsigned float[10]=iota", "argument 'unsigned float[10]=iota': unknown type 'unsigned float' (types: " TYPES OR_C ")"},
      {"float *[10]=iota", "argument 'float *[10]=iota': 'float *': a pointer takes a buffer to point at: TYPE[COUNT]=INIT, such as "
       "float[1000]=iota"},
      {"int=3000000000", "argument 'int=3000000000': i32 takes a whole number from -2147483648 to 2147483647, not '3000000000'"},
      {"unsigned char[2]=1,256", "argument 'unsigned char[2]=1,256': u8 takes a whole number from 0 to 255, not '256'"},
      {"f32[3]=1,2", "argument 'f32[3]=1,2': 2 values for 3 elements"},
      {"f32[3]=1,2,3,4", "argument 'f32[3]=1,2,3,4': 4 values for 3 elements"},
      {"f32[3]=7", "argument 'f32[3]=7': one value for 3 elements: const:7 gives it to each"},
      {"int2=1,2,3", "argument 'int2=1,2,3': 3 values for the 2 lanes of a vector"},
      {"float4[4294967297]=zero", "argument 'float4[4294967297]=zero': 4294967297 elements of 16 bytes are more than the 64 GiB that "
       "a buffer may have"},
      {"f32[10]",
       "argument 'f32[10]': expected TYPE=VALUE, TYPE[COUNT]=INIT or NAME=VALUE, such as i32=1000, f32[1000]=iota or N=1000"},
      {"f32[10=iota", "argument 'f32[10=iota': expected TYPE[COUNT]=INIT, such as f32[1000]=iota"},
      {"f32[]=iota", "argument 'f32[]=iota': the number of elements is a whole number of at least 1, not ''"},
      {"f32[0]=iota", "argument 'f32[0]=iota': the number of elements is a whole number of at least 1, not '0'"},
      {"f32[-1]=iota", "argument 'f32[-1]=iota': the number of elements is a whole number of at least 1, not '-1'"},
      {"f64[8589934593]=zero", "argument 'f64[8589934593]=zero': 8589934593 elements of 8 bytes are more than the 64 GiB that a "
                               "buffer may have"},
      {"u8[18446744073709551615]=zero", "argument 'u8[18446744073709551615]=zero': 18446744073709551615 elements of 1 bytes are "
                                        "more than the 64 GiB that a buffer may have"},
      {"f32[4]=ones", "argument 'f32[4]=ones': 'ones' is no initial content of a buffer: it is " INITS},
      {"f32[4]=", "argument 'f32[4]=': '' is no initial content of a buffer: it is " INITS},
      {"f32[4]=iota:3", "argument 'f32[4]=iota:3': iota takes nothing after it, but there is ':3'"},
      {"f32[4]=mod:0", "argument 'f32[4]=mod:0': mod:M takes a whole number of at least 1, such as mod:16, not '0'"},
      {"f32[4]=random", "argument 'f32[4]=random': random:SEED takes a whole number from 0 to 4294967295, such as "
                        "random:12345678, not ''"},
      {"u8[4]=const:300", "argument 'u8[4]=const:300': u8 takes a whole number from 0 to 255, not '300'"},
      {"i64[4]=const:9007199254740993", "argument 'i64[4]=const:9007199254740993': const:9007199254740993: whole numbers beyond "
                                        "2^53 cannot be used here; put them in a file"},
      {"f32[4]=zero>", "argument 'f32[4]=zero>': the name of the output file is missing after '>'"},
      {"f32[4]=file:", "argument 'f32[4]=file:': file:PATH lacks the path"},
      {"f32[4]=file:/no/such/file", "argument 'f32[4]=file:/no/such/file': cannot open /no/such/file: No such file or directory"},
  };
  check_rows(rows, LS_COUNT(rows));
}

static void files(void) {
  char path[] = "test_launch_XXXXXX";
  int fd = mkstemp(path);
  CHECK(fd >= 0);
  close(fd);
  CHECK(ls_file_write(path, "\0\0\x80\x3f\0\0\0\x40", 8, NULL));
  Launch launch;
  launch_init(&launch);
  char *good = ls_format("y=f32[2]=file:%s>out", path), *bad = ls_format("f32[3]=file:%s", path);
  CHECK(launch_add_arg(&launch, good, NULL));
  float filled[2] = {0};
  CHECK(launch_fill(&launch.args[0], filled));
  CHECK(filled[0] == 1.0f && filled[1] == 2.0f);
  CHECK_STR(launch.args[0].output, "out");
  char *got = parse(bad), *expected = ls_format("argument '%s': %s has 8 bytes, but f32[3] takes 12", bad, path);
  CHECK_STR(got, expected);
  Launch copy;
  launch_copy(&copy, &launch);
  launch_fini(&launch);
  CHECK(copy.arg_count == 1 && memcmp(copy.args[0].data, filled, 8) == 0);
  CHECK_STR(copy.args[0].name, "y");
  launch_fini(&copy);
  unlink(path);
  free(good);
  free(bad);
  free(got);
  free(expected);
}

static void names_get_types_later(void) {
  Launch launch;
  LsErr err;
  launch_init(&launch);
  CHECK(launch_add_arg(&launch, "N=1000", NULL));
  CHECK(launch_add_arg(&launch, "alpha=2", NULL));
  CHECK(launch_add_arg(&launch, "k=300", NULL));
  CHECK(!launch_add_arg(&launch, "N=7", &err));
  CHECK_STR(err.message, "argument 'N=7': 'N' already has a value");
  CHECK_INT(launch.arg_count, 3);
  CHECK(launch_arg_set_type(&launch.args[0], LAUNCH_U64, NULL));
  CHECK(launch.args[0].type == LAUNCH_U64 && launch.args[0].scalar == 1000 && !launch.args[0].text);
  CHECK(launch_arg_set_type(&launch.args[1], LAUNCH_F32, NULL));
  CHECK_INT(launch.args[1].scalar, 0x40000000);
  CHECK(!launch_arg_set_type(&launch.args[2], LAUNCH_U8, &err));
  CHECK_STR(err.message, "argument 'k': u8 takes a whole number from 0 to 255, not '300'");
  CHECK(!launch_arg_set_type(&launch.args[0], LAUNCH_I32, &err));
  CHECK_STR(err.message, "the argument is a u64, not a i32");
  launch_fini(&launch);
}

// C's own compiler says how large a type is and whether it has a sign.
#define C_TYPE(type) {#type, sizeof(type), (type)-1 < (type)1}
static void types_in_the_words_of_c(void) {
  static const struct { const char *name; size_t size; bool is_signed; } rows[] = {
      C_TYPE(char), C_TYPE(signed char), C_TYPE(unsigned char), C_TYPE(short), C_TYPE(short int),
      C_TYPE(unsigned short),
      C_TYPE(int), C_TYPE(signed), C_TYPE(unsigned), C_TYPE(unsigned int), C_TYPE(int unsigned), C_TYPE(long),
      C_TYPE(long int),
      C_TYPE(unsigned long), C_TYPE(long unsigned int), C_TYPE(long long), C_TYPE(long long unsigned),
      C_TYPE(unsigned long long),
      C_TYPE(unsigned long long int), C_TYPE(size_t), C_TYPE(ssize_t), C_TYPE(intptr_t), C_TYPE(uintptr_t),
      C_TYPE(ptrdiff_t),
      C_TYPE(int8_t), C_TYPE(uint8_t), C_TYPE(int16_t), C_TYPE(uint16_t), C_TYPE(int32_t), C_TYPE(uint32_t),
      C_TYPE(int64_t),
      C_TYPE(uint64_t), C_TYPE(const int), C_TYPE(const volatile unsigned char), C_TYPE(bool), C_TYPE(float),
      C_TYPE(double),
      {"half", 2, true}, {"__half", 2, true}, {"  unsigned   long  ", sizeof(unsigned long), false}};
  static const char *const none[] = {"", "const", "unsigned float", "long long long", "short long", "unsigned signed",
                                     "char int",
                                     "int int", "long double", "float4", "int5", "half3", "void", "string",
                                         "unsignedint"};
  for (int i = 0; i < LS_COUNT(rows); i++) {
    LaunchType type = LAUNCH_U8;
    CHECK(launch_type_parse(rows[i].name, strlen(rows[i].name), &type));
    CHECK_INT(launch_type_size(type), rows[i].size);
    CHECK_INT(launch_type_is_signed(type), rows[i].is_signed);
    CHECK_INT(launch_type_is_float(type), strstr("float double half __half", rows[i].name) != NULL);
  }
  for (int i = 0; i < LS_COUNT(none); i++) {
    LaunchType type;
    CHECK(!launch_type_parse(none[i], strlen(none[i]), &type));
  }
}

// CUDA's vectors count their lanes: alignments as the programming guide has them.
static void vectors_of_cuda(void) {
  static const struct { const char *name; LaunchType type; int lanes, align; } rows[] = {
      {"char1", LAUNCH_I8, 1, 1},   {"uchar4", LAUNCH_U8, 4, 4},    {"short3", LAUNCH_I16, 3, 2},
      {"ushort4", LAUNCH_U16, 4, 8},
      {"int2", LAUNCH_I32, 2, 8},   {"uint3", LAUNCH_U32, 3, 4},    {"float4", LAUNCH_F32, 4, 16},
      {"float3", LAUNCH_F32, 3, 4},
      {"long2", LAUNCH_I64, 2, 16}, {"ulonglong1", LAUNCH_U64, 1, 8}, {"double4", LAUNCH_F64, 4, 16},
          {"__half2", LAUNCH_F16, 2, 4}};
  for (int i = 0; i < LS_COUNT(rows); i++) {
    LaunchType type = LAUNCH_U8;
    int lanes = 0;
    CHECK(launch_type_read(rows[i].name, strlen(rows[i].name), &type, &lanes));
    CHECK_INT(type, rows[i].type);
    CHECK_INT(lanes, rows[i].lanes);
    CHECK_INT(launch_type_align(type, lanes), rows[i].align);
  }
  Launch launch;
  launch_init(&launch);
  CHECK(launch_add_arg(&launch, "float4[100]=iota", NULL) && launch_add_arg(&launch, "short4=1,-2,3,4", NULL));
  CHECK(launch.args[0].type == LAUNCH_F32 && launch.args[0].count == 400);
  static const int16_t lanes[4] = {1, -2, 3, 4};
  CHECK(launch.args[1].is_struct && launch.args[1].count == 8 && memcmp(launch.args[1].data, lanes, 8) == 0);
  launch_fini(&launch);
}

static void check_same(const LaunchArg *a, const LaunchArg *b) {
  CHECK(a->type == b->type && a->count == b->count && a->scalar == b->scalar && a->init == b->init &&
        a->role == b->role);
  CHECK(a->init_value == b->init_value && memcmp(&a->image, &b->image, sizeof a->image) == 0);
  CHECK(a->is_struct == b->is_struct && a->is_buffer == b->is_buffer && !a->data == !b->data);
  if (a->data && b->data) CHECK(memcmp(a->data, b->data, (size_t)a->count * (size_t)launch_type_size(a->type)) == 0);
}

// What is printed makes the same argument again.
static void text_and_back(void) {
  static const struct { const char *text, *printed; } rows[] = {
      {"i32=-7", "i32=-7"}, {"unsigned char=0xff", "u8=255"}, {"u64=18446744073709551615", "u64=18446744073709551615"},
      {"f32=0.1", "f32=0.1"}, {"f32=16777217", "f32=16777216"}, {"f64=0.1", "f64=0.1"}, {"f16=0.1", "f16=0.1"},
      {"f64=1e300", "f64=1e+300"}, {"f32=70000.5", "f32=70000.5"}, {"f32=inf", "f32=inf"}, {"f32=-inf", "f32=-inf"},
      {"f32=nan", "f32=nan"}, {"f32=-0", "f32=-0"},
      {"half=3", "half=3"}, {"N=1000", "N=1000"}, {"n=int=3", "n=i32=3"},
      {"float[1000]=iota", "f32[1000]=iota"}, {"x=u8[16]=none>x.bin", "x=u8[16]=none>x.bin"},
      {"i32[2]=const:-5", "i32[2]=const:-5"}, {"f32[8]=const:0.3", "f32[8]=const:0.3"}, {"i32[8]=mod:9007199254740992",
       "i32[8]=mod:9007199254740992"}, {"f32[8]=random:4294967295>a b", "f32[8]=random:4294967295>a b"},
      {"i64[2]=9007199254740993,-1", "i64[2]=9007199254740993,-1"}, {"float[1]=.5", "f32[1]=0.5"},
      {"f16[2]=nan,65504", "f16[2]=nan,65504"},
      {"tex.float[64x32]=iota,linear,wrap,normalized", "tex.f32[64x32]=iota,linear,wrap,normalized"},
      {"img=tex.uchar4[3x4x5]=none,linear,float,border", "img=tex.u8x4[3x4x5]=none,linear,border,float"},
      {"surf.uint4[16x4]=iota,layered>a,b", "surf.u32x4[16x4]=iota,layered>a,b"}};
  for (int i = 0; i < LS_COUNT(rows); i++) {
    Launch first, second;
    launch_init(&first);
    launch_init(&second);
    CHECK(launch_add_arg(&first, rows[i].text, NULL));
    char *once = launch_argument_text(&first, 0);
    CHECK_STR(once, rows[i].printed);
    CHECK(launch_add_arg(&second, once, NULL));
    free(once);
    check_same(&first.args[0], &second.args[0]);
    launch_fini(&first);
    launch_fini(&second);
  }
}

static void command_lines(void) {
  Launch launch;
  LsText out = {0};
  launch_init(&launch);
  launch.kernel = ls_strdup("tiled<32>");
  launch.grid[1] = 2;
  launch.block[2] = 4;
  launch.shared_bytes = 64;
  CHECK(launch_add_arg(&launch, "float[8]=iota>it's", NULL) && launch_add_arg(&launch, "N=3", NULL));
  launch_command_line(&launch, &out);
  CHECK_STR(ls_text_str(&out), " -k 'tiled<32>' -g 1,2 -b 1,1,4 -s 64 -a 'f32[8]=iota>it'\\''s' -a N=3");
  ls_text_free(&out);
  launch_fini(&launch);
}

static void dimensions(void) {
  static const struct { const char *text; bool is_grid; uint32_t dim[3]; const char *error; } rows[] = {
      {"64", true, {64, 1, 1}, NULL},
      {"16,16", false, {16, 16, 1}, NULL},
      {"2147483647,65535,65535", true, {2147483647, 65535, 65535}, NULL},
      {"1024", false, {1024, 1, 1}, NULL},
      {"1,2,64", false, {1, 2, 64}, NULL},
      {"2147483648", true, {0}, "the grid is 2147483648 in x, but at most 2147483647 is possible"},
      {"1,65536", true, {0}, "the grid is 65536 in y, but at most 65535 is possible"},
      {"1025", false, {0}, "the block is 1025 in x, but at most 1024 is possible"},
      {"1,1,65", false, {0}, "the block is 65 in z, but at most 64 is possible"},
      {"64,32", false, {0}, "a block of 64x32x1 has 2048 threads, but at most 1024 are possible"},
      {"0", false, {0}, "'0' is not the size of a block: expected X[,Y[,Z]] with whole numbers from 1, such as 256 or 16,16"},
      {"16x16", false, {0},
       "'16x16' is not the size of a block: expected X[,Y[,Z]] with whole numbers from 1, such as 256 or 16,16"},
      {"1,2,3,4", true, {0},
       "'1,2,3,4' is not the size of a grid: expected X[,Y[,Z]] with whole numbers from 1, such as 64 or 16,16"},
      {"", true, {0}, "'' is not the size of a grid: expected X[,Y[,Z]] with whole numbers from 1, such as 64 or 16,16"},
      {"8,", true, {0}, "'8,' is not the size of a grid: expected X[,Y[,Z]] with whole numbers from 1, such as 64 or 16,16"},
      {"-4", true, {0}, "'-4' is not the size of a grid: expected X[,Y[,Z]] with whole numbers from 1, such as 64 or 16,16"},
      {"99999999999999999999", true, {0}, "'99999999999999999999' is not the size of a grid: expected X[,Y[,Z]] with whole numbers "
                                          "from 1, such as 64 or 16,16"},
  };
  for (int i = 0; i < LS_COUNT(rows); i++) {
    uint32_t dim[3] = {7, 8, 9};
    LsErr err = {0};
    bool ok = launch_parse_dim(rows[i].text, rows[i].is_grid, dim, &err);
    CHECK_INT(ok, !rows[i].error);
    static const uint32_t untouched[3] = {7, 8, 9};
    CHECK(memcmp(dim, ok ? rows[i].dim : untouched, sizeof dim) == 0);
    if (!ok) CHECK_STR(err.message, rows[i].error);
  }
}

// Element i of a buffer of `count`, as a number.
static double filled(LaunchType type, LaunchInit init, double value, uint64_t count, uint64_t i) {
  uint8_t *bytes = ls_alloc((size_t)count * (size_t)launch_type_size(type));
  LaunchArg arg = {.type = type, .is_buffer = true, .count = count, .init = init, .init_value = value};
  CHECK_INT(launch_fill(&arg, bytes), init != LAUNCH_NONE);
  uint64_t bits = 0;
  memcpy(&bits, bytes + i * (uint64_t)launch_type_size(type), (size_t)launch_type_size(type));
  free(bytes);
  return launch_value(type, bits);
}

static void fills_of_every_type(void) {
  for (int t = 0; t < LAUNCH_TYPE_COUNT; t++) {
    LaunchType type = (LaunchType)t;
    CHECK_INT(filled(type, LAUNCH_ZERO, 0, 5, 4), 0);
    CHECK_INT(filled(type, LAUNCH_IOTA, 0, 100, 99), 99);
    CHECK_INT(filled(type, LAUNCH_MOD, 16, 100, 37), 5);
    CHECK_INT(filled(type, LAUNCH_CONST, 42, 7, 6), 42);
  }
  CHECK_INT(filled(LAUNCH_U8, LAUNCH_IOTA, 0, 300, 299), 43);
  CHECK_INT(filled(LAUNCH_I8, LAUNCH_IOTA, 0, 300, 200), -56);
  CHECK_INT(filled(LAUNCH_I16, LAUNCH_CONST, -7, 3, 1), -7);
  CHECK(filled(LAUNCH_F64, LAUNCH_CONST, 0.1, 3, 2) == 0.1);
  CHECK(filled(LAUNCH_F32, LAUNCH_CONST, 0.1, 3, 2) == (double)0.1f);
  CHECK(filled(LAUNCH_F16, LAUNCH_IOTA, 0, 2052, 2051) == 2052);   // f16 counts in twos there; a tie goes to even
  CHECK(filled(LAUNCH_F16, LAUNCH_IOTA, 0, 2052, 2049) == 2048);
}

// The course's data: MT19937 with seed 12345678; raw words from an independent implementation of the generator.
static void golden_random(void) {
  static const double wanted[] = {0.245804235, 0.796759188, 0.596428633};
  for (uint64_t i = 0; i < 3; i++) {
    double f32 = filled(LAUNCH_F32, LAUNCH_RANDOM, 12345678, 3, i);
    CHECK(fabs(f32 - wanted[i]) < 5.01e-10);
    CHECK(filled(LAUNCH_F64, LAUNCH_RANDOM, 12345678, 3, i) == f32);
    CHECK(fabs(filled(LAUNCH_F16, LAUNCH_RANDOM, 12345678, 3, i) - f32) <= 0x1p-12);
    double u32 = filled(LAUNCH_U32, LAUNCH_RANDOM, 12345678, 3, i);
    CHECK(fabs(u32 * 0x1p-32 - f32) <= 0x1p-25);
    CHECK_INT(filled(LAUNCH_U8, LAUNCH_RANDOM, 12345678, 3, i), (uint32_t)u32 & 255);
    CHECK(filled(LAUNCH_U64, LAUNCH_RANDOM, 12345678, 3, i) == u32);
  }
  CHECK_INT(filled(LAUNCH_U32, LAUNCH_RANDOM, 5489, 10000, 9999), 4123659995u);   // the value that the C++ standard names
}

// Every half there is: to a number and back; and the numbers between two halves go to the nearer one.
static void halves(void) {
  for (uint32_t h = 0; h < 0x7c00; h++) {
    double value = launch_value(LAUNCH_F16, h), next = launch_value(LAUNCH_F16, h + 1);
    uint64_t even = h & 1 ? h + 1 : h;
    bool ok = launch_bits(LAUNCH_F16, value) == h && launch_bits(LAUNCH_F16, -value) == (h | 0x8000);
    if (h + 1 == 0x7c00) next = 65536;
    double middle = value + (next - value) / 2;
    ok = ok && launch_bits(LAUNCH_F16, middle) == even;
    ok = ok && launch_bits(LAUNCH_F16, nextafter(middle, 1e9)) == h + 1;
    ok = ok && launch_bits(LAUNCH_F16, nextafter(middle, 0)) == h;
    if (!ok) printf("\nhalf %04x\n", h);
    CHECK(ok);
  }
  CHECK_INT(launch_bits(LAUNCH_F16, 1e10), 0x7c00);
  CHECK_INT(launch_bits(LAUNCH_F16, (double)-INFINITY), 0xfc00);
  CHECK(isnan(launch_value(LAUNCH_F16, launch_bits(LAUNCH_F16, (double)NAN))));
  CHECK(launch_value(LAUNCH_F16, 0x3555) == 0.333251953125);
}

static void whole_types_saturate(void) {
  CHECK_INT(launch_bits(LAUNCH_U8, 1e9), 255);
  CHECK_INT(launch_bits(LAUNCH_U8, -3), 0);
  CHECK_INT(launch_bits(LAUNCH_I8, -1e9), 0x80);
  CHECK_INT(launch_bits(LAUNCH_I32, -1.9), 0xffffffff);
  CHECK(launch_bits(LAUNCH_I64, 1e300) == INT64_MAX);
  CHECK(launch_bits(LAUNCH_U64, 1e300) == UINT64_MAX);
  CHECK_INT(launch_bits(LAUNCH_I32, (double)NAN), 0);
}

// Debug information of a .ptx is what somebody wrote: members that lie anywhere are refused, and nothing is written
// there.
static void members_lie_in_their_struct(void) {
  static const int64_t offsets[] = {-4, -8, 6, 8, INT64_MIN, INT64_MAX, -(INT64_C(1) << 33)};
  PtxDwType whole = {.kind = PTX_DW_INT, .size = 4, .name = "int"};
  for (int i = 0; i < LS_COUNT(offsets); i++) {
    PtxDwField field = {.name = "a", .type = &whole, .offset = offsets[i]};
    PtxDwType type = {.kind = PTX_DW_STRUCT, .size = 8, .name = "S", .fields = &field, .field_count = 1};
    Launch launch;
    LsErr err = {0};
    launch_init(&launch);
    CHECK(launch_add_arg(&launch, "struct:a=1", &err));
    CHECK(!launch_lay_out(&launch, 0, "a=1", &type, "s", NULL, &err));
    CHECK(err.kind == LS_EREQUEST);
    launch_fini(&launch);
  }
}

// ---- shared memory --------------------------------------------------------------------------------------------------

#define TWO_EXTERN ".version 7.0\n.target sm_75\n.address_size 64\n.extern .shared .align 4 .b8 a[];\n" \
                   ".extern .shared .align 4 .b8 b[];\n"

static char *shared_notes(const char *text, const char *kernel, uint64_t dynamic) {
  LsErr err = {0};
  LsText notes = {0};
  PtxModule *module = ptx_parse("two.ptx", text, strlen(text), &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(module);
  Launch launch;
  launch_init(&launch);
  launch.shared_bytes = dynamic;
  launch_shared_note(module, ptx_find_entry(module, kernel, &err), &launch, &notes);
  launch_fini(&launch);
  ptx_module_free(module);
  return ls_text_take(&notes);
}

static void shared_memory_to_ask_for(void) {
  static const char text[] = TWO_EXTERN
      ".entry one() { .reg .b32 %r<3>; mov.u32 %r1, a; st.shared.u32 [%r1], 1; ret; }\n"
      ".entry two() { .reg .b32 %r<3>; st.shared.u32 [a], 1; mov.u32 %r1, b; st.shared.u32 [%r1], 1; ret; }\n"
      ".entry own() { .shared .b8 s[1024]; st.shared.u32 [s], 1; ret; }\n";
  static const struct { const char *kernel; uint64_t dynamic; const char *words; } rows[] = {
      {"one", 49152, ""}, {"one", 49153, "cudaFuncSetAttribute(one,"}, {"own", 48128, ""},
      {"own", 48129, "49153 bytes of shared memory, of which 48129 are dynamic"}, {"two", 64, "a and b are extern"}};
  for (int i = 0; i < LS_COUNT(rows); i++) {
    char *notes = shared_notes(text, rows[i].kernel, rows[i].dynamic);
    CHECK(*rows[i].words ? strstr(notes, rows[i].words) != NULL : !*notes);
    free(notes);
  }
}

static const Check checks[] = {
    {"shared memory to ask for", shared_memory_to_ask_for},
    {"members lie in their struct", members_lie_in_their_struct},
    {"scalars", scalars},
    {"buffers", buffers},
    {"textures and surfaces", images},
    {"wrong images say what was expected", wrong_images},
    {"wrong arguments say what was expected", wrong_arguments},
    {"buffers from files", files},
    {"a named argument gets its type later", names_get_types_later},
    {"types in the words of C", types_in_the_words_of_c},
    {"vectors of CUDA", vectors_of_cuda},
    {"text and back", text_and_back},
    {"command lines", command_lines},
    {"dimensions", dimensions},
    {"fills of every type", fills_of_every_type},
    {"the course's random data", golden_random},
    {"all halves", halves},
    {"whole types saturate", whole_types_saturate},
};

int main(int argc, char **argv) { return check_main("launch", checks, LS_COUNT(checks), argc, argv); }
