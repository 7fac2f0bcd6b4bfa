/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "core/base/sum.h"
#include "formats/base/input.h"
#include "formats/machine/json_placement.h"
#include "formats/report/record/record_json.h"
#include "formats/report/times/times_members.h"

#include <stdlib.h>
#include <string.h>

/* The numbers of an array, each at least @p least; *count is how many there must be, or TMAP_NONE, and
 * then becomes how many there are. The caller's to free. */
static int64_t *numbers_get(const struct tmap_json *in, const char *member, int64_t least,
			    int *count, struct tmap_error *err)
{
	struct tmap_json list, at;
	int64_t *number;

	if (tmap_json_get(in, member, TMAP_JSON_ARRAY, &list, err) < 0)
		return NULL;
	if (*count != TMAP_NONE && tmap_json_count(&list) != *count) {
		tmap_json_fail(&list, err, "%d numbers are there, not one for each of %d offsets",
			       tmap_json_count(&list), *count);
		return NULL;
	}
	*count = tmap_json_count(&list);
	number = tmap_alloc_raw((size_t)*count, sizeof *number, err);
	for (int i = 0; number && i < *count; i++)
		if (tmap_json_element(&list, i, TMAP_JSON_INTEGER, &at, err) < 0 ||
		    tmap_json_integer(&at, least, INT64_MAX, &number[i], err) < 0) {
			free(number);
			return NULL;
		}
	return number;
}

static int offsets_get(const struct tmap_json *in, struct tmap_record_row *row, int size,
		       struct tmap_error *err)
{
	int64_t *offset;
	int count = TMAP_NONE, status = 0;

	offset = numbers_get(in, "offsets", 0, &count, err);
	if (offset)
		row->offset = tmap_alloc_raw((size_t)count, sizeof *row->offset, err);
	if (!offset || !row->offset) {
		free(offset);
		return -1;
	}
	for (int i = 0; i < count && status == 0; i++) {
		if (offset[i] >= size)
			status = tmap_json_fail(in, err,
						"the offset %lld is not below the number of "
						"ranks, %d",
						(long long)offset[i], size);
		else if (i && offset[i] <= offset[i - 1])
			status = tmap_json_fail(in, err, "the offsets do not rise");
		else
			row->offset[i] = (int)offset[i];
	}
	row->peers = count;
	free(offset);
	return status;
}

static int sizes_get(const struct tmap_json *in, struct tmap_record_row *row,
		     struct tmap_error *err)
{
	int64_t messages = 0, sized = 0, *number;
	int count = TMAP_NONE;

	number = numbers_get(in, "sizes", 0, &count, err);
	if (!number)
		return -1;
	if (count > TMAP_RECORD_SIZES) {
		free(number);
		return tmap_json_fail(in, err, "%d sizes are more than %d", count,
				      TMAP_RECORD_SIZES);
	}
	for (int i = 0; i < count; i++) {
		row->sizes[i] = number[i];
		tmap_sum_add(&sized, number[i]);
	}
	free(number);
	for (int i = 0; i < row->peers; i++)
		tmap_sum_add(&messages, row->messages[i]);
	return messages == sized ? 0 :
				   tmap_json_fail(in, err, "%lld messages have %lld sizes",
						  (long long)messages, (long long)sized);
}

static int row_get(const struct tmap_json *in, struct tmap_record_row *row, int size,
		   struct tmap_error *err)
{
	if (offsets_get(in, row, size, err) < 0)
		return -1;
	row->messages = numbers_get(in, "messages", 1, &row->peers, err);
	if (!row->messages)
		return -1;
	row->bytes = numbers_get(in, "bytes", 0, &row->peers, err);
	if (!row->bytes || sizes_get(in, row, err) < 0)
		return -1;
	return tmap_json_find_int64(in, "outside_messages", 1, INT64_MAX, &row->outside_messages,
				    err) < 0 ?
		-1 :
		tmap_json_find_int64(in, "outside_bytes", 0, INT64_MAX, &row->outside_bytes, err);
}

static int rows_get(const struct tmap_json *in, struct tmap_record_rows *made, int size,
		    struct tmap_error *err)
{
	struct tmap_json rows, at;
	int count;

	if (tmap_json_get(in, "rows", TMAP_JSON_ARRAY, &rows, err) < 0)
		return -1;
	count = tmap_json_count(&rows);
	if (count < 1 || count > size)
		return tmap_json_fail(&rows, err, "%d rows are not one or more of %d ranks", count,
				      size);
	made->row = tmap_alloc((size_t)count, sizeof *made->row, err);
	if (!made->row)
		return -1;
	made->count = count;
	for (int i = 0; i < count; i++)
		if (tmap_json_element(&rows, i, TMAP_JSON_OBJECT, &at, err) < 0 ||
		    row_get(&at, &made->row[i], size, err) < 0)
			return -1;
	made->of = tmap_json_get_list(in, "row", size, 0, count - 1, err);
	return made->of ? 0 : -1;
}

/* Messages are always there. */
static int sent_get(const struct tmap_json *doc, struct tmap_record_rows *sent, int size,
		    struct tmap_error *err)
{
	struct tmap_json in;

	if (tmap_json_get(doc, tmap_ways[TMAP_WAY_MESSAGES].name, TMAP_JSON_OBJECT, &in, err) < 0)
		return -1;
	for (int way = 0; way < TMAP_WAYS; way++) {
		if (tmap_json_find(doc, tmap_ways[way].name, TMAP_JSON_OBJECT, &in, err) < 0)
			return -1;
		if (tmap_json_is(&in, TMAP_JSON_OBJECT) && rows_get(&in, &sent[way], size, err) < 0)
			return -1;
	}
	return 0;
}

/* Is each rank there once at most? met[ranks of the job] has who was met last, counted from 1. */
static int members_check(const struct tmap_json *at, const struct tmap_recorded_communicator *it,
			 int number, int *met, struct tmap_error *err)
{
	for (int i = 0; i < it->size; i++) {
		if (met[it->rank[i]] == number + 1)
			return tmap_json_fail(at, err, "rank %d is there twice", it->rank[i]);
		met[it->rank[i]] = number + 1;
	}
	return 0;
}

static int communicator_get(const struct tmap_json *in, struct tmap_recorded_communicator *it,
			    int number, int size, int64_t *ranks, struct tmap_error *err)
{
	int id = 0;

	if (tmap_json_get_int(in, "id", 0, INT32_MAX, &id, err) < 0 ||
	    tmap_json_get_int(in, "size", 1, size, &it->size, err) < 0)
		return -1;
	if (id != number)
		return tmap_json_fail(in, err, "its id is %d, not its index", id);
	*ranks += it->size;
	if (*ranks > tmap_record_ranks_most(size))
		return tmap_json_fail(in, err,
				      "the communicators up to this one have %lld ranks; the most "
				      "are %lld",
				      (long long)*ranks, (long long)tmap_record_ranks_most(size));
	it->rank = tmap_json_get_list(in, "ranks", it->size, 0, size - 1, err);
	if (!it->rank || tmap_json_get_plain(in, "name", &it->name, err) < 0)
		return -1;
	return tmap_json_get_plain(in, "topology", &it->topology, err);
}

static int communicators_get(const struct tmap_json *doc, struct tmap_record *record,
			     struct tmap_error *err)
{
	int size = record->placement.size, count, status = 0;
	struct tmap_json list, at;
	int64_t ranks = 0;
	int *met;

	if (tmap_json_get(doc, "communicators", TMAP_JSON_ARRAY, &list, err) < 0)
		return -1;
	count = tmap_json_count(&list);
	record->communicator = tmap_alloc((size_t)count, sizeof *record->communicator, err);
	met = tmap_alloc((size_t)size, sizeof *met, err);
	status = record->communicator && met ? 0 : -1;
	record->communicator_count = status == 0 ? count : 0;
	for (int i = 0; i < count && status == 0; i++)
		if (tmap_json_element(&list, i, TMAP_JSON_OBJECT, &at, err) < 0 ||
		    communicator_get(&at, &record->communicator[i], i, size, &ranks, err) < 0 ||
		    members_check(&at, &record->communicator[i], i, met, err) < 0)
			status = -1;
	free(met);
	return status;
}

static int irregular_get(const struct tmap_json *in, struct tmap_recorded_call *it, int size,
			 struct tmap_error *err)
{
	int64_t mean;

	if (tmap_json_get_int64(in, "total_bytes", 0, &it->total_bytes, err) < 0 ||
	    tmap_json_get_int64(in, "largest", 0, &it->largest, err) < 0)
		return -1;
	mean = tmap_recorded_mean(it->collective, it->total_bytes, it->calls, size);
	return mean == it->bytes ?
		0 :
		tmap_json_fail(in, err, "bytes is %lld, and the mean block has %lld",
			       (long long)it->bytes, (long long)mean);
}

/* The time that ranks spent: all together, and the one that was longest. */
static int spent_get(const struct tmap_json *in, double *all, double *longest,
		     struct tmap_error *err)
{
	struct tmap_json at, sum;

	if (tmap_json_get(in, "seconds", TMAP_JSON_OBJECT, &at, err) < 0 ||
	    tmap_json_get(&at, "sum", TMAP_JSON_NUMBER, &sum, err) < 0)
		return -1;
	*all = tmap_json_number(&sum);
	if (!(*all >= 0 && *all <= 1e18))
		return tmap_json_fail(&sum, err, "%g is not from 0 to 1e+18", *all);
	return tmap_json_get_time(&at, "max_rank", 0, longest, err);
}

/* The longest rank's are among all, and no rank's are above them, but for what rounding adds. A rank's may be
 * above the run's: threads are in calls at once. */
static int file_seconds_check(const struct tmap_json *in, const struct tmap_recorded_files *it,
			      struct tmap_error *err)
{
	const double rounding = 1 + 1e-6;

	if (it->seconds_max > it->seconds_sum * rounding)
		return tmap_json_fail(in, err, "a rank takes %g s, and all of them %g s",
				      it->seconds_max, it->seconds_sum);
	if (it->seconds_sum > it->ranks * it->seconds_max * rounding)
		return tmap_json_fail(in, err, "%d ranks of at most %g s do not take %g s",
				      it->ranks, it->seconds_max, it->seconds_sum);
	return 0;
}

/* One way, behind the one before it. */
static int file_get(const struct tmap_json *in, struct tmap_recorded_files *files, int size,
		    int *before, struct tmap_error *err)
{
	struct tmap_recorded_files *it;
	int way;

	if (tmap_json_get_keyword(in, "way", &tmap_file_ways, &way, err) < 0)
		return -1;
	if (way <= *before)
		return tmap_json_fail(in, err, "the way '%s' is not behind '%s'",
				      tmap_keywords_at(&tmap_file_ways, (size_t)way)->name,
				      tmap_keywords_at(&tmap_file_ways, (size_t)*before)->name);
	*before = way;
	it = &files[way];
	if (tmap_json_get_int64(in, "calls", 1, &it->calls, err) < 0 ||
	    tmap_json_get_int64(in, "bytes", 0, &it->bytes, err) < 0 ||
	    tmap_json_get_int(in, "ranks", 1, size, &it->ranks, err) < 0 ||
	    tmap_json_get_int64(in, "most_bytes", 0, &it->most_bytes, err) < 0)
		return -1;
	if (it->ranks > it->calls)
		return tmap_json_fail(in, err, "%d ranks made %lld calls", it->ranks,
				      (long long)it->calls);
	if (tmap_sum_product(it->most_bytes, it->ranks) < it->bytes)
		return tmap_json_fail(in, err, "%d ranks of at most %lld bytes have no %lld bytes",
				      it->ranks, (long long)it->most_bytes, (long long)it->bytes);
	if (it->most_bytes > it->bytes)
		return tmap_json_fail(in, err, "a rank moves %lld bytes, and all of them %lld",
				      (long long)it->most_bytes, (long long)it->bytes);
	if (spent_get(in, &it->seconds_sum, &it->seconds_max, err) < 0)
		return -1;
	return file_seconds_check(in, it, err);
}

/* They may be missing: there are none. */
static int files_get(const struct tmap_json *doc, struct tmap_recorded_files *files, int size,
		     struct tmap_error *err)
{
	struct tmap_json list, at;
	int way = TMAP_NONE;

	if (tmap_json_find(doc, "files", TMAP_JSON_ARRAY, &list, err) < 0)
		return -1;
	if (!tmap_json_is(&list, TMAP_JSON_ARRAY))
		return 0;
	for (int i = 0; i < tmap_json_count(&list); i++)
		if (tmap_json_element(&list, i, TMAP_JSON_OBJECT, &at, err) < 0 ||
		    file_get(&at, files, size, &way, err) < 0)
			return -1;
	return 0;
}

/* It may be missing: nothing was. */
static int left_out_get(const struct tmap_json *doc, struct tmap_record_left_out *it,
			struct tmap_error *err)
{
	struct tmap_json in;

	if (tmap_json_find(doc, "left_out", TMAP_JSON_OBJECT, &in, err) < 0)
		return -1;
	if (!tmap_json_is(&in, TMAP_JSON_OBJECT))
		return 0;
	if (tmap_json_get_int64(&in, "outside_calls", 0, &it->outside_calls, err) < 0 ||
	    tmap_json_get_int64(&in, "calls", 0, &it->calls, err) < 0)
		return -1;
	return tmap_json_get_int64(&in, "phases", 0, &it->phases, err);
}

static int call_get(const struct tmap_json *in, const struct tmap_record *record,
		    struct tmap_recorded_call *it, struct tmap_error *err)
{
	int collective, mode, size;

	if (tmap_json_get_keyword(in, "collective", &tmap_recorded_collectives, &collective, err) <
		    0 ||
	    tmap_json_get_keyword(in, "mode", &tmap_modes, &mode, err) < 0 ||
	    tmap_json_get_index(in, "communicator", record->communicator_count, "communicators",
				&it->communicator, err) < 0)
		return -1;
	it->collective = (enum tmap_recorded)collective;
	it->mode = (enum tmap_mode)mode;
	size = record->communicator[it->communicator].size;
	if (mode > TMAP_PERSISTENT)
		return tmap_json_fail(in, err, "no program calls in the mode '%s'",
				      tmap_keywords_at(&tmap_modes, (size_t)mode)->name);
	if (tmap_json_get_int(in, "root", 0, size - 1, &it->root, err) < 0 ||
	    tmap_json_get_int64(in, "bytes", 0, &it->bytes, err) < 0 ||
	    tmap_json_get_int64(in, "element", 0, &it->element, err) < 0 ||
	    tmap_json_get_int64(in, "calls", 1, &it->calls, err) < 0)
		return -1;
	if (it->element && it->bytes % it->element)
		return tmap_json_fail(in, err, "%lld bytes are no elements of %lld bytes",
				      (long long)it->bytes, (long long)it->element);
	if (tmap_recorded_rows[collective].is_irregular && irregular_get(in, it, size, err) < 0)
		return -1;
	return it->mode == TMAP_BLOCKING ? spent_get(in, &it->seconds_sum, &it->seconds_max, err) :
					   0;
}

static int calls_get(const struct tmap_json *doc, const struct tmap_record *record,
		     struct tmap_recorded_call **call, int *call_count, struct tmap_error *err)
{
	struct tmap_json list, at;
	int count;

	if (tmap_json_get(doc, "collectives", TMAP_JSON_ARRAY, &list, err) < 0)
		return -1;
	count = tmap_json_count(&list);
	*call = tmap_alloc((size_t)count, sizeof **call, err);
	if (!*call)
		return -1;
	*call_count = count;
	for (int i = 0; i < count; i++)
		if (tmap_json_element(&list, i, TMAP_JSON_OBJECT, &at, err) < 0 ||
		    call_get(&at, record, &(*call)[i], err) < 0)
			return -1;
	return 0;
}

static int phase_get(const struct tmap_json *in, const struct tmap_record *record,
		     struct tmap_record_part *it, int after, struct tmap_error *err)
{
	if (tmap_json_get_int(in, "phase", 1, INT32_MAX, &it->number, err) < 0)
		return -1;
	if (it->number <= after)
		return tmap_json_fail(in, err, "the phase %d is not behind the phase %d",
				      it->number, after);
	if (tmap_json_get_time(in, "seconds", 0, &it->seconds, err) < 0 ||
	    sent_get(in, it->sent, record->placement.size, err) < 0 ||
	    files_get(in, it->files, record->placement.size, err) < 0)
		return -1;
	return calls_get(in, record, &it->call, &it->call_count, err);
}

/* They may be missing: the run was not parted. */
static int phases_get(const struct tmap_json *doc, struct tmap_record *record,
		      struct tmap_error *err)
{
	struct tmap_json list, at;
	int count, last = 0;

	if (tmap_json_find(doc, "phases", TMAP_JSON_ARRAY, &list, err) < 0)
		return -1;
	if (!tmap_json_is(&list, TMAP_JSON_ARRAY))
		return 0;
	if (tmap_json_find(doc, "interval_s", TMAP_JSON_NUMBER, &at, err) < 0 ||
	    (tmap_json_is(&at, TMAP_JSON_NUMBER) &&
	     tmap_json_get_time(doc, "interval_s", 0, &record->interval_s, err) < 0))
		return -1;
	count = tmap_json_count(&list);
	record->phase = tmap_alloc((size_t)count, sizeof *record->phase, err);
	if (!record->phase)
		return -1;
	record->phase_count = count;
	for (int i = 0; i < count; i++) {
		if (tmap_json_element(&list, i, TMAP_JSON_OBJECT, &at, err) < 0 ||
		    phase_get(&at, record, &record->phase[i], last, err) < 0)
			return -1;
		last = record->phase[i].number;
	}
	return 0;
}

static int record_get(const struct tmap_json *doc, struct tmap_record *record,
		      struct tmap_error *err)
{
	struct tmap_json placement;

	if (tmap_json_check_kind(doc, "record", err) < 0 ||
	    tmap_json_get(doc, "placement", TMAP_JSON_OBJECT, &placement, err) < 0 ||
	    tmap_json_get_placement(&placement, &record->placement, err) < 0 ||
	    tmap_json_get_plain(doc, "program", &record->program, err) < 0 ||
	    tmap_json_get_plain(doc, "mpi", &record->mpi, err) < 0 ||
	    tmap_json_get_plain(doc, "date", &record->date, err) < 0 ||
	    tmap_json_get_time(doc, "seconds", 0, &record->seconds, err) < 0 ||
	    tmap_json_find_bool(doc, "spawned", &record->is_spawned, err) < 0 ||
	    left_out_get(doc, &record->left_out, err) < 0 ||
	    sent_get(doc, record->sent, record->placement.size, err) < 0 ||
	    files_get(doc, record->files, record->placement.size, err) < 0 ||
	    communicators_get(doc, record, err) < 0 ||
	    calls_get(doc, record, &record->call, &record->call_count, err) < 0)
		return -1;
	return phases_get(doc, record, err);
}

static int take_document(struct tmap_json *doc, struct tmap_record *record, const char *name,
			 struct tmap_error *err)
{
	struct tmap_record made = { 0 };
	int status = record_get(doc, &made, err);

	tmap_json_fini(doc);
	/* a placement that was given to the recorder says none */
	if (status == 0 && !made.placement.origin.mpi) {
		made.placement.origin.mpi = tmap_strdup(made.mpi, err);
		status = made.placement.origin.mpi ? 0 : -1;
	}
	if (status < 0) {
		tmap_record_fini(&made);
		return tmap_at(err, name, 0);
	}
	*record = made;
	return 0;
}

int tmap_record_read_json(struct tmap_record *record, const char *path, struct tmap_error *err)
{
	struct tmap_json doc;

	if (tmap_json_read(&doc, path, err) < 0)
		return -1;
	return take_document(&doc, record, tmap_input_name(path), err);
}

int tmap_record_parse_json(struct tmap_record *record, const char *text, size_t length,
			   const char *name, struct tmap_error *err)
{
	struct tmap_json doc;

	if (tmap_json_parse(&doc, text, length, name, err) < 0)
		return -1;
	return take_document(&doc, record, name, err);
}

int tmap_record_read_carried(struct tmap_record *record, const char *path, struct tmap_error *err)
{
	const char *kind = "";
	struct tmap_record made = { 0 };
	struct tmap_json doc;
	int status = 0;

	if (tmap_json_read(&doc, path, err) < 0)
		return -1;
	if (tmap_json_is(&doc, TMAP_JSON_OBJECT))
		status = tmap_json_find_string(&doc, "kind", &kind, err);
	if (status == 0 && strcmp(kind, "record") == 0)
		return take_document(&doc, record, tmap_input_name(path), err);
	if (status == 0)
		status = tmap_json_get_carried_placement(&doc, &made.placement, err);
	tmap_json_fini(&doc);
	if (status < 0)
		return tmap_at(err, tmap_input_name(path), 0);
	*record = made;
	return 0;
}
