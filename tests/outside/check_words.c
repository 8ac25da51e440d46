// check_words.c: sums of products as tensor cores answered them and others published them, against the emulator's rules.
//
//   check_words CHECKOUT      of github.com/north-numerical-computing/MATLAB-tensor-core; README.md
//
// Exit status: 0 all agree, 1 some differ, 2 there is nothing to read.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "sim/alu/tensor.h"

// A line of a and of b has the products of one sum as hexadecimal f32, one of c and of d an f32 in binary digits.
enum { A, B, C, D, FILES, MOST = 32 };
typedef struct Words { const char *device; int capability; const char *operands; int products; } Words;
static const Words sets[] = {
    {"V100", 70, "fp16", 4},   {"A100", 80, "fp16", 8},  {"A100", 80, "bf16", 8},  {"A100", 80, "tf32", 4},
    {"A2", 86, "fp16", 8},     {"A2", 86, "bf16", 8},    {"A2", 86, "tf32", 4},    {"L40S", 89, "fp16", 8},
    {"L40S", 89, "bf16", 8},   {"L40S", 89, "tf32", 4},  {"L40S", 89, "E4M3", 32}, {"L40S", 89, "E5M2", 32},
    {"Ada", 89, "fp16", 8},    {"Ada", 89, "bf16", 8},   {"Ada", 89, "tf32", 4},   {"Ada", 89, "E4M3", 32},
    {"Ada", 89, "E5M2", 32},   {"H100", 90, "fp16", 16}, {"H100", 90, "bf16", 16}, {"H100", 90, "tf32", 4},
    {"H200", 90, "fp16", 16},  {"H200", 90, "bf16", 16}, {"H200", 90, "tf32", 4},  {"B200", 100, "fp16", 16},
    {"B200", 100, "bf16", 16}, {"B200", 100, "tf32", 4}, {"B200", 100, "E4M3", 32}, {"B200", 100, "E5M2", 32},
};

static PtxType type_of(const char *operands) {
  static const struct { const char *name; PtxType type; } types[] = {
      {"fp16", PTX_F16}, {"bf16", PTX_BF16}, {"tf32", PTX_TF32}, {"E4M3", PTX_E4M3}, {"E5M2", PTX_E5M2}};
  for (int i = 0; i < LS_COUNT(types); i++)
    if (strcmp(types[i].name, operands) == 0) return types[i].type;
  return PTX_NOTYPE;
}

static bool read_word(FILE *file, int base, double *value) {
  char text[64], *end;
  if (fscanf(file, "%63s", text) != 1) return false;
  *value = tensor_value(PTX_F32, (uint32_t)strtoul(text, &end, base));
  return *end == 0;
}

typedef struct Row { double values[MOST]; int16_t exponents[MOST]; } Row;

static bool read_row(FILE *file, const TensorRule *rule, const Words *set, Row *row) {
  int least = tensor_least(rule, type_of(set->operands));
  for (int k = 0; k < set->products; k++) {
    double value;
    int at = tensor_place(rule, k, set->products);
    if (!read_word(file, 16, &value)) return false;
    row->values[at] = value;
    row->exponents[at] = tensor_exponent(value, least);
  }
  return true;
}

static void count_words(FILE *const files[FILES], const Words *set, PtxType sum, int *agreed, int *all) {
  const TensorRule *rule = tensor_rule(set->capability, type_of(set->operands));
  Row a = {0}, b = {0};
  double c, d;
  *agreed = *all = 0;
  while (read_row(files[A], rule, set, &a) && read_row(files[B], rule, set, &b) && read_word(files[C], 2, &c) &&
         read_word(files[D], 2, &d)) {
    c = tensor_value(sum, tensor_bits(sum, c));
    double got = tensor_sum(rule, LS_MIN(rule->group, set->products), sum, (TensorRow){a.values, a.exponents},
                            (TensorRow){b.values, b.exponents}, set->products, c);
    *agreed += tensor_bits(PTX_F32, got) == tensor_bits(PTX_F32, d);
    (*all)++;
  }
}

static FILE *open_words(const char *checkout, const Words *set, int which, const char *type) {
  char path[1024];
  snprintf(path, sizeof path, "%s/model_validation/%s/%s/%c_%s_%s.txt", checkout, set->device, set->operands,
           "abcd"[which], set->device, type);
  return fopen(path, "r");
}

// The words of all sets that there are, with sums of one type.
static int compare_all(const char *checkout, PtxType sum, int *found) {
  const char *type = sum == PTX_F16 ? "fp16" : "fp32";
  int differed = 0;
  for (int i = 0; i < LS_COUNT(sets); i++) {
    int agreed, all;
    FILE *files[FILES];
    for (int k = 0; k < FILES; k++)
      files[k] = open_words(checkout, &sets[i], k, k < C ? sets[i].operands : k == C ? "fp32" : type);
    if (files[A] && files[B] && files[C] && files[D]) {
      count_words(files, &sets[i], sum, &agreed, &all);
      printf("%-5s %s, %s sums: %d of %d\n", sets[i].device, sets[i].operands, type, agreed, all);
      differed += all - agreed;
      *found += all;
    }
    for (int k = 0; k < FILES; k++)
      if (files[k]) fclose(files[k]);
  }
  return differed;
}

int main(int argc, char **argv) {
  int found = 0;
  if (argc != 2) {
    fprintf(stderr, "usage: check_words CHECKOUT   (of github.com/north-numerical-computing/MATLAB-tensor-core)\n");
    return 2;
  }
  int differed = compare_all(argv[1], PTX_F16, &found) + compare_all(argv[1], PTX_F32, &found);
  if (!found) fprintf(stderr, "check_words: '%s' has no words in model_validation/; is it a checkout?\n", argv[1]);
  else printf("%d of %d words agree\n", found - differed, found);
  return !found ? 2 : differed > 0;
}
