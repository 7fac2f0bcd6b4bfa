#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Cpusets (cgroups): the whole job in one, which is no binding, and every rank in its own,
# which is. Needs root, two PUs, and a cgroup tree that lets a child restrict its CPUs.
. "$(dirname "$0")/common.bash"

# make_cpuset NAME PUS: sets group; no group that exists is changed
make_cpuset()
{
	group=$root/topomap-$$-$1
	mkdir "$group" 2>/dev/null || return 1
	groups+=("$group")
	[ -e "$group/cpuset.cpus" ] || return 1
	if [ -e "$root/cpuset.mems" ]; then # version 1: both are empty in a new group
		cat "$root/cpuset.mems" >"$group/cpuset.mems" || return 1
	fi
	echo "$2" >"$group/cpuset.cpus" || return 1
}

remove_cpusets()
{
	local group
	for group in "${groups[@]}"; do
		rmdir "$group" 2>/dev/null || { sleep 1; rmdir "$group"; }
	done
	rm -rf "$work"
}

mpi=cgroups groups=()
trap remove_cpusets EXIT
root=/sys/fs/cgroup/cpuset
[ -e "$root/cpuset.cpus" ] || root=/sys/fs/cgroup
first=$(allowed_pus) last=$(allowed_pus)
first=${first%%[,-]*} last=${last##*[,-]}
if [ "$(id -u)" -ne 0 ]; then
	skip "cpusets are root's"
	finish
elif [ "$first" = "$last" ]; then
	skip "there is one PU only"
	finish
elif ! make_cpuset a "$first" 2>/dev/null || ! make_cpuset b "$last" 2>/dev/null; then
	skip "the cgroup tree does not let a child restrict its CPUs"
	finish
fi

cat >"$work/join" <<EOF
#!/bin/sh
case \${OMPI_COMM_WORLD_RANK:-\$PMI_RANK} in
0) echo \$\$ >"$root/topomap-$$-a/cgroup.procs" ;;
*) echo \$\$ >"$root/topomap-$$-b/cgroup.procs" ;;
esac
exec "\$@"
EOF
chmod +x "$work/join"

for mpi in openmpi mpich; do
	use_mpi $mpi || continue
	case $mpi in
	openmpi) unbound=(--bind-to none) ;;
	mpich) unbound=(-bind-to none) ;;
	esac
	(
		echo "$BASHPID" >"$group/cgroup.procs"
		launch 3 "${unbound[@]}" "$probe" -o "$work/job.json"
	)
	same "a job in a cpuset has its PUs" "$(printf '%s\n' "0 $last" "1 $last" "2 $last")" \
		"$(pus_of "$work/job.json")"
	same "a job in a cpuset is not bound" "$(printf '%s\n' "0 false" "1 false" "2 false")" \
		"$(column bound "$work/job.json")"
	same "a job in a cpuset may use these" "\"$last\"" \
		"$(sed -n 's/^ *"allowed_pus": \(.*\),/\1/p' "$work/job.json")"

	launch 3 "${unbound[@]}" "$work/join" "$probe" -o "$work/job.json"
	same "ranks in their own cpusets have their PUs" \
		"$(printf '%s\n' "0 $first" "1 $last" "2 $last")" "$(pus_of "$work/job.json")"
	same "ranks in their own cpusets are bound" \
		"$(printf '%s\n' "0 true" "1 true" "2 true")" "$(column bound "$work/job.json")"
done
finish
