// run_source.c: the kernel's source as a lesson sees it.
#include <string.h>

#include "script/mod_run.h"

void run_facts_source(lua_State *L, Run *run) {
  int file = run_query_file(run), count = 0;
  const char *text = file >= 0 && file < run->info.source_count ? run->info.sources[file].text : NULL;
  if (!text) luaL_error(L, "the source of the kernel is not known");
  lua_newtable(L);
  while (*text) {
    size_t length = strcspn(text, "\n");
    lua_pushlstring(L, text, length);
    lua_rawseti(L, -2, ++count);
    text += length + (text[length] == '\n');
  }
}
