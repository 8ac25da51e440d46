#!/bin/sh
# check_layers.sh: a folder of src/ includes only what lies below it; each foreign library's header stays in its one place.
# A unit test that links only the layers below finds calls across them; this finds the includes.
set -eu
cd "${srcdir:-.}"
status=0
complain() { echo "check_layers: $1" >&2; status=1; }

# allowed FOLDER "FOLDERS IT MAY INCLUDE"
allowed() {
  for file in src/"$1"/*.[ch]; do
    [ -e "$file" ] || continue
    for folder in $(sed -n 's/^#include "\([a-z]*\)\/.*/\1/p' "$file" | sort -u); do
      case " $1 $2 " in *" $folder "*) ;; *) complain "$file includes $folder/, which $1 must not know" ;; esac
    done
  done
}
allowed base ''
allowed ptx 'base'
allowed trace 'base'
allowed sim 'base ptx trace'
allowed model 'base ptx trace'
allowed device 'base ptx trace sim model'
allowed app 'base ptx trace sim model device'
allowed script 'base ptx trace sim model device app'
allowed ui 'base ptx trace sim model device app'
allowed cli 'base ptx trace sim model device app script ui'

# only HEADER-PATTERN "ALLOWED FILE PATTERN"
only() {
  for file in $(grep -lE "#include [<\"]$1" src/*/*.[ch] || true); do
    echo "$file" | grep -qE "$2" || complain "$file includes $1; only $2 may"
  done
}
only '(ncursesw/|ncurses/)?n?curses' '^src/ui/term_curses\.c$'
only '(lua|lauxlib|lualib)' '^src/script/'
only 'dlfcn' '^src/device/'
only 'sqlite3' '^src/app/progress\.c$'
only 'zstd' '^src/trace/'
only 'vterm' '^$'

# Nothing below cli/ and ui/ prints or ends the program (mem.c's last words aside).
for file in $(grep -lE '(^|[^a-z_])(printf|puts|exit|abort) ?\(' src/base/*.c src/ptx/*.c src/trace/*.c src/sim/*.c src/model/*.c src/device/*.c src/app/*.c src/script/*.c || true); do
  case $file in src/base/mem.c) continue ;; esac
  grep -nE '(^|[^a-z_.>])(printf|puts|exit|abort) ?\(' "$file" | grep -v '_exit' | grep -vE '^[0-9]+: *(//|\*)' >/dev/null && complain "$file prints or exits"
done
exit $status
