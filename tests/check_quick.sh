#!/bin/sh
# check_quick.sh: files that are compiled together mean what they mean alone (src/make-chunks), and `make quick` compiles.
set -eu
build=$PWD
top=$(cd "${srcdir:-.}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
complain() { echo "check_quick: $1" >&2; status=1; }
chunks() { : | sh "$top/src/make-chunks" "$work/quick" "$work" "$@"; }
# chunk_of FILE: the chunk that it is in.  together/apart FILE FILE
chunk_of() { grep -lF "\"$1\"" "$work"/quick/*.c; }
together() { [ "$(chunk_of "$1")" = "$(chunk_of "$2")" ] || complain "$1 and $2 could be together"; }
apart() { [ "$(chunk_of "$1")" != "$(chunk_of "$2")" ] || complain "$1 and $2 must not be together"; }

# ---- a small tree
mkdir -p "$work/src/app" "$work/src/ui"
cd "$work/src/app"
printf 'int shown(int x);\ntypedef struct Pen { int x; } Pen;\n#define ROOM 8\n' >shown.h
printf '#include "app/shown.h"\n#define ROW(x) x\nstatic int sum(void) { return 1; }\nint a(void) { return sum(); }\n' >a.c
printf 'static int sum(void) { return 2; }\nint b(void) { return sum(); }\n' >b.c
printf 'static const int one = 1,\n                 two[] = {2};\nenum { LOW, HIGH };\n' >c.c
printf 'static int shown(int x) { return x; }\nint d(void) { return shown(1); }\n' >d.c
printf 'typedef struct Pen { char c; } Pen;\n' >e.c
printf '#define ROOM 9\n' >f.c
printf '#include <curses.h>\n' >g.c
printf 'static int two;\nenum Side {\n  LEFT,\n  HIGH\n};\n' >h.c
printf 'static int i(void);\n' >i.c
printf 'static int sum(void);\n' >../ui/a.c
cd "$work"
files=$(find src -name '*.c' | sort)
chunks $files
together app/a.c app/c.c
together app/a.c app/i.c
apart app/a.c app/b.c   # both have sum
apart app/a.c app/d.c   # a header of theirs has shown
apart app/a.c app/e.c
apart app/a.c app/f.c
apart app/a.c app/g.c
apart app/c.c app/h.c   # both have HIGH
apart app/a.c ui/a.c
[ "$(cat quick/*.c | grep -c include)" = 10 ] || complain 'each file is in one chunk'
grep -A1 -h '"app/a.c"' quick/*.c | grep -qx '#undef ROW' || complain 'a macro of a file ends with it'
# What stays as it was is not compiled again, and what is gone leaves nothing.
touch -d 2001-01-01 quick/*.c
rm src/ui/a.c
touch quick/ui_1.o quick/ui_1.d
chunks $(find src -name '*.c' | sort)
[ -z "$(find quick -newermt 2002-01-01 -name '*.c')" ] || complain 'chunks were written anew that are the same'
[ ! -e quick/ui_1.c ] && [ ! -e quick/ui_1.o ] && [ ! -e quick/ui_1.d ] || complain 'a chunk without files is still there'
# A name that the system has.
echo 'extern void i (int);' | sh "$top/src/make-chunks" quick . $(find src -name '*.c' | sort)
apart app/a.c app/i.c

# ---- this tree
cd "$build"
[ -e Makefile ] || { echo 'check_quick: not in a build tree' >&2; exit $status; }
MAKEFLAGS= MAKELEVEL= make -s quick-syntax >"$work/said" 2>&1 || { cat "$work/said" >&2; complain 'make quick does not compile'; }
exit $status
