# SPDX-License-Identifier: BSD-3-Clause
# A cluster of slurmctld and several slurmd on this machine, each of which believes in an imitated
# node; sourced by tests that set the lines of $shapes (name, sockets, cores of each, threads of
# each, how many nodes, and what is said of the PUs to hwloc, if anything) and $first_port.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 3
PATH=$PWD/${BUILD:-build}:$PATH:/usr/sbin
skip() { echo "skipped: $*"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "daemons of Slurm need root"
for tool in slurmctld slurmd srun munged cc lstopo-no-graphics; do
	command -v $tool >/dev/null || skip "$tool is not installed"
done
work=$(mktemp -d) || exit 3
chmod 755 "$work"
stop()
{
	local pids i
	set +f
	pids=$(cat "$work"/*.pid 2>/dev/null)
	# shellcheck disable=SC2086
	[ -z "$pids" ] || kill $pids 2>/dev/null
	for ((i = 0; i < 50; i++)); do
		# shellcheck disable=SC2086
		kill -0 $pids 2>/dev/null || break
		sleep 0.1
	done
	rm -rf "$work"
}
trap stop EXIT
trap 'exit 130' INT TERM
unset HWLOC_XMLFILE HWLOC_THISSYSTEM HWLOC_SYNTHETIC

write_config()
{
	local host port=$((first_port + 1)) name sockets cores threads count
	host=$(hostname -s)
	cat <<-CONF
	ClusterName=topomap
	SlurmctldHost=$host(127.0.0.1)
	SlurmctldPort=$first_port
	AuthType=auth/munge
	AuthInfo=socket=$work/munge.socket
	SlurmUser=root
	SlurmdUser=root
	StateSaveLocation=$work/state
	SlurmdSpoolDir=$work/spool-%n
	SlurmctldPidFile=$work/slurmctld.pid
	SlurmdPidFile=$work/slurmd-%n.pid
	SlurmctldLogFile=$work/slurmctld.log
	SlurmdLogFile=$work/slurmd-%n.log
	ProctrackType=proctrack/pgid
	TaskPlugin=task/affinity
	SlurmdParameters=config_overrides
	SelectType=select/cons_tres
	SelectTypeParameters=CR_Core
	SwitchType=switch/none
	MpiDefault=none
	ReturnToService=2
	SchedulerType=sched/builtin
	JobAcctGatherType=jobacct_gather/none
	AccountingStorageType=accounting_storage/none
	PartitionName=p Nodes=ALL Default=YES State=UP OverSubscribe=EXCLUSIVE
	CONF
	while read -r name sockets cores threads count _; do
		echo "NodeName=${name}[1-$count] NodeHostname=$host NodeAddr=127.0.0.1" \
			"Port=[$port-$((port + count - 1))] Sockets=$sockets CoresPerSocket=$cores" \
			"ThreadsPerCore=$threads CPUs=$((sockets * cores * threads)) RealMemory=1"
		port=$((port + count))
	done <<<"$shapes"
}

start()
{
	local name sockets cores threads count pus i wanted=0
	export SLURM_CONF=$work/slurm.conf
	mkdir "$work/state"
	write_config >"$SLURM_CONF"
	# from 23.11 on slurmd wants a cgroup tree of its own, unless it is told not to
	slurmctld -V | awk '{ split($2, v, "."); exit v[1] * 100 + v[2] < 2311 }' &&
		echo CgroupPlugin=disabled >"$work/cgroup.conf"
	dd if=/dev/urandom of="$work/key" bs=128 count=1 2>/dev/null
	chmod 400 "$work/key"
	# the PUs of the imitated nodes are not there to bind to
	echo '#define _GNU_SOURCE
	#include <sched.h>
	int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
	{ (void)pid; (void)size; (void)set; return 0; }' >"$work/shim.c"
	cc -shared -fPIC -o "$work/shim.so" "$work/shim.c" || exit 3
	munged --force --socket="$work/munge.socket" --key-file="$work/key" \
		--pid-file="$work/munged.pid" --log-file="$work/munged.log" \
		--seed-file="$work/seed" 2>/dev/null || skip "munged does not start"
	slurmctld -f "$SLURM_CONF" || skip "slurmctld does not start"
	sleep 1
	while read -r name sockets cores threads count pus; do
		wanted=$((wanted + count))
		lstopo-no-graphics -i "package:$sockets core:$cores pu:$threads$pus" --of xml \
			-f "$work/$name.xml" 2>/dev/null
		for ((i = 1; i <= count; i++)); do
			LD_PRELOAD=$work/shim.so HWLOC_XMLFILE=$work/$name.xml HWLOC_THISSYSTEM=1 \
				slurmd -N "$name$i" -f "$SLURM_CONF" || skip "slurmd does not start"
		done
	done <<<"$shapes"
	for ((i = 0; i < 20; i++)); do
		sleep 0.5
		[ "$(sinfo -h -t idle -o %D 2>/dev/null)" != "$wanted" ] || return 0
	done
	skip "the nodes of Slurm do not come up"
}

