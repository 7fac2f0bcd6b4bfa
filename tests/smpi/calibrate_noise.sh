#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Calibrations of a simulated cluster whose links are disturbed: their bandwidths change every few hundred microseconds,
# at random, as where others use them, too: of all links or of the nodes' adapters alone, by much, by little, or
# seldom. At least 95 % of these say that the machine was not quiet, and none of a quiet one does. Oracle: the
# traces of the links' bandwidths, which SimGrid follows; each run has others. RUNS says how many of each kind: with
# WHOLE=1 two.
# Of a pair that has a narrow link of its own the ranks are named, and what the others' messages take is found as
# without it.
. "$(dirname "$0")/common.bash"
passed=0 failed=0
need_bench

# platform: $work/quiet.xml and $work/job.json
make_platform()
{
	local what machine ranks
	for what in machine platform; do
		awk -v name=nodes_16 -v what=$what -v eager=8192 -v overhead=2e-7 -f tests/smpi/platform.awk >"$work/$what" || exit 3
	done
	mv "$work/platform" "$work/quiet.xml"
	mapfile -t machine <"$work/machine"
	topomap place "${machine[@]}" --map-by=core -o "$work/job.json" || exit 3
	ranks=$(grep -c '<host ' "$work/quiet.xml")
	seq 0 $((ranks - 1)) | sed 's/^/h/' >"$work/hosts"
}

# disturb SEED LEAST PART LINKS: $work/noisy.xml, whose links of such names have now and then, for PART of the time, from
# LEAST of their bandwidth to all of it; each has a trace of its own
disturb()
{
	awk -v seed="$1" -v least="$2" -v part="$3" -v links_of="<link id=\"[$4]" -v folder="$work" '
		BEGIN { srand(seed) }
		$0 ~ links_of {
			match($0, /bandwidth="[0-9]*/)
			rate = substr($0, RSTART + 11, RLENGTH - 11)
			name = "trace" ++links
			file = folder "/" name
			for (at = 0; at < 0.02; at += 1e-5 + 2e-4 * rand())
				printf "%.6f %.0f\n", at, rand() < part ? rate * (least + (1 - least) * rand()) : rate >file
			print "LOOPAFTER 0.0001" >file
			close(file)
			sub(/sharing_policy/, "bandwidth_file=\"" name "\" &")
		}
		{ print }' "$work/quiet.xml" >"$work/noisy.xml"
}

# calibrate PLATFORM SEED: is the machine quiet? "true" or "false"
calibrate()
{
	# shellcheck disable=SC2086
	smpirun -np "$(wc -l <"$work/hosts")" -platform "$1" -hostfile "$work/hosts" $config \
		--cfg=smpi/wtime:0 --cfg=smpi/send-is-detached-thresh:8192 --cfg=smpi/async-small-thresh:8192 \
		--cfg=smpi/ois:0:2e-7 --cfg=smpi/or:0:2e-7 --cfg=smpi/os:0:2e-7 \
		build/smpi/topomap-bench calibrate --placement "$work/job.json" -o "$work/here.json" --seed "$2" \
		--no-check --seconds 5 >"$work/log" 2>&1 || { cat "$work/log"; echo "FAILED  calibrate"; exit 1; }
	sed -n 's/^    "quiet": \([a-z]*\),$/\1/p' "$work/here.json"
}

# named: "A B" of the ranks at distance 7 that a note leaves out
named() { sed -n 's/.*"ranks \([0-9]*\) and \([0-9]*\) are left out: .* of other ranks at distance 7".*/\1 \2/p' "$work/here.json"; }

# costs: what messages between nodes take
costs() { topomap profile "$work/here.json" | sed -n '/^ *7 /p'; }

holds()
{
	if eval "$2"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  $1: not $2"
	fi
}

make_platform
runs=${RUNS:-$([ -n "$WHOLE" ] && echo 2 || echo 1)} said=0 noisy=0 quiet=0
for ((seed = 1; seed <= runs; seed++)); do
	while read -r least part links; do
		disturb "$seed" "$least" "$part" "$links"
		noisy=$((noisy + 1))
		if [ "$(calibrate "$work/noisy.xml" "$seed")" = false ]; then
			said=$((said + 1))
		else
			echo "seed $seed: quiet, with $least of the bandwidth for $part of the time on links $links"
		fi
	done <<-END
		0.1 0.6 ca
		0.5 0.6 ca
		0.1 0.2 ca
		0.1 0.6 a
	END
	[ "$(calibrate "$work/quiet.xml" "$seed")" != true ] || quiet=$((quiet + 1))
done
echo "not quiet said of $said of $noisy with noise; quiet of $quiet of $runs without"
holds "noise is said" "[ $((100 * said)) -ge $((95 * noisy)) ]"
holds "a quiet machine is quiet" "[ $quiet -eq $runs ]"

# which pairs are measured is seen where all of a rank are slow; then that pair alone has a narrow link
calibrate "$work/quiet.xml" 1 >/dev/null
before=$(costs)
sed '/<link id="c5"/s|"10000000000Bps"|"1000000000Bps"|' "$work/quiet.xml" >"$work/noisy.xml"
calibrate "$work/noisy.xml" 1 >/dev/null
pair=$(named | head -n 1)
read -r a b <<<"$pair"
holds "a slow rank is named" '[ "$a" = 5 ] || [ "$b" = 5 ]'
sed -e '0,/<route /s|<route |<link id="narrow" bandwidth="1000000000Bps" latency="0s"/>\n&|' \
	-e "/src=\"h$a\" dst=\"h$b\"/s|</route>|<link_ctn id=\"narrow\"/>&|" \
	-e "/src=\"h$b\" dst=\"h$a\"/s|</route>|<link_ctn id=\"narrow\"/>&|" "$work/quiet.xml" >"$work/noisy.xml"
calibrate "$work/noisy.xml" 1 >/dev/null
holds "a slow pair is named, and no other" '[ "$(named)" = "$pair" ]'
holds "costs beside a slow pair" '[ -n "$before" ] && [ "$(costs)" = "$before" ]'
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
