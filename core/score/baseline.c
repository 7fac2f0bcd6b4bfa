#include "core/score/baseline.h"

#include "core/base/mem.h"

#include <stdlib.h>

static void contestant_fini(struct tm_contestant *it)
{
	free(it->name);
	tm_library_tell_fini(&it->knob);
	free(it->reason);
	tm_account_fini(&it->account);
}

static int name_contestant(struct tm_contestant *it, const char *name,
			   const struct tm_choice *choice,
			   const struct tm_library_whole *whole, struct tm_error *err)
{
	it->name = tm_strdup(name, err);
	if (!it->name)
		return -1;
	return choice ? tm_library_tell(&it->knob, choice, whole, err) : 0;
}

/* Takes *it over, also where there is no memory for the row. */
static int add_take(struct tm_versus *versus, struct tm_contestant *it, struct tm_error *err)
{
	if (tm_grow(&versus->row, &versus->capacity, (size_t)versus->count + 1,
		    sizeof *versus->row, err) < 0) {
		contestant_fini(it);
		return -1;
	}
	versus->row[versus->count++] = *it;
	return 0;
}

int tm_versus_add(struct tm_versus *versus, const char *name, const struct tm_choice *choice,
		  const struct tm_tree *tree, const struct tm_ring *ring, struct tm_error *err)
{
	struct tm_contestant made = { 0 };

	if (name_contestant(&made, name, choice, &versus->whole, err) < 0 ||
	    (tree ? tm_account_of_tree(&made.account, tree, versus->load, err) :
		    tm_account_of_ring(&made.account, ring, versus->load, err)) < 0) {
		contestant_fini(&made);
		return -1;
	}
	return add_take(versus, &made, err);
}

int tm_versus_add_absent(struct tm_versus *versus, const char *name,
			 const struct tm_choice *choice, const char *reason, struct tm_error *err)
{
	struct tm_contestant made = { 0 };

	if (name_contestant(&made, name, choice, &versus->whole, err) == 0)
		made.reason = tm_strdup(reason, err);
	if (!made.reason) {
		contestant_fini(&made);
		return -1;
	}
	return add_take(versus, &made, err);
}

void tm_versus_fini(struct tm_versus *versus)
{
	for (int i = 0; i < versus->count; i++)
		contestant_fini(&versus->row[i]);
	free(versus->row);
	*versus = (struct tm_versus){ 0 };
}

int tm_versus_distances(const struct tm_versus *versus, struct tm_edge_count **edges, int *count,
			struct tm_error *err)
{
	struct tm_edge_count *all = NULL;
	int found = 0;

	for (int i = 0; i < versus->count; i++)
		if (tm_edges_merge(&all, &found, versus->row[i].account.edges,
				   versus->row[i].account.edge_count, err) < 0) {
			free(all);
			return -1;
		}
	*edges = all;
	*count = found;
	return 0;
}
