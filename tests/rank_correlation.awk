# SPDX-License-Identifier: BSD-3-Clause
# Spearman's rank correlation, for scripts that name this file before their own:
#
#     awk -f tests/rank_correlation.awk -f tests/correlate.awk
#
# Lists go from 1 to n; what differs by less than a millionth is equal.

# r[i] = the rank of v[i], of equals the mean of theirs
function ranks(v, r, n,  i, j, below, same)
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

# of two lists of ranks; where the second one has no order, any agrees with it
function correlation(rx, ry, n,  i, a, b, xx, yy, xy)
{
	for (i = 1; i <= n; i++) {
		a = rx[i] - (n + 1) / 2
		b = ry[i] - (n + 1) / 2
		xy += a * b
		xx += a * a
		yy += b * b
	}
	if (yy == 0 || xx == 0)
		return yy == 0 ? 1 : 0
	return xy / sqrt(xx * yy)
}
