// banks.h: what the picture of banks shows: which bank a word of shared memory lies in, and what a warp asks of each.
//
//   4 bytes a bank      bank = byte / 4 % 32       Fermi, Maxwell and later
//   8 bytes a bank      bank = byte / 8 % 32       Kepler, cudaSharedMemBankSizeEightByte
//   Kepler, 4 bytes     bank = byte / 4 % 32       half byte / 128 % 2 of row byte / 256; both are given at once
//   16 banks            bank = byte / 4 % 16       half a warp at a time, compute capability 1.x
#ifndef LS_APP_MODELS_BANKS_H
#define LS_APP_MODELS_BANKS_H

#include "app/models/model.h"

enum { BANKS_MOST = 32, BANKS_LANES = 32 };
typedef enum BanksMap { BANKS_FOUR, BANKS_EIGHT, BANKS_KEPLER_FOUR, BANKS_SIXTEEN, BANKS_MAPS } BanksMap;

typedef struct BanksModel {
  BanksMap map;
  int banks, bank_bytes;              // bytes of a bank in a row
  int width, stride, offset;          // bytes of a lane; words of 4 bytes from lane to lane, and before lane 0
  uint64_t byte[BANKS_LANES];         // that each lane wants
  int bank[BANKS_LANES], row[BANKS_LANES];   // of its first word
  int turns[BANKS_MOST];              // rows that a bank has to give one after the other, in the worse pass; 0: none
  int wavefronts, degree;             // in all; the most that one bank has to give one after the other
} BanksModel;
void banks_model(const ModelValues *values, BanksModel *out);
int banks_bank(BanksMap map, uint64_t byte);
int banks_row(BanksMap map, uint64_t byte);
int banks_word(BanksMap map, int bank, int row, int half);   // the way back: half 1 is behind the first 4 bytes
const char *banks_map_name(BanksMap map);

#endif
