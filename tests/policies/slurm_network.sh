#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Slurm's descriptions of networks: what topomap takes slurmctld takes, and the other way round.
# Oracle: slurmctld, and what scontrol show topology prints of it: read back, it gives the same
# levels, and each switch has the nodes that slurmctld counts below it, at the Level that it
# prints. topology/block and topology/ring are tried where slurmctld has them (from 23.11 and 26.05
# on); topology.yaml and torus3d, which no daemon here reads, rest on the manual page topology.yaml(5)
# and the sources of Slurm 26.05 (tests/formats/network/test_network.c).
# They differ where slurmctld takes what describes nothing: a bracket or a quote that does not end, a
# switch called "", Nodes+=; where another file is needed (Include); and where it counts the nodes of
# a block (fewer than BlockSizes says).
cd "$(dirname "$0")/../.." || exit 3
PATH=$PWD/${BUILD:-build}:$PATH:/usr/sbin
skip() { echo "skipped: $*"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "daemons of Slurm need root"
for tool in slurmctld scontrol munged; do
	command -v $tool >/dev/null || skip "$tool is not installed"
done
work=$(mktemp -d) || exit 3
chmod 755 "$work"
passed=0 failed=0 skipped=0 port=17300
export SLURM_CONF=$work/slurm.conf

stop_daemon()
{
	local pid i
	pid=$(cat "$work/$1.pid" 2>/dev/null) || return 0
	kill "$pid" 2>/dev/null
	for ((i = 0; i < 50; i++)); do
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.05
	done
	rm -f "$work/$1.pid"
}
trap 'stop_daemon slurmctld; stop_daemon munged; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

same()
{
	if [ "$2" = "$3" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  $1"
		diff <(echo "$2") <(echo "$3") | sed 's/^/    /' | head -n 12
	fi
}

# PLUGIN NODES [LINE]: nodes t0 ... and another line
write_config()
{
	rm -rf "$work/state"
	mkdir "$work/state"
	cat >"$SLURM_CONF" <<-CONF
	ClusterName=topomap
	SlurmctldHost=$(hostname -s)(127.0.0.1)
	SlurmctldPort=$port
	AuthType=auth/munge
	AuthInfo=socket=$work/munge.socket
	SlurmUser=root
	StateSaveLocation=$work/state
	SlurmctldPidFile=$work/slurmctld.pid
	SlurmctldLogFile=$work/slurmctld.log
	ProctrackType=proctrack/pgid
	SelectType=select/cons_tres
	SwitchType=switch/none
	MpiDefault=none
	AccountingStorageType=accounting_storage/none
	TopologyPlugin=topology/$1
	NodeName=t[0-$(($2 - 1))] NodeAddr=127.0.0.1 CPUs=1
	PartitionName=p Nodes=ALL Default=YES State=UP
	$3
	CONF
}

# slurmctld, and what it prints in $work/printed; fails where it ends by itself
ask()
{
	local i
	rm -f "$work/slurmctld.log" "$work/printed"
	slurmctld -D -f "$SLURM_CONF" >"$work/said" 2>&1 &
	daemon=$!
	for ((i = 0; i < 100; i++)); do
		kill -0 $daemon 2>/dev/null || break
		grep -qs 'Running as primary' "$work/said" "$work/slurmctld.log" || {
			sleep 0.05
			continue
		}
		scontrol show topology >"$work/printed" 2>/dev/null
		break
	done
	kill -9 $daemon 2>/dev/null
	wait $daemon 2>/dev/null
	rm -f "$work/slurmctld.pid"
	[ -s "$work/printed" ]
}

# FILE NODES: lines "LEVEL SWITCH NODES" of the levels that topomap has of it
levels()
{
	topomap place "node:$2 core:1" --hosts "t[0-$(($2 - 1))]" --network "$1" 2>"$work/notes" |
		awk -F'"' '/"network": {/ { inside = 1 } /"nodes": \[/ { inside = 0 }
			inside && /"name": "[^"]*",$/ { level = $4 }
			inside && /"name".*"nodes"/ { print level, $4 "|" $8 }'
}

# WHAT PLUGIN NODES [LINE]: the topology.conf on standard input; a tree or what has equal upper
# switches, so that every switch of Slurm is a group
check()
{
	local sorted
	cat >"$work/topology.conf"
	write_config "$2" "$3" "$4"
	if ! ask; then
		same "$1: slurmctld takes it" yes "$(grep -i 'error\|fatal' "$work/said" | tail -n 3)"
		return
	fi
	levels "$work/topology.conf" "$3" >"$work/levels"
	same "$1: topomap notes the keys that slurmctld finds more than once" \
		"$(sort -u "$work/said" | grep -c 'specified more than once, latest value used')" \
		"$(grep -c 'stands twice: the last one counts' "$work/notes")"
	sed -i '/stands twice/d' "$work/notes"
	same "$1: topomap takes it" yes "$([ -s "$work/levels" ] && echo yes; cat "$work/notes")"
	levels "$work/printed" "$3" >"$work/again"
	same "$1: what scontrol prints gives the same levels" "$(cat "$work/levels")" \
		"$(cat "$work/again")"
	# "SwitchName=s4 Level=1 LinkSpeed=1 Nodes=t[0-3]": a group of switch2 of nodes 0-3
	sorted=$(cut -d' ' -f1,2- "$work/levels" | sed 's/^\([^ ]*\) .*|/\1 /' | sort -u)
	same "$1: every switch of Slurm is a group" "" "$(
		sed -n 's/^SwitchName=.* Level=\([0-9]*\) .* Nodes=\([^ ]*\).*/\1 \2/p' "$work/printed" |
		while read -r level nodes; do
			nodes=$(echo "$nodes" | tr -d 't[]' | sed 's/^,*//; s/,*$//')
			grep -qx "switch$((level + 1)) $nodes" <<<"$sorted" ||
				echo "level $level: no group of $nodes"
		done)"
}

# WHAT [PLUGIN]: a topology.conf that neither takes
check_bad()
{
	cat >"$work/topology.conf"
	write_config "${2:-tree}" 4
	same "$1: slurmctld refuses it" refused "$(ask && cat "$work/printed" || echo refused)"
	topomap place 'node:4 core:1' --hosts 't[0-3]' --network "$work/topology.conf" \
		>/dev/null 2>"$work/notes"
	same "$1: topomap refuses it with a sentence" "1 1" "$? $(wc -l <"$work/notes")"
}

# A plugin that this slurmctld has
has_plugin()
{
	local file
	for file in /usr/lib*/slurm*/topology_"$1".so /usr/lib/*/slurm*/topology_"$1".so; do
		[ ! -e "$file" ] || return 0
	done
	skipped=$((skipped + 1))
	echo "skipped: $(slurmctld -V) has no topology/$1"
	return 1
}

dd if=/dev/urandom of="$work/key" bs=128 count=1 2>/dev/null
chmod 400 "$work/key"
munged --force --socket="$work/munge.socket" --key-file="$work/key" \
	--pid-file="$work/munged.pid" --log-file="$work/munged.log" \
	--seed-file="$work/seed" 2>/dev/null || skip "munged does not start"

check "three levels of two" tree 8 <<'END'
SwitchName=s0 Nodes=t[0-1]
SwitchName=s1 Nodes=t[2-3]
SwitchName=s2 Nodes=t[4-5]
SwitchName=s3 Nodes=t[6-7]
SwitchName=s4 Switches=s[0-1]
SwitchName=s5 Switches=s[2-3]
SwitchName=s6 Switches=s[4-5]
END
# as in the second example of Slurm's topology guide
check "four upper switches over each of four leaves" tree 16 <<'END'
SwitchName=s0 Nodes=t[0-3]   LinkSpeed=900
SwitchName=s1 Nodes=t[4-7]   LinkSpeed=900
SwitchName=s2 Nodes=t[8-11]  LinkSpeed=900
SwitchName=s3 Nodes=t[12-15] LinkSpeed=1800
SwitchName=s4 Switches=s[0-3]  LinkSpeed=1800
SwitchName=s5 Switches=s[0-3]  LinkSpeed=1800
SwitchName=s6 Switches=s[0-3]  LinkSpeed=1800
SwitchName=s7 Switches=s[0-3]  LinkSpeed=1800
END
# the size of Janus: 1,368 nodes under 76 leaves under three cores
awk 'BEGIN {
	for (s = 0; s < 76; s++)
		printf "SwitchName=rack%d Nodes=t[%d-%d]\n", s, s * 18, s * 18 + 17
	for (c = 1; c <= 3; c++)
		printf "SwitchName=core%d Switches=rack[0-75]\n", c
}' | check "76 leaves under three cores" tree 1368
check "leaves at unequal depths" tree 6 <<'END'
SwitchName=s0 Nodes=t[0-1]
SwitchName=s1 Nodes=t[2-3]
SwitchName=s2 Nodes=t[4-5]
SwitchName=mid Switches=s[0-1]
SwitchName=top Switches=mid,s2
END
check "two trees" tree 4 <<'END'
switchname=s0 nodes=t[0-1] # a comment
SwitchName=s1 \
  Nodes=t[2-3]
END
check "blanks around the equals sign, and quotes" tree 4 <<'END'
SwitchName = s0 Nodes= "t[0-1]"
SwitchName =s1 Nodes = t[2-3]
SwitchName=r Switches=s[0-1]
END
check "the groups of a dragonfly" tree 8 TopologyParam=dragonfly <<'END'
SwitchName=r0 Nodes=t[0-1]
SwitchName=r1 Nodes=t[2-3]
SwitchName=r2 Nodes=t[4-5]
SwitchName=r3 Nodes=t[6-7]
SwitchName=g0 Switches=r[0-1]
SwitchName=g1 Switches=r[2-3]
SwitchName=all Switches=g[0-1]
END
check "keys that stand twice, of which the last one counts" tree 4 <<'END'
SwitchName=s0 Nodes=t3 Nodes=t[0-1] LinkSpeed=1 LinkSpeed=2
SwitchName=s1 Nodes=t[2-3]
SwitchName=r Switches=s0 Switches=s[0-1]
END
check "commas without names" tree 4 <<'END'
SwitchName=s0 Nodes=,t[0-1],,
SwitchName=s1 Nodes=t[2-3],
SwitchName=r Switches=,s0,,s1,
END
check "speeds" tree 6 <<'END'
SwitchName=s0 Nodes=t0 LinkSpeed=0x64
SwitchName=s1 Nodes=t1 LinkSpeed=1k
SwitchName=s2 Nodes=t2 LinkSpeed=+010
SwitchName=s3 Nodes=t3 LinkSpeed=UNLIMITED
SwitchName=s4 Nodes=t4 LinkSpeed=4294967295
SwitchName=s5 Nodes=t5 LinkSpeed=""
END
printf '%s\n' '# not joined \' 'SwitchName=s0 No\' 'des=t[0-\' '1] # not joined \' \
	'SwitchName=s1 \  ' 'Nodes=t[2-3] \' >"$work/lines"
check "lines that go on" tree 4 <"$work/lines"
printf 'SwitchName=s\\0\fNodes=t[0-1]\v# \nSwitchName=s1\tNodes=t[2-3]\r\n' >"$work/lines"
check "backslashes and blanks of every kind" tree 4 <"$work/lines"
check "names that differ in their case" tree 4 <<'END'
SWITCHNAME=s nodes=t[0-1]
switchname=S NODES=t[2-3] LINKSPEED=3
END
if has_plugin block; then
	check "blocks with commas and keys that stand twice" block 4 <<'END'
BlockName=b0 Nodes=t0 Nodes=t[0-1],
BlockName=b1 Nodes=,t[2-3]
BlockSizes=1
BlockSizes=,2,,4,
END
	check_bad "a block without nodes" block <<'END'
BlockName=b0 Nodes=t[0-3]
BlockName=b1
END
	check_bad "a block with a key of switches" block <<'END'
BlockName=b0 Nodes=t[0-3] LinkSpeed=1
END
	check_bad "sizes on the line of a block" block <<'END'
BlockName=b0 Nodes=t[0-3] BlockSizes=2
END
	check_bad "blocks and switches" block <<'END'
BlockName=b0 Nodes=t[0-3]
SwitchName=s0 Nodes=t[0-3]
END
	check_bad "a size that is none" block <<'END'
BlockName=b0 Nodes=t[0-3]
BlockSizes=2,x
END
	check "blocks with sizes" block 10 <<'END'
BlockName=b1 Nodes=t[0-1]
BlockName=b2 Nodes=t[2-3]
BlockName=b3 Nodes=t[4-5]
BlockName=b4 Nodes=t[6-7]
BlockName=b5 Nodes=t[8-9]
BlockSizes=2,4,8
END
	check "blocks without sizes" block 6 <<'END'
BlockName=b1 Nodes=t[0-1]
BlockName=b2 Nodes=t[2-3]
BlockName=b3 Nodes=t[4-5]
END
fi
if has_plugin ring; then
	check "rings" ring 8 <<'END'
RingName=r0 Nodes=t[0-3]
RingName=r1 Nodes=t[4-7]
END
fi

# scontrol prints ALL as it stands in the file
echo 'SwitchName=s0 Nodes=ALL' >"$work/topology.conf"
write_config tree 4
same "all nodes: slurmctld takes it" taken "$(ask && echo taken)"
levels "$work/topology.conf" 4 >"$work/levels"
same "all nodes: topomap has all under the switch" "switch1 s0|0-3" "$(cat "$work/levels")"
levels "$work/printed" 4 >"$work/again"
same "all nodes: what scontrol prints gives the same levels" "$(cat "$work/levels")" \
	"$(cat "$work/again")"

# scontrol prints "Nodes= Switches=r", in a file these are nodes called Switches=r
cat >"$work/topology.conf" <<'END'
SwitchName=s0 Nodes=t[0-3]
SwitchName=s1 Nodes=""
SwitchName=r Nodes=t9
SwitchName=q Switches=r
END
write_config tree 4
same "switches without nodes: slurmctld takes them" taken "$(ask && echo taken)"
levels "$work/topology.conf" 4 >"$work/levels"
same "switches without nodes: topomap has the others" "switch1 s0|0-3" "$(cat "$work/levels")"
same "switches without nodes: scontrol prints none" 2 "$(grep -c 'Nodes=\($\| \)' "$work/printed")"
levels "$work/printed" 4 >"$work/again"
same "switches without nodes: what scontrol prints gives the same levels" \
	"$(cat "$work/levels")" "$(cat "$work/again")"

# a node on two leaves: slurmctld warns, topomap notes
cat >"$work/topology.conf" <<'END'
SwitchName=s0 Nodes=t[0-2]
SwitchName=s1 Nodes=t[1-3]
SwitchName=r Switches=s[0-1]
END
write_config tree 4
ask
same "a node on two leaves: slurmctld takes it, and warns" 1 \
	"$(cat "$work/slurmctld.log" "$work/said" 2>/dev/null |
		grep -c 'Multiple leaf switches contain nodes: t\[1-2\]' | sed 's/[1-9].*/1/')"
levels "$work/topology.conf" 4 >"$work/levels"
same "a node on two leaves: topomap takes it, with a note" \
	"Note: $work/topology.conf: node 't1' is under 's0' and under 's1': the first counts (and 1 more)." \
	"$(cat "$work/notes")"
levels "$work/printed" 4 >"$work/again"
same "a node on two leaves: what scontrol prints gives the same levels" "$(cat "$work/levels")" \
	"$(cat "$work/again")"

check_bad "a circle" <<'END'
SwitchName=s0 Nodes=t[0-3]
SwitchName=a Switches=b,s0
SwitchName=b Switches=a
END
check_bad "a switch under itself" <<'END'
SwitchName=s0 Nodes=t[0-3]
SwitchName=a Switches=a,s0
END
check_bad "a switch that no line describes" <<'END'
SwitchName=s0 Nodes=t[0-3]
SwitchName=a Switches=s[0-1]
END
check_bad "a switch that two lines describe" <<'END'
SwitchName=s0 Nodes=t[0-1]
SwitchName=s0 Nodes=t[2-3]
END
check_bad "nodes and switches" <<'END'
SwitchName=s0 Nodes=t[0-1]
SwitchName=s1 Nodes=t[2-3] Switches=s0
END
check_bad "a key that there is not" <<'END'
SwitchName=s0 Node=t[0-3]
END
check_bad "a line about something else" <<'END'
SwitchName=s0 Nodes=t[0-3]
Foo=bar
END
check_bad "a key with two names" <<'END'
SwitchName=s0 SwitchName=s1 Nodes=t[0-3]
END
check_bad "a switch with neither nodes nor switches" <<'END'
SwitchName=s0 Nodes=t[0-3]
SwitchName=s1 LinkSpeed=1
END
check_bad "nodes without a value" <<'END'
SwitchName=s0 Nodes=t[0-3]
SwitchName=s1 Nodes=
END
check_bad "switches without a value" <<'END'
SwitchName=s0 Nodes=t[0-3] Switches=
END
check_bad "no nodes and switches" <<'END'
SwitchName=s0 Nodes=t[0-3]
SwitchName=r Nodes="" Switches=s0
END
check_bad "switches that are a comma" <<'END'
SwitchName=s0 Nodes=t[0-3]
SwitchName=r Switches=,
END
check_bad "the nodes in front" <<'END'
Nodes=t[0-3] SwitchName=s0
END
check_bad "two switches in a line" <<'END'
SwitchName=s0 Nodes=t[0-1] SwitchName=s1 Nodes=t[2-3]
END
check_bad "a range that runs backwards" <<'END'
SwitchName=s0 Nodes=t[3-0]
END
check_bad "a range with a blank" <<'END'
SwitchName=s0 Nodes=t[0-1, 2-3]
END
check_bad "a range with an empty number" <<'END'
SwitchName=s0 Nodes=t[0-1,,2-3]
END
check_bad "a switch of another case" <<'END'
SwitchName=s0 Nodes=t[0-3]
SwitchName=r Switches=S0
END
check_bad "a comment among lines that go on" <<'END'
SwitchName=s0 \
# here
Nodes=t[0-3]
END
check_bad "a quote with a comment in it" <<'END'
SwitchName="s#0" Nodes=t[0-3]
END
check_bad "a block for a tree" <<'END'
SwitchName=s0 Nodes=t[0-3]
BlockName=b0 Nodes=t[0-3]
END
for speed in fast -1 -0 1.5 1M 1kb 0x 09 4294967296 4194304k 99999999999999999999999 ''; do
	check_bad "LinkSpeed=$speed" <<END
SwitchName=s0 Nodes=t[0-3] LinkSpeed=$speed
END
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
