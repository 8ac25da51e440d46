// cache.c: least recently used, set by set.
#include "model/cache.h"

#include <stdlib.h>

#include "base/mem.h"

void cache_init(Cache *cache, uint64_t bytes, uint64_t kept_bytes) {
  *cache = (Cache){.sets = (int)LS_MAX(bytes / CACHE_SECTOR / CACHE_WAYS, 1)};
  uint64_t kept = LS_MIN(kept_bytes, bytes) / CACHE_SECTOR;
  cache->kept_ways = (int)LS_MIN(kept / (uint64_t)cache->sets, CACHE_WAYS - 1);
  cache->ways = ls_alloc(sizeof *cache->ways * (size_t)cache->sets * CACHE_WAYS);
}

void cache_fini(Cache *cache) { free(cache->ways); }

// Whose place is taken: an empty one, else the longest unused. Kept sectors within their share are left alone by others.
static CacheWay *victim(const Cache *cache, CacheWay *set, bool kept) {
  CacheWay *oldest = NULL;
  int kept_here = 0;
  for (int i = 0; i < CACHE_WAYS; i++) kept_here += set[i].valid && set[i].kept;
  bool own_share = kept && kept_here >= cache->kept_ways && cache->kept_ways;   // it replaces one of its own kind
  for (int i = 0; i < CACHE_WAYS; i++) {
    bool protected = set[i].valid && set[i].kept && !kept && kept_here <= cache->kept_ways;
    if (protected || (own_share && !(set[i].valid && set[i].kept))) continue;
    if (!set[i].valid) return &set[i];
    if (!oldest || set[i].used < oldest->used) oldest = &set[i];
  }
  return oldest;
}

bool cache_access(Cache *cache, uint64_t sector, bool kept) {
  CacheWay *set = &cache->ways[sector % (uint64_t)cache->sets * CACHE_WAYS];
  cache->clock++;
  for (int i = 0; i < CACHE_WAYS; i++) {
    if (!set[i].valid || set[i].sector != sector) continue;
    set[i].used = cache->clock;
    cache->hits++;
    return true;
  }
  cache->misses++;
  *victim(cache, set, kept && cache->kept_ways) = (CacheWay){sector, cache->clock, true, kept && cache->kept_ways};
  return false;
}
