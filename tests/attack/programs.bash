#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What runs MPI as one rank without a launcher, called as one program of commands: tests/attack/programs has lines of
# it. BUILD is where the programs are. Of what they print on standard error all is kept, but the line that
# there is no launcher.
command=$1 settings=() words=()
shift
case $command in
bench-*) program=(topomap-bench "${command#bench-}") ;;
topomap-probe) program=(topomap-probe) ;;
*) program=(topomap-probe -o /dev/null) settings=("LD_PRELOAD=$BUILD/libtopomap-record.so") ;;
esac
while [ $# -gt 0 ]; do
	case $command:$1 in
	topomap-probe:[A-Z]*_*:* | libtopomap-record:[A-Z]*_*:*) settings+=("${1%%:*}=${1#*:}") ;;
	libtopomap-record:-o) settings+=("TOPOMAP_RECORD=$2"); shift ;;
	libtopomap-record:*) ;;
	*) words+=("$1") ;;
	esac
	shift
done
env -- "${settings[@]}" "$BUILD/${program[0]}" "${program[@]:1}" "${words[@]}" 2>attacked.all
status=$?
grep -av ': no launcher has started this, so there is one rank' attacked.all >&2
# a measurement takes as long as was asked for: where time is up, it ends as by any signal
[ $status -ne 3 ] || ! grep -aq '^topomap-bench: interrupted by SIGXCPU' attacked.all || exit 0
# the program itself ends well whatever the recorder says
[ "$command" != libtopomap-record ] || ! grep -aq '^topomap-record: ' attacked.all || status=1
[ $status -le 128 ] || kill -$((status - 128)) $$
exit $status
