# SPDX-License-Identifier: BSD-3-Clause
# What the tests of topomap-bench under real launchers share.
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"

# use_bench FLAVOUR: as use_mpi, and sets bench
use_bench()
{
	use_mpi "$1" || return 1
	bench=${probe%probe}bench
	case $probe in
	$top/build/$1/*) make_for_mpi topomap-bench ;;
	esac
}

# unshared FILE: without the line that ranks share cores, which is there where they are more than cores
unshared() { sed '/^topomap-bench: [0-9]* ranks share a [a-zA-Z]* with others: measured times/d' "$1"; }

# refused STATUS PATTERN RANKS ARGUMENT...: one sentence that has the pattern, and no output; output is
# written to $output, if that is set
refused()
{
	local status=$1 pattern=$2 ranks=$3
	shift 3
	rm -f "$work/out.json"
	launch "$ranks" "$bench" "$@" -o "${output:-$work/out.json}" >"$work/out" 2>"$work/err"
	local came=$?
	if [ $came -eq "$status" ] && [ ! -e "$work/out.json" ] &&
		[ "$(unshared "$work/err" | grep -c '^topomap-bench: ')" -eq 1 ] && grep -q -e "$pattern" "$work/err"; then
		pass
	else
		fail "topomap-bench $*: status $came, not $status, or other words than '$pattern'"
		head -n 4 "$work/err"
	fi
}

# count PATTERN FILE
count() { grep -c -e "$1" "$2"; }

# cpu_busy: "TICKS ALL", of all CPUs since the machine began
cpu_busy() { awk '$1 == "cpu" { print $2 + $3 + $4 + $7 + $8 + $9, $2 + $3 + $4 + $5 + $6 + $7 + $8 + $9; exit }' /proc/stat; }

# cpu_used FILE: the seconds in the last line, of TIMEFORMAT='%U %S'
cpu_used() { tail -n 1 "$1" | awk '{ print $1 + $2 }'; }

# cpu_others BEFORE AFTER SECONDS: percent of all CPU time from one cpu_busy to the other that was neither idle
# nor of a job that used so many seconds
cpu_others()
{
	echo "$1 $2 $3 $(getconf CLK_TCK)" | awk '{ others = ($3 - $1 - $5 * $6) / ($4 - $2)
		print int(100 * (others > 0 ? others : 0) + 0.5) }'
}
