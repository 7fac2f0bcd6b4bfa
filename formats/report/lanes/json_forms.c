#include "formats/report/lanes/json_forms.h"

#include "formats/json/json_write.h"

static void put_form(struct tm_json_writer *w, const struct tm_form *form)
{
	const struct tm_volume *volume = &form->volume;

	tm_json_open(w, NULL, '{');
	tm_json_put_string(w, "name", form->name);
	tm_json_put_bool(w, "applicable", !form->reason);
	if (form->reason) {
		tm_json_put_string(w, "reason", form->reason);
	} else {
		tm_json_put_int(w, "rounds", volume->rounds);
		tm_json_put_int(w, "rank_bytes", volume->rank_bytes);
		tm_json_put_int(w, "node_bytes", volume->node_bytes);
		tm_json_put_int(w, "lane_bytes", volume->lane_bytes);
		tm_json_put_int(w, "adapter_bytes", volume->adapter_bytes);
		tm_json_put_double(w, "one_adapter_seconds", form->seconds);
		tm_json_put_double(w, "seconds", form->lane_seconds);
		tm_json_put_double(w, "spread", form->spread);
	}
	tm_json_close(w);
}

int tm_json_write_forms(FILE *out, const struct tm_forms *forms, struct tm_error *err)
{
	const struct tm_collective_row *row = &tm_collective_rows[forms->request.collective];
	struct tm_json_writer w;

	tm_json_begin(&w, out, "forms");
	tm_json_put_string(&w, "collective", row->word.name);
	tm_json_put_int(&w, "bytes", forms->request.bytes);
	tm_json_put_int(&w, "size", forms->placement->size);
	if (row->has_root)
		tm_json_put_int(&w, "root", forms->request.root);
	tm_json_put_int(&w, "nodes", forms->lanes.node_count);
	tm_json_put_int(&w, "adapters", forms->adapters);
	tm_json_put_bool(&w, "adapters_known", forms->is_known);
	tm_json_put_string(&w, "profile", forms->request.profile->word.name);
	tm_json_open_line(&w, "least", '{');
	tm_json_put_int(&w, "rounds", forms->least.rounds);
	tm_json_put_int(&w, "rank_bytes", forms->least.rank_bytes);
	tm_json_put_int(&w, "node_bytes", forms->least.node_bytes);
	tm_json_close(&w);
	tm_json_open(&w, "forms", '[');
	for (int i = 0; i < forms->count; i++)
		put_form(&w, &forms->form[i]);
	tm_json_close(&w);
	return tm_json_end(&w, err);
}
