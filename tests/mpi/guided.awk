# SPDX-License-Identifier: BSD-3-Clause
# The answers of one library in a hierarchy document, as hardware.c prints them:
#   awk -v library=openmpi -f guided.awk hierarchy.json
# A type whose communicators overlap is "numa overlap: 1 0 2". Of MPICH also what each call of
# repeated unguided splits gives: "unguided2 3: 3 4 5".

function tell(list, count, null, i, j, n, rank) {
	for (i = 0; i < count; i++) {
		n = split(list[i], rank, ",")
		for (j = 1; j <= n; j++)
			print type " " rank[j] ": " join(rank, n)
	}
	n = split(null, rank, ",")
	for (j = 1; j <= n; j++)
		print type " " rank[j] ": null"
}

function join(rank, n, i, text) {
	text = rank[1]
	for (i = 2; i <= n; i++)
		text = text " " rank[i]
	return text
}

function inside(line) {
	gsub(/.*\[|\].*/, "", line)
	return line
}

# the n-th level of a rank is what the n-th call gives it
/^  "unguided": \{/ { unguided = 1 }
unguided && /^        *\[/ && library == "mpich" {
	count = split(inside($0), member, ",")
	for (j = 1; j <= count; j++)
		print "unguided" ++calls[member[j]] " " member[j] ": " join(member, count)
}
/^  "guided": \{/ { guided = 1; unguided = 0; next }
!guided { next }

/^    "[a-z0-9_]+": \{/ {
	gsub(/[^a-z0-9_]/, "")
	type = $0
	library_now = ""
	standard_count = other_count = known = 0
	next
}
/^      "(openmpi|mpich)": \{/ {
	gsub(/[^a-z]/, "")
	library_now = $0
	next
}
/^        \[/ && library_now == "" { standard[standard_count++] = inside($0) }
/^      "null_ranks"/ { standard_null = inside($0) }
library_now != library { next }
/^        "same": / { known = 1; same = /true/; next }
/^          \[/ { other[other_count++] = inside($0) }
/^        "overlap": / {
	gsub(/,/, " ")
	print type " overlap: " inside($0)
	known = 0
}
/^        "null_ranks"/ { other_null = inside($0) }
/^      \}/ && known {
	if (same)
		tell(standard, standard_count, standard_null)
	else
		tell(other, other_count, other_null)
}
