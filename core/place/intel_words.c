/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/intel.h"

#include "core/base/units.h"

#include <limits.h>
#include <string.h>

static const struct tmap_keyword order_rows[] = {
	[TMAP_INTEL_BUNCH] = { "bunch", "the ranks in equal parts on the sockets, close together" },
	[TMAP_INTEL_COMPACT] = { "compact", "from left to right" },
	[TMAP_INTEL_RANGE] = { "range", "by the system's indexes" },
	[TMAP_INTEL_SCATTER] = { "scatter", "the next rank on the next socket" },
	[TMAP_INTEL_SPREAD] = { "spread", "from left to right, if all domains are taken" },
	{ NULL, NULL },
};

const struct tmap_keywords tmap_intel_orders = TMAP_KEYWORDS("order", order_rows);

/* Words of I_MPI_PIN_DOMAIN. */
static const struct shape {
	const char *name;
	enum tmap_intel_domain domain;
	enum tmap_type type;
	bool has_layout;
} shapes[] = {
	{ "auto", TMAP_INTEL_AUTO, TMAP_NODE, true },
	{ "omp", TMAP_INTEL_OMP, TMAP_NODE, true },
	{ "core", TMAP_INTEL_OBJECTS, TMAP_CORE, false },
	{ "socket", TMAP_INTEL_OBJECTS, TMAP_PACKAGE, false },
	{ "sock", TMAP_INTEL_OBJECTS, TMAP_PACKAGE, false },
	{ "numa", TMAP_INTEL_OBJECTS, TMAP_NUMA, false },
	{ "node", TMAP_INTEL_OBJECTS, TMAP_NODE, false },
	{ "cache1", TMAP_INTEL_OBJECTS, TMAP_L1, false },
	{ "cache2", TMAP_INTEL_OBJECTS, TMAP_L2, false },
	{ "cache3", TMAP_INTEL_OBJECTS, TMAP_L3, false },
	{ "cache", TMAP_INTEL_CACHE, TMAP_NODE, false },
};

static int parse_layout(struct tmap_intel_request *rq, const char *text, struct tmap_error *err)
{
	rq->platform = strcmp(text, "platform") == 0;
	if (strcmp(text, "scatter") == 0)
		return tmap_fail(err, TMAP_INPUT,
				 "which CPUs the layout 'scatter' takes is not documented exactly; "
				 "compact and platform are imitated");
	if (rq->platform || strcmp(text, "compact") == 0)
		return 0;
	return tmap_fail(err, TMAP_INPUT, "unknown layout '%.40s' (one of: compact, platform)",
			 text);
}

int tmap_intel_parse_domain(struct tmap_intel_request *rq, const char *text, struct tmap_error *err)
{
	size_t length = strcspn(text, ":");
	const char *layout = text[length] ? text + length + 1 : NULL;
	char number[12] = "";
	int64_t size;

	rq->platform = false;
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		const struct shape *shape = &shapes[i];

		if (strlen(shape->name) != length || strncmp(shape->name, text, length) != 0)
			continue;
		rq->domain = shape->domain;
		rq->type = shape->type;
		if (layout && !shape->has_layout)
			return tmap_fail(err, TMAP_INPUT,
					 "'%s' has no layout: auto, omp and numbers have one",
					 shape->name);
		return layout ? parse_layout(rq, layout, err) : 0;
	}
	if (!length || length >= sizeof number || strspn(text, "0123456789") != length)
		return tmap_fail(err, TMAP_INPUT,
				 "unknown domain '%.40s' (one of: core, socket, numa, node, "
				 "cache1, cache2, cache3, cache, auto, omp, a number of CPUs, "
				 "[masks])",
				 text);
	memcpy(number, text, length);
	if (tmap_units_parse_int(number, 1, INT_MAX, &size, err) < 0)
		return -1;
	rq->domain = TMAP_INTEL_SIZE;
	rq->size = (int)size;
	return layout ? parse_layout(rq, layout, err) : 0;
}
