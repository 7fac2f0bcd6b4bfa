#include "formats/machine/json_placement.h"

#include "core/distance/distance.h"
#include "core/base/mem.h"
#include "formats/base/file.h"
#include "formats/machine/json_machine.h"
#include "formats/machine/json_topology.h"

#include <stddef.h>
#include <stdlib.h>

/* The members of "origin" and where struct tm_origin keeps them. */
static const struct {
	const char *name;
	size_t offset;
} origins[] = {
	{ "by", offsetof(struct tm_origin, by) },
	{ "request", offsetof(struct tm_origin, request) },
	{ "mpi", offsetof(struct tm_origin, mpi) },
	{ "launcher", offsetof(struct tm_origin, launcher) },
	{ "date", offsetof(struct tm_origin, date) },
};

#define ORIGINS (sizeof origins / sizeof origins[0])

static void put_origin(struct tm_json_writer *w, const struct tm_origin *origin)
{
	tm_json_open(w, "origin", '{');
	for (size_t i = 0; i < ORIGINS; i++) {
		char *const *text = (const void *)((const char *)origin + origins[i].offset);

		if (*text)
			tm_json_put_string(w, origins[i].name, *text);
	}
	tm_json_close(w);
}

static int put_places(struct tm_json_writer *w, const struct tm_placement *p, struct tm_error *err)
{
	int status = 0;

	tm_json_open(w, "places", '[');
	for (int i = 0; i < p->place_count && status == 0; i++) {
		const struct tm_place *place = &p->places[i];

		tm_json_open_line(w, NULL, '{');
		tm_json_put_int(w, "topology", place->topology);
		status = tm_json_put_set(w, "pus", &place->pus, err);
		tm_json_put_object(w, "object", &p->machine->topology[place->topology],
				   place->object);
		tm_json_put_bool(w, "bound", place->bound);
		if (status == 0 && place->memory.count)
			status = tm_json_put_set(w, "memory", &place->memory, err);
		tm_json_close(w);
	}
	tm_json_close(w);
	return status;
}

static int put_ranks(struct tm_json_writer *w, const struct tm_placement *p, struct tm_error *err)
{
	tm_json_open(w, "ranks", '{');
	if (tm_json_put_list(w, "node", p->node, p->size, err) < 0 ||
	    tm_json_put_list(w, "place", p->place, p->size, err) < 0 ||
	    (p->last_pu && tm_json_put_list(w, "last_pu", p->last_pu, p->size, err) < 0))
		return -1;
	tm_json_close(w);
	return 0;
}

static int put_histogram(struct tm_json_writer *w, const struct tm_metric *metric,
			 struct tm_error *err)
{
	int64_t *pairs = tm_metric_count_pairs(metric, err);

	if (!pairs)
		return -1;
	tm_json_open_line(w, "histogram", '{');
	for (int s = 0; s < metric->step_count; s++) {
		char name[TM_JSON_NUMBER_ROOM];

		if (pairs[s])
			tm_json_put_int(w, tm_json_print_double(metric->step[s].value, name),
					pairs[s]);
	}
	tm_json_close(w);
	free(pairs);
	return 0;
}

static int put_matrix(struct tm_json_writer *w, const struct tm_metric *metric, struct tm_error *err)
{
	int size = metric->placement->size;
	double *row = tm_alloc_raw((size_t)size, sizeof *row, err);

	if (!row)
		return -1;
	tm_json_open(w, "matrix", '[');
	for (int a = 0; a < size; a++) {
		for (int b = 0; b < size; b++)
			row[b] = tm_metric_distance(metric, a, b);
		tm_json_put_doubles(w, NULL, row, size);
	}
	tm_json_close(w);
	free(row);
	return 0;
}

static int put_distances(struct tm_json_writer *w, const struct tm_placement *p, bool matrix,
			 struct tm_error *err)
{
	struct tm_metric metric;
	int status;

	if (tm_metric_init(&metric, p, TM_SCALE_PROCESS, err) < 0)
		return -1;
	tm_json_open(w, "distances", '{');
	tm_json_put_string(w, "scale", tm_words_at(&tm_scales, TM_SCALE_PROCESS)->name);
	status = put_histogram(w, &metric, err);
	if (status == 0 && matrix)
		status = put_matrix(w, &metric, err);
	tm_json_close(w);
	tm_metric_fini(&metric);
	return status;
}

static int put_members(struct tm_json_writer *w, const struct tm_placement *p,
		       const struct tm_placement_json_options *options, struct tm_error *err)
{
	tm_json_put_int(w, "size", p->size);
	put_origin(w, &p->origin);
	if (tm_json_put_machine(w, p->machine, err) < 0 || put_places(w, p, err) < 0 ||
	    put_ranks(w, p, err) < 0)
		return -1;
	return put_distances(w, p, options && options->matrix, err);
}

int tm_json_put_placement(struct tm_json_writer *w, const char *name, const struct tm_placement *p,
			  const struct tm_placement_json_options *options, struct tm_error *err)
{
	tm_json_open_kind(w, name, "placement");
	if (put_members(w, p, options, err) < 0)
		return -1;
	tm_json_close(w);
	return 0;
}

int tm_placement_write_json(const struct tm_placement *p, FILE *out,
			    const struct tm_placement_json_options *options, struct tm_error *err)
{
	struct tm_json_writer w;

	tm_json_begin(&w, out, "placement");
	return put_members(&w, p, options, err) < 0 ? -1 : tm_json_end(&w, err);
}

static int get_origin(const struct tm_json *in, struct tm_origin *origin, struct tm_error *err)
{
	struct tm_json found;

	if (tm_json_find(in, "origin", TM_JSON_OBJECT, &found, err) < 0)
		return -1;
	for (size_t i = 0; found.value && i < ORIGINS; i++) {
		char **text = (void *)((char *)origin + origins[i].offset);
		const char *value = NULL;

		if (tm_json_find_string(&found, origins[i].name, &value, err) < 0)
			return -1;
		if (!value)
			continue;
		*text = tm_strdup(value, err);
		if (!*text)
			return -1;
	}
	return 0;
}

static int get_memory(const struct tm_json *in, const struct tm_topology *topo,
		      struct tm_idset *memory, struct tm_error *err)
{
	struct tm_json found;

	if (tm_json_find_set(in, "memory", TM_JSON_MOST_OS, memory, err) < 0 ||
	    tm_json_find(in, "memory", TM_JSON_ANY, &found, err) < 0)
		return -1;
	for (int os = tm_idset_next(memory, TM_NONE); os != TM_NONE;
	     os = tm_idset_next(memory, os)) {
		int i = 0;

		while (i < topo->memory_count && topo->memory[i].os != os)
			i++;
		if (i == topo->memory_count)
			return tm_json_fail(&found, err, "NUMA node %d does not exist on this node",
					    os);
	}
	return 0;
}

static int add_place(const struct tm_json *in, struct tm_placement *p, int topology,
		     struct tm_error *err)
{
	struct tm_idset pus = { 0 }, memory = { 0 };
	bool bound = true;
	int status = -1;

	if (tm_json_find_set(in, "pus", TM_JSON_MOST_OS, &pus, err) < 0 ||
	    get_memory(in, &p->machine->topology[topology], &memory, err) < 0 ||
	    tm_json_find_bool(in, "bound", &bound, err) < 0)
		goto out;
	if (tm_placement_add_place(p, topology, &pus, &memory, bound, err) == TM_NONE)
		tm_json_wrap(in, err);
	else
		status = 0;
out:
	tm_idset_fini(&pus);
	tm_idset_fini(&memory);
	return status;
}

static int get_places(const struct tm_json *in, struct tm_placement *p, const int *topology_of,
		      int topology_count, struct tm_error *err)
{
	struct tm_json array, element;
	int topology;

	if (tm_json_get(in, "places", TM_JSON_ARRAY, &array, err) < 0)
		return -1;
	for (int i = 0; i < tm_json_count(&array); i++)
		if (tm_json_element(&array, i, TM_JSON_OBJECT, &element, err) < 0 ||
		    tm_json_get_index(&element, "topology", topology_count, "topologies",
				      &topology, err) < 0 ||
		    add_place(&element, p, topology_of[topology], err) < 0)
			return -1;
	return 0;
}

/* The PUs of each topology as sets of OS indexes: [topology_count]. */
static struct tm_idset *collect_pus(const struct tm_machine *machine, struct tm_error *err)
{
	struct tm_idset *pus = tm_alloc((size_t)machine->topology_count, sizeof *pus, err);

	for (int t = 0; pus && t < machine->topology_count; t++) {
		const struct tm_topology *topo = &machine->topology[t];

		for (int i = 0; i < topo->pu_count; i++) {
			if (tm_idset_add(&pus[t], topo->pu[i].os, err) == 0)
				continue;
			while (t >= 0)
				tm_idset_fini(&pus[t--]);
			free(pus);
			return NULL;
		}
	}
	return pus;
}

static int check_last_pus(const struct tm_json *in, const struct tm_placement *p,
			  struct tm_error *err)
{
	const struct tm_machine *machine = p->machine;
	struct tm_idset *pus = collect_pus(machine, err);
	int status = pus ? 0 : -1;

	for (int r = 0; r < p->size && status == 0; r++)
		if (!tm_idset_contains(&pus[machine->node_topology[p->node[r]]], p->last_pu[r]))
			status = tm_json_fail(in, err, "rank %d last ran on PU %d, which does not "
					      "exist on its node '%.64s'", r, p->last_pu[r],
					      machine->node_name[p->node[r]]);
	for (int t = 0; pus && t < machine->topology_count; t++)
		tm_idset_fini(&pus[t]);
	free(pus);
	return status;
}

static int get_last_pus(const struct tm_json *in, struct tm_placement *p, struct tm_error *err)
{
	struct tm_json found;

	if (tm_json_find(in, "last_pu", TM_JSON_ANY, &found, err) < 0)
		return -1;
	if (!found.value)
		return 0;
	p->last_pu = tm_json_list(&found, p->size, 0, TM_JSON_MOST_OS, err);
	return p->last_pu ? check_last_pus(&found, p, err) : -1;
}

/* The lists before the placement: a size that nothing stands for is refused without memory. */
static int get_ranks(const struct tm_json *in, struct tm_placement *p, struct tm_machine *machine,
		     struct tm_error *err)
{
	struct tm_json ranks, places;
	int size, *node, *place = NULL;

	if (tm_json_get_int(in, "size", 1, TM_JSON_MOST_RANKS, &size, err) < 0 ||
	    tm_json_get(in, "places", TM_JSON_ARRAY, &places, err) < 0 ||
	    tm_json_get(in, "ranks", TM_JSON_OBJECT, &ranks, err) < 0)
		return -1;
	if (!tm_json_count(&places))
		return tm_json_fail(&places, err, "there is no place for the ranks");
	node = tm_json_get_list(&ranks, "node", size, 0, machine->node_count - 1, err);
	if (node)
		place = tm_json_get_list(&ranks, "place", size, 0, tm_json_count(&places) - 1, err);
	if (!place || tm_placement_init(p, machine, size, err) < 0) {
		free(node);
		free(place);
		return -1;
	}
	free(p->node);
	free(p->place);
	p->node = node;
	p->place = place;
	return get_last_pus(&ranks, p, err);
}

int tm_json_get_placement(const struct tm_json *in, struct tm_placement *p, struct tm_error *err)
{
	struct tm_placement made = { 0 };
	struct tm_machine *machine;
	int *topology_of, topology_count, status = -1;

	if (tm_json_check_kind(in, "placement", err) < 0)
		return -1;
	machine = tm_json_get_machine(in, &topology_of, &topology_count, err);
	if (!machine)
		return -1;
	if (get_ranks(in, &made, machine, err) == 0 &&
	    get_places(in, &made, topology_of, topology_count, err) == 0 &&
	    get_origin(in, &made.origin, err) == 0)
		status = tm_placement_check(&made, err) < 0 ? tm_json_wrap(in, err) : 0;
	if (status == 0)
		*p = made;
	else
		tm_placement_fini(&made);
	free(topology_of);
	tm_machine_free(machine);
	return status;
}

static int take_document(struct tm_json *doc, struct tm_placement *p, const char *name,
			 struct tm_error *err)
{
	int status = tm_json_get_placement(doc, p, err);

	tm_json_fini(doc);
	return status < 0 ? tm_wrap(err, "%s", name) : 0;
}

int tm_placement_read_json(struct tm_placement *p, const char *path, struct tm_error *err)
{
	struct tm_json doc;

	if (tm_json_read(&doc, path, err) < 0)
		return -1;
	return take_document(&doc, p, tm_input_name(path), err);
}

int tm_placement_parse_json(struct tm_placement *p, const char *text, size_t length,
			    const char *name, struct tm_error *err)
{
	struct tm_json doc;

	if (tm_json_parse(&doc, text, length, name, err) < 0)
		return -1;
	return take_document(&doc, p, name, err);
}
