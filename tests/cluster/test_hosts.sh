#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The harness itself (tests/cluster/hosts): who runs where, on which machine, and what stays
# behind. Oracle: hostname, getent and the kernel's own lists.
cd "$(dirname "$0")/../.." || exit 3
. tests/cluster/hosts
hosts_need

launchers=
command -v mpirun.openmpi >/dev/null && launchers="$launchers openmpi"
command -v mpiexec.hydra >/dev/null && launchers="$launchers hydra"

hosts_start a="package:2 core:4 pu:2" b="core:3 pu:1" c d:other

check "a host has its own name" test "$(hosts_on b hostname)" = b
check "a host can have another host name" test "$(hosts_on d hostname)" = other
check "this machine keeps its name" test "$(hostname)" != b
check "hosts know each other by name" \
	test "$(hosts_on a getent hosts c | awk '{ print $1 }')" = 10.77.0.3
check "this machine does not know them" sh -c '! getent hosts topomap-none c >/dev/null'
check "a command's status comes back" test "$(hosts_on a sh -c 'exit 7'; echo $?)" = 7

# SECONDS to carry 4 MB from a to b
carry()
{
	hosts_on b timeout 60 python3 -c '
import socket
s = socket.create_server(("10.77.0.2", 7001))
c, _ = s.accept()
while c.recv(65536): pass
c.sendall(b"x")' &
	hosts_on a timeout 60 python3 -c '
import socket, time
for i in range(100):
    try: c = socket.create_connection(("10.77.0.2", 7001)); break
    except OSError: time.sleep(0.05)
t = time.time(); c.sendall(bytes(4 << 20)); c.shutdown(socket.SHUT_WR); c.recv(1)
print(int(1000 * (time.time() - t)))'
	wait
}
if command -v python3 >/dev/null; then
	fast=$(carry)
	check "the network can be made slow" hosts_slow 100mbit
	slow=$(carry)
	# 4 MiB at 100 Mbit/s take 0.34 s; the bridge alone takes a few milliseconds, or longer
	# where this machine has other things to do
	check "a slow network is slow ($fast ms, then $slow ms)" test "$slow" -gt 250
else
	skipped=$((skipped + 2))
	echo "skipped: no python3 to carry bytes between hosts"
fi

for launcher in $launchers; do
	case $launcher in
	openmpi) set -- --host "$(hosts_slots 2)" -np 8 rank=OMPI_COMM_WORLD_RANK ;;
	hydra) set -- -hosts "$(hosts_slots 2)" -n 8 rank=PMI_RANK ;;
	esac
	variable=${5#rank=}
	"hosts_$launcher" "$1" "$2" "$3" "$4" sh -c \
		"echo \$$variable \$(hostname) \$HWLOC_SYNTHETIC" >"$hosts_dir/out" 2>"$hosts_dir/err"
	check "$launcher ends well" test $? -eq 0
	sort -n "$hosts_dir/out" >"$hosts_dir/sorted"
	cat >"$hosts_dir/expected" <<-END
		0 a package:2 core:4 pu:2
		1 a package:2 core:4 pu:2
		2 b core:3 pu:1
		3 b core:3 pu:1
		4 c
		5 c
		6 other
		7 other
	END
	check "$launcher starts two ranks on each host, which imitates its machine" \
		diff -u "$hosts_dir/expected" "$hosts_dir/sorted"
done
[ -n "$launchers" ] || { skipped=$((skipped + 1)); echo "skipped: no MPI launcher"; }

# Waits until the file says something, and says it.
await()
{
	for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		[ ! -s "$1" ] || break
		sleep 0.1
	done
	cat "$1"
}

# A run beside this one may be removing the same orphans.
soon()
{
	for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		"$@" && return 0
		sleep 0.1
	done
	return 1
}

# Nobody may have taken its status yet, where a container's init is no init.
is_gone()
{
	sleep 0.1
	case $(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null) in
	'' | Z) return 0 ;;
	*) return 1 ;;
	esac
}

note=$(mktemp)
hosts_on c sh -c 'echo $$ >"$0"; exec sleep 60' "$note" 2>/dev/null &
pid=$(await "$note")
dir=$hosts_dir
hosts_stop
check "no namespace stays behind" sh -c "! ip netns list | grep -q '^topomap-$$-'"
check "no process stays behind" is_gone "$pid"
check "no file stays behind" test ! -e "$dir"

# Runs of their own that are stopped while a job runs on them.
for signal in TERM HUP KILL; do
	: >"$note"
	setsid sh -c '. tests/cluster/hosts; hosts_start a b
		hosts_on b sh -c "echo \$\$ >$0; exec sleep 60"' "$note" 2>/dev/null &
	run=$!
	pid=$(await "$note")
	check "a run that $signal will stop is under way" kill -0 "$pid"
	kill -s $signal -- "-$run"
	wait $run 2>/dev/null
	if [ $signal = KILL ]; then
		check "KILL leaves the hosts behind" \
			sh -c "ip netns list | grep -q '^topomap-$run-'"
		hosts_start a
		hosts_stop
	fi
	check "nothing is left of a run that $signal stopped" soon sh -c \
		"! ip netns list | grep -q '^topomap-$run-' &&
		! ls -d '${dir%/*}/topomap-hosts-$run'-*" 2>/dev/null
	check "nothing is left of the job of a run that $signal stopped" is_gone "$pid"
done
rm -f "$note"

check_report
