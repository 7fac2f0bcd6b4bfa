/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/rule_file.h"

#include "core/base/mem.h"

#include <stdlib.h>

struct tmap_rule_collective *tmap_rule_file_add(struct tmap_rule_file *file, int64_t number,
						struct tmap_error *err)
{
	if (tmap_grow(&file->collective, &file->capacity, (size_t)file->count + 1,
		      sizeof *file->collective, err) < 0)
		return NULL;
	file->collective[file->count] = (struct tmap_rule_collective){ .number = number };
	file->last[number] = file->count + 1;
	return &file->collective[file->count++];
}

struct tmap_rule_size *tmap_rule_collective_add(struct tmap_rule_collective *collective,
						int64_t ranks, struct tmap_error *err)
{
	if (tmap_grow(&collective->size, &collective->capacity, (size_t)collective->count + 1,
		      sizeof *collective->size, err) < 0)
		return NULL;
	collective->size[collective->count] = (struct tmap_rule_size){ .ranks = ranks };
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

const struct tmap_rule_size *
tmap_rule_collective_find(const struct tmap_rule_collective *collective, int64_t ranks)
{
	int at = 0;

	while (at + 1 < collective->count && collective->size[at + 1].ranks <= ranks &&
	       collective->size[at].ranks <= ranks)
		at++;
	return collective->count ? &collective->size[at] : NULL;
}

const struct tmap_rule *tmap_rule_size_find(const struct tmap_rule_size *size, int64_t bytes)
{
	int at = 0;

	while (at + 1 < size->count && size->rule[at + 1].bytes <= bytes &&
	       size->rule[at].bytes <= bytes)
		at++;
	return size->count ? &size->rule[at] : NULL;
}

const struct tmap_rule *tmap_rule_find(const struct tmap_rule_file *file, int64_t number,
				       int64_t ranks, int64_t bytes)
{
	const struct tmap_rule_collective *collective = tmap_rule_file_find(file, number);
	const struct tmap_rule_size *size =
		collective ? tmap_rule_collective_find(collective, ranks) : NULL;

	return size ? tmap_rule_size_find(size, bytes) : NULL;
}

static bool size_is_equal(const struct tmap_rule_size *a, const struct tmap_rule_size *b)
{
	if (a->ranks != b->ranks || a->count != b->count)
		return false;
	for (int i = 0; i < a->count; i++) {
		const struct tmap_rule *x = &a->rule[i], *y = &b->rule[i];

		if (x->bytes != y->bytes || x->algorithm != y->algorithm || x->fan != y->fan ||
		    x->segment != y->segment || x->requests != y->requests)
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

		if (x->number != y->number || x->count != y->count)
			return false;
		for (int s = 0; s < x->count; s++)
			if (!size_is_equal(&x->size[s], &y->size[s]))
				return false;
	}
	return true;
}
