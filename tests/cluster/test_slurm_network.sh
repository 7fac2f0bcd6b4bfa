#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A probe under Slurm on four hosts sees its switches: in SLURM_TOPOLOGY_ADDR, in the topology.conf
# of slurmctld, and in what scontrol prints of it; started by srun, by mpirun in a batch script,
# and by mpirun in an allocation, where the first host does not have the variable. Oracle: slurmctld
# and slurmd, which were told of the switches.
. "$(dirname "$0")/../mpi/common.bash"
. tests/cluster/hosts
mpi=slurm
PATH=$PATH:/usr/sbin
hosts_need slurmctld slurmd srun munged nsenter
use_mpi openmpi || finish

hosts_start a b c d
trap 'hosts_stop; rm -rf "$work"' EXIT
export SLURM_CONF=$work/slurm.conf work
mkdir "$work/state" "$work/pmix"
echo "PMIxCliTmpDirBase=$work/pmix" >"$work/mpi.conf"
cat >"$SLURM_CONF" <<END
ClusterName=topomap
SlurmctldHost=a(10.77.0.1)
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
TaskPlugin=task/none
SlurmdParameters=config_overrides
SelectType=select/cons_tres
TopologyPlugin=topology/tree
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SchedulerType=sched/builtin
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName=a NodeAddr=10.77.0.1 CPUs=2 RealMemory=1
NodeName=b NodeAddr=10.77.0.2 CPUs=2 RealMemory=1
NodeName=c NodeAddr=10.77.0.3 CPUs=2 RealMemory=1
NodeName=d NodeAddr=10.77.0.4 CPUs=2 RealMemory=1
PartitionName=p Nodes=ALL Default=YES State=UP
END
# two upper switches over two leaves, and a leaf at another depth
cat >"$work/topology.conf" <<END
SwitchName=s0 Nodes=a,b
SwitchName=s1 Nodes=c
SwitchName=s2 Nodes=d
SwitchName=mid1 Switches=s[0-1]
SwitchName=mid2 Switches=s[0-1]
SwitchName=top Switches=mid[1-2],s2
END

# The host's /sys has no cgroups, which slurmd wants, and each host needs a folder for PMIx that no
# other one sees: only the network and the name are the host's.
start_slurmd()
{
	nsenter --net="/run/netns/topomap-$hosts_run-$1" unshare --uts --mount sh -c '
		mount -t tmpfs none "$work/pmix" && echo "$0" >/proc/sys/kernel/hostname &&
		exec slurmd -N "$0" -f "$SLURM_CONF"' "$1"
}

start_slurm()
{
	dd if=/dev/urandom of="$work/key" bs=128 count=1 2>/dev/null
	chmod 400 "$work/key"
	hosts_on a munged --force --socket="$work/munge.socket" --key-file="$work/key" \
		--pid-file="$work/munged.pid" --log-file="$work/munged.log" \
		--seed-file="$work/seed" 2>/dev/null && hosts_on a slurmctld -f "$SLURM_CONF" || return
	for ((i = 0; i < 100; i++)); do
		grep -qs 'Running as primary' "$work/slurmctld.log" && break
		sleep 0.1
	done
	for name in a b c d; do
		start_slurmd $name || return
	done
	for ((i = 0; i < 40; i++)); do
		[ "$(hosts_on a sinfo -h -t idle -o %D 2>/dev/null)" != 4 ] || return 0
		sleep 0.5
	done
	return 1
}

start_slurm 2>"$work/err" || hosts_skip "the daemons of Slurm do not come up: $(tail -n 1 "$work/err")"

network() { sed -n '/^  "network": {/,/^  },/p' "$1"; }

wanted='      {
        "name": "switch3",
        "switches": [
          {"name": "top", "nodes": "0-3"}
        ]
      },
      {
        "name": "switch2",
        "switches": [
          {"name": "mid1 +1", "nodes": "0-2"},
          {"name": "s2", "nodes": "3"}
        ]
      },
      {
        "name": "switch1",
        "switches": [
          {"name": "s0", "nodes": "0-1"},
          {"name": "s1", "nodes": "2"},
          {"name": "s2", "nodes": "3"}
        ]
      }'
wanted='  "network": {
    "levels": [
'$wanted'
    ]
  },'

# Two ranks a host, by srun
hosts_on a timeout 30 srun --mpi=pmix -N 4 -n 8 --ntasks-per-node=2 "$probe" -o "$work/srun.json" \
	</dev/null >"$work/out" 2>&1
if [ ! -s "$work/srun.json" ]; then
	skip "no probe starts under srun here: $(head -n 1 "$work/out")"
else
	same "by srun: switches of the environment" "$wanted" "$(network "$work/srun.json")"
	same "by srun: without a note" "" "$(grep Note "$work/out")"
	for form in "$work/topology.conf" "$work/printed"; do
		hosts_on a scontrol show topology >"$work/printed"
		topomap place "$work/srun.json" --network "$form" -o "$work/placed.json"
		same "place ... --network $(basename "$form"): the same" "$wanted" \
			"$(network "$work/placed.json")"
	done
	hosts_on a timeout 30 srun --mpi=pmix -N 4 -n 4 "$probe" --network "$work/topology.conf" \
		-o "$work/file.json" </dev/null >"$work/out" 2>&1
	same "probe --network topology.conf: the same" "$wanted" "$(network "$work/file.json")"
	same "all commands see them" "levels    switch2 2, switch1 3, node 4" \
		"$(topomap inspect "$work/srun.json" | grep '^levels' | cut -d, -f1-3)"
fi

options="--oversubscribe --mca oob_tcp_if_include 10.77.0.0/24 --mca btl_tcp_if_include 10.77.0.0/24"
echo '#!/bin/sh
'"$mpirun $options $probe -o $work/batch.json" >"$work/job"
hosts_on a timeout 60 sbatch -W -N 4 -n 4 -o "$work/out" "$work/job" >"$work/err" 2>&1
same "by mpirun in a batch script: the same" "$wanted" "$(network "$work/batch.json" 2>&1)"

# shellcheck disable=SC2086
hosts_on a timeout 60 salloc -N 4 -n 4 "$mpirun" $options "$probe" -o "$work/salloc.json" </dev/null >"$work/out" 2>&1
same "by mpirun in an allocation: no switches, with a reason" \
	"Note: SLURM_TOPOLOGY_ADDR: what it says of switches is left out (--network FILE gives them): node 'a' has none, but others have." \
	"$(network "$work/salloc.json" 2>&1)$(grep Note "$work/out")"
finish
