/* SPDX-License-Identifier: BSD-3-Clause */
/* `documents WHAT PLACEMENT [FORMAT]`: what the library writes of a placement document, for
 * tests/lib/documents.sh, which compares it with the command line's, and tests/torture. Errors are
 * one sentence, and their status the exit status, as those of topomap. */
#include <stdlib.h>
#include <string.h>
#include <topomap/topomap.h>

static struct topomap_error err;

static int write_tree(const struct topomap_placement *p, const char *format)
{
	struct topomap_distances *d = topomap_distances_new(p, "process", NULL, &err);
	struct topomap_tree *tree = d ? topomap_tree_new(d, 3, &err) : NULL;
	int status = tree ? topomap_tree_write(tree, format, stdout, &err) : -1;

	topomap_tree_free(tree);
	topomap_distances_free(d);
	return status;
}

static int write_ring(const struct topomap_placement *p, const char *format)
{
	struct topomap_distances *d = topomap_distances_new(p, "latency", NULL, &err);
	struct topomap_ring *ring = d ? topomap_ring_new(d, &err) : NULL;
	int status = ring ? topomap_ring_write(ring, format, stdout, &err) : -1;

	topomap_ring_free(ring);
	topomap_distances_free(d);
	return status;
}

static int write_hierarchy(const struct topomap_placement *p, const char *format)
{
	struct topomap_hierarchy *h = topomap_hierarchy_new(p, NULL, 2, "idle", &err);
	int status = h ? topomap_hierarchy_write(h, format, stdout, &err) : -1;

	topomap_hierarchy_free(h);
	return status;
}

static int write_lanes(const struct topomap_placement *p, const char *format)
{
	struct topomap_lanes *lanes = topomap_lanes_new(p, 2, &err);
	int status = lanes ? topomap_lanes_write(lanes, format, stdout, &err) : -1;

	topomap_lanes_free(lanes);
	return status;
}

static int write_score(const struct topomap_placement *p, const char *format)
{
	int size = topomap_placement_size(p, &err);
	struct topomap_profile *profile = topomap_profile_read("bluewaters", &err);
	struct topomap_call *call =
		topomap_call_new("neighbor_alltoall", NULL, size, 65536, 0, &err);
	struct topomap_score *score = NULL;
	int status = -1;

	if (profile && call && topomap_call_set_neighbors(call, "moore:1", "0x0", "1,0", &err) == 0)
		score = topomap_score_new(p, call, profile, &err);
	if (score)
		status = topomap_score_write(score, format, stdout, &err);
	topomap_score_free(score);
	topomap_call_free(call);
	topomap_profile_free(profile);
	return status;
}

/* A rankfile, or the placement behind it, for who communicates with the rank size / 2 ahead. */
static int write_mapping(const struct topomap_placement *p, const char *format)
{
	int size = topomap_placement_size(p, &err), status = 0;
	struct topomap_search search = TOPOMAP_SEARCH_INIT;
	struct topomap_traffic *traffic = topomap_traffic_new(size, &err);
	struct topomap_suggestion *found = NULL;
	struct topomap_placement *after = NULL;

	search.effort = 100000;
	search.seed = 5;
	search.objective = "cost";
	if (!traffic)
		return -1;
	for (int r = 0; r < size && status == 0; r++)
		status = topomap_traffic_add(traffic, r, (r + size / 2) % size, 1000, &err);
	if (status == 0)
		found = topomap_suggestion_new(p, traffic, NULL, &search, &err);
	if (!found)
		status = -1;
	else if (strcmp(format, "json") == 0)
		status = (after = topomap_suggestion_placement(found, &err)) ?
			topomap_placement_write(after, stdout, &err) :
			-1;
	else
		status = topomap_suggestion_write_launcher(found, format, stdout, &err);
	topomap_placement_free(after);
	topomap_suggestion_free(found);
	topomap_traffic_free(traffic);
	return status;
}

static int write_placement(const struct topomap_placement *p, const char *format)
{
	(void)format;
	return topomap_placement_write(p, stdout, &err);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*write)(const struct topomap_placement *p, const char *format);
	} rows[] = { { "placement", write_placement }, { "tree", write_tree },
		     { "ring", write_ring },           { "hierarchy", write_hierarchy },
		     { "lanes", write_lanes },         { "score", write_score },
		     { "mapping", write_mapping } };
	struct topomap_placement *p;
	int status = -1;

	if (argc < 3)
		return TOPOMAP_USAGE;
	p = topomap_placement_read(argv[2], &err);
	for (size_t i = 0; p && i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].name, argv[1]) == 0)
			status = rows[i].write(p, argc > 3 ? argv[3] : "json");
	topomap_placement_free(p);
	if (status == 0)
		return TOPOMAP_OK;
	fprintf(stderr, "documents: %s\n", err.text);
	return err.status;
}
