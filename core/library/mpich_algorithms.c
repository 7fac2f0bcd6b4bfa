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
	  "intra_smp inter_remote_send_local_bcast allcomm_nb intra_tree intra_pipelined_tree",
	  "comm_size<=7:binomial,avg_msg_size<=12288:binomial,comm_size=pow2:(avg_msg_size<=524288:"
	  "scatter_recursive_doubling_allgather,scatter_ring_allgather),scatter_ring_allgather",
	  "remote_send_local_bcast" },
	{ { "allreduce", "MPI_Allreduce" },
	  TMAP_ALLREDUCE,
	  "intra_recursive_doubling intra_reduce_scatter_allgather intra_smp "
	  "inter_reduce_exchange_bcast allcomm_nb intra_tree intra_recexch intra_ring "
	  "intra_k_reduce_scatter_allgather intra_recursive_multiplying intra_ccl",
	  "avg_msg_size<=8:recursive_doubling,is_op_built_in=no:recursive_doubling,"
	  "count<pow2:recursive_doubling,reduce_scatter_allgather",
	  "reduce_exchange_bcast" },
	{ { "allgather", "MPI_Allgather" },
	  TMAP_ALLGATHER,
	  "intra_brucks intra_recursive_doubling intra_ring inter_local_gather_remote_bcast "
	  "allcomm_nb intra_k_brucks intra_recexch_doubling intra_recexch_halving",
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
	  "intra_dissemination intra_smp inter_bcast allcomm_nb intra_k_dissemination intra_recexch",
	  "comm_hierarchy=parent:smp,dissemination",
	  "bcast" },
	{ { "alltoall", "MPI_Alltoall" },
	  TMAP_ALLTOALL,
	  "intra_brucks intra_pairwise intra_pairwise_sendrecv_replace intra_scattered "
	  "inter_pairwise_exchange allcomm_nb intra_k_brucks",
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
	  "intra_sched_recursive_doubling intra_tsp_recexch inter_sched_bcast intra_tsp_k_dissem",
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

/* What is not of all releases, or has parameters. */
static const struct {
	const char *collective, *name;
	struct tmap_mpich_detail detail;
} details[] = {
	{ "bcast", "intra_tree", { 41, 0, "tree_type k is_non_blocking", true } },
	{ "bcast",
	  "intra_pipelined_tree",
	  { 41, 0, "tree_type k is_non_blocking chunk_size recv_pre_posted", false } },
	{ "allreduce", "intra_tree", { 41, 0, "tree_type k chunk_size buffer_per_child", true } },
	{ "allreduce", "intra_recexch", { 41, 0, "k single_phase_recv", false } },
	{ "allreduce", "intra_ring", { 41, 0, "", false } },
	{ "allreduce", "intra_k_reduce_scatter_allgather", { 41, 0, "k single_phase_recv", false } },
	{ "allreduce", "intra_recursive_multiplying", { 43, 0, "k", false } },
	{ "allreduce", "intra_ccl", { 50, 0, "ccl", false } },
	{ "allgather", "intra_k_brucks", { 41, 0, "k", false } },
	{ "allgather", "intra_recexch_doubling", { 42, 0, "k single_phase_recv", false } },
	{ "allgather", "intra_recexch_halving", { 42, 0, "k single_phase_recv", false } },
	{ "alltoall", "intra_k_brucks", { 41, 0, "k", false } },
	{ "barrier", "intra_dissemination", { 0, 41, "", false } },
	{ "barrier", "intra_k_dissemination", { 41, 0, "k", false } },
	{ "barrier", "intra_recexch", { 41, 0, "k", false } },
	{ "ibarrier", "intra_tsp_k_dissem", { 41, 0, "", false } },
	{ "ibcast", "intra_tsp_tree", { 0, 0, "tree_type k chunk_size", false } },
	{ "ibcast", "intra_tsp_ring", { 0, 0, "chunk_size", false } },
	{ "ibcast",
	  "intra_tsp_scatterv_recexch_allgatherv",
	  { 0, 0, "scatterv_k allgatherv_k", false } },
	{ "ireduce", "intra_tsp_tree", { 0, 0, "tree_type k chunk_size buffer_per_child", true } },
	{ "ireduce", "intra_tsp_ring", { 0, 0, "chunk_size buffer_per_child", false } },
	{ "iallreduce",
	  "intra_tsp_tree",
	  { 0, 0, "tree_type k chunk_size buffer_per_child", false } },
	{ "iallreduce", "intra_tsp_recexch_single_buffer", { 0, 0, "k", false } },
	{ "iallreduce", "intra_tsp_recexch_multiple_buffer", { 0, 0, "k", false } },
	{ "iallreduce",
	  "intra_tsp_recexch_reduce_scatter_recexch_allgatherv",
	  { 0, 0, "k", false } },
};

enum ranks { ALWAYS, POWER, NO_POWER };

/* Its algorithms as rows of ours, some by the number of ranks, or with parameters. The ring of its allreduces
 * is none: it cuts vectors otherwise, blocks rounded up and the last one shorter. */
static const struct {
	enum tmap_collective collective;
	const char *name, *ours;
	enum ranks ranks;
	int k; /* of the parameters; 0: it has none */
	const char *parameters;
} known[] = {
	{ TMAP_BCAST, "intra_binomial", "binomial_far", ALWAYS, 0, "" },
	{ TMAP_BCAST, "intra_scatter_recursive_doubling_allgather", "scatter_allgather", POWER, 0,
	  "" },
	{ TMAP_BCAST, "intra_scatter_ring_allgather", "scatter_ring", ALWAYS, 0, "" },
	{ TMAP_ALLREDUCE, "intra_recursive_doubling", "recursive_doubling", ALWAYS, 0, "" },
	{ TMAP_ALLREDUCE, "intra_reduce_scatter_allgather", "rabenseifner,fold=mpich", ALWAYS, 0,
	  "" },
	{ TMAP_ALLGATHER, "intra_brucks", "bruck", ALWAYS, 0, "" },
	{ TMAP_ALLGATHER, "intra_recursive_doubling", "recursive_doubling", POWER, 0, "" },
	{ TMAP_ALLGATHER, "intra_ring", "ring", ALWAYS, 0, "" },
	{ TMAP_REDUCE, "intra_binomial", "binomial_far", ALWAYS, 0, "" },
	{ TMAP_REDUCE, "intra_reduce_scatter_gather", "rabenseifner,fold=mpich", ALWAYS, 0, "" },
	{ TMAP_REDUCE_SCATTER, "intra_pairwise", "pairwise", ALWAYS, 0, "" },
	{ TMAP_REDUCE_SCATTER, "intra_recursive_doubling", "recursive_doubling", ALWAYS, 0, "" },
	{ TMAP_REDUCE_SCATTER, "intra_recursive_halving", "recursive_halving", ALWAYS, 0, "" },
	{ TMAP_REDUCE_SCATTER_BLOCK, "intra_pairwise", "pairwise", ALWAYS, 0, "" },
	{ TMAP_REDUCE_SCATTER_BLOCK, "intra_recursive_doubling", "recursive_doubling", ALWAYS, 0,
	  "" },
	{ TMAP_REDUCE_SCATTER_BLOCK, "intra_recursive_halving", "recursive_halving", ALWAYS, 0,
	  "" },
	{ TMAP_GATHER, "intra_binomial", "binomial_far", ALWAYS, 0, "" },
	{ TMAP_SCATTER, "intra_binomial", "binomial_far", ALWAYS, 0, "" },
	{ TMAP_SCAN, "intra_recursive_doubling", "recursive_doubling", ALWAYS, 0, "" },
	{ TMAP_SCAN, "intra_smp", "recursive_doubling", ALWAYS, 0, "" }, /* of one rank a node */
	{ TMAP_EXSCAN, "intra_recursive_doubling", "recursive_doubling", ALWAYS, 0, "" },
	{ TMAP_BARRIER, "intra_dissemination", "dissemination", ALWAYS, 0, "" },
	{ TMAP_BARRIER, "intra_k_dissemination", "dissemination", ALWAYS, 2, "k=2" },
	{ TMAP_ALLTOALL, "intra_brucks", "bruck", ALWAYS, 0, "" },
	{ TMAP_ALLTOALL, "intra_pairwise", "pairwise_xor", POWER, 0, "" },
	{ TMAP_ALLTOALL, "intra_pairwise", "pairwise", NO_POWER, 0, "" },
	{ TMAP_ALLTOALL, "intra_scattered", "spread", ALWAYS, 0, "" },
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

const struct tmap_mpich_detail *tmap_mpich_algorithm_detail(int row, int algorithm)
{
	static const struct tmap_mpich_detail plain = { 0, 0, "", false };

	for (size_t i = 0; i < sizeof details / sizeof *details; i++)
		if (strcmp(details[i].collective, rows[row].word.name) == 0 &&
		    is_called(row, algorithm, details[i].name))
			return &details[i].detail;
	return &plain;
}

/* Is known algorithm @p i, of that row, in the release? */
static bool is_in(int row, int i, int release)
{
	int algorithm = tmap_mpich_algorithm_find(row, known[i].name, strlen(known[i].name));
	const struct tmap_mpich_detail *detail = tmap_mpich_algorithm_detail(row, algorithm);

	return release >= detail->since && (!detail->before || release < detail->before);
}

static bool is_known(int row, int i, const struct tmap_mpich_choice *choice)
{
	return rows[row].collective == (int)known[i].collective && choice->k == known[i].k &&
		is_called(row, choice->algorithm, known[i].name);
}

const char *tmap_mpich_choice_ours(int row, const struct tmap_mpich_choice *choice, int ranks)
{
	for (int i = 0; i < KNOWN; i++)
		if (is_known(row, i, choice) && fits(known[i].ranks, ranks))
			return known[i].ours;
	return NULL;
}

const char *tmap_mpich_choice_parameters(int row, const struct tmap_mpich_choice *choice)
{
	for (int i = 0; i < KNOWN; i++)
		if (is_known(row, i, choice))
			return known[i].parameters;
	return "";
}

static struct tmap_mpich_choice choice_at(int row, int i)
{
	return (struct tmap_mpich_choice){
		tmap_mpich_algorithm_find(row, known[i].name, strlen(known[i].name)), known[i].k
	};
}

struct tmap_mpich_choice tmap_mpich_choice_in(int row, int algorithm, int release)
{
	const struct tmap_mpich_detail *detail = tmap_mpich_algorithm_detail(row, algorithm);
	const struct tmap_mpich_choice as_it_is = { algorithm, 0 };
	const char *ours = tmap_mpich_choice_ours(row, &as_it_is, 2);

	if (!detail->before || release < detail->before || !ours)
		return as_it_is;
	for (int i = 0; i < KNOWN; i++)
		if (rows[row].collective == (int)known[i].collective &&
		    strcmp(known[i].ours, ours) == 0 && is_in(row, i, release))
			return choice_at(row, i);
	return as_it_is;
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

int tmap_mpich_choice_of(struct tmap_mpich_choice *made, enum tmap_collective collective,
			 const struct tmap_spec *choice, int release, struct tmap_error *err)
{
	int row = tmap_mpich_collective_of(collective);

	*made = (struct tmap_mpich_choice){ 0, 0 };
	for (int i = 0; i < KNOWN && row != TMAP_NONE; i++) {
		struct tmap_call call = { .size = 2 };

		if (known[i].collective != collective || !is_in(row, i, release))
			continue;
		if (tmap_call_parse(&call, collective, known[i].ours, err) < 0)
			return -1;
		if (!spec_is_equal(&call.choice, choice))
			continue;
		*made = choice_at(row, i);
		return 0;
	}
	return 0;
}

/* Is there one of the same collective before it that we call the same, in the release? */
static bool is_again(int k, int release)
{
	int row = tmap_mpich_collective_of(known[k].collective);

	for (int i = 0; i < k; i++)
		if (known[i].collective == known[k].collective && is_in(row, i, release) &&
		    strcmp(known[i].ours, known[k].ours) == 0)
			return true;
	return false;
}

const char *tmap_mpich_algorithm_each(enum tmap_collective collective, int release, int i)
{
	int row = tmap_mpich_collective_of(collective);

	for (int k = 0; k < KNOWN; k++)
		if (known[k].collective == collective && is_in(row, k, release) &&
		    !is_again(k, release) && i-- == 0)
			return known[k].ours;
	return NULL;
}

bool tmap_mpich_algorithm_differs(const struct tmap_call *call)
{
	const char *word = call->choice.row->word.name;
	bool is_there = false;

	for (int i = 0; i < KNOWN; i++) {
		if (known[i].collective != tmap_call_algorithm(call)->collective ||
		    strncmp(known[i].ours, word, strlen(word)) != 0 ||
		    (known[i].ours[strlen(word)] && known[i].ours[strlen(word)] != ','))
			continue;
		is_there = true;
		if (fits(known[i].ranks, call->size))
			return false;
	}
	return is_there;
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
