#include "formats/report/score/json_score.h"

#include "formats/json/json_write.h"

/* A barrier moves messages, not bytes. */
static void put_bytes(struct tm_json_writer *w, const char *name, const struct tm_score *score,
		      int64_t bytes)
{
	if (score->collective == TM_BARRIER)
		tm_json_put_null(w, name);
	else
		tm_json_put_int(w, name, bytes);
}

static void put_text(struct tm_json_writer *w, const char *name, const char *text)
{
	if (text)
		tm_json_put_string(w, name, text);
	else
		tm_json_put_null(w, name);
}

static void put_levels(struct tm_json_writer *w, const struct tm_score *score,
		       const struct tm_score_row *row)
{
	tm_json_open(w, "levels", '[');
	for (int l = 0; l < row->locality.level_count; l++) {
		const struct tm_crossing *crossing = &row->locality.level[l];

		tm_json_open_line(w, NULL, '{');
		tm_json_put_string(w, "name", score->levels.level[l].name);
		tm_json_put_int(w, "messages", crossing->messages);
		put_bytes(w, "bytes", score, crossing->bytes);
		put_bytes(w, "least_bytes", score, crossing->least);
		tm_json_put_double(w, "locality", tm_locality_at(&row->locality, &row->call, l));
		tm_json_close(w);
	}
	tm_json_close(w);
}

static void put_row(struct tm_json_writer *w, const struct tm_score *score,
		    const struct tm_score_row *row)
{
	tm_json_open(w, NULL, '{');
	tm_json_put_string(w, "name", row->name);
	tm_json_put_bool(w, "applicable", !row->reason);
	if (row->reason) {
		tm_json_put_string(w, "reason", row->reason);
	} else {
		tm_json_put_int(w, "rounds", row->locality.rounds);
		tm_json_put_int(w, "messages", row->locality.messages);
		put_bytes(w, "bytes", score, row->locality.bytes);
		put_levels(w, score, row);
		tm_json_put_double(w, "seconds", row->seconds);
	}
	tm_json_open(w, "knobs", '{');
	put_text(w, "openmpi", row->knobs.openmpi);
	if (row->knobs.openmpi && tm_call_algorithm(&row->call)->openmpi_since)
		tm_json_put_int(w, "openmpi_since", tm_call_algorithm(&row->call)->openmpi_since);
	put_text(w, "mpich", row->knobs.mpich);
	if (row->mpich_since)
		tm_json_put_string(w, "mpich_since", row->mpich_since);
	put_text(w, "ucc", row->knobs.ucc);
	tm_json_close(w);
	tm_json_close(w);
}

static void put_default(struct tm_json_writer *w, const struct tm_score_default *it, int library)
{
	tm_json_open(w, NULL, '{');
	tm_json_put_string(w, "library", tm_words_at(&tm_libraries, (size_t)library)->name);
	put_text(w, "algorithm", it->name);
	tm_json_put_string(w, "how", it->answer.how);
	if (it->answer.number)
		tm_json_put_int(w, "number", it->answer.number);
	if (it->name) {
		tm_json_put_double(w, "seconds", it->seconds);
		tm_json_put_double(w, "slower", it->slower);
	}
	tm_json_close(w);
}

int tm_json_write_score(FILE *out, const struct tm_score *score, struct tm_error *err)
{
	const struct tm_collective_row *collective = &tm_collective_rows[score->collective];
	struct tm_json_writer w;

	tm_json_begin(&w, out, "score");
	tm_json_put_string(&w, "collective", collective->word.name);
	put_bytes(&w, "bytes", score, score->bytes);
	tm_json_put_int(&w, "size", score->placement->size);
	if (collective->has_root)
		tm_json_put_int(&w, "root", score->root);
	tm_json_put_string(&w, "profile", score->profile->word.name);
	tm_json_open(&w, "algorithms", '[');
	for (int i = 0; i < score->count; i++)
		put_row(&w, score, &score->row[i]);
	tm_json_close(&w);
	tm_json_open(&w, "defaults", '[');
	for (int i = 0; i < score->default_count; i++)
		put_default(&w, &score->defaults[i], i);
	tm_json_close(&w);
	return tm_json_end(&w, err);
}
