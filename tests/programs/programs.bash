# SPDX-License-Identifier: BSD-3-Clause
# What tests of real programs on imitated hosts share: hosts of four ranks with cables of 10 Mbit/s, their
# calibration, a program's record as it is launched, the suggestion by both, and the program's own clock
# before and after.
#
# The cables decide, not the CPUs: at this rate they are busy for most of the time that is measured, so
# that what the ranks of a job take from each other on few CPUs is little beside it.
. "$(dirname "${BASH_SOURCE[0]}")/../cluster/waits.bash"
. "$(dirname "${BASH_SOURCE[0]}")/../mpi/bench.bash"
. tests/cluster/hosts
. tests/cluster/counters.bash
rate=${RATE:-10mbit} launches=${LAUNCHES:-3}
predicted=seconds # which member of a suggestion the clock is compared with: of its communication alone

# use_hosts NUMBER PROGRAM: and what is needed to record the program there
use_hosts()
{
	command -v "$2" >/dev/null || { echo "skipped: there is no $2"; exit 77; }
	hosts_need tc
	use_bench openmpi || finish
	make_for_mpi libtopomap-record.so || finish
	recorder=$top/$built/libtopomap-record.so
	waits_build || finish
	local name machines=()
	for name in $(echo a b c d e f g h i j k l m n o p | cut -d' ' -f1-"$1"); do
		machines+=("$name=core:4 pu:1")
	done
	hosts_start "${machines[@]}"
	trap 'hosts_stop; rm -rf "$work"' EXIT
	hosts_slow "$rate" 8kb 10s || exit 3
	ranks=$((4 * $1))
}

# on_hosts WORD...: mpirun of all ranks, with these words; preload, if set, is loaded into them, too
on_hosts()
{
	hosts_openmpi --host "$(hosts_slots 4)" -np "$ranks" \
		-x "LD_PRELOAD=$work/waits.so${preload:+:$preload}" "$@" </dev/null
}

# calibrate: here.json, the costs of these hosts for these ranks
calibrate()
{
	on_hosts --map-by slot "$bench" calibrate -t "${SECONDS_EACH:-20}" -o "$work/here.json" \
		>"$work/out" 2>"$work/err" && [ -s "$work/here.json" ] ||
		{ fail "calibrate: $(tail -n 3 "$work/err")"; return 1; }
}

# record NAME WORD...: NAME.record.json, of the program as it is launched with these words
record()
{
	rm -f "$work/$1.record.json" # the recorder overwrites nothing
	preload=$recorder on_hosts -x "TOPOMAP_RECORD=$work/$1.record.json" "${@:2}" \
		>"$work/$1.out" 2>"$work/err" && [ -s "$work/$1.record.json" ] || { fail "record of $1: $(tail -n 3 "$work/err")"; return 1; }
}

# run NAME WORD...: "SECONDS BYTES", the clock's of one launch, and what went over the cables of all hosts
run()
{
	local seconds
	sent >"$work/before"
	on_hosts "${@:2}" >"$work/$1.out" 2>"$work/err" || return
	seconds=$(clock "$work/$1.out")
	[ -n "$seconds" ] || return
	sent | join "$work/before" - | awk -v seconds="$seconds" '
		{ sum += $3 - $2 }
		END { printf "%s %.0f\n", seconds, sum }'
}

# timed NAME WORD...: NAME.runs, a line a launch, without the first, which is cold
timed()
{
	local launch
	for ((launch = 0; launch <= launches; launch++)); do
		run "$@" >"$work/launch.$launch" || { fail "$1: $(tail -n 3 "$work/err")"; return 1; }
	done
	cat "$work"/launch.[1-9]* >"$work/$1.runs"
}

# median COLUMN NAME: of its launches
median()
{
	cut -d' ' -f"$1" "$work/$2.runs" | sort -g |
		awk '{ at[NR] = $1 } END { printf "%.6g", (at[int((NR + 1) / 2)] + at[int(NR / 2) + 1]) / 2 }'
}

# said SECTION MEMBER FILE: the first number of this name in a section of a suggestion: before, after,
# block or cyclic
said()
{
	awk -v section="\"$1\": {" -v member="\"$2\": " 'index($0, section) { inside = 1 }
		inside && (at = index($0, member)) { print substr($0, at + length(member)) + 0; exit }' "$3"
}

# suggest NAME OPTION...: NAME.rankfile and NAME.json by its record and here.json; by_file, the options of
# mpirun
suggest()
{
	topomap suggest-rankfile "${@:2}" --profile "$work/here.json" -o "$work/$1.rankfile" \
		"$work/$1.record.json" 2>"$work/$1.table" &&
		topomap suggest-rankfile "${@:2}" --profile "$work/here.json" -f json -o "$work/$1.json" \
			"$work/$1.record.json" 2>"$work/err" ||
		{ fail "suggestion for $1: $(tail -n 3 "$work/$1.table" "$work/err")"; return 1; }
	read -ra by_file < <(sed -n "s/^  mpirun -np $ranks \(.*\) PROGRAM\$/\1/p" "$work/$1.table")
	[ ${#by_file[@]} -gt 0 ] && return
	fail "suggestion for $1 has no command: $(cat "$work/$1.table")"
	return 1
}

# ratio A B
ratio() { awk "BEGIN { printf \"%.2f\", $1 / $2 }"; }

heading()
{
	printf '%-10s %8s %8s %9s | %8s %8s | %8s %8s | %8s %8s\n' "" cyclic block suggested 'x cyclic' said \
		'x block' said 'bytes x' said
}

# apart A B PERCENT: is one so much more than the other?
apart() { awk "BEGIN { exit !($1 > $2 * (1 + $3 / 100) || $2 > $1 * (1 + $3 / 100)) }"; }

# holds WHAT MEASURED PREDICTED PERCENT
holds()
{
	if apart "$2" "$3" "$4"; then fail "$1: $2 was measured, and $3 predicted"; else pass; fi
}

# compare NAME CYCLIC BLOCK PROGRAM...: the table's line; is it so many times as fast as these, and as
# predicted? bytes_said is how many times the bytes of the suggestion those of cyclic are.
compare()
{
	local name=$1 said=$work/$1.json after seconds cyclic cyclic_said block block_said bytes
	timed cyclic --map-by node "${@:4}" && timed block --map-by slot "${@:4}" &&
		timed suggested "${by_file[@]}" "${@:4}" || return
	after=$(median 1 suggested) seconds=$(said after $predicted "$said")
	cyclic=$(ratio "$(median 1 cyclic)" "$after")
	cyclic_said=$(ratio "$(said before $predicted "$said")" "$seconds")
	block=$(ratio "$(median 1 block)" "$after")
	block_said=$(ratio "$(said block $predicted "$said")" "$seconds")
	bytes=$(ratio "$(median 2 cyclic)" "$(median 2 suggested)")
	printf '%-10s %8.2f %8.2f %9.2f | %8s %8s | %8s %8s | %8s %8s\n' "$name" "$(median 1 cyclic)" \
		"$(median 1 block)" "$after" "$cyclic" "$cyclic_said" "$block" "$block_said" \
		"$bytes" "$bytes_said"
	same "$name: $2 times as fast as cyclic, $3 as block" yes \
		"$(awk "BEGIN { print ($cyclic >= $2 && $block >= $3) ? \"yes\" : \"$cyclic $block\" }")"
	holds "$name, times as fast as cyclic" "$cyclic" "$cyclic_said" 10
	holds "$name, times as fast as block" "$block" "$block_said" 10
	holds "$name, bytes of cyclic over those of the suggestion" "$bytes" "$bytes_said" 5
}

# as_predicted NAME BYTES PROGRAM...: a record of the suggested order has just these bytes between nodes
as_predicted()
{
	record after "${by_file[@]}" "${@:3}" &&
		topomap suggest-rankfile --mapper identity -f json -o "$work/after.json" \
			"$work/after.record.json" 2>"$work/err" ||
		{ fail "record of the suggested $1: $(tail -n 3 "$work/err")"; return 1; }
	same "$1: bytes between nodes" "$2" "$(said before bytes "$work/after.json")"
}
