# SPDX-License-Identifier: BSD-3-Clause
# Lines "SECONDS SECONDS NAME", of a prediction and a measurement: Spearman's rank correlation of
# the two, the largest ratio between them, and the name that has it.

function rank(v, r,  i, j, below, same)
{
	for (i = 1; i <= n; i++) {
		below = same = 0
		for (j = 1; j <= n; j++) {
			if (v[j] < v[i] * (1 - 1e-6)) below++
			else if (v[j] <= v[i] * (1 + 1e-6)) same++
		}
		r[i] = below + (same + 1) / 2
	}
}

{
	n++
	x[n] = $1
	y[n] = $2
	q = $1 > $2 ? $1 / $2 : $2 / $1
	if (q > most) { most = q; who = $3 }
}

END {
	rank(x, rx)
	rank(y, ry)
	for (i = 1; i <= n; i++) {
		a = rx[i] - (n + 1) / 2
		b = ry[i] - (n + 1) / 2
		xy += a * b
		xx += a * a
		yy += b * b
	}
	printf "%.3f %.2f %s\n", xy / sqrt(xx * yy), most, who
}
