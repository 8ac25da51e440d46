// glossary.h: the glossary from Lua.
#ifndef LS_SCRIPT_GLOSSARY_H
#define LS_SCRIPT_GLOSSARY_H

#include "app/run/glossary.h"

// Reads glossary.lua of a folder (NULL: lanescope's own lessons). For glossary_free.
Glossary *glossary_open(const char *folder, LsErr *err);

#endif
