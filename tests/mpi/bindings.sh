#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What the probe says of bindings is what others say: the kernel of the very process (its
# /proc/self/status, read by a shell that becomes the probe) and mpirun --report-bindings.
. "$(dirname "$0")/common.bash"

# A rank: notes its own number and PUs, then becomes the probe. With a list of PUs for the
# rank in $work/bind it binds itself first, as a launcher's wrapper would.
cat >"$work/rank" <<EOF
#!/bin/sh
rank=\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}
bind=\$(sed -n "s/^\$rank //p" "$work/bind" 2>/dev/null)
[ -z "\$bind" ] || taskset -pc "\$bind" \$\$ >/dev/null
echo "\$rank \$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)" \\
	>"$work/seen.\$rank"
exec "\$@"
EOF
chmod +x "$work/rank"

# agrees WHAT RANKS [OPTION]...: run, and compare what the kernel and the document say
agrees()
{
	local what=$1 ranks=$2
	shift 2
	rm -f "$work"/seen.*
	if ! launch "$ranks" "$@" "$work/rank" "$probe" -o "$work/job.json" 2>"$work/err"; then
		fail "$what: the probe failed"
		cat "$work/err"
		return
	fi
	cat "$work"/seen.* | sort -n >"$work/seen"
	same "$what: PUs of each rank" "$(cat "$work/seen")" "$(pus_of "$work/job.json")"
	same "$what: bound or not" \
		"$(while read -r rank pus; do
			[ "$pus" = "$allowed" ] && echo "$rank false" || echo "$rank true"
		done <"$work/seen")" "$(column bound "$work/job.json")"
	same "$what: hosts" "$(hostname)" "$(column node "$work/job.json" | cut -d' ' -f2 | sort -u)"
}

# the map "[B./..]" of each rank that --report-bindings prints, as logical PUs "0 2-3"; so what Open
# MPI 5 prints, "Rank 1 bound to package[0][core:1,3]"
read_report()
{
	local threads
	threads=$((cpus / $(lscpu -p=CORE,SOCKET | grep -v '#' | sort -u | wc -l)))
	{
		sed -n 's/.*MCW rank \([0-9]*\) bound to .*: \(\[.*\)$/\1 \2/p' "$1"
		sed -n 's/.*Rank \([0-9]*\) bound to .*\[core:\([0-9,-]*\)\]$/\1 \2/p' "$1" |
		awk -v threads="$threads" '{
			map = ""
			count = split($2, part, ",")
			for (i = 1; i <= count; i++) {
				if (split(part[i], ends, "-") == 1)
					ends[2] = ends[1]
				while (length(map) < ends[1] * threads)
					map = map "."
				while (length(map) < (ends[2] + 1) * threads)
					map = map "B"
			}
			print $1, "[" map "]"
		}'
	} | sort -n |
	awk '{
		gsub(/[][\/]/, "", $2)
		list = ""
		for (i = 1; i <= length($2); i++) {
			if (substr($2, i, 1) != "B")
				continue
			for (j = i; substr($2, j + 1, 1) == "B"; j++)
				;
			list = list (list == "" ? "" : ",") (i - 1) (j > i ? "-" (j - 1) : "")
			i = j
		}
		print $1, list
	}'
}

allowed=$(allowed_pus)
cpus=$(nproc --all)
for mpi in openmpi mpich; do
	use_mpi $mpi || continue
	case $mpi in
	openmpi) unbound=(--bind-to none) core=(--bind-to core:overload-allowed) ;;
	mpich) unbound=(-bind-to none) core=(-bind-to core) ;;
	esac
	rm -f "$work/bind"
	agrees "one rank" 1
	agrees "unbound and oversubscribed" 7 "${unbound[@]}"
	agrees "bound to cores" 2 "${core[@]}"
	agrees "bound to cores and oversubscribed" 5 "${core[@]}"

	# some ranks on one PU, one on all, one on several
	last=${allowed##*[,-]}
	printf '%s\n' "0 $last" "2 $last" "3 $allowed" "4 0-$((cpus - 1))" >"$work/bind"
	agrees "bound by a wrapper" 5 "${unbound[@]}"
	same "bound by a wrapper: the PU last run on" "0 $last" \
		"0 $(sed -n 's/^ *"last_pu": "\([0-9]*\).*/\1/p' "$work/job.json")"
	rm -f "$work/bind"
done

mpi=openmpi
if use_mpi openmpi; then
	launch 2 --bind-to core:overload-allowed --report-bindings "$probe" -o "$work/job.json" \
		2>"$work/report"
	if grep -q '[rR]ank 1 bound to' "$work/report"; then
		same "--report-bindings" "$(read_report "$work/report")" \
			"$(pus_of "$work/job.json" logical_pus)"
	else
		skip "openmpi: --report-bindings reports no binding on this machine"
	fi
fi

# an ordinary user sees the same
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
	mpi=openmpi
	if use_mpi openmpi; then
		cp "$probe" "$work/topomap-probe"
		(cd / && env -u OMPI_ALLOW_RUN_AS_ROOT -u OMPI_ALLOW_RUN_AS_ROOT_CONFIRM HOME=/ \
			setpriv --reuid=65534 --regid=65534 --clear-groups \
			"$mpirun" --oversubscribe --bind-to none -n 3 "$work/topomap-probe") \
			>"$work/user.json" 2>"$work/err" </dev/null || cat "$work/err"
		same "an ordinary user: PUs of each rank" "$(printf '%s\n' "0 $allowed" "1 $allowed" \
			"2 $allowed")" "$(pus_of "$work/user.json")"
	fi
else
	skip "not root, so the tests ran as an ordinary user already"
fi
finish
