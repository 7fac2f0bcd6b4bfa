/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/json_placement.h"

#include "core/base/mem.h"
#include "core/distance/distance.h"
#include "core/machine/adapter_choice.h"
#include "core/machine/most_ranks.h"
#include "formats/base/input.h"
#include "formats/machine/json_machine.h"
#include "formats/machine/json_setting.h"
#include "formats/machine/json_topology.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The members of "origin" and where struct tmap_origin keeps them. */
static const struct {
	const char *name;
	size_t offset;
} origins[] = {
	{ "by", offsetof(struct tmap_origin, by) },
	{ "request", offsetof(struct tmap_origin, request) },
	{ "mpi", offsetof(struct tmap_origin, mpi) },
	{ "launcher", offsetof(struct tmap_origin, launcher) },
	{ "date", offsetof(struct tmap_origin, date) },
	{ "masked_host", offsetof(struct tmap_origin, masked_host) },
};

#define ORIGINS (sizeof origins / sizeof origins[0])

static void put_origin(struct tmap_json_writer *w, const struct tmap_origin *origin)
{
	tmap_json_open(w, "origin", '{');
	for (size_t i = 0; i < ORIGINS; i++) {
		char *const *text = (const void *)((const char *)origin + origins[i].offset);

		if (*text)
			tmap_json_put_string(w, origins[i].name, *text);
	}
	tmap_json_close(w);
}

static int put_places(struct tmap_json_writer *w, const struct tmap_placement *p,
		      struct tmap_error *err)
{
	int status = 0;

	tmap_json_open(w, "places", '[');
	for (int i = 0; i < (p->others ? p->own_places : p->place_count) && status == 0; i++) {
		const struct tmap_place *place = &p->places[i];

		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_int(w, "topology", place->topology);
		status = tmap_json_put_set(w, "pus", &place->pus, err);
		tmap_json_put_object(w, "object", &p->machine->topology[place->topology],
				     place->object);
		tmap_json_put_bool(w, "bound", place->bound);
		if (status == 0 && place->memory.count)
			status = tmap_json_put_set(w, "memory", &place->memory, err);
		tmap_json_close(w);
	}
	tmap_json_close(w);
	return status;
}

int tmap_json_put_world(struct tmap_json_writer *w, const char *name,
			const struct tmap_placement *p, struct tmap_error *err)
{
	return p->world ? tmap_json_put_list(w, name, p->world, p->size, err) : 0;
}

int tmap_json_put_adapters_chosen(struct tmap_json_writer *w, const struct tmap_machine *machine,
				  struct tmap_error *err)
{
	char *names;

	if (!tmap_adapters_are_chosen(machine))
		return 0;
	names = tmap_adapters_print(machine, err);
	if (!names)
		return -1;
	tmap_json_put_string(w, "adapters_chosen", names);
	free(names);
	return 0;
}

static int put_ranks(struct tmap_json_writer *w, const struct tmap_placement *p,
		     struct tmap_error *err)
{
	tmap_json_open(w, "ranks", '{');
	if (tmap_json_put_list(w, "node", p->node, p->size, err) < 0 ||
	    tmap_json_put_list(w, "place", p->place, p->size, err) < 0 ||
	    (p->last_pu && tmap_json_put_list(w, "last_pu", p->last_pu, p->size, err) < 0) ||
	    tmap_json_put_rank_settings(w, p, err) < 0 ||
	    tmap_json_put_world(w, "world", p, err) < 0)
		return -1;
	tmap_json_close(w);
	return 0;
}

static int put_histogram(struct tmap_json_writer *w, const struct tmap_metric *metric,
			 struct tmap_error *err)
{
	int64_t *pairs = tmap_metric_count_pairs(metric, err);

	if (!pairs)
		return -1;
	tmap_json_open_line(w, "histogram", '{');
	for (int s = 0; s < metric->step_count; s++) {
		char name[TMAP_JSON_NUMBER_ROOM];

		if (pairs[s])
			tmap_json_put_int(w, tmap_json_print_double(metric->step[s].value, name),
					  pairs[s]);
	}
	tmap_json_close(w);
	free(pairs);
	return 0;
}

static int put_matrix(struct tmap_json_writer *w, const struct tmap_metric *metric,
		      struct tmap_error *err)
{
	int size = metric->placement->size;
	double *row = tmap_alloc_raw((size_t)size, sizeof *row, err);

	if (!row)
		return -1;
	tmap_json_open(w, "matrix", '[');
	for (int a = 0; a < size; a++) {
		for (int b = 0; b < size; b++)
			row[b] = tmap_metric_distance(metric, a, b);
		tmap_json_put_doubles(w, NULL, row, size);
	}
	tmap_json_close(w);
	free(row);
	return 0;
}

static int put_distances(struct tmap_json_writer *w, const struct tmap_placement *p, bool matrix,
			 struct tmap_error *err)
{
	struct tmap_metric metric;
	int status;

	if (tmap_metric_init(&metric, p, TMAP_SCALE_PROCESS, err) < 0)
		return -1;
	tmap_json_open(w, "distances", '{');
	tmap_json_put_string(w, "scale", tmap_keywords_at(&tmap_scales, TMAP_SCALE_PROCESS)->name);
	status = put_histogram(w, &metric, err);
	if (status == 0 && matrix)
		status = put_matrix(w, &metric, err);
	tmap_json_close(w);
	tmap_metric_fini(&metric);
	return status;
}

static int put_members(struct tmap_json_writer *w, const struct tmap_placement *p,
		       const struct tmap_placement_json_options *options, struct tmap_error *err)
{
	tmap_json_put_int(w, "size", p->size);
	put_origin(w, &p->origin);
	if (tmap_json_put_machine(w, p->machine, err) < 0 || put_places(w, p, err) < 0)
		return -1;
	tmap_json_put_settings(w, p);
	if (put_ranks(w, p, err) < 0)
		return -1;
	return put_distances(w, p, options && options->matrix, err);
}

int tmap_json_put_placement(struct tmap_json_writer *w, const char *name,
			    const struct tmap_placement *p,
			    const struct tmap_placement_json_options *options,
			    struct tmap_error *err)
{
	tmap_json_open_kind(w, name, "placement");
	if (put_members(w, p, options, err) < 0)
		return -1;
	tmap_json_close(w);
	return 0;
}

int tmap_placement_write_json(const struct tmap_placement *p, FILE *out,
			      const struct tmap_placement_json_options *options,
			      struct tmap_error *err)
{
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "placement");
	return put_members(&w, p, options, err) < 0 ? -1 : tmap_json_end(&w, err);
}

static int get_origin(const struct tmap_json *in, struct tmap_origin *origin,
		      struct tmap_error *err)
{
	struct tmap_json found;

	if (tmap_json_find(in, "origin", TMAP_JSON_OBJECT, &found, err) < 0)
		return -1;
	for (size_t i = 0; found.value && i < ORIGINS; i++) {
		char **text = (void *)((char *)origin + origins[i].offset);
		const char *value = NULL;

		if (tmap_json_find_string(&found, origins[i].name, &value, err) < 0)
			return -1;
		if (!value)
			continue;
		*text = tmap_strdup(value, err);
		if (!*text)
			return -1;
	}
	return 0;
}

static int get_memory(const struct tmap_json *in, const struct tmap_topology *topo,
		      struct tmap_idset *memory, struct tmap_error *err)
{
	struct tmap_json found;

	if (tmap_json_find_set(in, "memory", TMAP_JSON_MOST_OS, memory, err) < 0 ||
	    tmap_json_find(in, "memory", TMAP_JSON_ANY, &found, err) < 0)
		return -1;
	for (int os = tmap_idset_next(memory, TMAP_NONE); os != TMAP_NONE;
	     os = tmap_idset_next(memory, os)) {
		int i = 0;

		while (i < topo->memory_count && topo->memory[i].os != os)
			i++;
		if (i == topo->memory_count)
			return tmap_json_fail(&found, err,
					      "NUMA node %d does not exist on this node", os);
	}
	return 0;
}

static int add_place(const struct tmap_json *in, struct tmap_placement *p, int topology,
		     struct tmap_error *err)
{
	struct tmap_idset pus = { 0 }, memory = { 0 };
	bool bound = true;
	int status = -1;

	if (tmap_json_find_set(in, "pus", TMAP_JSON_MOST_OS, &pus, err) < 0 ||
	    get_memory(in, &p->machine->topology[topology], &memory, err) < 0 ||
	    tmap_json_find_bool(in, "bound", &bound, err) < 0)
		goto out;
	if (tmap_placement_add_place(p, topology, &pus, &memory, bound, err) == TMAP_NONE)
		tmap_json_wrap(in, err);
	else
		status = 0;
out:
	tmap_idset_fini(&pus);
	tmap_idset_fini(&memory);
	return status;
}

static int get_places(const struct tmap_json *in, struct tmap_placement *p, const int *topology_of,
		      int topology_count, struct tmap_error *err)
{
	struct tmap_json array, element;
	int topology;

	if (tmap_json_get(in, "places", TMAP_JSON_ARRAY, &array, err) < 0)
		return -1;
	for (int i = 0; i < tmap_json_count(&array); i++)
		if (tmap_json_element(&array, i, TMAP_JSON_OBJECT, &element, err) < 0 ||
		    tmap_json_get_index(&element, "topology", topology_count, "topologies",
					&topology, err) < 0 ||
		    add_place(&element, p, topology_of[topology], err) < 0)
			return -1;
	return 0;
}

/* The PUs of each topology as sets of OS indexes: [topology_count]. */
static struct tmap_idset *collect_pus(const struct tmap_machine *machine, struct tmap_error *err)
{
	struct tmap_idset *pus = tmap_alloc((size_t)machine->topology_count, sizeof *pus, err);

	for (int t = 0; pus && t < machine->topology_count; t++) {
		const struct tmap_topology *topo = &machine->topology[t];

		for (int i = 0; i < topo->pu_count; i++) {
			if (tmap_idset_add(&pus[t], topo->pu[i].os, err) == 0)
				continue;
			while (t >= 0)
				tmap_idset_fini(&pus[t--]);
			free(pus);
			return NULL;
		}
	}
	return pus;
}

static int check_last_pus(const struct tmap_json *in, const struct tmap_placement *p,
			  struct tmap_error *err)
{
	const struct tmap_machine *machine = p->machine;
	struct tmap_idset *pus = collect_pus(machine, err);
	int status = pus ? 0 : -1;

	for (int r = 0; r < p->size && status == 0; r++)
		if (!tmap_idset_contains(&pus[machine->node_topology[p->node[r]]], p->last_pu[r]))
			status = tmap_json_fail(in, err,
						"rank %d last ran on PU %d, which does not "
						"exist on its node '%.64s'",
						r, p->last_pu[r], machine->node_name[p->node[r]]);
	for (int t = 0; pus && t < machine->topology_count; t++)
		tmap_idset_fini(&pus[t]);
	free(pus);
	return status;
}

static int get_last_pus(const struct tmap_json *in, struct tmap_placement *p,
			struct tmap_error *err)
{
	struct tmap_json found;

	if (tmap_json_find(in, "last_pu", TMAP_JSON_ANY, &found, err) < 0)
		return -1;
	if (!found.value)
		return 0;
	p->last_pu = tmap_json_list(&found, p->size, 0, TMAP_JSON_MOST_OS, err);
	return p->last_pu ? check_last_pus(&found, p, err) : -1;
}

static int compare_numbers(const void *a, const void *b)
{
	int left = *(const int *)a, right = *(const int *)b;

	return (left > right) - (left < right);
}

/* Numbers in the whole job, each once. */
static int get_world(const struct tmap_json *in, struct tmap_placement *p, struct tmap_error *err)
{
	struct tmap_json found;
	int *sorted, status = 0;

	if (tmap_json_find(in, "world", TMAP_JSON_ANY, &found, err) < 0)
		return -1;
	if (!found.value)
		return 0;
	p->world = tmap_json_list(&found, p->size, 0, TMAP_MOST_RANKS - 1, err);
	sorted = p->world ? tmap_alloc_raw((size_t)p->size, sizeof *sorted, err) : NULL;
	if (!sorted)
		return -1;
	memcpy(sorted, p->world, (size_t)p->size * sizeof *sorted);
	qsort(sorted, (size_t)p->size, sizeof *sorted, compare_numbers);
	for (int r = 1; r < p->size && status == 0; r++)
		if (sorted[r] == sorted[r - 1])
			status = tmap_json_fail(&found, err, "rank %d stands in the list twice",
						sorted[r]);
	free(sorted);
	return status;
}

/* The lists before the placement: a size that nothing stands for is refused without memory. */
static int get_ranks(const struct tmap_json *in, struct tmap_placement *p,
		     struct tmap_machine *machine, struct tmap_error *err)
{
	struct tmap_json ranks, places;
	int size, *node, *place = NULL;

	if (tmap_json_get_int(in, "size", 1, TMAP_MOST_RANKS, &size, err) < 0 ||
	    tmap_json_get(in, "places", TMAP_JSON_ARRAY, &places, err) < 0 ||
	    tmap_json_get(in, "ranks", TMAP_JSON_OBJECT, &ranks, err) < 0)
		return -1;
	if (tmap_most_ranks_check(size, tmap_most_ranks(machine), "ranks", err) < 0)
		return tmap_json_wrap(in, err);
	if (!tmap_json_count(&places))
		return tmap_json_fail(&places, err, "there is no place for the ranks");
	node = tmap_json_get_list(&ranks, "node", size, 0, machine->node_count - 1, err);
	if (node)
		place = tmap_json_get_list(&ranks, "place", size, 0, tmap_json_count(&places) - 1,
					   err);
	if (!place) {
		free(node);
		return -1;
	}
	tmap_placement_init_take(p, machine, size, node, place);
	return get_last_pus(&ranks, p, err) < 0 ? -1 : get_world(&ranks, p, err);
}

int tmap_json_get_placement(const struct tmap_json *in, struct tmap_placement *p,
			    struct tmap_error *err)
{
	struct tmap_placement made = { 0 };
	struct tmap_machine *machine;
	int *topology_of, topology_count, status = -1;

	if (tmap_json_check_kind(in, "placement", err) < 0)
		return -1;
	machine = tmap_json_get_machine(in, &topology_of, &topology_count, err);
	if (!machine)
		return -1;
	if (get_ranks(in, &made, machine, err) == 0 &&
	    get_places(in, &made, topology_of, topology_count, err) == 0 &&
	    tmap_json_get_settings(in, &made, err) == 0 && get_origin(in, &made.origin, err) == 0)
		status = tmap_placement_check(&made, err) < 0 ? tmap_json_wrap(in, err) : 0;
	if (status == 0)
		*p = made;
	else
		tmap_placement_fini(&made);
	free(topology_of);
	tmap_machine_free(machine);
	return status;
}

/* Of a document of another kind that carries a placement, its member. */
static int get_carried(const struct tmap_json *doc, const char *kind, struct tmap_placement *p,
		       struct tmap_error *err)
{
	struct tmap_json carried;

	if (tmap_json_check_kind(doc, kind, err) < 0 ||
	    tmap_json_find(doc, "placement", TMAP_JSON_OBJECT, &carried, err) < 0)
		return -1;
	if (!carried.value)
		return tmap_json_fail(doc, err,
				      "a placement is expected, and this %.32s document carries "
				      "none",
				      kind);
	return tmap_json_get_placement(&carried, p, err);
}

int tmap_json_get_carried_placement(const struct tmap_json *doc, struct tmap_placement *p,
				    struct tmap_error *err)
{
	const char *kind = "placement";

	if (tmap_json_is(doc, TMAP_JSON_OBJECT) &&
	    tmap_json_find_string(doc, "kind", &kind, err) < 0)
		return -1;
	return strcmp(kind, "placement") == 0 ? tmap_json_get_placement(doc, p, err) :
						get_carried(doc, kind, p, err);
}

static int take_document(struct tmap_json *doc, struct tmap_placement *p, const char *name,
			 struct tmap_error *err)
{
	int status = tmap_json_get_carried_placement(doc, p, err);

	tmap_json_fini(doc);
	return status < 0 ? tmap_at(err, name, 0) : 0;
}

int tmap_placement_read_json(struct tmap_placement *p, const char *path, struct tmap_error *err)
{
	struct tmap_json doc;

	if (tmap_json_read(&doc, path, err) < 0)
		return -1;
	return take_document(&doc, p, tmap_input_name(path), err);
}

int tmap_placement_parse_json(struct tmap_placement *p, const char *text, size_t length,
			      const char *name, struct tmap_error *err)
{
	struct tmap_json doc;

	if (tmap_json_parse(&doc, text, length, name, err) < 0)
		return -1;
	return take_document(&doc, p, name, err);
}
