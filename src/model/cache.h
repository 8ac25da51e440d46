// cache.h: a small cache of sectors: sets of a few ways, the longest unused one goes first, some of them set aside.
#ifndef LS_MODEL_CACHE_H
#define LS_MODEL_CACHE_H

#include <stdbool.h>
#include <stdint.h>

enum { CACHE_WAYS = 16, CACHE_SECTOR = 32 };

typedef struct CacheWay { uint64_t sector, used; bool valid, kept; } CacheWay;
typedef struct Cache {
  int sets, kept_ways;           // kept_ways: of a set, those that kept sectors may fill, and others may not take from them
  uint64_t clock, hits, misses;
  CacheWay *ways;                // sets * CACHE_WAYS
} Cache;

// bytes is rounded down to whole sets, at least one; kept_bytes of them are set aside. cache_fini ends it.
void cache_init(Cache *cache, uint64_t bytes, uint64_t kept_bytes);
void cache_fini(Cache *cache);
// Whether the sector was there; it is afterwards. kept: it may live in what is set aside.
bool cache_access(Cache *cache, uint64_t sector, bool kept);

#endif
