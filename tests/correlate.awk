# SPDX-License-Identifier: BSD-3-Clause
# Lines "SECONDS SECONDS NAME", of a prediction and a measurement: Spearman's rank correlation of
# the two, the largest ratio between them, and the name that has it. It needs tests/rank_correlation.awk.

{
	n++
	x[n] = $1
	y[n] = $2
	q = $1 > $2 ? $1 / $2 : $2 / $1
	if (q > most) { most = q; who = $3 }
}

END {
	ranks(x, rx, n)
	ranks(y, ry, n)
	printf "%.3f %.2f %s\n", correlation(rx, ry, n), most, who
}
