/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/idset.h"
#include "core/base/mem.h"
#include "core/machine/most_ranks.h"
#include "formats/launchers/launchers.h"
#include "formats/machine/json_placement.h"
#include "lib/handles.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of struct topomap_launch in the first release. */
enum { LAUNCH_FIRST = offsetof(struct topomap_launch, bind_to) + sizeof(const char *) };

static struct topomap_placement *placement_alloc(struct tmap_error *err)
{
	return tmap_handle_new(TMAP_HANDLE_PLACEMENT, sizeof(struct topomap_placement), err);
}

/* The placement where @p status is 0; else the error is given away. */
static struct topomap_placement *placement_made(struct topomap_placement *made, int status,
						struct topomap_error *err,
						const struct tmap_error *why)
{
	if (status == 0)
		return made;
	topomap_placement_free(made);
	tmap_public_error(err, why);
	return NULL;
}

struct topomap_placement *topomap_placement_read(const char *path, struct topomap_error *err)
{
	struct topomap_placement *made = NULL;
	struct tmap_error why;
	locale_t before;
	int status = -1;

	if (tmap_argument_check(path, "path", &why) == 0 && (made = placement_alloc(&why)) &&
	    (before = tmap_locale_begin(&why))) {
		status = tmap_placement_read_json(&made->placement, path, &why);
		tmap_locale_end(before);
	}
	return placement_made(made, status, err, &why);
}

struct topomap_placement *topomap_placement_parse(const char *text, size_t length,
						  struct topomap_error *err)
{
	struct topomap_placement *made = NULL;
	struct tmap_error why;
	locale_t before;
	int status = -1;

	if (tmap_argument_check(text, "text", &why) == 0 && (made = placement_alloc(&why)) &&
	    (before = tmap_locale_begin(&why))) {
		status = tmap_placement_parse_json(&made->placement, text, length, "<text>", &why);
		tmap_locale_end(before);
	}
	return placement_made(made, status, err, &why);
}

/* The place of rank r of a new placement. */
static int place_rank(struct tmap_placement *p, int rank, int node, const char *pus,
		      struct tmap_error *err)
{
	struct tmap_idset set = { 0 };
	int topology, status;

	if (tmap_index_check(node, p->machine->node_count, "node", err) < 0)
		return tmap_wrap(err, "rank %d", rank);
	topology = p->machine->node_topology[node];
	status = pus ? tmap_idset_parse(&set, pus, INT_MAX - 1, err) :
		       tmap_topology_add_allowed(&set, &p->machine->topology[topology], err);
	if (status == 0) {
		p->node[rank] = node;
		p->place[rank] = tmap_placement_intern(p, topology, &set, NULL, pus != NULL, err);
		status = p->place[rank] == TMAP_NONE ? -1 : 0;
	}
	tmap_idset_fini(&set);
	return status < 0 ? tmap_wrap(err, "rank %d", rank) : 0;
}

static int place_all(struct tmap_placement *p, struct tmap_machine *machine, int size,
		     const int *node, const char *const *pus, struct tmap_error *err)
{
	int status;

	if (size < 1 || size > TMAP_MOST_RANKS)
		return tmap_fail(err, TMAP_USAGE, "%d ranks: a placement has 1 to %d", size,
				 TMAP_MOST_RANKS);
	if (tmap_argument_check(node, "node", err) < 0 || tmap_argument_check(pus, "pus", err) < 0)
		return -1;
	status = tmap_placement_init(p, machine, size, err);
	for (int r = 0; r < size && status == 0; r++)
		status = place_rank(p, r, node[r], pus[r], err);
	return status;
}

struct topomap_placement *topomap_placement_new(const struct topomap_machine *machine, int size,
						const int *node, const char *const *pus,
						struct topomap_error *err)
{
	struct topomap_placement *made = NULL;
	struct tmap_error why;
	int status = tmap_handle_check(machine, TMAP_HANDLE_MACHINE, &why);

	if (status == 0)
		status = (made = placement_alloc(&why)) ? 0 : -1;
	if (status == 0)
		status = place_all(&made->placement, machine->machine, size, node, pus, &why);
	if (status == 0 && !(made->placement.origin.by = tmap_strdup("libtopomap", &why)))
		status = -1;
	return placement_made(made, status, err, &why);
}

/* Options that this launcher has not are refused, not passed over. */
static int launch_check(const struct topomap_launch *launch,
			const struct tmap_launcher_policy *policy, struct tmap_error *err)
{
	const unsigned map_by = TMAP_POLICY_MAP_BY | TMAP_POLICY_DISTRIBUTION;
	const unsigned bind_to = TMAP_POLICY_BIND_TO | TMAP_POLICY_CPU_BIND;
	const struct {
		const char *name;
		bool given;
		unsigned option;
	} members[] = {
		{ "slots", launch->slots, TMAP_POLICY_SLOTS },
		{ "cpus_per_task", launch->cpus_per_task, TMAP_POLICY_CPUS_PER_TASK },
		{ "hwthreads", launch->hwthreads, TMAP_POLICY_HWTHREADS },
		{ "map_by", launch->map_by, map_by },
		{ "rank_by", launch->rank_by, TMAP_POLICY_RANK_BY },
		{ "bind_to", launch->bind_to, bind_to },
	};

	for (size_t i = 0; i < sizeof members / sizeof *members; i++)
		if (members[i].given && !(policy->options & members[i].option))
			return tmap_fail(err, TMAP_USAGE, "%s have no %s", policy->name,
					 members[i].name);
	if (launch->ranks < 0 || launch->ranks > TMAP_MOST_RANKS || launch->slots < 0 ||
	    launch->slots > TMAP_MOST_RANKS || launch->cpus_per_task < 0)
		return tmap_fail(err, TMAP_USAGE,
				 "ranks %d, slots %d, cpus_per_task %d: numbers are from 0 to %d",
				 launch->ranks, launch->slots, launch->cpus_per_task,
				 TMAP_MOST_RANKS);
	return 0;
}

static int launch_place(struct tmap_placement *p, struct tmap_machine *machine,
			const struct topomap_launch *given, struct tmap_error *err)
{
	struct topomap_launch launch = { 0 };
	const struct tmap_launcher_policy *policy;
	struct tmap_str request = TMAP_STR_INIT;
	struct tmap_policy options = TMAP_POLICY_INIT;
	int row;

	if (tmap_argument_check(given, "launch", err) < 0 ||
	    tmap_public_struct(&launch, sizeof launch, LAUNCH_FIRST, given, "topomap_launch", err) <
		    0 ||
	    (row = tmap_word_find(&tmap_launchers_placing, launch.launcher, 0, err)) == TMAP_NONE)
		return -1;
	policy = tmap_launcher_at(row)->policy;
	if (launch_check(&launch, policy, err) < 0)
		return -1;
	options.ranks = launch.ranks ? launch.ranks : TMAP_NONE;
	options.slots = launch.slots ? launch.slots : TMAP_NONE;
	options.cpus_per_task = launch.cpus_per_task ? launch.cpus_per_task : TMAP_NONE;
	options.hwthreads = launch.hwthreads;
	options.map_by = launch.map_by;
	options.rank_by = launch.rank_by;
	options.bind_to = launch.bind_to;
	if (policy->place(p, machine, &options, err) < 0)
		return -1;
	tmap_str_add(&request, policy->given);
	policy->print(&request, &options, p->machine);
	p->origin.request = tmap_str_take(&request, err);
	p->origin.by = tmap_strdup("libtopomap", err);
	return p->origin.request && p->origin.by ? 0 : -1;
}

struct topomap_placement *topomap_placement_launch(const struct topomap_machine *machine,
						   const struct topomap_launch *launch,
						   struct topomap_error *err)
{
	struct topomap_placement *made = NULL;
	struct tmap_error why;
	int status = tmap_handle_check(machine, TMAP_HANDLE_MACHINE, &why);

	if (status == 0)
		status = (made = placement_alloc(&why)) ? 0 : -1;
	if (status == 0)
		status = launch_place(&made->placement, machine->machine, launch, &why);
	return placement_made(made, status, err, &why);
}

static int read_file_of(struct tmap_placement *p, struct tmap_machine *machine,
			const char *launcher, const char *path, int ranks, struct tmap_error *err)
{
	const struct tmap_launcher *row;
	int index;

	if (tmap_argument_check(launcher, "launcher", err) < 0 ||
	    tmap_argument_check(path, "path", err) < 0 ||
	    (index = tmap_word_find(&tmap_launchers_read, launcher, 0, err)) == TMAP_NONE)
		return -1;
	row = tmap_launcher_at(index);
	if (!row->parse)
		return tmap_fail(err, TMAP_USAGE, "a file of %s only reorders ranks", launcher);
	if (ranks < 0)
		return tmap_fail(err, TMAP_USAGE, "%d ranks", ranks);
	return tmap_launcher_read(p, machine, row, path, ranks ? ranks : TMAP_NONE, err);
}

struct topomap_placement *topomap_placement_read_launcher(struct topomap_machine *machine,
							  const char *launcher, const char *path,
							  int ranks, struct topomap_error *err)
{
	struct topomap_placement *made = NULL;
	struct tmap_error why;
	locale_t before;
	int status = -1;

	if (tmap_machine_check_alone(machine, &why) == 0 && (made = placement_alloc(&why)) &&
	    (before = tmap_locale_begin(&why))) {
		status = read_file_of(&made->placement, machine->machine, launcher, path, ranks,
				      &why);
		tmap_locale_end(before);
	}
	if (status == 0 && !(made->placement.origin.by = tmap_strdup("libtopomap", &why)))
		status = -1;
	return placement_made(made, status, err, &why);
}

struct topomap_placement *topomap_placement_subset(const struct topomap_placement *placement,
						   const int *rank, int count,
						   struct topomap_error *err)
{
	struct topomap_placement *made = NULL;
	struct tmap_error why;
	int status = tmap_handle_check(placement, TMAP_HANDLE_PLACEMENT, &why);

	if (status == 0)
		status = tmap_argument_check(rank, "rank", &why);
	if (status == 0 && count < 1)
		status = tmap_fail(&why, TMAP_USAGE, "%d ranks: a communicator has at least one",
				   count);
	for (int i = 0; i < count && status == 0; i++)
		status = tmap_index_check(rank[i], placement->placement.size, "rank", &why);
	if (status == 0)
		status = (made = placement_alloc(&why)) ? 0 : -1;
	if (status == 0)
		status = tmap_placement_subset(&made->placement, &placement->placement, rank, count,
					       &why);
	return placement_made(made, status, err, &why);
}

void topomap_placement_free(struct topomap_placement *placement)
{
	if (!placement || !tmap_handle_release(placement, TMAP_HANDLE_PLACEMENT))
		return;
	tmap_placement_fini(&placement->placement);
	free(placement);
}

int topomap_placement_size(const struct topomap_placement *placement, struct topomap_error *err)
{
	struct tmap_error why;

	if (tmap_handle_check(placement, TMAP_HANDLE_PLACEMENT, &why) < 0)
		return tmap_public_error(err, &why);
	return placement->placement.size;
}

static int check_rank(const struct topomap_placement *placement, int rank, struct tmap_error *err)
{
	return tmap_handle_check(placement, TMAP_HANDLE_PLACEMENT, err) < 0 ?
		-1 :
		tmap_index_check(rank, placement->placement.size, "rank", err);
}

int topomap_placement_node(const struct topomap_placement *placement, int rank,
			   struct topomap_error *err)
{
	struct tmap_error why;

	if (check_rank(placement, rank, &why) < 0)
		return tmap_public_error(err, &why);
	return placement->placement.node[rank];
}

const char *topomap_placement_node_name(const struct topomap_placement *placement, int rank,
					struct topomap_error *err)
{
	struct tmap_error why;

	if (check_rank(placement, rank, &why) == 0)
		return placement->placement.machine->node_name[placement->placement.node[rank]];
	tmap_public_error(err, &why);
	return NULL;
}

static const struct tmap_place *place_of(const struct topomap_placement *placement, int rank)
{
	return &placement->placement.places[placement->placement.place[rank]];
}

int topomap_placement_pus(const struct topomap_placement *placement, int rank, char *text,
			  size_t size, struct topomap_error *err)
{
	struct tmap_error why;
	char *list;
	int length;

	if (check_rank(placement, rank, &why) < 0 ||
	    (size && tmap_argument_check(text, "text", &why) < 0) ||
	    !(list = tmap_idset_print(&place_of(placement, rank)->pus, &why)))
		return tmap_public_error(err, &why);
	length = tmap_public_text(text, size, list);
	free(list);
	return length;
}

int topomap_placement_is_bound(const struct topomap_placement *placement, int rank,
			       struct topomap_error *err)
{
	struct tmap_error why;

	if (check_rank(placement, rank, &why) < 0)
		return tmap_public_error(err, &why);
	return place_of(placement, rank)->bound;
}

static int write_json(FILE *out, const void *handle, struct tmap_error *err)
{
	const struct topomap_placement *it = handle;

	return tmap_placement_write_json(&it->placement, out, NULL, err);
}

int topomap_placement_write(const struct topomap_placement *placement, FILE *out,
			    struct topomap_error *err)
{
	static const struct tmap_public_writer writers[] = { { "json", write_json }, { 0 } };
	struct tmap_error why;

	if (tmap_handle_check(placement, TMAP_HANDLE_PLACEMENT, &why) < 0 ||
	    tmap_public_write(writers, "json", out, placement, &why) < 0)
		return tmap_public_error(err, &why);
	return 0;
}
