#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# How the probe's ranks come together on several hosts: who talks to rank 0 (as Open MPI's
# monitoring counts), imitated and real hosts in one job, and a failure on another host.
. "$(dirname "$0")/../mpi/common.bash"
. tests/cluster/hosts
hosts_need

start()
{
	hosts_start "$@"
	trap 'hosts_stop; rm -rf "$work"' EXIT
}

# traffic WHO: how many ranks send anything to rank 0, among those that awk's condition names
traffic()
{
	cat "$work"/traffic.*.prof | awk '$1 ~ /^[EI]$/ && $3 == 0 && '"$1"' { print $2 }' |
		sort -u | wc -l
}

# Ranks go round the hosts, so the leaders are the ranks 0 to 3.
mpi=openmpi
if use_mpi openmpi; then
	start a b c d
	hosts_openmpi --host "$(hosts_slots 16)" -np 64 --map-by node --bind-to none \
		--mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3 \
		--mca pml_monitoring_filename "$work/traffic" \
		"$probe" -o "$work/job.json" >"$work/err" 2>&1 </dev/null || cat "$work/err"
	if ls "$work"/traffic.63.prof >/dev/null 2>&1; then
		same "the leaders of the other hosts speak to rank 0" 3 "$(traffic '$2 < 4')"
		same "the ranks of its own host speak to rank 0" 15 "$(traffic '$2 >= 4 && !($2 % 4)')"
		# in collectives over the job a rank hears from log2(64) others
		far=$(traffic '$2 >= 4 && $2 % 4')
		same "the other 45 do not, but for collectives ($far)" yes \
			"$([ "$far" -le 6 ] && echo yes)"
	else
		skip "this Open MPI does not monitor messages"
	fi
	hosts_stop
fi

cat >"$work/blind" <<'END'
#!/bin/sh
[ "$PMI_RANK" != 2 ] || export HWLOC_XMLFILE=/dev/null HWLOC_COMPONENTS=xml,stop
exec "$@"
END
chmod +x "$work/blind"

mpi=mpich
if use_mpi mpich; then
	start a="package:2 core:4 pu:1" b c="package:1 core:4 pu:2" d
	hosts_hydra -hosts "$(hosts_slots 2)" -n 8 "$probe" -o "$work/job.json" \
		>"$work/err" 2>&1 </dev/null || cat "$work/err"
	all=$(allowed_pus)
	same "imitated and real hosts in one job" \
		"$(printf '%s\n' "0 0-7" "1 0-7" "2 $all" "3 $all" "4 0-7" "5 0-7" "6 $all" "7 $all")" \
		"$(pus_of "$work/job.json")"
	same "imitated and real hosts: three kinds" 3 \
		"$(grep -c '^ *"allowed_pus"' "$work/job.json")"

	rm -f "$work/job.json"
	hosts_hydra -hosts "$(hosts_slots 2)" -n 8 "$work/blind" "$probe" -o "$work/job.json" \
		>"$work/out" 2>"$work/err" </dev/null
	same "a failure on another host: status" 3 $?
	same "a failure on another host: one sentence" \
		"topomap-probe: rank 2 on 'b': hwloc cannot describe this machine" \
		"$(said "$work/err" | sed 's/machine: .*/machine/')"
	same "a failure on another host: no document" "" "$(cat "$work/job.json" 2>/dev/null)"
	hosts_stop
fi
finish
