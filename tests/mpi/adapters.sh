#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The probe reads how adapters are from /sys, here from an imitated one (HWLOC_FSROOT) of an
# imitated node with mlx5_0 and ib0 on package 0, hfi1_0 and ib1 on package 1. The oracle is what is
# written into its files. A document without any of it is one of an earlier release.
. "$(dirname "$0")/common.bash"

export HWLOC_XMLFILE=$top/tests/data/2package-devices.xml HWLOC_THISSYSTEM=0
imitated=$work/files # for the probe alone, which hwloc does not look at for the rest
class=$imitated/sys/class

# port NAME STATE RATE: the port of an adapter
port()
{
	mkdir -p "$class/infiniband/$1/ports/1"
	echo "$2" >"$class/infiniband/$1/ports/1/state"
	echo "$3" >"$class/infiniband/$1/ports/1/rate"
	echo InfiniBand >"$class/infiniband/$1/ports/1/link_layer"
}

# said_of NAME: what the document says of a device behind the object that it hangs on
said_of() { sed -n 's/.*"name": "'"$1"'", "object": "[^"]*"\(.*\)}.*/\1/p' "$work/job.json"; }

# adapters FILE: those that messages go over
adapters() { topomap lanes -f json "$1" | sed -n 's/.*{"name": "\([^"]*\)", "topology".*/\1/p' | paste -sd' '; }

for mpi in openmpi mpich; do
	use_mpi $mpi || continue
	rm -rf "$class"
	launch 2 env HWLOC_COMPONENTS=xml,stop HWLOC_FSROOT="$imitated" "$probe" -o "$work/old.json" 2>"$work/err"
	same "nothing is known of links" "mlx5_0 hfi1_0" "$(adapters "$work/old.json")"

	port mlx5_0 '4: ACTIVE' '100 Gb/sec (4X EDR)'
	port hfi1_0 '4: ACTIVE' '100 Gb/sec (4X EDR)'
	mkdir -p "$class/net/ib1"
	echo down >"$class/net/ib1/operstate"
	launch 2 env HWLOC_COMPONENTS=xml,stop HWLOC_FSROOT="$imitated" "$probe" -o "$work/job.json" 2>"$work/err"
	same "both are up" "mlx5_0 hfi1_0" "$(adapters "$work/job.json")"
	for name in mlx5_0 hfi1_0; do
		same "$name" ', "link_layer": "infiniband", "link": "up", "bits_per_s": 100000000000' \
			"$(said_of $name)"
	done
	same "an interface that does not count makes no difference" "$(grep -c '"link"' "$work/job.json")" 2

	port mlx5_0 '1: DOWN' '10 Gb/sec (4X SDR)'
	launch 2 env HWLOC_COMPONENTS=xml,stop HWLOC_FSROOT="$imitated" "$probe" -o "$work/job.json" 2>"$work/err"
	same "one is down" hfi1_0 "$(adapters "$work/job.json")"
	same "mlx5_0 is down" ', "link_layer": "infiniband", "link": "down"' "$(said_of mlx5_0)"

	# the same without what earlier releases did not write
	sed 's/, "\(interface_of\|link_layer\|link\)": "[^"]*"//g; s/, "bits_per_s": [0-9]*//g' \
		"$work/job.json" >"$work/old.json"
	same "an earlier document" "mlx5_0 hfi1_0" "$(adapters "$work/old.json")"
done
finish
