# SPDX-License-Identifier: BSD-3-Clause
# A plan for tests/mpi/defaults.c: -v ranks=64, and -v sample=N for N calls drawn at random (-v
# seed=S) on some communicators, instead of the whole grid of collectives, ranks, sizes and
# elements, in the order of ranks.
#
# Sizes are all powers of two, at which the libraries' rules change; and some elements more or fewer
# than ranks, by which algorithms hand over to others.

function add(collective, p, bytes, element, root)
{
	if (bytes < 1 || bytes > most[collective] / (is_block[collective] ? p : 1))
		return
	if ((collective, p, bytes, element) in had)
		return
	had[collective, p, bytes, element] = 1
	line[count++] = collective " " p " " bytes " " element " " root
}

BEGIN {
	srand(seed)
	split("allgather gather scatter alltoall reduce_scatter_block", blocks)
	for (i in blocks) is_block[blocks[i]] = 1
	split("allgather gather scatter alltoall reduce_scatter_block bcast reduce allreduce " \
		"reduce_scatter scan exscan", names)
	split("1 4 8 16", elements)
	for (c = 1; c in names; c++) most[names[c]] = 8388608
	most["alltoall"] = most["scan"] = most["exscan"] = 2097152
	for (p = 2; p <= ranks; p++) {
		if (sample && rand() > 20 / ranks) # making a communicator costs as much as many calls
			continue
		line[count++] = "barrier " p " 0 1 0"
		for (c = 1; c in names; c++) {
			name = names[c]
			rooted = name ~ /^(bcast|reduce|gather|scatter)$/
			kinds = name ~ /reduce|scan|bcast/ ? 4 : 1
			for (e = 1; e <= kinds; e++) {
				element = elements[e]
				for (bytes = element; bytes <= 2097152; bytes *= 2)
					add(name, p, bytes, element, rooted && rand() < 0.3 ? int(rand() * p) : 0)
				split(1 " " 3 " " int(p / 2) " " p - 1 " " p " " p + 1 " " 2 * p + 1 " " 1009 " " 9001, few)
				for (i in few)
					add(name, p, few[i] * element, element, 0)
			}
		}
	}
	if (!sample) {
		for (i = 0; i < count; i++) print line[i]
		exit
	}
	for (i = 0; i < count && sample > 0; i++)
		if (rand() * (count - i) < sample) {
			print line[i]
			sample--
		}
}
