# SPDX-License-Identifier: BSD-3-Clause
# What tests on four hosts of a slow network share: 16 ranks, cables of 100 Mbit/s, a cost
# profile of these, and the program that times collectives.
. "$(dirname "${BASH_SOURCE[0]}")/../mpi/common.bash"
. tests/cluster/hosts
hosts_need
use_collectives || finish
hosts_start a="core:4 pu:1" b="core:4 pu:1" c="core:4 pu:1" d="core:4 pu:1"
trap 'hosts_stop; rm -rf "$work"' EXIT
hosts_slow 100mbit || exit 3

# What is left of 100 Mbit/s for the bytes of a message is 95 %; ranks share two CPUs or so.
profile=$work/profile.json
cat >"$profile" <<END
{"kind": "profile", "format": 1, "name": "cables of 100 Mbit/s",
 "rows": [{"distance": 1, "latency_s": 2e-5, "bytes_per_s": 1e9},
          {"distance": 7, "latency_s": 2e-4, "bytes_per_s": 1.19e7}],
 "adapter_bytes_per_s": 1.19e7}
END

# WORD...: mpirun with 16 ranks on the hosts
run_16()
{
	hosts_openmpi --host "$(hosts_slots 4)" -np 16 "$@" </dev/null 2>>"$work/err"
}

# REPETITIONS PLAN WORD...: lines "LABEL median least", with these words for mpirun. The eager
# limit is above all messages: the profile knows of no handshakes.
time_plan()
{
	run_16 "${@:3}" --mca coll_tuned_use_dynamic_rules 1 --mca btl_tcp_eager_limit 4194304 \
		--mca btl_tcp_rndv_eager_limit 4194304 --mca btl_tcp_max_send_size 4194304 \
		"$collectives" times "$1" "$2"
}

# Files of such lines: "LABEL SECONDS", the least of each label
least_of() { awk '!($1 in least) || $3 < least[$1] { least[$1] = $3 }
	END { for (label in least) print label, least[label] }' "$@" | sort; }
