/* SPDX-License-Identifier: BSD-3-Clause */
/* Sequences of calls of the library, right and wrong: each byte of the input picks a function, the
 * next ones its arguments, handles of any kind and NULL among them. Nothing may crash, leak, or
 * fail without a sentence. */
#include <stdint.h>
#include <stdlib.h>
#include <topomap/topomap.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { KINDS = 12, CALLS = 60 };

struct input {
	const uint8_t *at, *end;
};

static int next(struct input *in)
{
	return in->at < in->end ? *in->at++ : 0;
}

/* Ranks, levels, sizes: mostly small and right, sometimes not. */
static int number(struct input *in)
{
	int byte = next(in);

	return byte < 64 ? byte % 20 : byte < 72 ? -byte : byte == 255 ? INT32_MAX : byte % 9;
}

static const char *word(struct input *in)
{
	static const char *const words[] = {
		NULL,    "process",   "latency", "json",   "text",     "csv",   "dot",
		"c",     "node,core", "core",    "node",   "openmpi4", "slurm", "allgather",
		"bcast", "barrier",   "bruck",   "flat",   "cost",     "idle",  "moore:1",
		"0x0",   "walk",      "oak",     "summit", "sparbit",  "scan",  "neighbor_alltoall"
	};

	return words[(size_t)next(in) % (sizeof words / sizeof *words)];
}

static int visit(void *context, const struct topomap_message *message)
{
	return ++*(int *)context > 2000 ? 1 : message->from < 0;
}

/* A handle that failed must have said why. */
static void keep(void *handle[KINDS], int kind, void *made, const struct topomap_error *err,
		 void (*release)(void *))
{
	if (!made && (err->status < TOPOMAP_INPUT || err->status > TOPOMAP_SYSTEM || !*err->text))
		abort();
	if (made) {
		release(handle[kind]);
		handle[kind] = made;
	}
}

#define RELEASE(kind) \
	static void free_##kind(void *handle) \
	{ \
		topomap_##kind##_free(handle); \
	}
RELEASE(machine)
RELEASE(placement)
RELEASE(distances)
RELEASE(tree)
RELEASE(ring)
RELEASE(hierarchy)
RELEASE(lanes)
RELEASE(profile)
RELEASE(call)
RELEASE(score)
RELEASE(traffic)
RELEASE(suggestion)

enum kind {
	MACHINE,
	PLACEMENT,
	DISTANCES,
	TREE,
	RING,
	HIERARCHY,
	LANES,
	PROFILE,
	CALL,
	SCORE,
	TRAFFIC,
	SUGGESTION
};

static void (*const release[KINDS])(void *) = { free_machine, free_placement, free_distances,
						free_tree,    free_ring,      free_hierarchy,
						free_lanes,   free_profile,   free_call,
						free_score,   free_traffic,   free_suggestion };

/* The handle of a kind, now and then another one. */
static void *pick(struct input *in, void *handle[KINDS], enum kind kind)
{
	int byte = next(in);

	return byte > 240 ? handle[byte % KINDS] : handle[kind];
}

#define MAKE(kind, made) keep(handle, kind, made, &err, release[kind])

static void act(struct input *in, void *handle[KINDS], FILE *out)
{
	struct topomap_error err = { 0 };
	struct topomap_launch launch = TOPOMAP_LAUNCH_INIT;
	struct topomap_search search = TOPOMAP_SEARCH_INIT;
	const char *line[] = { next(in) % 2 ? "node:2 package:2 core:2" : "node:3 core:3" };
	const char *pus[20] = { "0", "1", NULL, "0-1", "9" }, *reason;
	int numbers[20], seen = 0, one;
	double values[20] = { 0 };
	int64_t pairs[4];
	const int *list;
	char text[16];

	for (int i = 0; i < 20; i++)
		numbers[i] = next(in) % 4;
	launch.map_by = word(in);
	launch.launcher = next(in) % 8 ? NULL : word(in);
	launch.ranks = next(in) % 2 ? 0 : number(in);
	search.mapper = next(in) % 2 ? NULL : word(in);
	search.objective = next(in) % 2 ? NULL : word(in);
	search.effort = 500;
	switch (next(in) % 34) {
	case 0:
		MAKE(MACHINE, topomap_machine_read(line, 1, &err));
		break;
	case 1:
		MAKE(PLACEMENT, topomap_placement_launch(pick(in, handle, MACHINE), &launch, &err));
		break;
	case 2:
		MAKE(PLACEMENT,
		     topomap_placement_new(pick(in, handle, MACHINE), number(in) % 5, numbers, pus,
					   &err));
		break;
	case 3:
		MAKE(PLACEMENT,
		     topomap_placement_subset(pick(in, handle, PLACEMENT), numbers, number(in) % 5,
					      &err));
		break;
	case 4:
		MAKE(DISTANCES,
		     topomap_distances_new(pick(in, handle, PLACEMENT), word(in),
					   pick(in, handle, PROFILE), &err));
		break;
	case 5:
		for (int i = 0; i < 16; i++)
			values[i] = i / 4 == i % 4 ? 0 : 1 + (i / 4 + i % 4) % 3;
		MAKE(DISTANCES, topomap_distances_new_measured(number(in) % 5, values, &err));
		break;
	case 6:
		MAKE(TREE, topomap_tree_new(pick(in, handle, DISTANCES), number(in), &err));
		break;
	case 7:
		MAKE(TREE,
		     topomap_tree_new_shape(pick(in, handle, DISTANCES), word(in), number(in),
					    &err));
		break;
	case 8:
		MAKE(RING, topomap_ring_new(pick(in, handle, DISTANCES), &err));
		break;
	case 9:
		MAKE(HIERARCHY,
		     topomap_hierarchy_new(pick(in, handle, PLACEMENT), word(in), number(in),
					   word(in), &err));
		break;
	case 10:
		MAKE(LANES, topomap_lanes_new(pick(in, handle, PLACEMENT), number(in), &err));
		break;
	case 11:
		MAKE(PROFILE, topomap_profile_read("summit", &err));
		break;
	case 12:
		MAKE(CALL,
		     topomap_call_new(word(in), word(in), number(in), number(in), number(in),
				      &err));
		break;
	case 13:
		MAKE(SCORE,
		     topomap_score_new(pick(in, handle, PLACEMENT), pick(in, handle, CALL),
				       pick(in, handle, PROFILE), &err));
		break;
	case 14:
		MAKE(TRAFFIC, topomap_traffic_new(number(in), &err));
		break;
	case 15:
		topomap_traffic_add(pick(in, handle, TRAFFIC), number(in), number(in), 100, &err);
		break;
	case 16:
		topomap_traffic_add_call(pick(in, handle, TRAFFIC), pick(in, handle, CALL), 2,
					 &err);
		break;
	case 17:
		MAKE(SUGGESTION,
		     topomap_suggestion_new(pick(in, handle, PLACEMENT), pick(in, handle, TRAFFIC),
					    pick(in, handle, PROFILE), &search, &err));
		break;
	case 18:
		topomap_tree_write(pick(in, handle, TREE), word(in), out, &err);
		break;
	case 19:
		topomap_ring_write(pick(in, handle, RING), word(in), out, &err);
		break;
	case 20:
		topomap_hierarchy_write(pick(in, handle, HIERARCHY), word(in), out, &err);
		break;
	case 21:
		topomap_lanes_write(pick(in, handle, LANES), word(in), out, &err);
		break;
	case 22:
		topomap_score_write(pick(in, handle, SCORE), word(in), out, &err);
		break;
	case 23:
		topomap_suggestion_write(pick(in, handle, SUGGESTION), out, &err);
		break;
	case 24:
		topomap_suggestion_write_launcher(pick(in, handle, SUGGESTION), word(in), out,
						  &err);
		break;
	case 25:
		topomap_call_visit(pick(in, handle, CALL), visit, &seen, &err);
		break;
	case 26:
		topomap_call_visit_rank(pick(in, handle, CALL), number(in), visit, &seen, &err);
		break;
	case 27:
		topomap_call_set_distances(pick(in, handle, CALL), pick(in, handle, DISTANCES),
					   &err);
		break;
	case 28:
		topomap_call_set_neighbors(pick(in, handle, CALL), word(in), word(in), word(in),
					   &err);
		break;
	case 29:
		topomap_machine_add_switches(pick(in, handle, MACHINE), numbers, number(in), &err);
		break;
	case 30:
		topomap_placement_pus(pick(in, handle, PLACEMENT), number(in), text, 16, &err);
		topomap_distances_count(pick(in, handle, DISTANCES), values, pairs, 4, &err);
		topomap_distances_meaning(pick(in, handle, DISTANCES), number(in), text, 16, &err);
		topomap_distances_get(pick(in, handle, DISTANCES), number(in), number(in), values,
				      &err);
		break;
	case 31:
		topomap_hierarchy_find(pick(in, handle, HIERARCHY), number(in), number(in), &one,
				       &err);
		topomap_hierarchy_members(pick(in, handle, HIERARCHY), number(in), &list, &one,
					  &err);
		topomap_lanes_members(pick(in, handle, LANES), number(in), numbers, 20, &err);
		topomap_tree_children(pick(in, handle, TREE), number(in), &list, &err);
		break;
	case 32:
		topomap_score_algorithm(pick(in, handle, SCORE), number(in), values, &reason, &err);
		topomap_score_default(pick(in, handle, SCORE), word(in), values, &err);
		free(topomap_suggestion_command(pick(in, handle, SUGGESTION), word(in), word(in),
						&err));
		break;
	case 33:
		one = next(in) % KINDS;
		release[one](handle[one]);
		handle[one] = NULL;
		break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, data + size };
	void *handle[KINDS] = { NULL };
	FILE *out = fopen("/dev/null", "w");

	for (int i = 0; out && i < CALLS && in.at < in.end; i++)
		act(&in, handle, out);
	for (int i = 0; i < KINDS; i++)
		release[i](handle[i]);
	if (out)
		fclose(out);
	return 0;
}
