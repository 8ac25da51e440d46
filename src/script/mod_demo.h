// mod_demo.h: what lua/demo.lua needs of the host: which demo is wanted, its file, and the names of all of them.
#ifndef LS_SCRIPT_MOD_DEMO_H
#define LS_SCRIPT_MOD_DEMO_H

#include "script/state.h"

// Adds demo_wish, demo_file and demo_names. wish: the name of a demo of the folder, or the path of a file; NULL: none.
// Borrowed for the life of the state.
void mod_demo_open(lua_State *L, const char *wish);

#endif
