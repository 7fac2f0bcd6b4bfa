/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes are choices by which a document of measured times is made: experiments of any collective, of own
 * and native algorithms, mock-ups and calls on virtual topologies, of several launches, with times from 0
 * to the longest; in some documents one of them has a member that is wrong. All that is said and drawn of
 * such times is refused as bad input, or written, and no picture has a place that is no number. */
#include "core/algorithms/catalogue.h"
#include "core/measure/guideline_tests.h"
#include "core/measure/measured_map.h"
#include "core/tune/tuning.h"
#include "formats/machine/json_placement.h"
#include "formats/report/times/guideline_plots.h"
#include "formats/report/times/guideline_tests_report.h"
#include "formats/report/times/keeping_report.h"
#include "formats/report/times/measured_map_report.h"
#include "formats/report/times/measured_plot.h"
#include "formats/report/times/measured_report.h"
#include "formats/report/times/times_read.h"
#include "formats/rules/openmpi_rules.h"
#include "formats/rules/tuned_rules.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct choices {
	const uint8_t *data;
	size_t size, at;
	enum tmap_collective often; /* most experiments are of this one */
	int wrong;                  /* experiments until the one with a wrong member */
};

/* One of so many; the first where there are no more bytes. */
static int choose(struct choices *it, int count)
{
	return it->at < it->size ? it->data[it->at++] % count : 0;
}

#define CHOOSE(it, list) ((list)[choose(it, (int)(sizeof(list) / sizeof *(list)))])

static const double times[] = { 1e-6, 1.1e-6, 2e-6, 1e-3, 1, 0, 1e-18, 2e9 };

static void write_placement(FILE *out, struct choices *it, int size)
{
	int nodes = 1 + choose(it, size);

	fprintf(out,
		"{\"kind\":\"times\",\"format\":1,\"placement\":{\"kind\":\"placement\",\"format\":1,"
		"\"size\":%d,\"topologies\":[{\"pus\":\"0-15\"}],"
		"\"nodes\":[{\"names\":\"n[0-%d]\",\"topology\":0}],\"places\":["
		"{\"topology\":0,\"pus\":\"0\",\"bound\":true}],\"ranks\":{\"node\":\"",
		size, nodes - 1);
	for (int rank = 0; rank < size; rank++)
		fprintf(out, "%s%d", rank ? "," : "", rank * nodes / size);
	fprintf(out,
		"\",\"place\":\"0*%d\"}},\"mpi\":\"%s\",\"date\":\"2026-11-01T00:00:00Z\","
		"\"sync\":\"barrier\",\"seed\":1,\"experiments\":[",
		size, choose(it, 2) ? "Open MPI 4.1.4" : "MPICH 4.0.2");
}

/* {"min": ... "runs": [...]} of some launches: what rises does, unless it is chosen not to. */
static void write_seconds(FILE *out, struct choices *it)
{
	static const char *const name[] = { "min", "q1", "median", "q3", "max" };
	int launches = 1 + choose(it, 8);
	double first = CHOOSE(it, times), step = choose(it, 3) ? first / 8 : 0;

	fprintf(out, "\"repetitions\":%d,\"correct\":%s,\"seconds\":{", launches * 3,
		choose(it, 16) != 15 ? "true" : "false");
	for (int i = 0; i < 5; i++)
		fprintf(out, "\"%s\":%.17g,", name[i],
			it->wrong || choose(it, 8) ? first + i * step : -1.0);
	fprintf(out, "\"mean\":%.17g,\"ci\":", first + 2 * step);
	if (choose(it, 2))
		fprintf(out, "[%.17g,%.17g]", first, first + 4 * step);
	else
		fputs("null", out);
	fputs("},\"outliers\":0,\"runs\":[", out);
	for (int i = 0; i < launches; i++)
		fprintf(out, "%s%.17g", i ? "," : "", first + choose(it, 5) * step);
	fputs("]}", out);
}

/* Neighborhoods that there are, and in some documents one that there is not. */
static void write_topology(FILE *out, struct choices *it)
{
	static const struct {
		const char *stencil, *order, *constructor;
	} made[] = {
		{ "moore", "fmaj", "dist_graph_create_adjacent" },
		{ "moore", "rand", "dist_graph_create_adjacent" },
		{ "moore", "lmaj", "dist_graph_create" },
		{ "vonneumann", "fmaj", "dist_graph_create_adjacent" },
		{ "vonneumann", "cart", "cart_create" },
		{ "full", "linear", "dist_graph_create_adjacent" },
		{ "full", "rand", "dist_graph_create_adjacent" },
		{ "moore", "cart", "cart_create" },
	};
	enum { MADE = sizeof made / sizeof *made };
	int which = choose(it, it->wrong ? MADE - 1 : MADE);
	bool is_full = strcmp(made[which].stencil, "full") == 0;
	int call = choose(it, TMAP_VIRTUAL_CALLS - 1);

	fprintf(out, "{\"collective\":\"%s\",\"topology\":{\"stencil\":\"%s\",",
		tmap_keywords_at(&tmap_virtual_calls, (size_t)call)->name, made[which].stencil);
	if (!is_full)
		fprintf(out, "\"radius\":1,\"dimensions\":%d,\"finite\":%d,", 1 + choose(it, 3),
			choose(it, 2));
	fprintf(out,
		"\"order\":\"%s\",\"constructor\":\"%s\",\"reorder\":%s},"
		"\"algorithm\":\"native\",\"mode\":\"blocking\",\"bytes\":%d,\"root\":0,",
		made[which].order, made[which].constructor, choose(it, 2) ? "true" : "false",
		call ? 8 << choose(it, 3) : 0);
}

/* One of its own, the library's, one of the library's that is named, or a mock-up of a guideline. */
static void write_algorithm(FILE *out, struct choices *it, enum tmap_collective collective)
{
	const struct tmap_keywords *words = tmap_algorithms(collective);
	int count = 0, row = choose(it, tmap_guideline_rows());
	struct tmap_error err;
	char *mockup;

	while (tmap_keywords_at(words, (size_t)count))
		count++;
	switch (choose(it, 4)) {
	case 0:
		fprintf(out, "%s", tmap_keywords_at(words, (size_t)choose(it, count))->name);
		break;
	case 1:
		fputs("native", out);
		break;
	case 2:
		fprintf(out, "native:%s", tmap_keywords_at(words, (size_t)choose(it, count))->name);
		break;
	default:
		for (int tries = 0; tmap_guideline_native(row) != collective && tries < 99; tries++)
			row = (row + 1) % tmap_guideline_rows();
		if (!(mockup = tmap_guideline_mockup(row, &err)))
			abort();
		fputs(mockup, out);
		free(mockup);
	}
}

/* The first one is the library's own of 8 bytes, which guidelines compare with mock-ups. */
static void write_collective(FILE *out, struct choices *it, bool is_first)
{
	static const char *const mode[] = { "nonblocking", "naive", "persistent", "schedule" };
	static const int64_t bytes[] = { 8, 64, 65536, 1000, 1, 0, INT64_C(1) << 40, INT64_MAX };
	enum tmap_collective collective = !is_first && choose(it, 6) == 5 ?
		(enum tmap_collective)choose(it, TMAP_NEIGHBOR_ALLGATHER) :
		it->often;
	bool is_plain = is_first || choose(it, 3);

	fprintf(out, "{\"collective\":\"%s\",\"algorithm\":\"",
		tmap_collective_rows[collective].word.name);
	if (is_first)
		fputs("native", out);
	else
		write_algorithm(out, it, collective);
	fprintf(out, "\",\"mode\":\"%s\",\"bytes\":%" PRId64 ",\"root\":%d,",
		is_plain ? "blocking" : CHOOSE(it, mode),
		collective == TMAP_BARRIER        ? 0 :
			is_first || choose(it, 2) ? 8 :
						    CHOOSE(it, bytes),
		it->wrong ? 0 : choose(it, 3));
}

/* The caller's to free. */
static char *document_make(struct choices *it, size_t *length)
{
	int size = 1 + choose(it, 17), count = choose(it, 40), kinds = choose(it, 2) ? 8 : 1;
	char *text = NULL;
	FILE *out = open_memstream(&text, length);

	if (!out)
		abort();
	write_placement(out, it, size);
	for (int i = 0; i < count; i++) {
		if (i)
			fputc(',', out);
		if (i && choose(it, kinds) == 7)
			write_topology(out, it);
		else
			write_collective(out, it, !i);
		write_seconds(out, it);
		it->wrong--;
	}
	fputs("]}", out);
	fclose(out);
	return text;
}

/* What was refused is bad input, or (of what cannot be together) of use; what was drawn has numbers only. */
static void said(FILE *out, char **text, int status, const struct tmap_error *err, bool is_picture)
{
	fclose(out);
	if (status < 0 && err->kind != TMAP_INPUT && err->kind != TMAP_USAGE)
		abort();
	if (status == 0 && is_picture &&
	    (strstr(*text, "\"nan") || strstr(*text, "\"-nan") || strstr(*text, "inf\"") ||
	     strstr(*text, "nan,") || strstr(*text, ",inf") || strstr(*text, "inf,")))
		abort();
	free(*text);
}

#define SAY(is_picture, write, ...) \
	do { \
		struct tmap_error err_; \
		char *text_ = NULL; \
		size_t length_; \
		FILE *out_ = open_memstream(&text_, &length_); \
		int status_ = out_ ? write(out_, __VA_ARGS__, &err_) : (abort(), -1); \
\
		said(out_, &text_, status_, &err_, is_picture); \
	} while (0)

static void score_say(const struct tmap_times *of, enum tmap_collective collective)
{
	const struct tmap_score_request request = { .collective = collective,
						    .bytes = TMAP_NONE,
						    .profile = tmap_profile_at(0) };
	struct tmap_measured measured, both[2];
	struct tmap_measured_map map;
	struct tmap_error err;
	int at;

	if (tmap_measured_init(&measured, of, &of->placement, &request, &err) == 0) {
		SAY(false, tmap_text_write_measured, &measured, 1);
		SAY(false, tmap_csv_write_measured, &measured);
		SAY(false, tmap_json_write_measured, &measured);
		both[0] = both[1] = measured;
		SAY(false, tmap_csv_write_all_measured, both, 2);
		SAY(false, tmap_json_write_all_measured, both, 2);
		for (int count = 1; count <= 2; count++) {
			SAY(true, tmap_svg_write_measured, both, count, TMAP_PLOT_TIME);
			SAY(true, tmap_svg_write_measured, both, count, TMAP_PLOT_BANDWIDTH);
		}
		tmap_measured_fini(&measured);
	} else if (err.kind != TMAP_INPUT)
		abort();
	if (tmap_measured_map_init(&map, of, 1, collective, 0, TMAP_NONE, &at, &err) == 0) {
		SAY(false, tmap_text_write_measured_map, &map);
		SAY(false, tmap_csv_write_measured_map, &map);
		SAY(false, tmap_json_write_measured_map, &map);
		SAY(true, tmap_svg_write_measured_map, &map);
		tmap_measured_map_fini(&map);
	} else if (err.kind != TMAP_INPUT)
		abort();
}

static void guidelines_say(const struct tmap_times *of, int correction)
{
	const struct tmap_guidelines_request request = { .collective = TMAP_NONE,
							 .bytes = TMAP_NONE,
							 .profile = tmap_profile_at(0) };
	const struct tmap_slowdown_rule rule = { .p = 0.001,
						 .ratio = 1.03,
						 .correction = (enum tmap_correction)correction };
	struct tmap_guideline_tests tests;
	struct tmap_error err;

	if (tmap_guideline_tests_init(&tests, of, TMAP_ALL_GUIDELINES, &request, &rule, &err) < 0) {
		if (err.kind != TMAP_INPUT)
			abort();
		return;
	}
	SAY(false, tmap_text_write_guideline_tests, &tests);
	SAY(false, tmap_csv_write_guideline_tests, &tests);
	SAY(false, tmap_json_write_guideline_tests, &tests);
	SAY(false, tmap_text_write_guideline_totals, &tests);
	SAY(false, tmap_csv_write_guideline_totals, &tests);
	/* as topomap guidelines: those of virtual topologies are not drawn */
	if (tests.mockup_count == tests.count) {
		SAY(true, tmap_svg_write_guideline_overview, &tests);
		SAY(true, tmap_svg_write_guideline_focus, &tests);
	}
	tmap_guideline_tests_fini(&tests);
}

/* Rules by these times, which read again are the same. */
static void tune_say(const struct tmap_times *of, enum tmap_collective collective)
{
	struct tmap_tune_request request = { .collectives = UINT64_C(1) << collective,
					     .most = 1 << 10 };
	const struct tmap_tuned_files files = { "-", NULL };
	struct tmap_rule_file file = { 0 }, again = { 0 };
	struct tmap_tune_places places = { 0 };
	struct tmap_tuning tuning = { 0 };
	struct tmap_error err;
	char *text = NULL;
	size_t length;
	FILE *out;

	request.library = tmap_library_of(of->mpi);
	if (tmap_tune_places_init(&places, &of->placement, tmap_profile_at(0), &err) < 0)
		abort();
	if (tmap_tune_places_measure(&places, of, request.library, &err) < 0 ||
	    tmap_tuning_init(&tuning, &places, &request, &err) < 0) {
		if (err.kind != TMAP_INPUT)
			abort();
	} else {
		if (!(out = open_memstream(&text, &length)) ||
		    tmap_tuned_rules_init(&file, &tuning, &files, &err) < 0 ||
		    tmap_openmpi_rules_write(&file, out, &err) < 0 ||
		    tmap_tuned_rules_write_summary(out, &tuning, NULL, NULL, &files, &err) < 0)
			abort();
		fclose(out);
		if (strstr(text, "nan"))
			abort();
		free(text);
		if (!(out = open_memstream(&text, &length)) ||
		    tmap_openmpi_rules_write(&file, out, &err) < 0)
			abort();
		fclose(out);
		if (tmap_openmpi_rules_parse(&again, text, &err) < 0 ||
		    !tmap_rule_file_is_equal(&file, &again))
			abort();
		free(text);
	}
	tmap_rule_file_fini(&again);
	tmap_rule_file_fini(&file);
	tmap_tuning_fini(&tuning);
	tmap_tune_places_fini(&places);
}

/* Whoever reads a placement takes the document, too. */
static void placement_say(const struct tmap_times *of, const char *text, size_t length)
{
	struct tmap_placement placement = { 0 };
	struct tmap_error err;

	if (tmap_placement_parse_json(&placement, text, length, "fuzz", &err) < 0 ||
	    placement.size != of->placement.size)
		abort();
	tmap_placement_fini(&placement);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct choices it = { .data = data, .size = size };
	int correction = choose(&it, 3);
	struct tmap_times of = { 0 };
	struct tmap_error err;
	size_t length;
	char *text;

	it.often = (enum tmap_collective)choose(&it, TMAP_NEIGHBOR_ALLGATHER);
	it.wrong = choose(&it, 4) == 3 ? choose(&it, 40) : -1;
	text = document_make(&it, &length);

	if (tmap_times_parse_json(&of, text, length, "fuzz", &err) == 0) {
		score_say(&of, it.often);
		guidelines_say(&of, correction);
		if (tmap_library_of(of.mpi) == 0)
			tune_say(&of, it.often);
		placement_say(&of, text, length);
		SAY(false, tmap_text_write_keeping, &of);
		tmap_times_fini(&of);
	} else if (err.kind != TMAP_INPUT)
		abort();
	free(text);
	return 0;
}
