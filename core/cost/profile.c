/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/profile.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

static const struct tmap_keyword copiers[] = {
	[TMAP_COPIER_UNKNOWN] = { "unknown", "within a node both, else the adapter" },
	[TMAP_COPIER_RECEIVER] = { "receiver", "the receiver pulls: KNEM, CMA, XPMEM" },
	[TMAP_COPIER_SENDER] = { "sender", "the sender pushes" },
	[TMAP_COPIER_SHARED] = { "shared_memory", "both, in and out of shared memory" },
	[TMAP_COPIER_ADAPTER] = { "adapter", "neither of the two ranks" },
	{ NULL, NULL },
};

static const struct tmap_keyword protocols[] = {
	[TMAP_PROTOCOL_UNKNOWN] = { "unknown", "nothing is known" },
	[TMAP_PROTOCOL_EAGER] = { "eager", "sent at once" },
	[TMAP_PROTOCOL_RENDEZVOUS] = { "rendezvous", "sent when the receiver is ready" },
	{ NULL, NULL },
};

const struct tmap_keywords tmap_copiers = TMAP_KEYWORDS("copier", copiers);
const struct tmap_keywords tmap_protocols = TMAP_KEYWORDS("protocol", protocols);

const struct tmap_profile_row *tmap_profile_find(const struct tmap_profile *profile,
						 double distance, int64_t bytes)
{
	const struct tmap_profile_row *row = profile->row;
	int begin = 0;

	for (int i = 0; i < profile->row_count; i++)
		if (row[i].distance != row[begin].distance && row[i].distance <= distance)
			begin = i;
	while (bytes >= row[begin].below_bytes && row[begin].below_bytes != INT64_MAX)
		begin++;
	return &row[begin];
}

int tmap_profile_count_points(const struct tmap_profile *profile, int distance, int *first)
{
	int end, begin = 0;

	while (begin < profile->point_count && profile->point[begin].distance < distance)
		begin++;
	end = begin;
	while (end < profile->point_count && profile->point[end].distance == distance)
		end++;
	*first = begin;
	return end - begin;
}

const struct tmap_profile_limit tmap_profile_seconds = { 1e-15, 1000,
							 "is not in 1e-15 to 1000 seconds, nor 0" };
const struct tmap_profile_limit tmap_profile_byte_seconds = {
	1e-18, 1, "is not in 1e-18 to 1 seconds a byte, nor 0"
};
const struct tmap_profile_limit tmap_profile_oversubscription = { 1e-6, 1e6,
								  "is not in 1e-06 to 1e+06" };

bool tmap_profile_is_within(const struct tmap_profile_limit *limit, double value)
{
	return value == 0 || (value >= limit->least && value <= limit->most);
}

static int profile_check_row(const struct tmap_profile *profile, int i, struct tmap_error *err)
{
	const struct tmap_profile_row *row = &profile->row[i];
	bool is_last = i + 1 == profile->row_count || row[1].distance != row->distance;
	const struct {
		const char *name;
		double value;
		const struct tmap_profile_limit *limit;
	} cost[] = { { "latency", row->latency_s, &tmap_profile_seconds },
		     { "overhead", row->overhead_s, &tmap_profile_seconds },
		     { "cost of a byte", row->byte_s, &tmap_profile_byte_seconds } };

	for (size_t c = 0; c < sizeof cost / sizeof cost[0]; c++)
		if (!tmap_profile_is_within(cost[c].limit, cost[c].value))
			return tmap_fail(err, TMAP_INPUT,
					 "row %d of the cost profile: the %s, %g, %s", i,
					 cost[c].name, cost[c].value, cost[c].limit->rule);
	if (row->distance < 1 || (i && row->distance < row[-1].distance))
		return tmap_fail(err, TMAP_INPUT,
				 "row %d of the cost profile: distance %d is below %d", i,
				 row->distance, i ? row[-1].distance : 1);
	if (row->below_bytes < 1 ||
	    (i && row->distance == row[-1].distance && row->below_bytes <= row[-1].below_bytes))
		return tmap_fail(err, TMAP_INPUT,
				 "row %d of the cost profile: the sizes of distance %d "
				 "do not rise at %" PRId64 " bytes",
				 i, row->distance, row->below_bytes);
	if (is_last && row->below_bytes != INT64_MAX)
		return tmap_fail(err, TMAP_INPUT,
				 "row %d of the cost profile: distance %d has no row "
				 "for messages of %" PRId64 " bytes",
				 i, row->distance, row->below_bytes);
	return 0;
}

static int profile_check_links(const struct tmap_profile_link *link, int count, const char *what,
			       struct tmap_error *err)
{
	for (int i = 0; i < count; i++) {
		const struct {
			const char *name;
			double value;
			const struct tmap_profile_limit *limit;
		} cost[] = {
			{ "cost of a byte", link[i].byte_s, &tmap_profile_byte_seconds },
			{ "cost of a message", link[i].message_s, &tmap_profile_seconds },
			{ "oversubscription", link[i].oversubscription,
			  &tmap_profile_oversubscription },
		};

		for (size_t c = 0; c < sizeof cost / sizeof cost[0]; c++)
			if (!tmap_profile_is_within(cost[c].limit, cost[c].value))
				return tmap_fail(err, TMAP_INPUT,
						 "the cost profile: the %s of %s '%s', %g, %s",
						 cost[c].name, what,
						 link[i].level ? link[i].level : "", cost[c].value,
						 cost[c].limit->rule);
	}
	return 0;
}

int tmap_profile_check(const struct tmap_profile *profile, struct tmap_error *err)
{
	const struct {
		const char *name;
		double value;
		const struct tmap_profile_limit *limit;
	} rate[] = {
		{ "a byte of memory", profile->memory_byte_s, &tmap_profile_byte_seconds },
		{ "a byte of an adapter", profile->adapter_byte_s, &tmap_profile_byte_seconds },
		{ "a message of an adapter", profile->adapter_message_s, &tmap_profile_seconds },
		{ "a byte copied", profile->copy_byte_s, &tmap_profile_byte_seconds },
		{ "a byte reduced", profile->reduce_byte_s, &tmap_profile_byte_seconds },
		{ "a byte of a derived datatype", profile->datatype_byte_s,
		  &tmap_profile_byte_seconds },
		{ "a shared core", profile->shared_core_s, &tmap_profile_seconds },
	};

	if (profile->row_count < 1)
		return tmap_fail(err, TMAP_INPUT, "the cost profile has costs of no distance");
	for (int i = 0; i < profile->row_count; i++)
		if (profile_check_row(profile, i, err) < 0)
			return -1;
	for (size_t i = 0; i < sizeof rate / sizeof rate[0]; i++)
		if (!tmap_profile_is_within(rate[i].limit, rate[i].value))
			return tmap_fail(err, TMAP_INPUT,
					 "the cost profile: the cost of %s, %g, %s", rate[i].name,
					 rate[i].value, rate[i].limit->rule);
	if (profile_check_links(profile->link, profile->link_count, "level", err) < 0 ||
	    profile_check_links(profile->adapter, profile->adapter_count, "adapters", err) < 0)
		return -1;
	return profile_check_links(profile->memory, profile->memory_count, "memory", err);
}
