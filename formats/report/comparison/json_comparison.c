#include "formats/report/comparison/json_comparison.h"

#include "formats/json/json_write.h"
#include "formats/machine/json_topology.h"

static void put_distances(struct tmap_json_writer *w, const char *name,
			  const struct tmap_metric *metric, const int64_t *pairs)
{
	tmap_json_open(w, name, '[');
	for (int s = 0; s < metric->step_count; s++) {
		if (!pairs[s])
			continue;
		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_double(w, "distance", metric->step[s].value);
		tmap_json_put_int(w, "pairs", pairs[s]);
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

int tmap_json_write_comparison(FILE *out, const struct tmap_comparison *comparison,
			       struct tmap_error *err)
{
	const struct tmap_comparison *it = comparison;
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "comparison");
	tmap_json_put_int(&w, "size", it->a->size);
	tmap_json_open(&w, "moved", '{');
	if (tmap_json_put_set(&w, "node", &it->other_node, err) < 0 ||
	    tmap_json_put_set(&w, "pus", &it->other_pus, err) < 0 ||
	    tmap_json_put_set(&w, "binding", &it->other_binding, err) < 0)
		return -1;
	tmap_json_close(&w);
	tmap_json_put_string(&w, "scale", tmap_keywords_at(&tmap_scales, (size_t)it->scale)->name);
	tmap_json_open(&w, "pairs", '{');
	tmap_json_put_int(&w, "closer", it->closer);
	tmap_json_put_int(&w, "further", it->further);
	tmap_json_put_int(&w, "same", it->same);
	tmap_json_put_int(&w, "next_closer", it->next_closer);
	tmap_json_put_int(&w, "next_further", it->next_further);
	tmap_json_close(&w);
	put_distances(&w, "before", &it->metric_a, it->pairs_a);
	put_distances(&w, "after", &it->metric_b, it->pairs_b);
	return tmap_json_end(&w, err);
}
