/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/profile_vary.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Process distances (core/distance/distance.h) of ranks whose packages differ. */
enum { OTHER_PACKAGE = 3, OTHER_CONTROLLER = 4 };

enum part { NOWHERE, WITHIN_NODES, BETWEEN_PACKAGES, BETWEEN_NODES };

/* Factors of the costs of one part. */
struct variation {
	const char *words;
	enum part part;
	double latency, byte;
	double taper; /* leaf switches with so many times more below than above them; 0: as they are */
	int64_t eager_bytes; /* messages of fewer bytes are eager, whatever the profile says */
};

static const struct variation variations[] = {
	{ "", NOWHERE, 1, 1, 0, 0 },
	{ "rate between nodes x 1/2", BETWEEN_NODES, 1, 2, 0, 0 },
	{ "rate between nodes x 2", BETWEEN_NODES, 1, 0.5, 0, 0 },
	{ "latency between nodes x 1/2", BETWEEN_NODES, 0.5, 1, 0, 0 },
	{ "latency between nodes x 2", BETWEEN_NODES, 2, 1, 0, 0 },
	{ "messages below 64 KiB are eager", NOWHERE, 1, 1, 0, 65536 },
	{ "rate between packages x 1/2", BETWEEN_PACKAGES, 1, 2, 0, 0 },
	{ "rate between packages x 2", BETWEEN_PACKAGES, 1, 0.5, 0, 0 },
	{ "latency between packages x 1/2", BETWEEN_PACKAGES, 0.5, 1, 0, 0 },
	{ "latency between packages x 2", BETWEEN_PACKAGES, 2, 1, 0, 0 },
	{ "rate within nodes x 1/2", WITHIN_NODES, 1, 2, 0, 0 },
	{ "rate within nodes x 2", WITHIN_NODES, 1, 0.5, 0, 0 },
	{ "latency within nodes x 1/2", WITHIN_NODES, 0.5, 1, 0, 0 },
	{ "latency within nodes x 2", WITHIN_NODES, 2, 1, 0, 0 },
	{ "half as many links above leaf switches as below", NOWHERE, 1, 1, 2, 0 },
};

enum { VARIATIONS = sizeof variations / sizeof variations[0] };

int tmap_profile_variations(void)
{
	return VARIATIONS;
}

const char *tmap_profile_variation(int number)
{
	return variations[number].words;
}

static bool row_is_of(const struct tmap_profile_row *row, enum part part)
{
	switch (part) {
	case WITHIN_NODES:
		return row->distance < TMAP_PROFILE_OTHER_NODE;
	case BETWEEN_PACKAGES:
		return row->distance < TMAP_PROFILE_OTHER_NODE && row->distance >= OTHER_PACKAGE &&
			row->distance != OTHER_CONTROLLER;
	case BETWEEN_NODES:
		return row->distance >= TMAP_PROFILE_OTHER_NODE;
	default:
		return false;
	}
}

static bool link_is_of(const struct tmap_profile_link *link, enum part part)
{
	bool is_far = strcmp(link->level, TMAP_PROFILE_NETWORK) == 0 ||
		strncmp(link->level, "switch", strlen("switch")) == 0;

	if (part == BETWEEN_PACKAGES)
		return strcmp(link->level, "package") == 0;
	return part == BETWEEN_NODES ? is_far : part == WITHIN_NODES && !is_far;
}

static void links_scale(struct tmap_profile_link *link, int count, enum part part, double factor)
{
	for (int i = 0; i < count; i++)
		if (!link[i].level || link_is_of(&link[i], part)) {
			link[i].byte_s *= factor;
			link[i].message_s *= factor;
		}
}

/* What a node's memory and adapters take. */
static void profile_scale(struct tmap_profile *p, enum part part, double factor)
{
	if (part == WITHIN_NODES) {
		p->memory_byte_s *= factor;
		p->copy_byte_s *= factor;
		p->reduce_byte_s *= factor;
	} else if (part == BETWEEN_NODES) {
		p->adapter_byte_s *= factor;
		p->adapter_message_s *= factor;
	}
}

/* Switches that the profile knows stay as they are. */
static void taper(struct tmap_profile_varied *varied, double oversubscription)
{
	struct tmap_profile *p = &varied->profile;

	for (int i = 0; i < p->link_count; i++)
		if (strncmp(varied->link[i].level, "switch", strlen("switch")) == 0)
			return;
	varied->link[p->link_count++] =
		(struct tmap_profile_link){ .level = "switch1",
					    .oversubscription = oversubscription };
}

static double message_seconds(const struct tmap_profile *p, int distance, int64_t bytes)
{
	const struct tmap_profile_row *row = tmap_profile_find(p, distance, bytes);

	return row->latency_s + (double)bytes * row->byte_s;
}

/* What a message takes within a node, over that between nodes. */
static double near_over_far(const struct tmap_profile *p, int distance, int64_t bytes)
{
	double far = message_seconds(p, TMAP_PROFILE_OTHER_NODE, bytes);

	return far > 0 ? message_seconds(p, distance, bytes) / far : 1;
}

bool tmap_profile_varied_is_plausible(const struct tmap_profile_varied *varied,
				      const struct tmap_profile *profile)
{
	static const struct {
		int distance;
		int64_t bytes;
	} messages[] = {
		{ 1, 8 }, { 1, 1048576 }, { OTHER_PACKAGE, 8 }, { OTHER_PACKAGE, 1048576 }
	};

	for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
		int distance = messages[i].distance;
		double ratio = near_over_far(&varied->profile, distance, messages[i].bytes);
		double own = near_over_far(profile, distance, messages[i].bytes);

		if (ratio > fmax(1, own) * (1 + 1e-9))
			return false;
	}
	return true;
}

/* The rows as they are varied, with one more where the eager messages end within one. */
static void rows_vary(struct tmap_profile_varied *varied, const struct tmap_profile *profile,
		      const struct variation *variation)
{
	int64_t from = 0, eager = variation->eager_bytes;
	int count = 0;

	for (int i = 0; i < profile->row_count; i++) {
		struct tmap_profile_row row = profile->row[i];

		if (i == 0 || row.distance != profile->row[i - 1].distance)
			from = 0;
		if (row_is_of(&row, variation->part)) {
			row.latency_s *= variation->latency;
			row.overhead_s *= variation->latency;
			row.byte_s *= variation->byte;
		}
		if (from < eager && row.protocol != TMAP_PROTOCOL_EAGER) {
			varied->row[count] = row;
			varied->row[count].protocol = TMAP_PROTOCOL_EAGER;
			if (row.below_bytes > eager)
				varied->row[count].below_bytes = eager;
			count++;
		}
		if (from >= eager || row.below_bytes > eager || row.protocol == TMAP_PROTOCOL_EAGER)
			varied->row[count++] = row;
		from = row.below_bytes;
	}
	varied->profile.row = varied->row;
	varied->profile.row_count = count;
}

int tmap_profile_vary(struct tmap_profile_varied *varied, const struct tmap_profile *profile,
		      int number, struct tmap_error *err)
{
	const struct variation *variation = &variations[number];
	struct tmap_profile *p = &varied->profile;
	size_t rows = (size_t)profile->row_count, links = (size_t)profile->link_count;
	size_t adapters = (size_t)profile->adapter_count;

	*varied = (struct tmap_profile_varied){ .profile = *profile };
	varied->row = tmap_alloc_raw(2 * rows, sizeof *varied->row, err);
	varied->link = tmap_alloc(links + 1, sizeof *varied->link, err);
	varied->adapter = tmap_alloc(adapters + 1, sizeof *varied->adapter, err);
	if (!varied->row || !varied->link || !varied->adapter)
		return -1;
	if (links)
		memcpy(varied->link, profile->link, links * sizeof *varied->link);
	if (adapters)
		memcpy(varied->adapter, profile->adapter, adapters * sizeof *varied->adapter);
	rows_vary(varied, profile, variation);
	p->link = varied->link;
	p->adapter = varied->adapter;
	links_scale(varied->link, p->link_count, variation->part, variation->byte);
	if (variation->part == BETWEEN_NODES)
		links_scale(varied->adapter, p->adapter_count, variation->part, variation->byte);
	profile_scale(p, variation->part, variation->byte);
	if (variation->taper > 0)
		taper(varied, variation->taper);
	return 0;
}

void tmap_profile_varied_fini(struct tmap_profile_varied *varied)
{
	free(varied->row);
	free(varied->link);
	free(varied->adapter);
	*varied = (struct tmap_profile_varied){ 0 };
}
