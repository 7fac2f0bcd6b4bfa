/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "core/base/sum.h"
#include "mpi_probe/collect.h"
#include "mpi_probe/gather.h"
#include "mpi_probe/startup.h"
#include "mpi_run/record/record_files.h"
#include "mpi_run/record/record_pack.h"
#include "mpi_run/record/recorder.h"
#include "mpi_run/record/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* Of the ranks of a node, which have one parent, the first that comes says what all know: it has a name
 * that no other can have until it ends. */
static bool is_speaker(void)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "%s.%ld", TMAP_RECORDER_NAME,
		 (long)getppid());
	return descriptor < 0 || bind(descriptor, (struct sockaddr *)&name, sizeof name) == 0;
}

enum { WAIT_SECONDS = 300, WAIT_MOST = 1000000 };

static int wait_seconds(void)
{
	const char *text = getenv("TOPOMAP_RECORD_WAIT");
	char *end = NULL;
	long seconds = text ? strtol(text, &end, 10) : WAIT_SECONDS;

	return text && (end == text || *end || seconds < 1 || seconds > WAIT_MOST) ? WAIT_SECONDS :
										     (int)seconds;
}

/* Is every rank of the job here, in our MPI_Finalize? One that has no recorder never comes. */
static bool all_are_here(void)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	int seconds = wait_seconds(), done = 0;
	int64_t began = tmap_record_now(), last = (int64_t)seconds * 1000000000;
	MPI_Request request;

	if (PMPI_Ibarrier(MPI_COMM_WORLD, &request) != MPI_SUCCESS)
		return false;
	while (PMPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done) {
		int64_t waited = tmap_record_now() - began;

		if (waited > last)
			break;
		if (waited > 1000000)
			nanosleep(&pause, NULL);
	}
	if (!done && is_speaker())
		fprintf(stderr,
			"%s: nothing is recorded: within %d s (TOPOMAP_RECORD_WAIT) some ranks did "
			"not come to MPI_Finalize, or have no recorder: a static program, or a "
			"launcher that does not pass on LD_PRELOAD\n",
			TMAP_RECORDER_NAME, seconds);
	return done;
}

/* A peer, by how far behind this rank it is; TMAP_NONE: outside. */
struct peer_order {
	int offset, peer;
};

static int offset_compare(const void *a, const void *b)
{
	const struct peer_order *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

/* [peer_count], those behind this rank first; the caller's. */
static struct peer_order *peers_order(const struct tmap_recorder *it, struct tmap_error *err)
{
	struct peer_order *order = tmap_alloc_raw((size_t)it->peer_count, sizeof *order, err);

	for (int i = 0; order && i < it->peer_count; i++)
		order[i] = (struct peer_order){
			it->peer[i] == TMAP_NONE ?
				TMAP_NONE :
				(int)(((int64_t)it->peer[i] - it->rank + it->size) % it->size),
			i
		};
	if (order && it->peer_count)
		qsort(order, (size_t)it->peer_count, sizeof *order, offset_compare);
	return order;
}

static int row_make(struct tmap_record_row *row, const struct tmap_recorded_phase *phase,
		    const struct peer_order *order, enum tmap_way way, struct tmap_error *err)
{
	int known = tmap_recorder.peer_count;
	size_t count = (size_t)known;

	row->offset = tmap_alloc_raw(count, sizeof *row->offset, err);
	row->messages = tmap_alloc_raw(count, sizeof *row->messages, err);
	row->bytes = tmap_alloc_raw(count, sizeof *row->bytes, err);
	if (!row->offset || !row->messages || !row->bytes)
		return -1;
	for (int i = 0; i < known; i++) {
		const struct tmap_peer_sum *sum;

		if ((size_t)order[i].peer >= phase->peers)
			continue;
		sum = &phase->peer[order[i].peer].sent[way];
		if (!sum->messages)
			continue;
		if (order[i].offset == TMAP_NONE) {
			row->outside_messages = sum->messages;
			row->outside_bytes = sum->bytes;
			continue;
		}
		row->offset[row->peers] = order[i].offset;
		row->messages[row->peers] = sum->messages;
		row->bytes[row->peers++] = sum->bytes;
	}
	memcpy(row->sizes, phase->sizes[way], sizeof row->sizes);
	return 0;
}

/* The row of one way; only of messages it is there where nothing was sent. */
static int own_row_add(struct tmap_part_builder *part, const struct tmap_recorded_phase *phase,
		       const struct peer_order *order, enum tmap_way way, struct tmap_error *err)
{
	struct tmap_sent_builder *b = &part->sent[way];
	struct tmap_record_row row = { 0 };
	int number = TMAP_NONE;

	if (row_make(&row, phase, order, way, err) == 0) {
		if (way != TMAP_WAY_MESSAGES && !row.peers && !row.outside_messages) {
			tmap_record_row_fini(&row);
			return 0;
		}
		number = tmap_record_intern_row_take(b, &row, err);
	}
	tmap_record_row_fini(&row);
	return number == TMAP_NONE ? -1 : tmap_record_add_rank(b, tmap_recorder.rank, number, err);
}

/* Its rows; its calls are there. */
static int own_part_end(struct tmap_part_builder *part, const struct tmap_recorded_phase *phase,
			const struct peer_order *order, struct tmap_error *err)
{
	part->seconds = (double)phase->spent * 1e-9;
	for (int way = 0; way < TMAP_FILE_WAYS; way++)
		tmap_recorded_files_end_rank(&part->files[way]);
	for (int i = 0; i < part->call_count; i++)
		part->call[i].seconds_max = part->call[i].seconds_sum;
	for (int way = 0; way < TMAP_WAYS; way++)
		if (own_row_add(part, phase, order, (enum tmap_way)way, err) < 0)
			return -1;
	return 0;
}

/* All phases in one, in whole and in *sum, whose peers are the caller's. */
static int phases_sum(struct tmap_recorded_phase *sum, struct tmap_part_builder *whole,
		      struct tmap_error *err)
{
	const struct tmap_recorder *it = &tmap_recorder;

	sum->peers = (size_t)it->peer_count;
	sum->peer = tmap_alloc(sum->peers, sizeof *sum->peer, err);
	if (!sum->peer)
		return -1;
	for (int k = 0; k < it->phase_count; k++) {
		const struct tmap_recorded_phase *phase = &it->recorded[k];
		const struct tmap_part_builder *part = &it->builder.phase[k];

		for (int way = 0; way < TMAP_WAYS; way++) {
			for (size_t i = 0; i < sum->peers && i < phase->peers; i++) {
				struct tmap_peer_sum *to = &sum->peer[i].sent[way];

				tmap_sum_add(&to->messages, phase->peer[i].sent[way].messages);
				tmap_sum_add(&to->bytes, phase->peer[i].sent[way].bytes);
			}
			for (int i = 0; i < TMAP_RECORD_SIZES; i++)
				tmap_sum_add(&sum->sizes[way][i], phase->sizes[way][i]);
		}
		for (int way = 0; way < TMAP_FILE_WAYS; way++)
			tmap_recorded_files_add_part(&whole->files[way], &part->files[way]);
		for (int i = 0; i < part->call_count; i++)
			if (tmap_record_add_calls(whole, &part->call[i], err) < 0)
				return -1;
	}
	return 0;
}

/* What this rank has of the whole run, and of its phases, if some rank has more than one. */
static int own_finish(struct tmap_recorder *it, bool has_phases, struct tmap_error *err)
{
	struct tmap_record_builder *b = &it->builder;
	struct tmap_recorded_phase whole = { 0 };
	struct peer_order *order = peers_order(it, err);
	int status = order ? phases_sum(&whole, &b->whole, err) : -1;
	int64_t now = tmap_record_now();

	tmap_recorder_end_phase(now);
	whole.spent = now - it->began;
	if (status == 0)
		status = own_part_end(&b->whole, &whole, order, err);
	for (int k = 0; k < it->phase_count && has_phases && status == 0; k++)
		status = own_part_end(&b->phase[k], &it->recorded[k], order, err);
	if (!has_phases)
		tmap_record_builder_drop_phases(b);
	free(whole.peer);
	free(order);
	return status;
}

/* What this rank has, as bytes. */
static int own_pack(struct tmap_bytes *bytes, bool has_phases, struct tmap_error *err)
{
	struct tmap_recorder *it = &tmap_recorder;

	if (it->has_failed) {
		*err = it->err;
		return -1;
	}
	if (own_finish(it, has_phases, err) < 0)
		return -1;
	tmap_record_pack(bytes, &it->builder);
	tmap_record_builder_fini(&it->builder);
	return tmap_bytes_check(bytes, err);
}

/* Those of several ranks in one. */
static int parts_merge(struct tmap_record_builder *b, const struct tmap_parts *parts,
		       struct tmap_error *err)
{
	for (int i = 0; i < parts->count; i++) {
		struct tmap_cursor cursor = { .at = parts->part[i].data,
					      .left = parts->part[i].length };

		if (tmap_record_unpack(b, &cursor, err) < 0)
			return -1;
	}
	return 0;
}

/* Collective: *b at rank 0 has all ranks'. Leaders merge those of their nodes first. */
static int records_gather(struct tmap_job *job, struct tmap_record_builder *b,
			  struct tmap_error *err)
{
	struct tmap_record_builder node = { 0 };
	struct tmap_bytes mine = { 0 }, merged = { 0 };
	struct tmap_parts parts = { 0 };
	int has_phases = tmap_recorder.phase_count > 1 || tmap_recorder.interval, status;

	PMPI_Allreduce(MPI_IN_PLACE, &has_phases, 1, MPI_INT, MPI_MAX, job->world);
	status = tmap_job_agree(job, own_pack(&mine, has_phases, err), err);
	if (status == 0)
		status = tmap_gather(job, job->node, &mine, &parts, err);
	if (status == 0 && job->is_leader) {
		status = parts_merge(&node, &parts, err);
		tmap_record_pack(&merged, &node);
		status = status == 0 ? tmap_bytes_check(&merged, err) : -1;
	}
	tmap_bytes_fini(&mine);
	tmap_parts_fini(&parts);
	tmap_record_builder_fini(&node);
	status = tmap_job_agree(job, status, err);
	if (status == 0 && job->is_leader)
		status = tmap_gather(job, job->leaders, &merged, &parts, err);
	if (status == 0 && job->rank == 0)
		status = parts_merge(b, &parts, err);
	if (status == 0 && job->rank == 0 && tmap_recorder.interval)
		status = tmap_record_builder_part_by_time(b, (double)tmap_recorder.interval * 1e-9,
							  TMAP_RECORD_PHASES_MOST, err);
	tmap_bytes_fini(&merged);
	tmap_parts_fini(&parts);
	return tmap_job_agree(job, status, err);
}

/* Collective: the placement at rank 0. */
static int placement_collect(struct tmap_startup *startup, struct tmap_placement *p,
			     struct tmap_error *err)
{
	const char *path = getenv("TOPOMAP_PLACEMENT");
	struct tmap_job *job = &startup->job;
	struct tmap_setting setting = TMAP_SETTING_INIT;
	struct tmap_str note = TMAP_STR_INIT;
	bool imitated = false;
	int status;

	status = path && *path && job->rank == 0 ?
		tmap_record_read_placement(p, path, job->size, err) :
		0;
	status = tmap_job_follow(job, job->world, status, err);
	if (status == 0 && !(path && *path)) {
		status = tmap_startup_setting(startup, NULL, false, &setting, err);
		status = tmap_job_agree(job, status, err);
		if (status == 0)
			status = tmap_collect(job, &setting, p, &imitated, &note, err);
		if (status == 0 && job->rank == 0)
			status = tmap_startup_describe(startup, NULL, &p->origin, err);
		status = tmap_job_agree(job, status, err);
	}
	tmap_setting_fini(&setting);
	tmap_str_fini(&note);
	return status;
}

static bool is_empty(const struct tmap_record *record)
{
	for (int way = 0; way < TMAP_WAYS; way++)
		for (int i = 0; i < record->sent[way].count; i++)
			if (record->sent[way].row[i].peers ||
			    record->sent[way].row[i].outside_messages)
				return false;
	return !record->call_count && !tmap_recorded_files_any(record->files);
}

/* Collective over the job. */
static int job_record(struct tmap_startup *startup, struct tmap_error *err)
{
	struct tmap_job *job = &startup->job;
	struct tmap_record_builder builder = { 0 };
	struct tmap_record record = { 0 };
	int status = records_gather(job, &builder, err);

	if (status == 0)
		status = placement_collect(startup, &record.placement, err);
	if (status == 0 && job->rank == 0) {
		status = tmap_record_builder_finish(&record, &builder, job->size, err);
		record.is_spawned = tmap_recorder.is_spawned;
		if (record.phase_count)
			record.interval_s = (double)tmap_recorder.interval * 1e-9;
		if (status == 0 && is_empty(&record))
			status = tmap_fail(err, TMAP_INPUT,
					   "nothing is recorded: the program sent no message and "
					   "called no collective that is recorded");
		if (status == 0)
			status = tmap_record_write_file(&record, startup, err);
		if (status == 0 && record.left_out.calls)
			fprintf(stderr,
				"%s: %lld calls are left out, of communicators whose first rank "
				"recorded none, or of the smallest of too many\n",
				TMAP_RECORDER_NAME, (long long)record.left_out.calls);
	}
	tmap_record_builder_fini(&builder);
	tmap_record_fini(&record);
	return tmap_job_agree(job, status, err);
}

void tmap_record_finish(void)
{
	struct tmap_startup startup = { .program = TMAP_RECORDER_NAME };
	struct tmap_job *job = &startup.job;
	MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
	struct tmap_error err;
	int status;

	if (!tmap_recorder.is_active)
		return;
	tmap_recorder.is_active = tmap_recorder.is_recording = false;
	PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
	PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	if (all_are_here()) {
		startup.starter = tmap_starter_find(environ);
		status = tmap_job_init(job, &err);
		if (status == 0)
			status = job_record(&startup, &err);
		if (status < 0 && job->rank == 0)
			tmap_startup_print(TMAP_RECORDER_NAME, &err);
		tmap_job_fini(job);
	}
	PMPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	PMPI_Errhandler_free(&handler);
	free(tmap_recorder.folder);
	tmap_recorder.folder = NULL;
}
