#!/bin/sh
# check_layers.sh: a folder of src/ includes only what lies below it; each foreign library's header stays in its one place.
# A unit test that links only the layers below finds calls across them; this finds the includes.
set -eu
build=$PWD
cd "${srcdir:-.}"
status=0
complain() { echo "check_layers: $1" >&2; status=1; }

# sources FOLDER: all that has includes, or may be given some.
sources() { find src/"$1" -name '*.[ch]' -o -name '*.def' -o -name '*.inc' -o -name '*.cu'; }

# allowed FOLDER "FOLDERS IT MAY INCLUDE"
allowed() {
  for file in $(sources "$1"); do
    for folder in $(sed -n 's/^#include "\([a-z]*\)\/.*/\1/p' "$file" | sort -u); do
      case " $1 $2 " in *" $folder "*) ;; *) complain "$file includes $folder/, which $1 must not know" ;; esac
    done
  done
}
allowed base ''
allowed ptx 'base'
allowed launch 'base ptx'
allowed trace 'base launch'
allowed sim 'base ptx launch trace'
allowed model 'base ptx launch trace'
allowed device 'base ptx launch trace sim model'
allowed app 'base ptx launch trace sim model device'
allowed script 'base ptx launch trace sim model device app'
allowed ui 'base ptx launch trace sim model device app'
allowed cli 'base ptx launch trace sim model device app script ui'

# rooms FOLDER "ROOMS, LOWEST FIRST": a room includes only itself and those before it, and there are no others.
rooms() {
  below=
  for room in $2; do
    below="$below $room"
    for file in $(sources "$1/$room"); do
      for other in $(sed -n "s|^#include \"$1/\([a-z]*\)/.*|\1|p" "$file" | sort -u); do
        case "$below " in *" $other "*) ;; *) complain "$file includes $1/$other/, a room above its own" ;; esac
      done
    done
  done
  for folder in src/"$1"/*/; do
    case "$below " in *" $(basename "$folder") "*) ;; *) complain "$folder has no place among the rooms of $1" ;; esac
  done
}
rooms sim 'alu core analysis decode check grid ops replay'
rooms model 'findings causes'
rooms device 'compile probe cuda remote'
rooms app 'run models session course stage exam own practice report'
rooms ui 'term views models panels pages'
# beside FOLDER: files beside the rooms include none of them.
beside() {
  for file in $(grep -l "^#include \"$1/[a-z]*/" src/"$1"/*.[ch] 2>/dev/null || true); do complain "$file includes a room of $1/"; done
}
beside app
beside ui
# apart ROOM OTHERS: none of its files includes one of a room beside it. What is shared stands in the folder above.
apart() {
  for file in $(grep -lE "^#include \"($2)/" $(sources "$1") || true); do complain "$file includes a room beside its own"; done
}
apart app/session/scene 'app/session/compare'
apart app/session/compare 'app/session/scene'
# Cells and the terminal know no run and no session.
for file in $(grep -lE '#include "app/[a-z]+/' src/ui/term/*.[ch] || true); do complain "$file includes a room of app/"; done

# no_circle LIBRARY: its files, by the functions that they call, stand one above the other. Only where it is built.
no_circle() {
  [ -e "$build/$1" ] || return 0
  nm -A "$build/$1" 2>/dev/null | awk '
    { split($1, at, ":"); name = $NF; type = $(NF - 1) }
    type ~ /^[TDBRVC]$/ { home[name] = at[2] }
    type == "U" { use[at[2] " " name] = 1 }
    END { for (u in use) { split(u, is, " "); if ((is[2] in home) && home[is[2]] != is[1]) print is[1], home[is[2]] } }
  ' | sort -u | tsort >/dev/null 2>"$build/circles.tmp" || complain "$1 has a circle of files: $(sed -n '/loop/d; s/^tsort: //p' "$build/circles.tmp" | sort -u | tr '\n' ' ')"
  rm -f "$build/circles.tmp"
}
no_circle libapp.a
no_circle libui.a

# only HEADER-PATTERN "ALLOWED FILE PATTERN"
only() {
  for file in $(grep -lE "#include [<\"]$1" $(find src -name '*.[ch]') || true); do
    echo "$file" | grep -qE "$2" || complain "$file includes $1; only $2 may"
  done
}
only '(ncursesw/|ncurses/)?n?curses' '^src/ui/term/term_curses\.c$'
only '(lua|lauxlib|lualib)' '^src/script/'
only 'dlfcn' '^src/device/'
only 'sqlite3' '^src/app/course/store\.c$'
only 'zstd' '^src/trace/'
only 'ui/views/focus/' '^src/ui/views/focus/'   # a pane is found by its row in focus.def
only 'vterm' '^$'

# How an instruction is spelled concerns nobody but ptx/: modifiers are fields of PtxInstr, roles are asked of ptx/def_use.h.
for file in $(grep -lE '(->|\.)(spelling|roles)\>' $(find src -name '*.[ch]' ! -path 'src/ptx/*') || true); do
  complain "$file reads how an instruction is spelled; ptx_has and the fields of PtxInstr say what it is"
done

# Nothing below cli/ and ui/ prints or ends the program (mem.c's last words aside).
for file in $(grep -lE '(^|[^a-z_])(printf|puts|exit|abort) ?\(' $(find src -name '*.c' ! -path 'src/ui/*' ! -path 'src/cli/*') || true); do
  case $file in src/base/mem.c) continue ;; esac
  grep -nE '(^|[^a-z_.>])(printf|puts|exit|abort) ?\(' "$file" | grep -v '_exit' | grep -vE '^[0-9]+: *(//|\*)' >/dev/null && complain "$file prints or exits"
done
exit $status
