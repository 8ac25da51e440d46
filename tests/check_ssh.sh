#!/bin/sh
# check_ssh.sh: --runner through a real sshd on a private port, with keys and settings of its own in a temporary folder. Skipped where
# sshd is not installed. Nothing of the user's is read or changed.
set -eu
program=$PWD/lanescope driver=$PWD/tests/fake_cuda/fake_cuda.so
skip() { echo "check_ssh: $1"; exit 77; }
[ -x "$program" ] || skip "build lanescope first"
PATH=$PATH:/usr/sbin:/sbin
for tool in sshd ssh ssh-keygen; do command -v $tool > /dev/null || skip "there is no $tool"; done
failed=0 server=
folder=$(mktemp -d) || exit 99
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
complain() { echo "check_ssh: $1"; [ ! -s "$folder/err" ] || sed 's/^/  /' "$folder/err"; failed=1; }

# ---- a server and a client ------------------------------------------------------------------------------------------

ssh-keygen -q -t ed25519 -N '' -f "$folder/host"
ssh-keygen -q -t ed25519 -N '' -f "$folder/key"
settings() {
  cat > "$folder/sshd_config" <<END
Port $1
ListenAddress 127.0.0.1
HostKey $folder/host
PidFile none
AuthorizedKeysFile $folder/key.pub
StrictModes no
UsePAM no
KbdInteractiveAuthentication no
END
  cat > "$folder/config" <<END
Host far
  HostName 127.0.0.1
  Port $1
  User $(id -un)
  IdentityFile $folder/key
  IdentitiesOnly yes
  UserKnownHostsFile $folder/known
END
  echo "[127.0.0.1]:$1 $(cut -d ' ' -f 1,2 "$folder/host.pub")" > "$folder/known"
}
# Takes the first free port of a few.
start_server() {
  for port in $(awk -v seed=$$ 'BEGIN { srand(seed); for (i = 0; i < 8; i++) print 20000 + int(rand() * 10000) }'); do
    settings "$port"
    sshd_path=$(command -v sshd)   # it starts itself anew, by its full name
    "$sshd_path" -D -f "$folder/sshd_config" -E "$folder/log" &
    server=$!
    for wait in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
      ! grep -qs 'Server listening' "$folder/log" || return 0
      kill -0 $server 2> /dev/null || break
      sleep 0.1
    done
    server=
  done
  return 1
}
start_server || skip "sshd does not start: $(tail -n 1 "$folder/log")"
ssh="ssh -F $folder/config"
$ssh far true 2> "$folder/err" || skip "sshd lets nobody in: $(tail -n 1 "$folder/err")"
cd "$folder"
far="env LANESCOPE_CUDA_LIBRARY='$driver' PATH='$(dirname "$program")':/usr/bin:/bin"

# run STATUS ARGUMENT...: lanescope with that exit status
run() {
  status=$1
  shift
  got=0
  "$program" "$@" > out 2> err || got=$?
  [ $got -eq "$status" ] || complain "status $got, not $status: lanescope $*"
}
says() { grep -q "$1" err || complain "it does not say: $1"; }
gone() {
  wait=0
  while [ $wait -lt 200 ]; do   # 20 seconds: this machine may be busy
    kill -0 "$1" 2> /dev/null || return 0
    sleep 0.1
    wait=$((wait + 1))
  done
  complain "$2 is left on the far side"
}
wait_for() {
  for wait in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
    [ ! -s "$1" ] || return 0
    sleep 0.1
  done
  complain "$1 does not appear"
}

# ---- runs ------------------------------------------------------------------------------------------------------------

counters() { sed -n 's/.*\("counters": {[^}]*}\), "lines".*/\1/p' out; }
run 0 stats reduce2 --json
expected=$(counters)
for kind in emu cuda; do
  [ $kind = emu ] || [ -e "$driver" ] || continue
  run 0 stats reduce2 --json --device $kind --runner "$ssh far \"$far\""
  [ -n "$expected" ] && [ "$(counters)" = "$expected" ] || complain "$kind: other counters than here"
done
run 2 stats 'no such file.ptx' --runner "$ssh far"
run 3 stats reduce2 --device emu --runner "$ssh far PATH=/nowhere"
says 'ended with status 127 before it answered'
run 3 stats reduce2 --device emu --runner "$ssh -o UserKnownHostsFile=/dev/null far"
says 'Log in by hand once'
run 3 stats reduce2 --device emu --runner "$ssh -o PubkeyAuthentication=no far"
says 'Use a key and ssh-agent'

# ---- ends ------------------------------------------------------------------------------------------------------------

cat > endless.ptx <<'END'
.version 7.0
.target sm_75
.address_size 64
.visible .entry endless(.param .u64 x)
{
  .reg .b64 %rd<2>;
  mov.u64 %rd1, 0;
L:
  add.u64 %rd1, %rd1, 1;
  bra L;
}
END
endless() { exec "$program" stats endless.ptx -b 32 -a 'u32[1]=zero' --device emu --budget 1000000000000 \
  --runner "$ssh far \"echo \\\$\\\$ \\\$PPID > $folder/pids; exec $far\"" > out 2> err; }

# The program is ended, by a signal that it can catch and by one that it cannot: the far side ends, too.
for signal in TERM KILL; do
  rm -f pids
  endless & near=$!
  wait_for pids
  sleep 0.3
  kill -$signal $near
  wait $near || true
  read -r kernel session < pids
  gone "$kernel" "after SIG$signal, the kernel"
done

# The connection breaks.
rm -f pids
endless & near=$!
wait_for pids
read -r kernel session < pids
sleep 0.3
kill "$session"
got=0
wait $near || got=$?
[ $got -eq 3 ] || complain "status $got after the connection broke"
says 'before the run was done\|in the middle of a message'
gone "$kernel" "after the connection broke, the kernel"
exit $failed
