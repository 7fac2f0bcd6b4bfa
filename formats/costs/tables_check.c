/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/costs/readers.h"

#include "core/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

/* Times of equal sizes are of one distance up to so many times the least of them. */
static const double most_apart = 2;

/* Of so many sizes of a table one may be apart for noise. */
enum { SIZES_A_NOISE = 4 };

struct seen {
	int64_t bytes;
	double seconds;
	struct tmap_cost_origin origin;
};

/* Of one table: the sizes that others have, those of them that are apart, and which is so the most. */
struct apart {
	int shared, sizes;
	double ratio;
	const struct seen *here, *there;
};

static int seen_compare(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? -1 : 1;
	return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

/* Of @p count times of one size, the least first. */
static void weigh_size(struct apart *apart, const struct seen *seen, int count)
{
	bool is_shared = false;

	for (int i = 1; i < count; i++) {
		struct apart *of = &apart[seen[i].origin.table];
		double ratio = seen[i].seconds / seen->seconds;

		if (seen[i].origin.table == seen->origin.table)
			continue;
		is_shared = true;
		of->shared++;
		of->sizes += ratio > most_apart;
		if (ratio > of->ratio) {
			of->ratio = ratio;
			of->here = &seen[i];
			of->there = seen;
		}
	}
	apart[seen->origin.table].shared += is_shared;
}

static int check(const struct apart *apart, int tables, const char *form, struct tmap_error *err)
{
	for (int i = 0; i <= tables; i++) {
		const struct apart *of = &apart[i];

		if (of->sizes && of->sizes * SIZES_A_NOISE >= of->shared)
			return tmap_fail_at(
				err, TMAP_INPUT, of->here->origin.line, 0,
				"messages of %" PRId64
				" byte%s take %.4g us here and %.4g us in line %d, and %d of "
				"%d sizes of the two tables differ by more than %g times: they are "
				"not of one process distance. Put each into a file of its own, and "
				"say its distance: --from %s,distance=D:FILE",
				of->here->bytes, of->here->bytes == 1 ? "" : "s",
				of->here->seconds * 1e6, of->there->seconds * 1e6,
				of->there->origin.line, of->sizes, of->shared, most_apart, form);
	}
	return 0;
}

int tmap_cost_tables_check(const struct tmap_cost_table *table, const char *form,
			   struct tmap_error *err)
{
	struct seen *seen;
	struct apart *apart;
	int status = -1;

	if (table->tables < 2)
		return 0;
	seen = tmap_alloc((size_t)table->count, sizeof *seen, err);
	apart = seen ? tmap_alloc((size_t)table->tables + 1, sizeof *apart, err) : NULL;
	if (!apart)
		goto out;
	for (int i = 0; i < table->count; i++)
		seen[i] = (struct seen){ table->point[i].bytes, table->point[i].seconds,
					 table->origin[i] };
	qsort(seen, (size_t)table->count, sizeof *seen, seen_compare);
	for (int i = 0, end; i < table->count; i = end) {
		for (end = i + 1; end < table->count && seen[end].bytes == seen[i].bytes;)
			end++;
		weigh_size(apart, &seen[i], end - i);
	}
	status = check(apart, table->tables, form, err);
out:
	free(seen);
	free(apart);
	return status;
}
