/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/json_profile.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "core/cost/profile_choice.h"
#include "core/cost/profile_fit.h"
#include "core/cost/profile_same.h"
#include "formats/base/input.h"
#include "formats/json/json_members.h"
#include "formats/machine/json_profile_measured.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DOCUMENT, DISTANCE, PIECE, ROW, LINK, ADAPTER, MEMORY, CALIBRATION };

#define NAMES(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Any document may carry a placement. */
static const struct tmap_json_members members[] = {
	[DOCUMENT] = { "",
		       NAMES("kind", "format", "name", "title", "source", "date", "overhead_s",
			     "distances", "rows", "links", "adapters", "adapter_bytes_per_s",
			     "adapter_messages_per_s", "memory", "memory_bytes_per_s",
			     "copy_byte_s", "copy_bytes_per_s", "reduce_byte_s",
			     "reduce_bytes_per_s", "datatype_byte_s", "shared_core_s",
			     "calibration", "placement") },
	[DISTANCE] = { "distances[]",
		       NAMES("distance", "level", "overhead_s", "copier", "pieces", "points") },
	[PIECE] = { "distances[].pieces[]",
		    NAMES("from_bytes", "latency_s", "byte_s", "bytes_per_s", "protocol", "copier",
			  "residual", "r2", "latency_ci", "byte_ci") },
	[ROW] = { "rows[]", NAMES("distance", "below_bytes", "latency_s", "bytes_per_s") },
	[LINK] = { "links[]",
		   NAMES("level", "bytes_per_s", "messages_per_s", "both_ways", "oversubscription",
			 "nodes", "device", "cores") },
	[ADAPTER] = { "adapters[]",
		      NAMES("bytes_per_s", "messages_per_s", "both_ways", "each", "nodes", "device",
			    "cores") },
	[MEMORY] = { "memory[]",
		     NAMES("bytes_per_s", "messages_per_s", "both_ways", "nodes", "device",
			   "cores") },
	[CALIBRATION] = { "calibration",
			  NAMES("placement", "mpi", "rho", "regret", "collectives", "choices",
				"choices_near", "choices_tied", "worst_regret", "largest_ratio",
				"variation", "quiet", "sharing_ranks", "seconds", "notes") },
	{ NULL, NULL },
};

static int find_seconds(const struct tmap_json *in, const char *member, double *seconds,
			struct tmap_error *err)
{
	return tmap_profile_find_number(in, member, &tmap_profile_seconds, seconds, err);
}

static int find_byte_seconds(const struct tmap_json *in, const char *member, double *byte_s,
			     struct tmap_error *err)
{
	return tmap_profile_find_number(in, member, &tmap_profile_byte_seconds, byte_s, err);
}

/* *cost = 1 / the rate @p member, so many of @p what a second; it stays where that is absent. */
static int find_rate(const struct tmap_json *in, const char *member, const char *what,
		     const struct tmap_profile_limit *limit, double *cost, struct tmap_error *err)
{
	struct tmap_json at = { 0 };
	double number;

	if (tmap_json_find(in, member, TMAP_JSON_NUMBER, &at, err) < 0)
		return -1;
	if (!at.value)
		return 0;
	number = tmap_json_number(&at);
	if (!(number > 0 && 1 / number >= limit->least && 1 / number <= limit->most))
		return tmap_json_fail(&at, err, "%g is not in %g to %g %s a second", number,
				      1 / limit->most, 1 / limit->least, what);
	*cost = 1 / number;
	return 0;
}

static int find_bandwidth(const struct tmap_json *in, const char *member, double *byte_s,
			  struct tmap_error *err)
{
	return find_rate(in, member, "bytes", &tmap_profile_byte_seconds, byte_s, err);
}

static int find_message_rate(const struct tmap_json *in, const char *member, double *message_s,
			     struct tmap_error *err)
{
	return find_rate(in, member, "messages", &tmap_profile_seconds, message_s, err);
}

/* Seconds a byte, which older documents have as bytes a second; not both. */
static int find_byte_cost(const struct tmap_json *in, const char *seconds, const char *bandwidth,
			  double *byte_s, struct tmap_error *err)
{
	struct tmap_json number = { 0 }, other = { 0 };

	if (tmap_json_find(in, seconds, TMAP_JSON_NUMBER, &number, err) < 0 ||
	    tmap_json_find(in, bandwidth, TMAP_JSON_NUMBER, &other, err) < 0)
		return -1;
	if (number.value && other.value)
		return tmap_json_fail(&number, err, "'%s' is there, too, and one of the two is",
				      bandwidth);
	return number.value ? find_byte_seconds(in, seconds, byte_s, err) :
			      find_bandwidth(in, bandwidth, byte_s, err);
}

static int find_word(const struct tmap_json *in, const char *member,
		     const struct tmap_keywords *words, int *index, struct tmap_error *err)
{
	struct tmap_json text = { 0 };
	int found;

	if (tmap_json_find(in, member, TMAP_JSON_STRING, &text, err) < 0)
		return -1;
	if (!text.value)
		return 0;
	found = tmap_keywords_find(words, tmap_json_string(&text), err);
	if (found == TMAP_NONE) {
		err->kind = TMAP_INPUT;
		return tmap_json_wrap(&text, err);
	}
	*index = found;
	return 0;
}

static int find_copier(const struct tmap_json *in, enum tmap_copier *copier, struct tmap_error *err)
{
	int index = (int)*copier;

	if (find_word(in, "copier", &tmap_copiers, &index, err) < 0)
		return -1;
	*copier = (enum tmap_copier)index;
	return 0;
}

static int find_protocol(const struct tmap_json *in, enum tmap_protocol *protocol,
			 struct tmap_error *err)
{
	int index = (int)*protocol;

	if (find_word(in, "protocol", &tmap_protocols, &index, err) < 0)
		return -1;
	*protocol = (enum tmap_protocol)index;
	return 0;
}

/* The row that a member of "rows" is: the form of older documents. */
static int get_row(const struct tmap_json *in, struct tmap_profile_row *row, struct tmap_error *err)
{
	struct tmap_json latency;

	row->below_bytes = INT64_MAX;
	if (tmap_json_check_members(in, members, ROW, err) < 0 ||
	    tmap_json_get_int(in, "distance", 1, INT_MAX, &row->distance, err) < 0 ||
	    tmap_json_find_int64(in, "below_bytes", 1, INT64_MAX, &row->below_bytes, err) < 0 ||
	    tmap_json_get(in, "latency_s", TMAP_JSON_NUMBER, &latency, err) < 0 ||
	    find_seconds(in, "latency_s", &row->latency_s, err) < 0)
		return -1;
	return find_bandwidth(in, "bytes_per_s", &row->byte_s, err);
}

static int get_rows(const struct tmap_json *rows, struct tmap_profile_request *choice,
		    double overhead_s, struct tmap_error *err)
{
	int count = tmap_json_count(rows);
	struct tmap_json row;

	choice->row = tmap_alloc((size_t)count, sizeof *choice->row, err);
	if (!choice->row)
		return -1;
	for (int i = 0; i < count; i++) {
		choice->row[i].overhead_s = overhead_s;
		if (tmap_json_element(rows, i, TMAP_JSON_OBJECT, &row, err) < 0 ||
		    get_row(&row, &choice->row[i], err) < 0)
			return -1;
	}
	choice->profile.row_count = count;
	return 0;
}

static int refuse_level(const struct tmap_json *at, const struct tmap_machine *machine,
			struct tmap_error *err)
{
	char *list = tmap_profile_levels_list(machine, err);

	if (!list)
		return -1;
	tmap_json_fail(at, err, "there is no level '%.60s' (the levels are: %s)",
		       tmap_json_string(at), list);
	free(list);
	return -1;
}

/* The process distance of an entry: its own, or that of the innermost common switch. */
static int get_distance(const struct tmap_json *in, const struct tmap_machine *machine,
			int *distance, struct tmap_error *err)
{
	struct tmap_json level = { 0 }, number = { 0 };
	int tier;

	if (tmap_json_find(in, "level", TMAP_JSON_STRING, &level, err) < 0 ||
	    tmap_json_find(in, "distance", TMAP_JSON_ANY, &number, err) < 0)
		return -1;
	if (!level.value)
		return tmap_json_get_int(in, "distance", 1, INT_MAX, distance, err);
	if (number.value)
		return tmap_json_fail(&level, err,
				      "'distance' is there, too, and one of the two is");
	tier = tmap_profile_tier(tmap_json_string(&level), machine);
	if (tier == TMAP_NONE && tmap_profile_knows_level(tmap_json_string(&level), machine))
		return tmap_json_fail(&level, err,
				      "'%.60s' is no level of switches; within a node a 'distance' "
				      "is expected",
				      tmap_json_string(&level));
	if (tier == TMAP_NONE)
		return refuse_level(&level, machine, err);
	*distance = TMAP_PROFILE_OTHER_NODE + tier;
	return 0;
}

/* *low and *high of a pair that may be absent. */
static int find_interval(const struct tmap_json *in, const char *member,
			 const struct tmap_profile_limit *limit, double *low, double *high,
			 struct tmap_error *err)
{
	struct tmap_json pair = { 0 };
	double end[2];

	if (tmap_json_find(in, member, TMAP_JSON_ARRAY, &pair, err) < 0)
		return -1;
	if (!pair.value)
		return 0;
	if (tmap_json_count(&pair) != 2)
		return tmap_json_fail(&pair, err, "it has %d numbers, not its two ends",
				      tmap_json_count(&pair));
	for (int i = 0; i < 2; i++)
		if (tmap_profile_get_element(&pair, i, limit, &end[i], err) < 0)
			return -1;
	if (end[0] > end[1])
		return tmap_json_fail(&pair, err, "its end, %g, is below its beginning, %g", end[1],
				      end[0]);
	*low = end[0];
	*high = end[1];
	return 0;
}

/* The ends of an interval may be nearer to 0 than a cost is. */
static const struct tmap_profile_limit interval_seconds = { 0, 1000,
							    "is not in 0 to 1000 seconds" };
static const struct tmap_profile_limit interval_byte_seconds = {
	0, 1, "is not in 0 to 1 seconds a byte"
};

static int find_intervals(const struct tmap_json *in, struct tmap_profile_row *row,
			  struct tmap_error *err)
{
	if (find_interval(in, "latency_ci", &interval_seconds, &row->latency_low_s,
			  &row->latency_high_s, err) < 0)
		return -1;
	return find_interval(in, "byte_ci", &interval_byte_seconds, &row->byte_low_s,
			     &row->byte_high_s, err);
}

static int get_piece(const struct tmap_json *in, struct tmap_profile_row *row, int64_t *from,
		     struct tmap_error *err)
{
	struct tmap_json latency;

	*from = 0;
	row->below_bytes = INT64_MAX;
	if (tmap_json_check_members(in, members, PIECE, err) < 0 ||
	    tmap_json_find_int64(in, "from_bytes", 0, INT64_MAX - 1, from, err) < 0 ||
	    tmap_json_get(in, "latency_s", TMAP_JSON_NUMBER, &latency, err) < 0 ||
	    find_seconds(in, "latency_s", &row->latency_s, err) < 0 ||
	    find_byte_cost(in, "byte_s", "bytes_per_s", &row->byte_s, err) < 0 ||
	    find_copier(in, &row->copier, err) < 0 || find_protocol(in, &row->protocol, err) < 0 ||
	    tmap_profile_find_number(in, "residual", &tmap_profile_ratio, &row->residual, err) <
		    0 ||
	    tmap_profile_find_number(in, "r2", &tmap_profile_share, &row->r2, err) < 0)
		return -1;
	return find_intervals(in, row, err);
}

/* The pieces of one distance become rows, each up to the next one's first size. */
static int get_pieces(const struct tmap_json *in, struct tmap_profile_request *choice,
		      const struct tmap_profile_row *like, struct tmap_error *err)
{
	struct tmap_profile *profile = &choice->profile;
	struct tmap_json pieces, piece;
	int64_t before = 0;
	int count;

	if (tmap_json_get(in, "pieces", TMAP_JSON_ARRAY, &pieces, err) < 0)
		return -1;
	count = tmap_json_count(&pieces);
	if (count < 1 || count > TMAP_PROFILE_PIECES_MAX)
		return tmap_json_fail(&pieces, err, "%d pieces are not in 1-%d", count,
				      TMAP_PROFILE_PIECES_MAX);
	for (int i = 0; i < count; i++) {
		struct tmap_profile_row *row = &choice->row[profile->row_count];
		int64_t from;

		*row = *like;
		if (tmap_json_element(&pieces, i, TMAP_JSON_OBJECT, &piece, err) < 0 ||
		    get_piece(&piece, row, &from, err) < 0)
			return -1;
		if (i ? from <= before : from != 0)
			return tmap_json_fail(&piece, err,
					      i ? "from_bytes %lld is not above that of the piece "
						  "before" :
						  "the first piece is from 0 bytes on, not from "
						  "%lld",
					      (long long)from);
		if (row->latency_s > 0 && row->overhead_s > row->latency_s)
			return tmap_json_fail(&piece, err,
					      "the latency of %g s is below the overhead of %g s, "
					      "which is in it",
					      row->latency_s, row->overhead_s);
		if (i)
			row[-1].below_bytes = from;
		before = from;
		profile->row_count++;
	}
	return 0;
}

static int get_distances(const struct tmap_json *distances, struct tmap_profile_request *choice,
			 const struct tmap_machine *machine, double overhead_s,
			 struct tmap_error *err)
{
	int count = tmap_json_count(distances), before = 0;
	struct tmap_json in;

	choice->row = tmap_alloc((size_t)count * TMAP_PROFILE_PIECES_MAX, sizeof *choice->row, err);
	if (!choice->row)
		return -1;
	for (int i = 0; i < count; i++) {
		struct tmap_profile_row like = { .overhead_s = overhead_s };

		if (tmap_json_element(distances, i, TMAP_JSON_OBJECT, &in, err) < 0 ||
		    tmap_json_check_members(&in, members, DISTANCE, err) < 0 ||
		    get_distance(&in, machine, &like.distance, err) < 0 ||
		    find_seconds(&in, "overhead_s", &like.overhead_s, err) < 0 ||
		    find_copier(&in, &like.copier, err) < 0)
			return -1;
		if (like.distance <= before)
			return tmap_json_fail(&in, err, "distance %d is not above %d, that before",
					      like.distance, before);
		before = like.distance;
		if (get_pieces(&in, choice, &like, err) < 0 ||
		    tmap_profile_find_points(choice, &in, like.distance, err) < 0)
			return -1;
	}
	return 0;
}

static int get_messages(const struct tmap_json *doc, struct tmap_profile_request *choice,
			const struct tmap_machine *machine, struct tmap_error *err)
{
	struct tmap_json rows = { 0 }, distances = { 0 };
	double overhead_s = 0;
	int status;

	if (find_seconds(doc, "overhead_s", &overhead_s, err) < 0 ||
	    tmap_json_find(doc, "distances", TMAP_JSON_ARRAY, &distances, err) < 0 ||
	    tmap_json_find(doc, "rows", TMAP_JSON_ARRAY, &rows, err) < 0)
		return -1;
	if (distances.value && rows.value)
		return tmap_json_fail(&rows, err,
				      "'distances' is there, too, and one of the two is");
	if (!distances.value && !rows.value)
		return tmap_json_fail(doc, err, "the member 'distances' is missing");
	status = rows.value ? get_rows(&rows, choice, overhead_s, err) :
			      get_distances(&distances, choice, machine, overhead_s, err);
	choice->profile.row = choice->row;
	choice->profile.point = choice->point;
	return status;
}

static int find_nodes(struct tmap_profile_request *choice, const struct tmap_json *in,
		      const char **nodes, struct tmap_error *err)
{
	struct tmap_hostlist hosts = TMAP_HOSTLIST_INIT;
	struct tmap_json at;

	if (tmap_profile_find_name(choice, in, "nodes", nodes, err) < 0)
		return -1;
	if (!*nodes)
		return 0;
	if (tmap_json_get(in, "nodes", TMAP_JSON_STRING, &at, err) < 0)
		return -1;
	if (tmap_hostlist_parse(&hosts, *nodes, err) < 0)
		return tmap_json_wrap(&at, err);
	tmap_hostlist_fini(&hosts);
	return 0;
}

static int get_level(struct tmap_profile_request *choice, const struct tmap_json *in,
		     const struct tmap_machine *machine, struct tmap_profile_link *link,
		     struct tmap_error *err)
{
	struct tmap_json level, over = { 0 };

	if (tmap_json_get(in, "level", TMAP_JSON_STRING, &level, err) < 0 ||
	    tmap_json_find(in, "oversubscription", TMAP_JSON_NUMBER, &over, err) < 0)
		return -1;
	if (!tmap_profile_knows_level(tmap_json_string(&level), machine))
		return refuse_level(&level, machine, err);
	link->level = tmap_profile_keep(choice, tmap_json_string(&level), err);
	if (!link->level)
		return -1;
	if (!over.value)
		return 0;
	link->oversubscription = tmap_json_number(&over);
	if (link->oversubscription <= 0 ||
	    !tmap_profile_is_within(&tmap_profile_oversubscription, link->oversubscription))
		return tmap_json_fail(&over, err, "%g %s", link->oversubscription,
				      tmap_profile_oversubscription.rule);
	if (tmap_profile_tier(link->level, machine) == TMAP_NONE)
		return tmap_json_fail(&over, err,
				      "'%.60s' is no level of switches, and only these have one",
				      link->level);
	return 0;
}

/* Entries of links, adapters or memory. */
static int get_links(struct tmap_profile_request *choice, const struct tmap_json *doc,
		     const char *member, const struct tmap_machine *machine,
		     struct tmap_profile_link **list, int *list_count, struct tmap_error *err)
{
	bool is_link = strcmp(member, "links") == 0, is_adapter = strcmp(member, "adapters") == 0;
	int kind = is_link ? LINK : is_adapter ? ADAPTER : MEMORY;
	struct tmap_json links = { 0 }, in;
	int count;

	if (tmap_json_find(doc, member, TMAP_JSON_ARRAY, &links, err) < 0)
		return -1;
	count = tmap_json_count(&links);
	*list = tmap_alloc((size_t)count, sizeof **list, err);
	if (!*list)
		return -1;
	*list_count = count;
	for (int i = 0; i < count; i++) {
		struct tmap_profile_link *link = &(*list)[i];
		bool is_network;

		if (tmap_json_element(&links, i, TMAP_JSON_OBJECT, &in, err) < 0 ||
		    tmap_json_check_members(&in, members, kind, err) < 0 ||
		    (is_link && get_level(choice, &in, machine, link, err) < 0) ||
		    find_nodes(choice, &in, &link->nodes, err) < 0 ||
		    tmap_profile_find_name(choice, &in, "device", &link->device, err) < 0 ||
		    tmap_json_find_int(&in, "cores", 1, INT_MAX, &link->cores, err) < 0 ||
		    find_bandwidth(&in, "bytes_per_s", &link->byte_s, err) < 0 ||
		    find_message_rate(&in, "messages_per_s", &link->message_s, err) < 0 ||
		    tmap_json_find_bool(&in, "both_ways", &link->both_ways, err) < 0 ||
		    (is_adapter && tmap_json_find_bool(&in, "each", &link->is_each, err) < 0))
			return -1;
		is_network = is_link && strcmp(link->level, TMAP_PROFILE_NETWORK) == 0;
		if (is_network && (link->nodes || link->device || link->cores))
			return tmap_json_fail(
				&in, err,
				"the level network is that of all nodes, and so has no "
				"nodes, device or cores");
		for (int k = 0; k < i && is_network; k++)
			if (strcmp((*list)[k].level, TMAP_PROFILE_NETWORK) == 0)
				return tmap_json_fail(
					&in, err, "there is one network, and links[%d] is it", k);
	}
	return 0;
}

static int get_shared(const struct tmap_json *doc, struct tmap_profile_request *choice,
		      const struct tmap_machine *machine, struct tmap_error *err)
{
	struct tmap_profile *profile = &choice->profile;
	int status = 0;

	if (get_links(choice, doc, "links", machine, &choice->link, &profile->link_count, err) <
		    0 ||
	    get_links(choice, doc, "adapters", machine, &choice->adapter, &profile->adapter_count,
		      err) < 0 ||
	    get_links(choice, doc, "memory", machine, &choice->memory, &profile->memory_count,
		      err) < 0)
		status = -1;
	profile->link = choice->link;
	profile->adapter = choice->adapter;
	profile->memory = choice->memory;
	return status;
}

/* Predictions say whose costs they rest on. */
static int check_name(const struct tmap_json *doc, const char *name, struct tmap_error *err)
{
	struct tmap_json at;

	if (*name)
		return 0;
	return tmap_json_get(doc, "name", TMAP_JSON_STRING, &at, err) < 0 ?
		-1 :
		tmap_json_fail(&at, err, "it is empty; without a name the file's is taken");
}

static int get_profile(const struct tmap_json *doc, const char *name,
		       const struct tmap_machine *machine, struct tmap_profile_request *choice,
		       struct tmap_error *err)
{
	struct tmap_profile *profile = &choice->profile;
	const struct tmap_profile *published;

	profile->word.name = tmap_profile_keep(choice, name, err);
	profile->source = profile->word.summary = "";
	if (!profile->word.name || tmap_json_check_kind(doc, "profile", err) < 0 ||
	    tmap_json_check_members(doc, members, DOCUMENT, err) < 0 ||
	    tmap_profile_find_name(choice, doc, "name", &profile->word.name, err) < 0 ||
	    check_name(doc, profile->word.name, err) < 0 ||
	    tmap_profile_find_name(choice, doc, "title", &profile->word.summary, err) < 0 ||
	    tmap_profile_find_text(choice, doc, "source", &profile->source, err) < 0 ||
	    tmap_profile_find_name(choice, doc, "date", &profile->date, err) < 0 ||
	    get_messages(doc, choice, machine, err) < 0 ||
	    find_bandwidth(doc, "memory_bytes_per_s", &profile->memory_byte_s, err) < 0 ||
	    find_bandwidth(doc, "adapter_bytes_per_s", &profile->adapter_byte_s, err) < 0 ||
	    find_message_rate(doc, "adapter_messages_per_s", &profile->adapter_message_s, err) <
		    0 ||
	    find_byte_cost(doc, "copy_byte_s", "copy_bytes_per_s", &profile->copy_byte_s, err) <
		    0 ||
	    find_byte_cost(doc, "reduce_byte_s", "reduce_bytes_per_s", &profile->reduce_byte_s,
			   err) < 0 ||
	    find_byte_seconds(doc, "datatype_byte_s", &profile->datatype_byte_s, err) < 0 ||
	    find_seconds(doc, "shared_core_s", &profile->shared_core_s, err) < 0 ||
	    get_shared(doc, choice, machine, err) < 0 ||
	    tmap_profile_get_calibration(choice, doc, members, CALIBRATION, err) < 0)
		return -1;
	if (tmap_profile_check(profile, err) < 0)
		return -1;
	/* what `topomap profile` has written of one stays that one */
	published = profile->calibration ? NULL : tmap_profile_find_published(profile);
	profile->is_published = published != NULL;
	if (published && !*profile->word.summary)
		profile->word.summary = published->word.summary;
	return 0;
}

/* Takes what the document says; it is released in any case. */
static int take_profile(struct tmap_profile_request *choice, struct tmap_json *doc,
			const char *name, const struct tmap_machine *machine,
			struct tmap_error *err)
{
	struct tmap_profile_request made = { 0 };
	int status = get_profile(doc, name, machine, &made, err);

	tmap_json_fini(doc);
	if (status < 0) {
		tmap_profile_request_fini(&made);
		return tmap_at(err, name, 0);
	}
	*choice = made;
	return 0;
}

int tmap_profile_parse(struct tmap_profile_request *choice, const char *text, size_t length,
		       const char *name, const struct tmap_machine *machine, struct tmap_error *err)
{
	struct tmap_json doc;

	if (tmap_json_parse(&doc, text, length, name, err) < 0)
		return -1;
	return take_profile(choice, &doc, name, machine, err);
}

int tmap_profile_choose(struct tmap_profile_request *choice, const char *name,
			const struct tmap_machine *machine, struct tmap_error *err)
{
	struct tmap_error unknown;
	struct tmap_json doc;
	int index;

	if (!name) {
		*choice = (struct tmap_profile_request){ .profile = machine ?
								 tmap_profile_for(machine) :
								 *tmap_profile_at(0) };
		return 0;
	}
	index = tmap_keywords_find(&tmap_profiles, name, &unknown);
	if (index != TMAP_NONE) {
		*choice = (struct tmap_profile_request){ .profile = *tmap_profile_at(index) };
		return 0;
	}
	/* what does not look like a file was meant to be a name */
	if (!strpbrk(name, "/.-") && access(name, F_OK) != 0) {
		*err = unknown;
		err->kind = TMAP_USAGE;
		return -1;
	}
	if (tmap_json_read(&doc, name, err) < 0)
		return -1;
	return take_profile(choice, &doc, tmap_input_name(name), machine, err);
}

void tmap_profile_request_fini(struct tmap_profile_request *choice)
{
	for (size_t i = 0; i < choice->text_count; i++)
		free(choice->text[i]);
	free(choice->text);
	free(choice->calibration);
	free(choice->note);
	free(choice->point);
	free(choice->row);
	free(choice->link);
	free(choice->adapter);
	free(choice->memory);
	*choice = (struct tmap_profile_request){ 0 };
}
