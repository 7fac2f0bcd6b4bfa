#include "core/guidelines/guidelines.h"

#include "core/base/mem.h"
#include "core/base/string.h"

#include <stdlib.h>

/* How large a part is, compared with the native collective. */
enum size { SAME, ALL, SHARE };

struct part {
	enum tmap_collective collective;
	enum size size;
	const char *algorithm; /* NULL: the library's own */
};

struct row {
	enum tmap_collective native;
	int count;
	struct part mockup[TMAP_MOCKUP_MOST];
};

#define BY(which, name) \
	{ \
		which, 1, \
		{ \
			{ \
				which, SAME, name \
			} \
		} \
	}
#define LANES(which) BY(which, "lane"), BY(which, "lane,lanes=1")

static const struct row rows[] = {
	{ TMAP_BCAST, 2, { { TMAP_SCATTER, SHARE, NULL }, { TMAP_ALLGATHER, SHARE, NULL } } },
	LANES(TMAP_BCAST),
	{ TMAP_GATHER, 1, { { TMAP_ALLGATHER, SAME, NULL } } },
	{ TMAP_GATHER, 1, { { TMAP_REDUCE, ALL, NULL } } },
	LANES(TMAP_GATHER),
	{ TMAP_SCATTER, 1, { { TMAP_BCAST, ALL, NULL } } },
	LANES(TMAP_SCATTER),
	{ TMAP_ALLGATHER, 2, { { TMAP_GATHER, SAME, NULL }, { TMAP_BCAST, ALL, NULL } } },
	{ TMAP_ALLGATHER, 1, { { TMAP_ALLTOALL, SAME, NULL } } },
	{ TMAP_ALLGATHER, 1, { { TMAP_ALLREDUCE, ALL, NULL } } },
	LANES(TMAP_ALLGATHER),
	LANES(TMAP_ALLTOALL),
	{ TMAP_REDUCE, 1, { { TMAP_ALLREDUCE, SAME, NULL } } },
	{ TMAP_REDUCE,
	  2,
	  { { TMAP_REDUCE_SCATTER_BLOCK, SHARE, NULL }, { TMAP_GATHER, SHARE, NULL } } },
	LANES(TMAP_REDUCE),
	{ TMAP_ALLREDUCE, 2, { { TMAP_REDUCE, SAME, NULL }, { TMAP_BCAST, SAME, NULL } } },
	{ TMAP_ALLREDUCE,
	  2,
	  { { TMAP_REDUCE_SCATTER_BLOCK, SHARE, NULL }, { TMAP_ALLGATHER, SHARE, NULL } } },
	LANES(TMAP_ALLREDUCE),
	{ TMAP_REDUCE_SCATTER, 1, { { TMAP_ALLREDUCE, SAME, NULL } } },
	{ TMAP_REDUCE_SCATTER, 2, { { TMAP_REDUCE, SAME, NULL }, { TMAP_SCATTER, SHARE, NULL } } },
	LANES(TMAP_REDUCE_SCATTER),
	{ TMAP_REDUCE_SCATTER_BLOCK,
	  2,
	  { { TMAP_REDUCE, ALL, NULL }, { TMAP_SCATTER, SAME, NULL } } },
	LANES(TMAP_REDUCE_SCATTER_BLOCK),
	{ TMAP_SCAN, 1, { { TMAP_EXSCAN, SAME, NULL } } },
	LANES(TMAP_SCAN),
	LANES(TMAP_EXSCAN),
};

enum { ROWS = sizeof rows / sizeof *rows };

double tmap_guideline_ratio(double native, double mockup)
{
	return mockup > 0 ? native / mockup : 1;
}

bool tmap_guideline_is_guess(const struct tmap_guideline *guideline)
{
	bool is_guess = guideline->native.is_guess;

	for (int m = 0; m < guideline->part_count; m++)
		is_guess |= guideline->mockup[m].is_guess;
	return is_guess;
}

bool tmap_guideline_is_violated(const struct tmap_guideline *guideline)
{
	return guideline->is_measured &&
		tmap_guideline_ratio(guideline->measured_native_s, guideline->measured_mockup_s) >
		TMAP_GUIDELINE_TOLERANCE;
}

void tmap_guidelines_fini(struct tmap_guidelines *guidelines)
{
	for (int i = 0; guidelines->guideline && i < guidelines->count; i++) {
		struct tmap_guideline *guideline = &guidelines->guideline[i];

		free(guideline->name);
		free(guideline->reason);
		free(guideline->native.algorithm);
		for (int m = 0; m < guideline->part_count; m++)
			free(guideline->mockup[m].algorithm);
	}
	free(guidelines->guideline);
	*guidelines = (struct tmap_guidelines){ 0 };
}

/* Bytes of a part; 1 where there are too many to say. */
static int size_part(struct tmap_timed *part, enum size size, const struct tmap_guidelines *it,
		     struct tmap_error *why)
{
	int64_t p = it->placement->size;

	part->bytes = it->request.bytes;
	if (size == SHARE)
		part->bytes = part->bytes / p + (part->bytes % p > 0);
	if (size == ALL && __builtin_mul_overflow(it->request.bytes, p, &part->bytes)) {
		tmap_fail(why, TMAP_INPUT, "all blocks together are more than 2^63 - 1 bytes");
		return 1;
	}
	return 0;
}

static char *name_of(const struct row *row, struct tmap_error *err)
{
	struct tmap_str name = TMAP_STR_INIT;

	tmap_str_addf(&name, "%s <= ", tmap_collective_rows[row->native].word.name);
	for (int m = 0; m < row->count; m++)
		tmap_str_addf(&name, "%s%s", m ? " + " : "",
			      row->mockup[m].algorithm ?
				      row->mockup[m].algorithm :
				      tmap_collective_rows[row->mockup[m].collective].word.name);
	return tmap_str_take(&name, err);
}

/* 0, 1 where it says nothing here (*why), or -1. */
static int time_all(struct tmap_guideline *guideline, const struct row *row,
		    struct tmap_native *native, const struct tmap_guidelines *it,
		    struct tmap_error *why, struct tmap_error *err)
{
	int status = tmap_native_time(native, &guideline->native, NULL, why, err);

	for (int m = 0; m < row->count && status == 0; m++) {
		struct tmap_timed *part = &guideline->mockup[m];

		status = size_part(part, row->mockup[m].size, it, why);
		if (status == 0)
			status = tmap_native_time(native, part, row->mockup[m].algorithm, why, err);
		guideline->mockup_seconds += part->seconds;
	}
	return status;
}

static int add(struct tmap_guidelines *it, struct tmap_native *native, const struct row *row,
	       struct tmap_error *err)
{
	struct tmap_guideline *guideline = &it->guideline[it->count++];
	struct tmap_error why;
	int status;

	guideline->name = name_of(row, err);
	guideline->native =
		(struct tmap_timed){ .collective = row->native, .bytes = it->request.bytes };
	guideline->part_count = row->count;
	for (int m = 0; m < row->count; m++)
		guideline->mockup[m].collective = row->mockup[m].collective;
	if (!guideline->name)
		return -1;
	status = time_all(guideline, row, native, it, &why, err);
	if (status == 1) {
		guideline->reason = tmap_strdup(why.text, err);
		status = guideline->reason ? 0 : -1;
	}
	return status;
}

static int add_all(struct tmap_guidelines *it, struct tmap_native *native, struct tmap_error *err)
{
	int wanted = it->request.collective;

	it->guideline = tmap_alloc(ROWS, sizeof *it->guideline, err);
	if (!it->guideline)
		return -1;
	for (int i = 0; i < ROWS; i++)
		if ((wanted == TMAP_NONE || wanted == (int)rows[i].native) &&
		    add(it, native, &rows[i], err) < 0)
			return -1;
	if (it->count == 0)
		return tmap_fail(err, TMAP_INPUT, "there are no guidelines for %s",
				 tmap_collective_rows[wanted].word.name);
	return 0;
}

int tmap_guidelines_init(struct tmap_guidelines *guidelines, const struct tmap_placement *placement,
			 const struct tmap_guidelines_request *request, struct tmap_error *err)
{
	struct tmap_native native;
	int status;

	*guidelines = (struct tmap_guidelines){ .placement = placement, .request = *request };
	if (tmap_root_check(request->root, placement->size, err) < 0)
		return -1;
	if (tmap_native_init(&native, placement, request->library, request->root, request->profile,
			     err) < 0)
		return -1;
	status = add_all(guidelines, &native, err);
	tmap_native_fini(&native);
	if (status < 0)
		tmap_guidelines_fini(guidelines);
	return status;
}
