#include "core/guidelines/guidelines.h"

#include "core/base/mem.h"
#include "core/base/string.h"

#include <stdlib.h>

/* How large a part is, compared with the native collective. */
enum size { SAME, ALL, SHARE };

struct part {
	enum tm_collective collective;
	enum size size;
	const char *algorithm; /* NULL: the library's own */
};

struct row {
	enum tm_collective native;
	int count;
	struct part mockup[TM_MOCKUP_MOST];
};

#define BY(which, name) { which, 1, { { which, SAME, name } } }
#define LANES(which) BY(which, "lane"), BY(which, "lane,lanes=1")

static const struct row rows[] = {
	{ TM_BCAST, 2, { { TM_SCATTER, SHARE, NULL }, { TM_ALLGATHER, SHARE, NULL } } },
	LANES(TM_BCAST),
	{ TM_GATHER, 1, { { TM_ALLGATHER, SAME, NULL } } },
	{ TM_GATHER, 1, { { TM_REDUCE, ALL, NULL } } },
	LANES(TM_GATHER),
	{ TM_SCATTER, 1, { { TM_BCAST, ALL, NULL } } },
	LANES(TM_SCATTER),
	{ TM_ALLGATHER, 2, { { TM_GATHER, SAME, NULL }, { TM_BCAST, ALL, NULL } } },
	{ TM_ALLGATHER, 1, { { TM_ALLTOALL, SAME, NULL } } },
	{ TM_ALLGATHER, 1, { { TM_ALLREDUCE, ALL, NULL } } },
	LANES(TM_ALLGATHER),
	LANES(TM_ALLTOALL),
	{ TM_REDUCE, 1, { { TM_ALLREDUCE, SAME, NULL } } },
	{ TM_REDUCE, 2, { { TM_REDUCE_SCATTER_BLOCK, SHARE, NULL }, { TM_GATHER, SHARE, NULL } } },
	LANES(TM_REDUCE),
	{ TM_ALLREDUCE, 2, { { TM_REDUCE, SAME, NULL }, { TM_BCAST, SAME, NULL } } },
	{ TM_ALLREDUCE, 2, { { TM_REDUCE_SCATTER_BLOCK, SHARE, NULL },
			     { TM_ALLGATHER, SHARE, NULL } } },
	LANES(TM_ALLREDUCE),
	{ TM_REDUCE_SCATTER, 1, { { TM_ALLREDUCE, SAME, NULL } } },
	{ TM_REDUCE_SCATTER, 2, { { TM_REDUCE, SAME, NULL }, { TM_SCATTER, SHARE, NULL } } },
	LANES(TM_REDUCE_SCATTER),
	{ TM_REDUCE_SCATTER_BLOCK, 2, { { TM_REDUCE, ALL, NULL }, { TM_SCATTER, SAME, NULL } } },
	LANES(TM_REDUCE_SCATTER_BLOCK),
	{ TM_SCAN, 1, { { TM_EXSCAN, SAME, NULL } } },
	LANES(TM_SCAN),
	LANES(TM_EXSCAN),
};

enum { ROWS = sizeof rows / sizeof *rows };

double tm_guideline_ratio(double native, double mockup)
{
	return mockup > 0 ? native / mockup : 1;
}

bool tm_guideline_is_guess(const struct tm_guideline *guideline)
{
	bool is_guess = guideline->native.is_guess;

	for (int m = 0; m < guideline->part_count; m++)
		is_guess |= guideline->mockup[m].is_guess;
	return is_guess;
}

bool tm_guideline_is_violated(const struct tm_guideline *guideline)
{
	return guideline->is_measured &&
	       tm_guideline_ratio(guideline->measured_native_s, guideline->measured_mockup_s) >
		       TM_GUIDELINE_TOLERANCE;
}

void tm_guidelines_fini(struct tm_guidelines *guidelines)
{
	for (int i = 0; guidelines->guideline && i < guidelines->count; i++) {
		struct tm_guideline *guideline = &guidelines->guideline[i];

		free(guideline->name);
		free(guideline->reason);
		free(guideline->native.algorithm);
		for (int m = 0; m < guideline->part_count; m++)
			free(guideline->mockup[m].algorithm);
	}
	free(guidelines->guideline);
	*guidelines = (struct tm_guidelines){ 0 };
}

/* Bytes of a part; 1 where there are too many to say. */
static int size_part(struct tm_timed *part, enum size size, const struct tm_guidelines *it,
		     struct tm_error *why)
{
	int64_t p = it->placement->size;

	part->bytes = it->request.bytes;
	if (size == SHARE)
		part->bytes = part->bytes / p + (part->bytes % p > 0);
	if (size == ALL && __builtin_mul_overflow(it->request.bytes, p, &part->bytes)) {
		tm_fail(why, TM_INPUT, "all blocks together are more than 2^63 - 1 bytes");
		return 1;
	}
	return 0;
}

static char *name_of(const struct row *row, struct tm_error *err)
{
	struct tm_str name = TM_STR_INIT;

	tm_str_addf(&name, "%s <= ", tm_collective_rows[row->native].word.name);
	for (int m = 0; m < row->count; m++)
		tm_str_addf(&name, "%s%s", m ? " + " : "", row->mockup[m].algorithm ?
			    row->mockup[m].algorithm :
			    tm_collective_rows[row->mockup[m].collective].word.name);
	return tm_str_take(&name, err);
}

/* 0, 1 where it says nothing here (*why), or -1. */
static int time_all(struct tm_guideline *guideline, const struct row *row,
		    struct tm_native *native, const struct tm_guidelines *it,
		    struct tm_error *why, struct tm_error *err)
{
	int status = tm_native_time(native, &guideline->native, NULL, why, err);

	for (int m = 0; m < row->count && status == 0; m++) {
		struct tm_timed *part = &guideline->mockup[m];

		status = size_part(part, row->mockup[m].size, it, why);
		if (status == 0)
			status = tm_native_time(native, part, row->mockup[m].algorithm, why, err);
		guideline->mockup_seconds += part->seconds;
	}
	return status;
}

static int add(struct tm_guidelines *it, struct tm_native *native, const struct row *row,
	       struct tm_error *err)
{
	struct tm_guideline *guideline = &it->guideline[it->count++];
	struct tm_error why = { 0 };
	int status;

	guideline->name = name_of(row, err);
	guideline->native = (struct tm_timed){ .collective = row->native,
					       .bytes = it->request.bytes };
	guideline->part_count = row->count;
	for (int m = 0; m < row->count; m++)
		guideline->mockup[m].collective = row->mockup[m].collective;
	if (!guideline->name)
		return -1;
	status = time_all(guideline, row, native, it, &why, err);
	if (status == 1) {
		guideline->reason = tm_strdup(why.text, err);
		status = guideline->reason ? 0 : -1;
	}
	return status;
}

static int add_all(struct tm_guidelines *it, struct tm_native *native, struct tm_error *err)
{
	int wanted = it->request.collective;

	it->guideline = tm_alloc(ROWS, sizeof *it->guideline, err);
	if (!it->guideline)
		return -1;
	for (int i = 0; i < ROWS; i++)
		if ((wanted == TM_NONE || wanted == (int)rows[i].native) &&
		    add(it, native, &rows[i], err) < 0)
			return -1;
	if (it->count == 0)
		return tm_fail(err, TM_INPUT, "there are no guidelines for %s",
			       tm_collective_rows[wanted].word.name);
	return 0;
}

int tm_guidelines_init(struct tm_guidelines *guidelines, const struct tm_placement *placement,
		       const struct tm_guidelines_request *request, struct tm_error *err)
{
	struct tm_native native;
	int status;

	*guidelines = (struct tm_guidelines){ .placement = placement, .request = *request };
	if (tm_root_check(request->root, placement->size, err) < 0)
		return -1;
	if (tm_native_init(&native, placement, request->library, request->root, request->profile,
			   err) < 0)
		return -1;
	status = add_all(guidelines, &native, err);
	tm_native_fini(&native);
	if (status < 0)
		tm_guidelines_fini(guidelines);
	return status;
}
