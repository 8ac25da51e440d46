#!/bin/sh
# check_layers.sh: a folder of src/ includes only what lies below it; each foreign library's header stays in its one place.
# A unit test that links only the layers below finds calls across them; this finds the includes.
set -eu
build=$PWD
cd "${srcdir:-.}"
status=0
complain() { echo "check_layers: $1" >&2; status=1; }

# Who includes what, as FILE<blank>HEADER, and all files in order: each is read once, for a process costs more than that.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find src -name '*.[ch]' -o -name '*.def' -o -name '*.inc' -o -name '*.cu' | sort >"$work/files"
xargs grep -H '^#include "' <"$work/files" | sed -n 's/^\([^:]*\):#include "\([^"]*\)".*/\1 \2/p' >"$work/includes"

# judge PROGRAM [-v NAME=VALUE]...: what the awk program prints of the includes is wrong.
judge() {
  program=$1
  shift
  awk "$@" "function folder(path) { sub(/\/[^\/]*\$/, \"\", path); return path }
            function first(path) { sub(/\/.*/, \"\", path); return path }
            $program" "$work/includes" | sort -u >"$work/wrong"
  while read -r line; do complain "$line"; done <"$work/wrong"
}

# allowed FOLDER "FOLDERS IT MAY INCLUDE"
allowed() {
  judge 'index($1, "src/" own "/") == 1 && $2 ~ /^[a-z]*\// && !index(" " own " " may " ", " " first($2) " ") {
    print $1 " includes " first($2) "/, which " own " must not know" }' -v own="$1" -v may="$2"
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
  judge 'BEGIN { count = split(rooms, name, " "); for (i = 1; i <= count; i++) level[name[i]] = i }
    function room(path) { return index(path, own "/") == 1 ? first(substr(path, length(own) + 2)) : "" }
    { mine = room(substr($1, 5)); other = room($2) }
    mine in level && other ~ /^[a-z]+$/ && $2 ~ ("^" own "/[a-z]+/") && !(other in level && level[other] <= level[mine]) {
      print $1 " includes " own "/" other "/, a room above its own" }' -v own="$1" -v rooms="$2"
  for place in src/"$1"/*/; do
    case " $2 " in *" $(basename "$place") "*) ;; *) complain "$place has no place among the rooms of $1" ;; esac
  done
}
rooms sim 'alu core analysis decode check grid ops replay'
rooms model 'findings causes'
rooms device 'compile probe cuda remote'
rooms app 'run models session course stage exam own practice report'
rooms ui 'term views models panels pages'
# beside FOLDER: files beside the rooms include none of them.
beside() {
  judge 'folder($1) == "src/" own && $1 ~ /[.][ch]$/ && $2 ~ ("^" own "/[a-z]*/") { print $1 " includes a room of " own "/" }' -v own="$1"
}
beside app
beside ui
# apart ROOM OTHERS: none of its files includes one of a room beside it. What is shared stands in the folder above.
apart() {
  judge 'index($1, "src/" own "/") == 1 && $2 ~ ("^(" others ")/") { print $1 " includes a room beside its own" }' -v own="$1" -v others="$2"
}
apart app/session/scene 'app/session/compare'
apart app/session/compare 'app/session/scene'
# Cells and the terminal know no run and no session.
judge 'folder($1) == "src/ui/term" && $1 ~ /[.][ch]$/ && $2 ~ /^app\/[a-z]+\// { print $1 " includes a room of app/" }'

# no_circle LIBRARY: its files, by the functions that they call, stand one above the other. Only where it is built.
no_circle() {
  [ -e "$build/$1" ] || return 0
  nm -A "$build/$1" 2>/dev/null | awk '
    { split($1, at, ":"); name = $NF; type = $(NF - 1) }
    type ~ /^[TDBRVC]$/ { home[name] = at[2] }
    type == "U" { use[at[2] " " name] = 1 }
    END { for (u in use) { split(u, is, " "); if ((is[2] in home) && home[is[2]] != is[1]) print is[1], home[is[2]] } }
  ' | sort -u | tsort >/dev/null 2>"$work/circles" || complain "$1 has a circle of files: $(sed -n '/loop/d; s/^tsort: //p' "$work/circles" | sort -u | tr '\n' ' ')"
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
grep -nE '(^|[^a-z_.>])(printf|puts|exit|abort) ?\(' $(grep '[.]c$' "$work/files" | grep -vE '^src/(ui|cli)/|^src/base/mem[.]c$') |
  grep -v '_exit' | grep -vE '^[^:]*:[0-9]+: *(//|\*)' | cut -d : -f 1 | sort -u >"$work/wrong" || true
while read -r file; do complain "$file prints or exits"; done <"$work/wrong"
exit $status
