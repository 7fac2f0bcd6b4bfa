#include "formats/report/baseline/json_baselines.h"

#include "formats/json/json_write.h"
#include "formats/machine/json_placement.h"
#include "formats/report/ring/json_ring.h"
#include "formats/report/tree/json_tree.h"

static void put_levels(struct tmap_json_writer *w, const struct tmap_totals *account,
		       const struct tmap_levels *levels)
{
	tmap_json_open(w, "levels", '[');
	for (int l = 0; l < account->level_count; l++) {
		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_string(w, "name", levels->level[l].name);
		tmap_json_put_int(w, "messages", account->crossing[l].messages);
		if (account->crossing[l].bytes != TMAP_NONE)
			tmap_json_put_int(w, "bytes", account->crossing[l].bytes);
		tmap_json_close(w);
	}
	tmap_json_close(w);
	tmap_json_put_int(w, "remote_accesses", account->accesses.remote);
}

static void put_cost(struct tmap_json_writer *w, const struct tmap_tree_cost *cost)
{
	tmap_json_put_double(w, "seconds", cost->seconds);
	tmap_json_put_double(w, "path_seconds", cost->path_s);
	tmap_json_put_int(w, "path_end", cost->last);
	tmap_json_put_double(w, "memory_seconds", cost->controller_s);
	tmap_json_put_double(w, "adapter_seconds", cost->adapter_s);
	tmap_json_put_int(w, "chunks", cost->chunks);
	tmap_json_put_int(w, "chunks_in_flight", cost->in_flight);
}

static void put_knob(struct tmap_json_writer *w, const char *library, const char *knob)
{
	if (knob)
		tmap_json_put_string(w, library, knob);
	else
		tmap_json_put_null(w, library);
}

static void put_contestant(struct tmap_json_writer *w, const struct tmap_contestant *it,
			   const struct tmap_levels *levels)
{
	tmap_json_open(w, NULL, '{');
	tmap_json_put_string(w, "name", it->name);
	tmap_json_put_bool(w, "applicable", !it->reason);
	if (it->reason)
		tmap_json_put_string(w, "reason", it->reason);
	tmap_json_open(w, "knobs", '{');
	put_knob(w, "openmpi", it->knob.openmpi);
	put_knob(w, "mpich", it->knob.mpich);
	put_knob(w, "ucc", it->knob.ucc);
	tmap_json_close(w);
	if (!it->reason) {
		tmap_json_put_double(w, "weight", it->account.weight);
		if (it->account.fanout) {
			tmap_json_put_int(w, "depth", it->account.depth);
			tmap_json_put_int(w, "fanout", it->account.fanout);
		}
		tmap_json_put_edges(w, it->account.edges, it->account.edge_count);
		put_levels(w, &it->account, levels);
		if (it->account.has_cost)
			put_cost(w, &it->account.cost);
	}
	tmap_json_close(w);
}

static void put_versus(struct tmap_json_writer *w, const struct tmap_baselines *versus)
{
	const struct tmap_load *load = versus->load;
	const struct tmap_totals *ours = &versus->row[0].account;

	if (load->bytes != TMAP_NONE) {
		tmap_json_put_int(w, "bytes", load->bytes);
		if (load->chunk_bytes)
			tmap_json_put_int(w, "chunk_bytes", load->chunk_bytes);
		tmap_json_put_string(w, "profile", load->profile->word.name);
	}
	put_levels(w, ours, load->levels);
	if (ours->has_cost)
		put_cost(w, &ours->cost);
	if (versus->count < 2)
		return;
	tmap_json_open(w, "against", '[');
	for (int i = 1; i < versus->count; i++)
		put_contestant(w, &versus->row[i], load->levels);
	tmap_json_close(w);
}

static void put_accesses(struct tmap_json_writer *w, const struct tmap_accesses *accesses,
			 const struct tmap_machine *machine)
{
	tmap_json_open(w, "controllers", '[');
	for (int i = 0; i < accesses->count; i++) {
		const struct tmap_access *it = &accesses->row[i];
		const struct tmap_object *object =
			&tmap_machine_topology(machine, it->node)->object[it->object];

		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_string(w, "node", machine->node_name[it->node]);
		tmap_json_put_string(w, "type", tmap_type_name(object->type));
		tmap_json_put_int(w, "index", object->logical);
		tmap_json_put_int(w, "reads", it->reads);
		tmap_json_put_int(w, "writes", it->writes);
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

static int end_report(struct tmap_json_writer *w, const struct tmap_report *report,
		      const struct tmap_machine *machine, struct tmap_error *err)
{
	if (report->note)
		tmap_json_put_string(w, "note", report->note);
	if (report->versus)
		put_versus(w, report->versus);
	if (report->versus && report->has_accesses)
		put_accesses(w, &report->versus->row[0].account.accesses, machine);
	if (report->placement &&
	    tmap_json_put_placement(w, "placement", report->placement, NULL, err) < 0)
		return -1;
	return tmap_json_end(w, err);
}

int tmap_tree_write_report(const struct tmap_tree *tree, const struct tmap_report *report,
			   const struct tmap_machine *machine, FILE *out, struct tmap_error *err)
{
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "tree");
	if (tmap_json_put_tree(&w, tree, report->scale, report->world, err) < 0)
		return -1;
	return end_report(&w, report, machine, err);
}

int tmap_ring_write_report(const struct tmap_ring *ring, const struct tmap_report *report,
			   const struct tmap_machine *machine, FILE *out, struct tmap_error *err)
{
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "ring");
	if (tmap_json_put_ring(&w, ring, report->scale, report->world, err) < 0)
		return -1;
	return end_report(&w, report, machine, err);
}
