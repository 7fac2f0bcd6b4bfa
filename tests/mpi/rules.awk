# SPDX-License-Identifier: BSD-3-Clause
# A rule file of Open MPI to a plan for tests/mpi/defaults.c: for each rule the last call that does not
# reach its bytes, the one that just does, and the next, an element apart, with what the file says of
# each: the name in its comment with -v by=name, as written by topomap tune, else its numbers. So are
# communicators of one rank more and one less. -v ranks=8: the largest.
#
# What the bytes of a rule are is written down here once more, from Open MPI's documentation ("message
# size" in its table of collectives).

BEGIN {
	split("allgather allgatherv allreduce alltoall alltoallv alltoallw barrier bcast exscan gather " \
		"gatherv reduce reduce_scatter reduce_scatter_block scan scatter scatterv", names)
	split("allgather alltoall gather scatter reduce_scatter_block", list)
	for (i in list) is_total[list[i]] = 1
	srand(1)
}

{
	comment = index($0, "#") ? substr($0, index($0, "#") + 1) : ""
	sub(/#.*/, "")
	for (i = 1; i <= NF; i++) {
		note[count] = comment
		number[count++] = $i
	}
}

# What the rule says; "-": the library as it is, "": it is made of other collectives, which may have
# rules themselves.
function said(r,   text)
{
	text = note[r]
	sub(/^ */, "", text)
	if (number[r + 1] == 0)
		return "-"
	if (by != "name")
		return number[r + 1] "/" number[r + 2] "/" number[r + 3]
	sub(/:.*/, "", text)
	return text
}

function call(c, p, bytes, element, first, rules,   total, r, at, rooted)
{
	if (bytes < element && c != "barrier" || p < 2 || p > ranks)
		return
	total = c ~ /scan/ ? p * element : c in is_total ? p * bytes : bytes
	if (total > 67108864)
		return
	at = first
	for (r = first; r < first + 4 * rules; r += 4)
		if (number[r] <= total)
			at = r
	rooted = c ~ /^(bcast|reduce|gather|scatter)$/
	text = said(at)
	print c, p, bytes, element, rooted && rand() < 0.3 ? int(rand() * p) : 0, text == "-" ? "" : text
}

END {
	at = 1
	for (n = 0; n < number[0]; n++) {
		c = names[number[at] + 1]
		sizes = number[at + 1]
		at += 2
		for (s = 0; s < sizes; s++) {
			p = number[at]
			rules = number[at + 1]
			first = at + 2
			# those of one rank less, too, as the first rules are also for fewer ranks
			element = c ~ /reduce|scan/ ? 8 : 1
			for (r = 0; r < rules; r++) {
				bytes = number[first + 4 * r]
				step = element * (c in is_total ? p : 1)
				least = int((bytes + step - 1) / step)
				for (d = -1; d <= 1; d++)
					call(c, p, c == "barrier" ? 0 : (least + d) * element, element, first, rules)
				if (c ~ /scan/)
					call(c, p, 1000 * element, element, first, rules)
			}
			at = first + 4 * rules
		}
	}
}
