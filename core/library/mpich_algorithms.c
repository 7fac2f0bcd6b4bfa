/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/library/mpich_algorithms.h"

#include <string.h>

#define GATHERED \
	"comm_size=pow2:(total_msg_size<524288:recursive_doubling,ring)," \
	"total_msg_size<81920:brucks,ring"
#define GATHERED_LATER \
	"comm_size=pow2:(total_msg_size<524288:sched_recursive_doubling,sched_ring)," \
	"total_msg_size<81920:sched_brucks,sched_ring"
#define SCATTERED \
	"is_commutative=yes:(total_msg_size<524288:recursive_halving,pairwise)," \
	"comm_size=pow2:noncommutative,recursive_doubling"
#define SCATTERED_LATER \
	"is_commutative=yes:(total_msg_size<524288:sched_recursive_halving,sched_pairwise)," \
	"comm_size=pow2:sched_noncommutative,sched_recursive_doubling"
#define REDUCE_SCATTERS \
	"intra_noncommutative intra_pairwise intra_recursive_doubling intra_recursive_halving " \
	"inter_remote_reduce_local_scatter allcomm_nb"
#define REDUCE_SCATTERS_LATER \
	"intra_sched_noncommutative intra_sched_pairwise intra_sched_recursive_doubling " \
	"intra_sched_recursive_halving intra_tsp_recexch inter_sched_remote_reduce_local_scatterv"
#define ALLGATHERS_LATER \
	"intra_sched_brucks intra_sched_recursive_doubling intra_sched_ring intra_tsp_brucks " \
	"intra_tsp_recexch_doubling intra_tsp_recexch_halving intra_tsp_ring "
#define NEIGHBORS(name) \
	{ \
		{ name, "neighbors" }, TMAP_NONE, "allcomm_nb", "allcomm_nb", NULL \
	}
#define NEIGHBORS_LATER(name) \
	{ \
		{ name, "neighbors, nonblocking" }, TMAP_NONE, \
			"allcomm_sched_linear allcomm_tsp_linear", "allcomm_sched_linear", NULL \
	}

static const struct tmap_mpich_collective rows[] = {
	{ { "bcast", "MPI_Bcast" },
	  TMAP_BCAST,
	  "intra_binomial intra_scatter_recursive_doubling_allgather intra_scatter_ring_allgather "
	  "intra_smp inter_remote_send_local_bcast allcomm_nb",
	  "comm_size<=7:binomial,avg_msg_size<=12288:binomial,comm_size=pow2:(avg_msg_size<=524288:"
	  "scatter_recursive_doubling_allgather,scatter_ring_allgather),scatter_ring_allgather",
	  "remote_send_local_bcast" },
	{ { "allreduce", "MPI_Allreduce" },
	  TMAP_ALLREDUCE,
	  "intra_recursive_doubling intra_reduce_scatter_allgather intra_smp "
	  "inter_reduce_exchange_bcast allcomm_nb",
	  "avg_msg_size<=8:recursive_doubling,is_op_built_in=no:recursive_doubling,"
	  "count<pow2:recursive_doubling,reduce_scatter_allgather",
	  "reduce_exchange_bcast" },
	{ { "allgather", "MPI_Allgather" },
	  TMAP_ALLGATHER,
	  "intra_brucks intra_recursive_doubling intra_ring inter_local_gather_remote_bcast "
	  "allcomm_nb",
	  GATHERED,
	  "local_gather_remote_bcast" },
	{ { "allgatherv", "MPI_Allgatherv" },
	  TMAP_NONE,
	  "intra_brucks intra_recursive_doubling intra_ring inter_remote_gather_local_bcast "
	  "allcomm_nb",
	  GATHERED,
	  "remote_gather_local_bcast" },
	{ { "reduce", "MPI_Reduce" },
	  TMAP_REDUCE,
	  "intra_binomial intra_reduce_scatter_gather intra_smp inter_local_reduce_remote_send "
	  "allcomm_nb",
	  "avg_msg_size<=2048:binomial,is_op_built_in=no:binomial,count<pow2:binomial,"
	  "reduce_scatter_gather",
	  "local_reduce_remote_send" },
	{ { "reduce_scatter", "MPI_Reduce_scatter" },
	  TMAP_REDUCE_SCATTER,
	  REDUCE_SCATTERS,
	  "is_commutative=yes:(total_msg_size<524288:recursive_halving,pairwise),"
	  "is_block_regular=yes:(comm_size=pow2:noncommutative,recursive_doubling),"
	  "recursive_doubling",
	  "remote_reduce_local_scatter" },
	{ { "reduce_scatter_block", "MPI_Reduce_scatter_block" },
	  TMAP_REDUCE_SCATTER_BLOCK,
	  REDUCE_SCATTERS,
	  SCATTERED,
	  "remote_reduce_local_scatter" },
	{ { "gather", "MPI_Gather" },
	  TMAP_GATHER,
	  "intra_binomial inter_linear inter_local_gather_remote_send allcomm_nb",
	  "binomial",
	  "total_msg_size<2048:local_gather_remote_send,linear" },
	{ { "scatter", "MPI_Scatter" },
	  TMAP_SCATTER,
	  "intra_binomial inter_linear inter_remote_send_local_scatter allcomm_nb",
	  "binomial",
	  "total_msg_size<2048:remote_send_local_scatter,linear" },
	{ { "gatherv", "MPI_Gatherv" },
	  TMAP_NONE,
	  "allcomm_linear allcomm_nb",
	  "allcomm_linear",
	  NULL },
	{ { "scatterv", "MPI_Scatterv" },
	  TMAP_NONE,
	  "allcomm_linear allcomm_nb",
	  "allcomm_linear",
	  NULL },
	{ { "scan", "MPI_Scan" },
	  TMAP_SCAN,
	  "intra_recursive_doubling intra_smp allcomm_nb",
	  "is_node_consecutive=yes:smp,recursive_doubling",
	  NULL },
	{ { "exscan", "MPI_Exscan" },
	  TMAP_EXSCAN,
	  "intra_recursive_doubling allcomm_nb",
	  "recursive_doubling",
	  NULL },
	{ { "barrier", "MPI_Barrier" },
	  TMAP_BARRIER,
	  "intra_dissemination intra_smp inter_bcast allcomm_nb",
	  "comm_hierarchy=parent:smp,dissemination",
	  "bcast" },
	{ { "alltoall", "MPI_Alltoall" },
	  TMAP_ALLTOALL,
	  "intra_brucks intra_pairwise intra_pairwise_sendrecv_replace intra_scattered "
	  "inter_pairwise_exchange allcomm_nb",
	  "is_sendbuf_inplace=yes:pairwise_sendrecv_replace,"
	  "comm_size<=8:(avg_msg_size<=32768:scattered,pairwise),"
	  "avg_msg_size<=256:brucks,avg_msg_size<=32768:scattered,pairwise",
	  "pairwise_exchange" },
	{ { "alltoallv", "MPI_Alltoallv" },
	  TMAP_NONE,
	  "intra_pairwise_sendrecv_replace intra_scattered inter_pairwise_exchange allcomm_nb",
	  "is_sendbuf_inplace=yes:pairwise_sendrecv_replace,scattered",
	  "pairwise_exchange" },
	{ { "alltoallw", "MPI_Alltoallw" },
	  TMAP_NONE,
	  "intra_pairwise_sendrecv_replace intra_scattered inter_pairwise_exchange allcomm_nb",
	  "is_sendbuf_inplace=yes:pairwise_sendrecv_replace,scattered",
	  "pairwise_exchange" },
	NEIGHBORS("neighbor_allgather"),
	NEIGHBORS("neighbor_allgatherv"),
	NEIGHBORS("neighbor_alltoall"),
	NEIGHBORS("neighbor_alltoallv"),
	NEIGHBORS("neighbor_alltoallw"),
	{ { "ibarrier", "MPI_Ibarrier" },
	  TMAP_NONE,
	  "intra_sched_recursive_doubling intra_tsp_recexch inter_sched_bcast",
	  "sched_recursive_doubling",
	  "sched_bcast" },
	{ { "iallreduce", "MPI_Iallreduce" },
	  TMAP_NONE,
	  "intra_sched_naive intra_sched_recursive_doubling "
	  "intra_sched_reduce_scatter_allgather intra_sched_smp "
	  "intra_tsp_recexch_multiple_buffer "
	  "intra_tsp_recexch_reduce_scatter_recexch_allgatherv "
	  "intra_tsp_recexch_single_buffer intra_tsp_ring intra_tsp_tree "
	  "inter_sched_remote_reduce_local_bcast",
	  "avg_msg_size<=2048:sched_recursive_doubling,is_op_built_in=no:sched_recursive_doubling,"
	  "count<pow2:sched_recursive_doubling,sched_reduce_scatter_allgather",
	  "sched_remote_reduce_local_bcast" },
	{ { "iallgather", "MPI_Iallgather" },
	  TMAP_NONE,
	  ALLGATHERS_LATER "inter_sched_local_gather_remote_bcast",
	  GATHERED_LATER,
	  "sched_local_gather_remote_bcast" },
	{ { "iallgatherv", "MPI_Iallgatherv" },
	  TMAP_NONE,
	  ALLGATHERS_LATER "inter_sched_remote_gather_local_bcast",
	  GATHERED_LATER,
	  "sched_remote_gather_local_bcast" },
	{ { "ibcast", "MPI_Ibcast" },
	  TMAP_NONE,
	  "intra_sched_binomial intra_sched_scatter_recursive_doubling_allgather "
	  "intra_sched_scatter_ring_allgather intra_sched_smp intra_tsp_ring "
	  "intra_tsp_scatterv_recexch_allgatherv intra_tsp_tree inter_sched_flat",
	  "comm_hierarchy=parent:sched_smp,comm_size<=7:sched_binomial,avg_msg_size<12288:"
	  "sched_binomial,comm_size=pow2:(avg_msg_size<524288:"
	  "sched_scatter_recursive_doubling_allgather,sched_scatter_ring_allgather),"
	  "sched_scatter_ring_allgather",
	  "sched_flat" },
	{ { "ireduce", "MPI_Ireduce" },
	  TMAP_NONE,
	  "intra_sched_binomial intra_sched_reduce_scatter_gather intra_sched_smp intra_tsp_ring "
	  "intra_tsp_tree inter_sched_local_reduce_remote_send",
	  "comm_hierarchy=parent:(is_commutative=yes:sched_smp,sched_binomial),"
	  "avg_msg_size<=2048:sched_binomial,is_op_built_in=no:sched_binomial,"
	  "count<pow2:sched_binomial,sched_reduce_scatter_gather",
	  "sched_local_reduce_remote_send" },
	{ { "ireduce_scatter", "MPI_Ireduce_scatter" },
	  TMAP_NONE,
	  REDUCE_SCATTERS_LATER,
	  "is_commutative=yes:(total_msg_size<524288:sched_recursive_halving,sched_pairwise),"
	  "is_block_regular=yes:(comm_size=pow2:sched_noncommutative,sched_recursive_doubling),"
	  "sched_recursive_doubling",
	  "sched_remote_reduce_local_scatterv" },
	{ { "ireduce_scatter_block", "MPI_Ireduce_scatter_block" },
	  TMAP_NONE,
	  REDUCE_SCATTERS_LATER,
	  SCATTERED_LATER,
	  "sched_remote_reduce_local_scatterv" },
	{ { "igather", "MPI_Igather" },
	  TMAP_NONE,
	  "intra_sched_binomial intra_tsp_tree inter_sched_long inter_sched_short",
	  "sched_binomial",
	  "total_msg_size<2048:sched_short,sched_long" },
	{ { "iscatter", "MPI_Iscatter" },
	  TMAP_NONE,
	  "intra_sched_binomial intra_tsp_tree inter_sched_linear "
	  "inter_sched_remote_send_local_scatter",
	  "sched_binomial",
	  "total_msg_size<2048:sched_remote_send_local_scatter,sched_linear" },
	{ { "igatherv", "MPI_Igatherv" },
	  TMAP_NONE,
	  "allcomm_sched_linear allcomm_tsp_linear",
	  "allcomm_sched_linear",
	  NULL },
	{ { "iscatterv", "MPI_Iscatterv" },
	  TMAP_NONE,
	  "allcomm_sched_linear allcomm_tsp_linear",
	  "allcomm_sched_linear",
	  NULL },
	{ { "iscan", "MPI_Iscan" },
	  TMAP_NONE,
	  "intra_sched_recursive_doubling intra_sched_smp intra_tsp_recursive_doubling",
	  "comm_hierarchy=parent:sched_smp,sched_recursive_doubling",
	  NULL },
	{ { "iexscan", "MPI_Iexscan" },
	  TMAP_NONE,
	  "intra_sched_recursive_doubling",
	  "sched_recursive_doubling",
	  NULL },
	{ { "ialltoall", "MPI_Ialltoall" },
	  TMAP_NONE,
	  "intra_sched_brucks intra_sched_inplace intra_sched_pairwise "
	  "intra_sched_permuted_sendrecv intra_tsp_brucks intra_tsp_ring intra_tsp_scattered "
	  "inter_sched_pairwise_exchange",
	  "is_sendbuf_inplace=yes:sched_inplace,"
	  "comm_size<=8:(avg_msg_size<=32768:sched_permuted_sendrecv,sched_pairwise),"
	  "avg_msg_size<=2048:sched_brucks,avg_msg_size<=32768:sched_permuted_sendrecv,"
	  "sched_pairwise",
	  "sched_pairwise_exchange" },
	{ { "ialltoallv", "MPI_Ialltoallv" },
	  TMAP_NONE,
	  "intra_sched_blocked intra_sched_inplace intra_tsp_blocked intra_tsp_inplace "
	  "intra_tsp_scattered inter_sched_pairwise_exchange",
	  "is_sendbuf_inplace=yes:sched_inplace,sched_blocked",
	  "sched_pairwise_exchange" },
	{ { "ialltoallw", "MPI_Ialltoallw" },
	  TMAP_NONE,
	  "intra_sched_blocked intra_sched_inplace intra_tsp_blocked intra_tsp_inplace "
	  "inter_sched_pairwise_exchange",
	  "is_sendbuf_inplace=yes:sched_inplace,sched_blocked",
	  "sched_pairwise_exchange" },
	NEIGHBORS_LATER("ineighbor_allgather"),
	NEIGHBORS_LATER("ineighbor_allgatherv"),
	NEIGHBORS_LATER("ineighbor_alltoall"),
	NEIGHBORS_LATER("ineighbor_alltoallv"),
	NEIGHBORS_LATER("ineighbor_alltoallw"),
	{ { NULL, NULL }, TMAP_NONE, NULL, NULL, NULL },
};

const struct tmap_keywords tmap_mpich_collectives = TMAP_KEYWORDS("collective", rows);

enum ranks { ALWAYS, POWER, NO_POWER };

/* Its algorithms as rows of ours, some by the number of ranks. */
static const struct {
	enum tmap_collective collective;
	const char *name, *ours;
	enum ranks ranks;
} known[] = {
	{ TMAP_BCAST, "intra_binomial", "binomial_far", ALWAYS },
	{ TMAP_BCAST, "intra_scatter_recursive_doubling_allgather", "scatter_allgather", POWER },
	{ TMAP_BCAST, "intra_scatter_ring_allgather", "scatter_ring", ALWAYS },
	{ TMAP_ALLREDUCE, "intra_recursive_doubling", "recursive_doubling", ALWAYS },
	{ TMAP_ALLREDUCE, "intra_reduce_scatter_allgather", "rabenseifner,fold=mpich", ALWAYS },
	{ TMAP_ALLGATHER, "intra_brucks", "bruck", ALWAYS },
	{ TMAP_ALLGATHER, "intra_recursive_doubling", "recursive_doubling", POWER },
	{ TMAP_ALLGATHER, "intra_ring", "ring", ALWAYS },
	{ TMAP_REDUCE, "intra_binomial", "binomial_far", ALWAYS },
	{ TMAP_REDUCE, "intra_reduce_scatter_gather", "rabenseifner,fold=mpich", ALWAYS },
	{ TMAP_REDUCE_SCATTER, "intra_pairwise", "pairwise", ALWAYS },
	{ TMAP_REDUCE_SCATTER, "intra_recursive_doubling", "recursive_doubling", ALWAYS },
	{ TMAP_REDUCE_SCATTER, "intra_recursive_halving", "recursive_halving", ALWAYS },
	{ TMAP_REDUCE_SCATTER_BLOCK, "intra_pairwise", "pairwise", ALWAYS },
	{ TMAP_REDUCE_SCATTER_BLOCK, "intra_recursive_doubling", "recursive_doubling", ALWAYS },
	{ TMAP_REDUCE_SCATTER_BLOCK, "intra_recursive_halving", "recursive_halving", ALWAYS },
	{ TMAP_GATHER, "intra_binomial", "binomial_far", ALWAYS },
	{ TMAP_SCATTER, "intra_binomial", "binomial_far", ALWAYS },
	{ TMAP_SCAN, "intra_recursive_doubling", "recursive_doubling", ALWAYS },
	{ TMAP_SCAN, "intra_smp", "recursive_doubling", ALWAYS }, /* of one rank a node */
	{ TMAP_EXSCAN, "intra_recursive_doubling", "recursive_doubling", ALWAYS },
	{ TMAP_BARRIER, "intra_dissemination", "dissemination", ALWAYS },
	{ TMAP_ALLTOALL, "intra_brucks", "bruck", ALWAYS },
	{ TMAP_ALLTOALL, "intra_pairwise", "pairwise_xor", POWER },
	{ TMAP_ALLTOALL, "intra_pairwise", "pairwise", NO_POWER },
	{ TMAP_ALLTOALL, "intra_scattered", "spread", ALWAYS },
};

enum { KNOWN = sizeof known / sizeof *known };

static bool fits(enum ranks wanted, int ranks)
{
	return wanted == ALWAYS || (wanted == POWER) == ((ranks & (ranks - 1)) == 0);
}

const struct tmap_mpich_collective *tmap_mpich_collective_at(int i)
{
	return i >= 0 && i < (int)(sizeof rows / sizeof *rows) - 1 ? &rows[i] : NULL;
}

int tmap_mpich_collective_of(enum tmap_collective collective)
{
	for (int i = 0; rows[i].word.name; i++)
		if (rows[i].collective == (int)collective)
			return i;
	return TMAP_NONE;
}

int tmap_mpich_algorithm_find(int row, const char *name, size_t length)
{
	const char *at = rows[row].algorithms;

	for (int i = 1; *at; i++) {
		size_t end = strcspn(at, " ");

		if (end == length && strncmp(at, name, length) == 0)
			return i;
		at += end + (at[end] == ' ');
	}
	return 0;
}

const char *tmap_mpich_algorithm_name(int row, int algorithm, int *length)
{
	const char *at = rows[row].algorithms;

	while (*at && --algorithm > 0) {
		at += strcspn(at, " ");
		at += *at == ' ';
	}
	*length = (int)strcspn(at, " ");
	return *length && algorithm == 0 ? at : NULL;
}

static bool is_called(int row, int algorithm, const char *name)
{
	int length;
	const char *other = tmap_mpich_algorithm_name(row, algorithm, &length);

	return other && strlen(name) == (size_t)length && strncmp(name, other, (size_t)length) == 0;
}

const char *tmap_mpich_algorithm_ours(int row, int algorithm, int ranks)
{
	for (int i = 0; i < KNOWN; i++)
		if (rows[row].collective == (int)known[i].collective &&
		    is_called(row, algorithm, known[i].name) && fits(known[i].ranks, ranks))
			return known[i].ours;
	return NULL;
}

/* The same row with the same values of its parameters. */
static bool spec_is_equal(const struct tmap_spec *a, const struct tmap_spec *b)
{
	if (a->row != b->row)
		return false;
	for (int i = 0; a->row->params && i < TMAP_PARAM_MAX && a->row->params[i].key; i++)
		if (a->value[i] != b->value[i])
			return false;
	return true;
}

int tmap_mpich_algorithm_of(enum tmap_collective collective, const struct tmap_spec *choice,
			    struct tmap_error *err)
{
	int row = tmap_mpich_collective_of(collective);

	for (int i = 0; i < KNOWN && row != TMAP_NONE; i++) {
		struct tmap_call call = { .size = 2 };

		if (known[i].collective != collective)
			continue;
		if (tmap_call_parse(&call, collective, known[i].ours, err) < 0)
			return -1;
		if (spec_is_equal(&call.choice, choice))
			return tmap_mpich_algorithm_find(row, known[i].name, strlen(known[i].name));
	}
	return 0;
}

/* Is there one of the same collective before it that we call the same? */
static bool is_again(int k)
{
	for (int i = 0; i < k; i++)
		if (known[i].collective == known[k].collective &&
		    strcmp(known[i].ours, known[k].ours) == 0)
			return true;
	return false;
}

const char *tmap_mpich_algorithm_each(enum tmap_collective collective, int i)
{
	for (int k = 0; k < KNOWN; k++)
		if (known[k].collective == collective && !is_again(k) && i-- == 0)
			return known[k].ours;
	return NULL;
}

bool tmap_mpich_algorithm_differs(const struct tmap_call *call)
{
	const char *word = call->choice.row->word.name;
	bool is_known = false;

	for (int i = 0; i < KNOWN; i++) {
		if (known[i].collective != tmap_call_algorithm(call)->collective ||
		    strncmp(known[i].ours, word, strlen(word)) != 0 ||
		    (known[i].ours[strlen(word)] && known[i].ours[strlen(word)] != ','))
			continue;
		is_known = true;
		if (fits(known[i].ranks, call->size))
			return false;
	}
	return is_known;
}

bool tmap_mpich_algorithm_wants_power(int row, int algorithm)
{
	static const struct {
		const char *collective, *name;
	} powers[] = {
		{ "allgather", "intra_recursive_doubling" },
		{ "allgatherv", "intra_recursive_doubling" },
		{ "reduce_scatter", "intra_noncommutative" },
		{ "reduce_scatter_block", "intra_noncommutative" },
	};

	for (size_t i = 0; i < sizeof powers / sizeof *powers; i++)
		if (strcmp(rows[row].word.name, powers[i].collective) == 0 &&
		    is_called(row, algorithm, powers[i].name))
			return true;
	return false;
}
