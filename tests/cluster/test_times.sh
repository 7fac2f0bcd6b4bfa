#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The order in which topomap score puts the algorithms of a collective, against Open MPI itself:
# 16 ranks on four hosts whose cables carry 100 Mbit/s, by slot and by node, each algorithm that
# options of Open MPI 4.1 select, by the very options that topomap score gives, on the placement
# that the probe wrote on these hosts. Oracle: the seconds that the real calls take.
#
# Of two algorithms or mappings whose predicted times differ by $MARGIN or more, the one that is
# predicted to be faster must be. A pair that disagrees is measured twice more before it counts:
# this machine may have other things to do. Seconds are those of the fastest call.
#
# With the usual eager limit of 64 KiB, ranks that exchange large messages take up to 1.8 times
# as long, since the handshake of one direction waits behind the data of the other. What remains
# is at most 1.5: sends that Open MPI starts together share the cable, where we see one after
# the other (bcast binomial_near by node).
. "$(dirname "$0")/slow.bash"
MARGIN=${MARGIN:-1.6} LEAST=${LEAST:-0.7}
questions=${QUESTIONS:-"allgather:64KiB bcast:256KiB allreduce:256KiB"}

# ORDER: lines of a plan for collectives.c, and "LABEL SECONDS" as predicted
predict()
{
	local question name seconds options label
	for question in $questions; do
		topomap score -c "${question%:*}" -b "${question#*:}" --profile "$profile" \
			-f json "$work/$1.json" | awk -v openmpi="$openmpi_major" -f tests/mpi/knobs.awk |
		while IFS=$'\t' read -r name seconds options; do
			[ -n "$options" ] || continue
			label=${question%:*}:$name:$1
			echo "$label ${question%:*} $(($(numfmt --from=auto --suffix=B \
				"${question#*:}" | tr -d B))) 0 $options" >>"$work/$1.plan"
			echo "$label $seconds" >>"$work/predicted"
		done
	done
}

# REPETITIONS: every line of the plans, added to the measurements
measure()
{
	local order
	for order in slot node; do
		[ ! -s "$work/$order.plan" ] ||
			time_plan "$1" "$work/$order.plan" --map-by $order >>"$work/measured" ||
			return 1
	done
}

# "PREDICTED MEASURED LABEL", the fastest of all measurements
compare_times()
{
	least_of "$work/measured" | join - <(sort "$work/predicted") |
		awk '{ print $3, $2, $1 }' >"$work/pairs"
}

# "LABEL LABEL" of the pairs of one collective that are in another order than predicted
list_reversed()
{
	awk -v margin="$MARGIN" '
		{ n++; predicted[n] = $1; measured[n] = $2; label[n] = $3
		  split($3, part, ":"); collective[n] = part[1] }
		END {
			for (i = 1; i <= n; i++)
				for (j = 1; j <= n; j++)
					if (collective[i] == collective[j] &&
					    predicted[i] >= margin * predicted[j]) {
						pairs++
						if (measured[i] <= measured[j])
							print label[i], label[j]
					}
			print pairs " pairs" >"/dev/stderr"
		}' "$work/pairs" 2>"$work/count"
}

: >"$work/predicted"
for order in slot node; do
	run_16 --map-by $order "$probe" -o "$work/$order.json" || { fail "no probe: $(cat "$work/err")"; finish; }
	predict $order
done
measure 2 || { fail "Open MPI has failed: $(tail -20 "$work/err")"; finish; }
compare_times
list_reversed >"$work/reversed"
for try in 1 2; do
	[ -s "$work/reversed" ] || break
	echo "measured again: $(paste -sd, "$work/reversed")"
	for order in slot node; do
		tr ' ' '\n' <"$work/reversed" | sort -u | sed 's/$/ /' >"$work/again"
		grep -F -f "$work/again" "$work/$order.plan" >"$work/short"
		mv "$work/short" "$work/$order.plan"
	done
	measure 3 || break
	compare_times
	list_reversed >"$work/reversed"
done

printf '%-38s %10s %10s %6s\n' collective predicted measured ratio
sort -t' ' -k1,1g "$work/pairs" | awk '{ printf "%-38s %10.4f %10.4f %6.2f\n", $3, $1, $2, $2 / $1 }' |
	sort -s -t: -k1,1
same "of $(cat "$work/count") whose predicted times differ by $MARGIN none is in another order" \
	"" "$(cat "$work/reversed")"
for question in $questions; do
	grep " ${question%:*}:" "$work/pairs" >"$work/some"
	read -r rho ratio who < <(awk -f tests/rank_correlation.awk -f tests/correlate.awk "$work/some")
	echo "$question: $(wc -l <"$work/some") times, rho $rho, at most $ratio apart ($who)"
	if awk "BEGIN { exit !($rho >= $LEAST) }"; then pass; else fail "$question: rho is below $LEAST"; fi
done
finish
