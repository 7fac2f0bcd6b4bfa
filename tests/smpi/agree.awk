# SPDX-License-Identifier: BSD-3-Clause
# Lines "GROUP COLLECTIVE BYTES ALGORITHM PREDICTED SIMULATED [LOW HIGH]": how far predictions agree with a
# simulator, or with a machine, whose times have an interval each. For each group of one collective and size Spearman's rank correlation, in which
# algorithms that the simulator has within 2 % of each other are as good as one another, and those
# each of which is within the interval of the other; the regret,
# simulated time of the one that is predicted best over the least one; and the largest ratio. Then
# a line for each collective, and with -v verbose=1 one for each group. It needs
# tests/rank_correlation.awk.

# By the intervals of both?
function tied(i, k) { return low[i] <= y[k] && y[k] <= high[i] && low[k] <= y[i] && y[i] <= high[k] }

# The mean rank of those that tie in the simulator: chains of neighbours that are alike with the first of
# them.
function even_out(rx, ry,  i, j, k, at, count, first, sumx, sumy)
{
	for (i = 1; i <= n; i++) at[i] = i
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && y[at[j]] < y[at[j - 1]]; j--) {
			k = at[j]; at[j] = at[j - 1]; at[j - 1] = k
		}
	for (i = 1; i <= n; i = j) {
		sumx = sumy = 0
		for (j = i; j <= n && (y[at[j]] <= y[at[i]] * 1.02 || tied(at[i], at[j])); j++) {
			sumx += rx[at[j]]
			sumy += ry[at[j]]
		}
		for (k = i; k < j; k++) {
			rx[at[k]] = sumx / (j - i)
			ry[at[k]] = sumy / (j - i)
		}
	}
}

function judge(  i, best, chosen, most, who, q, rho, regret)
{
	if (!n)
		return
	best = chosen = 1
	most = 0
	for (i = 1; i <= n; i++) {
		if (y[i] < y[best]) best = i
		if (x[i] < x[chosen] * (1 - 1e-9)) chosen = i
		q = x[i] > y[i] ? x[i] / y[i] : y[i] / x[i]
		if (q > most) { most = q; who = label[i] }
	}
	ranks(x, rx, n); ranks(y, ry, n)
	even_out(rx, ry)
	rho = correlation(rx, ry, n)
	regret = y[chosen] / y[best]
	if (verbose)
		printf "%-40s rho %6.3f  regret %5.3f %s for %s  ratio %5.2f %s\n", group, rho,
			regret, label[chosen], label[best], most, who
	c = collective
	if (!(c in count)) order[++kinds] = c
	count[c]++
	rhos[c] += rho
	well[c] += rho >= 0.95
	chose[c] += regret <= 1.05
	ties[c] += regret > 1.05 && tied(best, chosen)
	if (regret > worst[c]) { worst[c] = regret; worst_at[c] = group }
	bad[c] += regret > 1.2
	if (most > apart[c]) { apart[c] = most; apart_at[c] = group " " who }
	n = 0
}

{
	if ($1 " " $2 " " $3 != group)
		judge()
	group = $1 " " $2 " " $3
	collective = $2
	n++
	label[n] = $4
	x[n] = $5
	y[n] = $6
	low[n] = $7 + 0
	high[n] = $8 + 0
}

END {
	judge()
	printf "%-15s %6s %9s %10s %12s %8s %8s %8s\n", "collective", "groups", "mean rho",
		"rho>=0.95", "choice<=5%", ">1.2", "regret", "apart"
	for (i = 1; i <= kinds; i++) {
		c = order[i]
		printf "%-15s %6d %9.3f %8.1f %% %10.1f %% %8d %8.2f %8.2f%s\n", c, count[c],
			rhos[c] / count[c], 100 * well[c] / count[c], 100 * chose[c] / count[c], bad[c],
			worst[c], apart[c], ties[c] ? " " ties[c] " tied" : ""
		if (verbose)
			printf "    worst regret: %s; farthest apart: %s\n", worst_at[c], apart_at[c]
		if (well[c] < least_rho * count[c] || chose[c] < least_choice * count[c] ||
		    (most_regret && worst[c] > most_regret))
			failed = 1
	}
	exit failed
}
