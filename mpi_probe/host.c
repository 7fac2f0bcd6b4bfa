/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/host.h"

#include "core/base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void tmap_host_clean(char *name)
{
	if (!*name)
		memcpy(name, "_", 2);
	for (; *name; name++)
		if (*name <= ' ' || *name > '~')
			*name = '_';
}

static int names_rising(const void *left, const void *right, void *context)
{
	char **name = context;
	int a = *(const int *)left, b = *(const int *)right;
	int order = strcmp(name[a], name[b]);

	return order ? order : (a > b) - (a < b);
}

/* Is @p text the name of a node? */
static bool name_is_taken(char **name, const int *order, int count, const char *text)
{
	int low = 0, high = count;

	while (low < high) {
		int middle = low + (high - low) / 2;
		int way = strcmp(name[order[middle]], text);

		if (way == 0)
			return true;
		if (way < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

/* The next free "name#k", *k counting on from the last. */
static char *name_next(char **name, const int *order, int count, const char *base, int *k,
		       struct tmap_error *err)
{
	for (;;) {
		char *text = tmap_format(err, "%s#%d", base, ++*k);

		if (!text || !name_is_taken(name, order, count, text))
			return text;
		free(text);
	}
}

/* New names for all but the first of each run of equal ones. */
static int names_make_distinct(char **made, char **name, const int *order, int count,
			       struct tmap_error *err)
{
	int first = 0, k = 1;

	for (int i = 1; i < count; i++) {
		if (strcmp(name[order[i]], name[order[first]]) != 0) {
			first = i;
			k = 1;
			continue;
		}
		made[order[i]] = name_next(name, order, count, name[order[first]], &k, err);
		if (!made[order[i]])
			return -1;
	}
	return 0;
}

int tmap_host_make_distinct(char **name, int count, struct tmap_error *err)
{
	int *order = tmap_alloc_raw((size_t)count, sizeof *order, err);
	char **made = tmap_alloc((size_t)count, sizeof *made, err);
	int status = order && made ? 0 : -1;

	for (int i = 0; i < count && status == 0; i++)
		order[i] = i;
	if (status == 0) {
		qsort_r(order, (size_t)count, sizeof *order, names_rising, name);
		status = names_make_distinct(made, name, order, count, err);
	}
	for (int i = 0; made && i < count; i++) {
		if (status < 0 || !made[i]) {
			free(made[i]);
			continue;
		}
		free(name[i]);
		name[i] = made[i];
	}
	free(made);
	free(order);
	return status;
}
