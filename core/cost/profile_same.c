/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/profile_same.h"

#include <math.h>
#include <string.h>

/* A rate and its inverse differ in the last digits. */
static bool cost_is_same(double a, double b)
{
	return fabs(a - b) <= 1e-12 * fmax(a, b);
}

static bool text_is_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool row_is_same(const struct tmap_profile_row *a, const struct tmap_profile_row *b)
{
	return a->distance == b->distance && a->below_bytes == b->below_bytes &&
		a->copier == b->copier && a->protocol == b->protocol &&
		cost_is_same(a->latency_s, b->latency_s) && cost_is_same(a->byte_s, b->byte_s) &&
		cost_is_same(a->overhead_s, b->overhead_s);
}

static bool links_are_same(const struct tmap_profile_link *a, int a_count,
			   const struct tmap_profile_link *b, int b_count)
{
	if (a_count != b_count)
		return false;
	for (int i = 0; i < a_count; i++)
		if (!text_is_same(a[i].level, b[i].level) ||
		    !text_is_same(a[i].nodes, b[i].nodes) ||
		    !text_is_same(a[i].device, b[i].device) || a[i].cores != b[i].cores ||
		    a[i].both_ways != b[i].both_ways || a[i].is_each != b[i].is_each ||
		    !cost_is_same(a[i].byte_s, b[i].byte_s) ||
		    !cost_is_same(a[i].message_s, b[i].message_s) ||
		    !cost_is_same(a[i].oversubscription, b[i].oversubscription))
			return false;
	return true;
}

bool tmap_profile_is_same(const struct tmap_profile *a, const struct tmap_profile *b)
{
	if (a->row_count != b->row_count)
		return false;
	for (int i = 0; i < a->row_count; i++)
		if (!row_is_same(&a->row[i], &b->row[i]))
			return false;
	return links_are_same(a->link, a->link_count, b->link, b->link_count) &&
		links_are_same(a->adapter, a->adapter_count, b->adapter, b->adapter_count) &&
		links_are_same(a->memory, a->memory_count, b->memory, b->memory_count) &&
		cost_is_same(a->memory_byte_s, b->memory_byte_s) &&
		cost_is_same(a->adapter_byte_s, b->adapter_byte_s) &&
		cost_is_same(a->adapter_message_s, b->adapter_message_s) &&
		cost_is_same(a->adapter_spread, b->adapter_spread) &&
		cost_is_same(a->copy_byte_s, b->copy_byte_s) &&
		cost_is_same(a->reduce_byte_s, b->reduce_byte_s) &&
		cost_is_same(a->datatype_byte_s, b->datatype_byte_s) &&
		cost_is_same(a->shared_core_s, b->shared_core_s);
}

const struct tmap_profile *tmap_profile_find_published(const struct tmap_profile *profile)
{
	for (int i = 0; tmap_keywords_at(&tmap_profiles, (size_t)i); i++) {
		const struct tmap_profile *published = tmap_profile_at(i);

		if (strcmp(published->word.name, profile->word.name) == 0 &&
		    tmap_profile_is_same(published, profile))
			return published;
	}
	return NULL;
}

const struct tmap_profile *tmap_profile_next_other(const struct tmap_profile *profile, int *index)
{
	while (tmap_keywords_at(&tmap_profiles, (size_t)*index)) {
		const struct tmap_profile *other = tmap_profile_at((*index)++);

		if (!tmap_profile_is_same(profile, other))
			return other;
	}
	return NULL;
}
