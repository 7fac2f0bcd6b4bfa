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
	for try in $(seq 600); do
		[ ! -s "$1" ] || break
		sleep 0.1
	done
	cat "$1"
}

# Nobody may have taken its status yet, where a container's init is no init.
is_gone() { test -z "$(hosts_started "$1")"; }

# is_left RUN FOLDER: namespaces, a note or files
is_left()
{
	hosts_namespaces | grep -q "^topomap-$1-" || test -e "$hosts_runs/$1" || test -e "$2"
}
is_clean() { ! is_left "$@"; }

note=$(mktemp)
hosts_on c sh -c 'echo $$ >"$0"; exec sleep 600' "$note" 2>/dev/null &
pid=$(await "$note")
check "what is there is found" is_left "$hosts_run" "$hosts_dir"
hosts_stop
check "no namespace, note or file stays behind" is_clean "$hosts_run" "$hosts_dir"
check "no process stays behind" is_gone "$pid"

# start_run [TMPDIR]: a run of its own with a job on it, which ends when something ends it; sets
# its_pid, its_name, folder, and pid, which is the job's
start_run()
{
	: >"$note"
	TMPDIR=${1:-${TMPDIR:-/tmp}} setsid sh -c '. tests/cluster/hosts
		hosts_need; hosts_start a b
		hosts_on b sh -c "echo \$\$ \$1 \$2 >\$0; exec sleep 600" "$0" "$hosts_run" "$hosts_dir"' \
		"$note" 2>/dev/null &
	its_pid=$!
	read -r pid its_name folder <<-END
		$(await "$note")
	END
	check "a run is under way" kill -0 "$pid"
	check "its name is of its process" test "$its_name" = "$(hosts_name_run $its_pid)"
}

# end_run SIGNAL: by the terminal; its shell alone by KILL, so that the job goes on
end_run()
{
	case $1 in
	KILL) kill -s KILL "$its_pid" ;;
	*) kill -s "$1" -- "-$its_pid" ;;
	esac
	wait $its_pid 2>/dev/null
}

for signal in TERM HUP; do
	start_run
	end_run $signal
	check "nothing is left of a run that $signal stopped" is_clean "$its_name" "$folder"
	check "nothing is left of the job of a run that $signal stopped" is_gone "$pid"
done

# The next start removes what KILL left, whoever's it is and wherever it had its files. Until that
# has been seen to be there, no run beside this one may remove it.
elsewhere=$(mktemp -d)
for where in '' "$elsewhere"; do
	start_run "$where"
	end_run_and_look() { end_run KILL; is_left "$its_name" "$folder" && ! is_gone "$pid"; }
	check "KILL leaves the hosts and their job behind" hosts_lock end_run_and_look
	wait $its_pid 2>/dev/null
	hosts_start a
	check "nothing is left of a run that KILL stopped" is_clean "$its_name" "$folder"
	check "nothing is left of the job of a run that KILL stopped" is_gone "$pid"
	hosts_stop
done
# the same when it got no further than its note, or than a namespace
start_run
end_run TERM
echo "$folder" >"$hosts_runs/$its_name"
mkdir "$folder"
hosts_start a
check "files without a namespace go, too" is_clean "$its_name" "$folder"
hosts_stop
ip netns add "topomap-$its_name-try"
hosts_start a
check "and a namespace without files" is_clean "$its_name" "$folder"

# Runs that are alive are left alone.
first=$hosts_run first_dir=$hosts_dir
start_run
check "another run's start leaves this one's hosts" test "$(hosts_on a hostname)" = a
check "and its files" test -d "$first_dir"
(
	hosts_run=$(hosts_name_run $$)
	hosts_lock hosts_remove_orphans
)
check "this one's leaves the other's" is_left "$its_name" "$folder"
check "and its job" kill -0 "$pid"
end_run TERM
rm -rf "$note" "$elsewhere"

check_report
