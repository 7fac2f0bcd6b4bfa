#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What libtopomap-record.so adds to a call (recording.c): nanoseconds without it, with it, and with it and
# phases of time. Bounds that are aimed at: 20 ns for a message that is counted, 100 ns for a collective
# whose time is taken.
cd "$(dirname "$0")/../.." || exit 3
build=${BUILD:-build}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpirun=$(command -v mpirun.openmpi || command -v mpirun) || { echo "there is no mpirun"; exit 77; }
compile=$(command -v mpicc.openmpi || command -v mpicc) || { echo "there is no mpicc"; exit 77; }
recorder=$PWD/$build/libtopomap-record.so
[ -e "$recorder" ] || { echo "there is no $recorder"; exit 77; }
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
"$compile" -std=gnu11 -O2 -o "$work/recording" tests/bench/recording.c || exit 1

# with WORD...: the three numbers
with() { "$mpirun" -n 1 "$@" "$work/recording" </dev/null; }

with >"$work/bare" && with -x LD_PRELOAD="$recorder" -x TOPOMAP_RECORD="$work/r.json" >"$work/recorded" &&
	with -x LD_PRELOAD="$recorder" -x TOPOMAP_RECORD="$work/i.json" -x TOPOMAP_RECORD_INTERVAL=1 \
		>"$work/phases" || exit 1
paste -d' ' "$work/bare" "$work/recorded" "$work/phases" | awk '
	BEGIN { split("message to nobody|message to itself|collective", name, "|")
		printf "%-20s %8s %10s %12s\n", "ns of a call", "without", "recorded", "with phases" }
	{ for (i = 1; i <= 3; i++) printf "%-20s %8.1f %+10.1f %+12.1f\n", name[i], $i, $(i + 3) - $i, $(i + 6) - $i }'
