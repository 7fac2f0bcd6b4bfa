/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/mpmd.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* None comes before every name. */
static int compare_programs(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

static int compare_settings(const struct tmap_setting *a, const struct tmap_setting *b)
{
	if (a->part != b->part)
		return a->part < b->part ? -1 : 1;
	return compare_programs(a->program, b->program);
}

static int compare_by_part(const void *left, const void *right)
{
	const struct tmap_setting *const *a = left, *const *b = right;
	int order = compare_settings(*a, *b);

	return order ? order : (*a > *b) - (*a < *b);
}

/* Those that have ranks, in the order of @p sorted; each setting's number. */
static void parts_number(struct tmap_mpmd *parts, const struct tmap_placement *p,
			 const struct tmap_setting *const *sorted, const int *ranks)
{
	int end;

	for (int first = 0; first < p->setting_count; first = end) {
		struct tmap_mpmd_part part = { .setting = sorted[first] };

		for (end = first;
		     end < p->setting_count && compare_settings(sorted[first], sorted[end]) == 0;
		     end++) {
			parts->of_setting[sorted[end] - p->settings] = parts->count;
			part.ranks += ranks[sorted[end] - p->settings];
		}
		if (part.ranks)
			parts->part[parts->count++] = part;
	}
}

static int compare_by_program(const void *left, const void *right)
{
	const struct tmap_mpmd_part *const *a = left, *const *b = right;

	return compare_programs((*a)->setting->program, (*b)->setting->program);
}

/* Which have a program of the same name? @p sorted has room for all. */
static void parts_tell_apart(struct tmap_mpmd *parts, struct tmap_mpmd_part **sorted)
{
	for (int i = 0; i < parts->count; i++)
		sorted[i] = &parts->part[i];
	qsort(sorted, (size_t)parts->count, sizeof(struct tmap_mpmd_part *), compare_by_program);
	for (int i = 1; i < parts->count; i++)
		if (sorted[i]->setting->program &&
		    compare_by_program(&sorted[i - 1], &sorted[i]) == 0)
			sorted[i - 1]->is_numbered = sorted[i]->is_numbered = true;
}

static int parts_fill(struct tmap_mpmd *parts, const struct tmap_placement *p,
		      struct tmap_error *err)
{
	size_t count = (size_t)p->setting_count;
	const struct tmap_setting **sorted = tmap_alloc_raw(count, sizeof *sorted, err);
	int *ranks = tmap_alloc(count, sizeof *ranks, err);
	struct tmap_mpmd_part **by_program;

	parts->part = tmap_alloc(count, sizeof *parts->part, err);
	parts->of_setting = tmap_alloc_raw(count, sizeof *parts->of_setting, err);
	if (!sorted || !ranks || !parts->part || !parts->of_setting) {
		free(sorted);
		free(ranks);
		return -1;
	}
	for (int r = 0; r < p->size; r++)
		ranks[p->setting[r]]++;
	for (size_t i = 0; i < count; i++)
		sorted[i] = &p->settings[i];
	qsort(sorted, count, sizeof *sorted, compare_by_part);
	parts_number(parts, p, sorted, ranks);
	free(sorted);
	free(ranks);
	by_program = tmap_alloc_raw((size_t)parts->count, sizeof *by_program, err);
	if (!by_program)
		return -1;
	parts_tell_apart(parts, by_program);
	free(by_program);
	return 0;
}

int tmap_mpmd_init(struct tmap_mpmd *parts, const struct tmap_placement *p, struct tmap_error *err)
{
	struct tmap_mpmd made = { 0 };
	int status = 0;

	if (p->setting_count > 1 && p->setting)
		status = parts_fill(&made, p, err);
	if (status < 0 || made.count < 2)
		tmap_mpmd_fini(&made);
	if (status == 0)
		*parts = made;
	return status;
}

void tmap_mpmd_fini(struct tmap_mpmd *parts)
{
	free(parts->part);
	free(parts->of_setting);
	*parts = (struct tmap_mpmd){ 0 };
}

int tmap_mpmd_of(const struct tmap_mpmd *parts, const struct tmap_placement *p, int rank)
{
	return parts->count ? parts->of_setting[p->setting[rank]] : 0;
}

void tmap_mpmd_add_name(struct tmap_str *str, const struct tmap_mpmd_part *part)
{
	const struct tmap_setting *setting = part->setting;

	if (!setting->program && setting->part == TMAP_NONE)
		tmap_str_add(str, "that is not named");
	else if (!setting->program)
		tmap_str_addf(str, "program %d", setting->part);
	else
		tmap_str_add(str, setting->program);
	if (part->is_numbered && setting->part != TMAP_NONE)
		tmap_str_addf(str, " (program %d)", setting->part);
}
