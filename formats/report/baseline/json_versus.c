#include "formats/report/baseline/json_versus.h"

#include "formats/report/ring/json_ring.h"
#include "formats/report/tree/json_tree.h"
#include "formats/json/json_write.h"

static void put_levels(struct tm_json_writer *w, const struct tm_account *account,
		       const struct tm_levels *levels)
{
	tm_json_open(w, "levels", '[');
	for (int l = 0; l < account->level_count; l++) {
		tm_json_open_line(w, NULL, '{');
		tm_json_put_string(w, "name", levels->level[l].name);
		tm_json_put_int(w, "messages", account->crossing[l].messages);
		if (account->crossing[l].bytes != TM_NONE)
			tm_json_put_int(w, "bytes", account->crossing[l].bytes);
		tm_json_close(w);
	}
	tm_json_close(w);
	tm_json_put_int(w, "remote_accesses", account->accesses.remote);
}

static void put_cost(struct tm_json_writer *w, const struct tm_tree_cost *cost)
{
	tm_json_put_double(w, "seconds", cost->seconds);
	tm_json_put_double(w, "path_seconds", cost->path_s);
	tm_json_put_int(w, "path_end", cost->last);
	tm_json_put_double(w, "memory_seconds", cost->controller_s);
	tm_json_put_double(w, "adapter_seconds", cost->adapter_s);
	tm_json_put_int(w, "chunks", cost->chunks);
	tm_json_put_int(w, "chunks_in_flight", cost->in_flight);
}

static void put_knob(struct tm_json_writer *w, const char *library, const char *knob)
{
	if (knob)
		tm_json_put_string(w, library, knob);
	else
		tm_json_put_null(w, library);
}

static void put_contestant(struct tm_json_writer *w, const struct tm_contestant *it,
			   const struct tm_levels *levels)
{
	tm_json_open(w, NULL, '{');
	tm_json_put_string(w, "name", it->name);
	tm_json_put_bool(w, "applicable", !it->reason);
	if (it->reason)
		tm_json_put_string(w, "reason", it->reason);
	tm_json_open(w, "knobs", '{');
	put_knob(w, "openmpi", it->knob.openmpi);
	put_knob(w, "mpich", it->knob.mpich);
	put_knob(w, "ucc", it->knob.ucc);
	tm_json_close(w);
	if (!it->reason) {
		tm_json_put_double(w, "weight", it->account.weight);
		if (it->account.fanout) {
			tm_json_put_int(w, "depth", it->account.depth);
			tm_json_put_int(w, "fanout", it->account.fanout);
		}
		tm_json_put_edges(w, it->account.edges, it->account.edge_count);
		put_levels(w, &it->account, levels);
		if (it->account.has_cost)
			put_cost(w, &it->account.cost);
	}
	tm_json_close(w);
}

static void put_versus(struct tm_json_writer *w, const struct tm_versus *versus)
{
	const struct tm_load *load = versus->load;
	const struct tm_account *ours = &versus->row[0].account;

	if (load->bytes != TM_NONE) {
		tm_json_put_int(w, "bytes", load->bytes);
		if (load->chunk_bytes)
			tm_json_put_int(w, "chunk_bytes", load->chunk_bytes);
		tm_json_put_string(w, "profile", load->profile->word.name);
	}
	put_levels(w, ours, load->levels);
	if (ours->has_cost)
		put_cost(w, &ours->cost);
	if (versus->count < 2)
		return;
	tm_json_open(w, "against", '[');
	for (int i = 1; i < versus->count; i++)
		put_contestant(w, &versus->row[i], load->levels);
	tm_json_close(w);
}

static void put_accesses(struct tm_json_writer *w, const struct tm_accesses *accesses,
			 const struct tm_machine *machine)
{
	tm_json_open(w, "controllers", '[');
	for (int i = 0; i < accesses->count; i++) {
		const struct tm_access *it = &accesses->row[i];
		const struct tm_object *object =
			&tm_machine_topology(machine, it->node)->object[it->object];

		tm_json_open_line(w, NULL, '{');
		tm_json_put_string(w, "node", machine->node_name[it->node]);
		tm_json_put_string(w, "type", tm_type_name(object->type));
		tm_json_put_int(w, "index", object->logical);
		tm_json_put_int(w, "reads", it->reads);
		tm_json_put_int(w, "writes", it->writes);
		tm_json_close(w);
	}
	tm_json_close(w);
}

static int end_report(struct tm_json_writer *w, const struct tm_report *report,
		      const struct tm_machine *machine, struct tm_error *err)
{
	if (report->note)
		tm_json_put_string(w, "note", report->note);
	if (report->versus)
		put_versus(w, report->versus);
	if (report->versus && report->has_accesses)
		put_accesses(w, &report->versus->row[0].account.accesses, machine);
	return tm_json_end(w, err);
}

int tm_tree_write_report(const struct tm_tree *tree, const struct tm_report *report,
			 const struct tm_machine *machine, FILE *out, struct tm_error *err)
{
	struct tm_json_writer w;

	tm_json_begin(&w, out, "tree");
	if (tm_json_put_tree(&w, tree, report->scale, report->world, err) < 0)
		return -1;
	return end_report(&w, report, machine, err);
}

int tm_ring_write_report(const struct tm_ring *ring, const struct tm_report *report,
			 const struct tm_machine *machine, FILE *out, struct tm_error *err)
{
	struct tm_json_writer w;

	tm_json_begin(&w, out, "ring");
	if (tm_json_put_ring(&w, ring, report->scale, report->world, err) < 0)
		return -1;
	return end_report(&w, report, machine, err);
}
