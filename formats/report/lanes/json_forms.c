#include "formats/report/lanes/json_forms.h"

#include "formats/json/json_write.h"
#include "formats/machine/json_placement.h"

static void put_form(struct tmap_json_writer *w, const struct tmap_form *form)
{
	const struct tmap_volume *volume = &form->volume;

	tmap_json_open(w, NULL, '{');
	tmap_json_put_string(w, "name", form->name);
	tmap_json_put_bool(w, "applicable", !form->reason);
	if (form->reason) {
		tmap_json_put_string(w, "reason", form->reason);
	} else {
		tmap_json_put_int(w, "rounds", volume->rounds);
		tmap_json_put_int(w, "rank_bytes", volume->rank_bytes);
		tmap_json_put_int(w, "node_bytes", volume->node_bytes);
		tmap_json_put_int(w, "lane_bytes", volume->lane_bytes);
		tmap_json_put_int(w, "adapter_bytes", volume->adapter_bytes);
		tmap_json_put_double(w, "one_adapter_seconds", form->seconds);
		tmap_json_put_double(w, "seconds", form->lane_seconds);
		tmap_json_put_double(w, "spread", form->spread);
	}
	tmap_json_close(w);
}

int tmap_json_write_forms(FILE *out, const struct tmap_forms *forms, struct tmap_error *err)
{
	const struct tmap_collective_row *row = &tmap_collective_rows[forms->request.collective];
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "forms");
	tmap_json_put_string(&w, "collective", row->word.name);
	tmap_json_put_int(&w, "bytes", forms->request.bytes);
	tmap_json_put_int(&w, "size", forms->placement->size);
	if (tmap_json_put_world(&w, "ranks", forms->placement, err) < 0)
		return -1;
	if (row->has_root)
		tmap_json_put_int(&w, "root", forms->request.root);
	tmap_json_put_int(&w, "nodes", forms->lanes.node_count);
	tmap_json_put_int(&w, "adapters", forms->adapters);
	tmap_json_put_bool(&w, "adapters_known", forms->is_known);
	tmap_json_put_string(&w, "profile", forms->request.profile->word.name);
	tmap_json_open_line(&w, "least", '{');
	tmap_json_put_int(&w, "rounds", forms->least.rounds);
	tmap_json_put_int(&w, "rank_bytes", forms->least.rank_bytes);
	tmap_json_put_int(&w, "node_bytes", forms->least.node_bytes);
	tmap_json_close(&w);
	tmap_json_open(&w, "forms", '[');
	for (int i = 0; i < forms->count; i++)
		put_form(&w, &forms->form[i]);
	tmap_json_close(&w);
	return tmap_json_end(&w, err);
}
