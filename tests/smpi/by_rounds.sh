#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# topomap-bench collective --by-rounds: what is measured is what topomap score predicts. 32 ranks on a
# simulated cluster whose costs are known; the oracle is SimGrid's time. By rounds the times are within a
# factor 1.6 of the predicted ones, in their order; as data allow some take a third and less.
. "$(dirname "$0")/common.bash"
need_bench
passed=0 failed=0

# COLLECTIVE [OPTION]...: "RHO RATIO", Spearman's and the largest ratio of measured and predicted
judge()
{
	smpirun -np 32 -platform "$work/platform.xml" -hostfile "$work/hosts" $config \
		build/smpi/topomap-bench collective -c "$1" -b 1KiB -a all -i 1 "${@:2}" \
		--placement "$work/job.json" -o "$work/times.json" >"$work/log" 2>&1 || tail -3 "$work/log"
	topomap score -c "$1" --times "$work/times.json" --profile "$work/profile.json" | awk '
		/Spearman/ { rho = $NF + 0 }
		/^Largest ratio/ { ratio = $NF + 0 }
		END { print rho, ratio }'
}

is()
{
	if awk "BEGIN { exit !($2) }"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  $1: $2"
	fi
}

write_platform 2 >"$work/platform.xml"
write_profile 2 >"$work/profile.json"
topomap place "node:4 core:8" -n 32 -o "$work/job.json" || exit 3
write_hosts "$work/job.json" >"$work/hosts"
for collective in allgather allreduce bcast reduce_scatter; do
	read -r rho ratio <<<"$(judge $collective --by-rounds)"
	echo "$collective, by rounds: rho $rho, largest ratio $ratio"
	is "order of $collective" "$rho >= 0.9"
	is "times of $collective" "$ratio >= 1 && $ratio <= 1.6"
done
for collective in neighbor_allgather neighbor_alltoall; do
	read -r ratio <<<"$(judge $collective --stencil moore:1 --cart 8x4 --periods 1,0)"
	echo "$collective, one round: largest ratio $ratio"
	is "times of $collective" "$ratio >= 1 && $ratio <= 1.2"
done
read -r rho ratio <<<"$(judge reduce_scatter)"
echo "reduce_scatter, as data allow: rho $rho, largest ratio $ratio"
is "what data allow is something else" "$ratio > 2"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
