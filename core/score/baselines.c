#include "core/score/baselines.h"

#include "core/base/mem.h"

#include <stdlib.h>

static void contestant_fini(struct tmap_contestant *it)
{
	free(it->name);
	tmap_library_knobs_fini(&it->knob);
	free(it->reason);
	tmap_totals_fini(&it->account);
}

static int name_contestant(struct tmap_contestant *it, const char *name,
			   const struct tmap_spec *choice, const struct tmap_library_whole *whole,
			   struct tmap_error *err)
{
	it->name = tmap_strdup(name, err);
	if (!it->name)
		return -1;
	return choice ? tmap_library_knobs(&it->knob, choice, whole, err) : 0;
}

/* Takes *it over, also where there is no memory for the row. */
static int add_take(struct tmap_baselines *versus, struct tmap_contestant *it,
		    struct tmap_error *err)
{
	if (tmap_grow(&versus->row, &versus->capacity, (size_t)versus->count + 1,
		      sizeof *versus->row, err) < 0) {
		contestant_fini(it);
		return -1;
	}
	versus->row[versus->count++] = *it;
	return 0;
}

int tmap_baselines_add(struct tmap_baselines *versus, const char *name,
		       const struct tmap_spec *choice, const struct tmap_tree *tree,
		       const struct tmap_ring *ring, struct tmap_error *err)
{
	struct tmap_contestant made = { 0 };

	if (name_contestant(&made, name, choice, &versus->whole, err) < 0 ||
	    (tree ? tmap_totals_of_tree(&made.account, tree, versus->load, err) :
		    tmap_totals_of_ring(&made.account, ring, versus->load, err)) < 0) {
		contestant_fini(&made);
		return -1;
	}
	return add_take(versus, &made, err);
}

int tmap_baselines_add_absent(struct tmap_baselines *versus, const char *name,
			      const struct tmap_spec *choice, const char *reason,
			      struct tmap_error *err)
{
	struct tmap_contestant made = { 0 };

	if (name_contestant(&made, name, choice, &versus->whole, err) == 0)
		made.reason = tmap_strdup(reason, err);
	if (!made.reason) {
		contestant_fini(&made);
		return -1;
	}
	return add_take(versus, &made, err);
}

void tmap_baselines_fini(struct tmap_baselines *versus)
{
	for (int i = 0; i < versus->count; i++)
		contestant_fini(&versus->row[i]);
	free(versus->row);
	*versus = (struct tmap_baselines){ 0 };
}

int tmap_baselines_distances(const struct tmap_baselines *versus, struct tmap_edge_count **edges,
			     int *count, struct tmap_error *err)
{
	struct tmap_edge_count *all = NULL;
	int found = 0;

	for (int i = 0; i < versus->count; i++)
		if (tmap_edges_merge(&all, &found, versus->row[i].account.edges,
				     versus->row[i].account.edge_count, err) < 0) {
			free(all);
			return -1;
		}
	*edges = all;
	*count = found;
	return 0;
}
