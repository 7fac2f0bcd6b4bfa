/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/rule_file.h"

#include "core/base/mem.h"
#include "core/base/string.h"

#include <stdlib.h>

static const struct tmap_keyword spreads[] = {
	[TMAP_SPREAD_ANY] = { "any", "however the ranks lie" },
	[TMAP_SPREAD_NODE] = { "single-node", "all ranks on one node" },
	[TMAP_SPREAD_NODES] = { "one-per-node", "each rank on a node of its own" },
	[TMAP_SPREADS] = { NULL, NULL },
};

const struct tmap_keywords tmap_rule_spreads = TMAP_KEYWORDS("distribution", spreads);

struct tmap_rule_collective *tmap_rule_file_add(struct tmap_rule_file *file, int64_t number,
						struct tmap_error *err)
{
	if (tmap_grow(&file->collective, &file->capacity, (size_t)file->count + 1,
		      sizeof *file->collective, err) < 0)
		return NULL;
	file->collective[file->count] =
		(struct tmap_rule_collective){ .lookup = file->lookup, .number = number };
	file->last[number] = file->count + 1;
	return &file->collective[file->count++];
}

struct tmap_rule_size *tmap_rule_collective_add(struct tmap_rule_collective *collective,
						int64_t ranks, struct tmap_error *err)
{
	if (tmap_grow(&collective->size, &collective->capacity, (size_t)collective->count + 1,
		      sizeof *collective->size, err) < 0)
		return NULL;
	collective->size[collective->count] =
		(struct tmap_rule_size){ .lookup = collective->lookup, .ranks = ranks };
	return &collective->size[collective->count++];
}

int tmap_rule_size_add(struct tmap_rule_size *size, const struct tmap_rule *rule,
		       struct tmap_error *err)
{
	if (tmap_grow(&size->rule, &size->capacity, (size_t)size->count + 1, sizeof *size->rule,
		      err) < 0)
		return -1;
	size->rule[size->count++] = *rule;
	return 0;
}

int tmap_rule_file_add_oddity(struct tmap_rule_file *file, enum tmap_rule_oddity_kind kind,
			      int line, const char *word, struct tmap_error *err)
{
	char *copy = tmap_strdup(word, err);

	if (!copy ||
	    tmap_grow(&file->oddity, &file->oddity_capacity, (size_t)file->oddity_count + 1,
		      sizeof *file->oddity, err) < 0) {
		free(copy);
		return -1;
	}
	file->oddity[file->oddity_count++] =
		(struct tmap_rule_oddity){ .kind = kind, .line = line, .word = copy };
	return 0;
}

void tmap_rule_file_set_lookup(struct tmap_rule_file *file, enum tmap_rule_lookup lookup)
{
	file->lookup = lookup;
	for (int c = 0; c < file->count; c++) {
		struct tmap_rule_collective *collective = &file->collective[c];

		collective->lookup = lookup;
		for (int s = 0; s < collective->count; s++)
			collective->size[s].lookup = lookup;
	}
}

static void size_fini(struct tmap_rule_size *size)
{
	for (int i = 0; i < size->count; i++)
		free(size->rule[i].note);
	free(size->rule);
	free(size->note);
}

static void collective_fini(struct tmap_rule_collective *collective)
{
	for (int i = 0; i < collective->count; i++)
		size_fini(&collective->size[i]);
	free(collective->size);
	free(collective->note);
}

void tmap_rule_file_fini(struct tmap_rule_file *file)
{
	for (int i = 0; i < file->count; i++)
		collective_fini(&file->collective[i]);
	for (int i = 0; i < file->oddity_count; i++)
		free(file->oddity[i].word);
	free(file->oddity);
	free(file->collective);
	free(file->heading);
	*file = (struct tmap_rule_file){ 0 };
}

const struct tmap_rule_collective *tmap_rule_file_find(const struct tmap_rule_file *file,
						       int64_t number)
{
	int last = tmap_rule_collective_row(number) ? file->last[number] : 0;

	return last ? &file->collective[last - 1] : NULL;
}

static const struct tmap_rule_size *find_nearest(const struct tmap_rule_collective *collective,
						 int64_t ranks)
{
	int at = 0;

	while (at + 1 < collective->count && collective->size[at + 1].ranks <= ranks &&
	       collective->size[at].ranks <= ranks)
		at++;
	return collective->count ? &collective->size[at] : NULL;
}

/* From the number of the rules before on, and below their own; the last ones have no end. */
static const struct tmap_rule_size *find_below(const struct tmap_rule_collective *collective,
					       int64_t ranks)
{
	for (int at = 0; at < collective->count; at++)
		if ((at == 0 || ranks >= collective->size[at - 1].ranks) &&
		    (at + 1 == collective->count || ranks < collective->size[at].ranks))
			return &collective->size[at];
	return NULL;
}

/* The last one whose number is at most that. */
static const struct tmap_rule_size *find_last(const struct tmap_rule_collective *collective,
					      int64_t ranks)
{
	for (int at = collective->count - 1; at >= 0; at--)
		if (collective->size[at].ranks <= ranks)
			return &collective->size[at];
	return NULL;
}

static const struct tmap_rule_size *find_range(const struct tmap_rule_collective *collective,
					       const struct tmap_rule_comm *comm)
{
	for (int at = 0; at < collective->count; at++) {
		const struct tmap_rule_size *size = &collective->size[at];

		if ((size->spread == TMAP_SPREAD_ANY || size->spread == comm->spread) &&
		    size->ranks <= comm->ranks && comm->ranks <= size->most_ranks)
			return size;
	}
	return NULL;
}

const struct tmap_rule_size *
tmap_rule_collective_find(const struct tmap_rule_collective *collective,
			  const struct tmap_rule_comm *comm)
{
	switch (collective->lookup) {
	case TMAP_LOOKUP_RANGES:
		return find_range(collective, comm);
	case TMAP_LOOKUP_BELOW:
		return find_below(collective, comm->ranks);
	case TMAP_LOOKUP_HAN:
		return find_last(collective, comm->ranks);
	default:
		return find_nearest(collective, comm->ranks);
	}
}

static const struct tmap_rule *find_range_of_bytes(const struct tmap_rule_size *size, int64_t bytes)
{
	for (int at = 0; at < size->count; at++) {
		const struct tmap_rule *rule = &size->rule[at];

		if (!rule->is_void && rule->bytes <= bytes && bytes <= rule->most)
			return rule;
	}
	return NULL;
}

static const struct tmap_rule *find_last_of_bytes(const struct tmap_rule_size *size, int64_t bytes)
{
	for (int at = size->count - 1; at >= 0; at--)
		if (size->rule[at].bytes <= bytes)
			return &size->rule[at];
	return NULL;
}

const struct tmap_rule *tmap_rule_size_find(const struct tmap_rule_size *size, int64_t bytes)
{
	int at = 0;

	if (size->lookup == TMAP_LOOKUP_RANGES)
		return find_range_of_bytes(size, bytes);
	if (size->lookup == TMAP_LOOKUP_HAN)
		return find_last_of_bytes(size, bytes);
	while (at + 1 < size->count && size->rule[at + 1].bytes <= bytes &&
	       size->rule[at].bytes <= bytes)
		at++;
	return size->count ? &size->rule[at] : NULL;
}

const struct tmap_rule *tmap_rule_find(const struct tmap_rule_file *file, int64_t number,
				       const struct tmap_rule_comm *comm, int64_t bytes)
{
	const struct tmap_rule_collective *collective = tmap_rule_file_find(file, number);
	const struct tmap_rule_size *size =
		collective ? tmap_rule_collective_find(collective, comm) : NULL;

	return size ? tmap_rule_size_find(size, bytes) : NULL;
}

static bool size_is_equal(const struct tmap_rule_size *a, const struct tmap_rule_size *b)
{
	if (a->ranks != b->ranks || a->most_ranks != b->most_ranks || a->spread != b->spread ||
	    a->count != b->count)
		return false;
	for (int i = 0; i < a->count; i++) {
		const struct tmap_rule *x = &a->rule[i], *y = &b->rule[i];

		if (x->bytes != y->bytes || x->most != y->most || x->is_void != y->is_void ||
		    x->algorithm != y->algorithm || x->fan != y->fan || x->segment != y->segment ||
		    x->requests != y->requests)
			return false;
	}
	return true;
}

bool tmap_rule_file_is_equal(const struct tmap_rule_file *a, const struct tmap_rule_file *b)
{
	if (a->version != b->version || a->count != b->count)
		return false;
	for (int c = 0; c < a->count; c++) {
		const struct tmap_rule_collective *x = &a->collective[c], *y = &b->collective[c];

		if (x->number != y->number || x->level != y->level || x->count != y->count)
			return false;
		for (int s = 0; s < x->count; s++)
			if (!size_is_equal(&x->size[s], &y->size[s]))
				return false;
	}
	return true;
}
