#include "formats/report/comparison/json_comparison.h"

#include "formats/machine/json_topology.h"
#include "formats/json/json_write.h"

static void put_distances(struct tm_json_writer *w, const char *name,
			  const struct tm_metric *metric, const int64_t *pairs)
{
	tm_json_open(w, name, '[');
	for (int s = 0; s < metric->step_count; s++) {
		if (!pairs[s])
			continue;
		tm_json_open_line(w, NULL, '{');
		tm_json_put_double(w, "distance", metric->step[s].value);
		tm_json_put_int(w, "pairs", pairs[s]);
		tm_json_close(w);
	}
	tm_json_close(w);
}

int tm_json_write_comparison(FILE *out, const struct tm_comparison *comparison,
			     struct tm_error *err)
{
	const struct tm_comparison *it = comparison;
	struct tm_json_writer w;

	tm_json_begin(&w, out, "comparison");
	tm_json_put_int(&w, "size", it->a->size);
	tm_json_open(&w, "moved", '{');
	if (tm_json_put_set(&w, "node", &it->other_node, err) < 0 ||
	    tm_json_put_set(&w, "pus", &it->other_pus, err) < 0 ||
	    tm_json_put_set(&w, "binding", &it->other_binding, err) < 0)
		return -1;
	tm_json_close(&w);
	tm_json_put_string(&w, "scale", tm_words_at(&tm_scales, (size_t)it->scale)->name);
	tm_json_open(&w, "pairs", '{');
	tm_json_put_int(&w, "closer", it->closer);
	tm_json_put_int(&w, "further", it->further);
	tm_json_put_int(&w, "same", it->same);
	tm_json_put_int(&w, "next_closer", it->next_closer);
	tm_json_put_int(&w, "next_further", it->next_further);
	tm_json_close(&w);
	put_distances(&w, "before", &it->metric_a, it->pairs_a);
	put_distances(&w, "after", &it->metric_b, it->pairs_b);
	return tm_json_end(&w, err);
}
