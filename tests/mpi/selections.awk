# SPDX-License-Identifier: BSD-3-Clause
# A selection file of MPICH, a member in each line as topomap tune writes it, to a plan for
# tests/mpi/defaults.c: for each test of sizes the last call that passes it, the one before and the next, an
# element apart, on communicators of -v ranks=8 ranks, with what the file selects, by our name.
#
# What tests mean, and which algorithm of ours is which of MPICH's, is written down here once more, from
# its sources.

BEGIN {
	split("allgather_brucks bruck allgather_ring ring allgather_recursive_doubling recursive_doubling " \
		"allreduce_recursive_doubling recursive_doubling " \
		"allreduce_reduce_scatter_allgather rabenseifner,fold=mpich " \
		"reduce_binomial binomial_far reduce_reduce_scatter_gather rabenseifner,fold=mpich " \
		"bcast_binomial binomial_far bcast_scatter_ring_allgather scatter_ring " \
		"bcast_scatter_recursive_doubling_allgather scatter_allgather " \
		"reduce_scatter_pairwise pairwise reduce_scatter_recursive_halving recursive_halving " \
		"reduce_scatter_block_pairwise pairwise " \
		"reduce_scatter_block_recursive_halving recursive_halving " \
		"reduce_scatter_recursive_doubling recursive_doubling " \
		"reduce_scatter_block_recursive_doubling recursive_doubling " \
		"alltoall_brucks bruck alltoall_scattered spread", list)
	for (i = 1; i in list; i += 2)
		ours[list[i]] = list[i + 1]
	ours["alltoall_pairwise"] = is_power(ranks) ? "pairwise_xor" : "pairwise"
	srand(1)
}

function is_power(p)
{
	while (p % 2 == 0)
		p /= 2
	return p == 1
}

/"/ {
	match($0, /^ */)
	depth[++count] = RLENGTH
	split($0, part, "\"")
	name[count] = part[2]
}

function least(limit, value)
{
	return limit ~ /=/ ? value <= substr(limit, 2) + 0 : value < limit + 0
}

function passes(test, c, p, bytes, element,   power, total)
{
	for (power = 1; 2 * power <= p; power *= 2)
		;
	total = c == "reduce_scatter" ? bytes : bytes * p
	if (test ~ /=any$/ || test == "comm_type=intra" || test ~ /^(is_commutative|is_op_built_in|is_block_regular|is_node_consecutive)=yes/)
		return 1
	if (test == "comm_size=pow2")
		return power == p
	if (test == "count<pow2")
		return bytes / element < power
	if (test ~ /^comm_size<=/) # topomap writes no comm_size<
		return p <= substr(test, 12) + 0
	if (test ~ /^avg_msg_size</)
		return least(substr(test, 14), bytes)
	if (test ~ /^total_msg_size</)
		return least(substr(test, 16), total)
	return test == "is_sendbuf_inplace=no" || test == "collective=" c
}

# The algorithm, from one line to the next that is asked.
function selected(c, p, bytes, element,   n, level)
{
	for (n = 1; n <= count; n++) {
		if (name[n] ~ /^algorithm=/)
			return name[n]
		if (passes(name[n], c, p, bytes, element))
			continue
		for (level = depth[n++]; n <= count && depth[n] > level; n++)
			;
		if (n > count || depth[n] < level)
			return ""
		n--
	}
	return ""
}

function call(c, bytes, element,   text)
{
	if (bytes < element || bytes > 1000000)
		return
	text = selected(c, ranks, bytes, element)
	sub(/^algorithm=MPIR_/, "", text)
	sub(/_intra_/, "_", text)
	text = tolower(text)
	if (text in ours)
		print c, ranks, bytes, element, c ~ /^(bcast|reduce)$/ && rand() < 0.3 ? int(rand() * ranks) : 0, ours[text]
	else
		print "no name of ours for " text > "/dev/stderr"
}

END {
	for (n = 1; n <= count; n++) {
		if (name[n] ~ /^collective=/) {
			c = substr(name[n], 12)
			element = c ~ /reduce/ ? 8 : 1
		}
		if (c !~ /^(bcast|reduce|allreduce|allgather|alltoall|reduce_scatter|reduce_scatter_block)$/ ||
			name[n] !~ /^(avg|total)_msg_size</)
			continue
		value = name[n]
		gsub(/[^0-9]/, "", value)
		step = element * (name[n] ~ /^total/ && c != "reduce_scatter" ? ranks : 1)
		for (d = -1; d <= 2; d++)
			call(c, (int(value / step) + d) * element, element)
	}
}
