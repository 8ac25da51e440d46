#!/bin/sh
# check_dist.sh: what git knows is in the tarball of the sources, and nothing lies in git by mistake. Skipped outside of a git checkout.
set -eu
top=$(cd "${srcdir:-.}" && pwd)
[ -e "$top/.git" ] && git -C "$top" rev-parse >/dev/null 2>&1 || { echo "check_dist: no git checkout"; exit 77; }
[ -e Makefile ] || { echo "check_dist: not in a build tree"; exit 77; }
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
MAKEFLAGS= MAKELEVEL= make -s distdir distdir="$work/dist" top_distdir="$work/dist" >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }
(cd "$work/dist" && find . -type f) | sed 's|^\./||' | LC_ALL=C sort >"$work/there"
git -C "$top" ls-files | grep -vxE '\.ci/.*|(.*/)?\.git(ignore|keep)' | while read -r file; do [ ! -e "$top/$file" ] || echo "$file"; done |
  LC_ALL=C sort >"$work/known"
missing=$(LC_ALL=C comm -13 "$work/there" "$work/known")
[ -z "$missing" ] || { echo "check_dist: in git, but not in the tarball of the sources:"; echo "$missing"; exit 1; }
