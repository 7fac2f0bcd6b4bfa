/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/verbs.h"

const struct tmap_bench_verb tmap_bench_verbs[] = {
	{ { "calibrate", "measure what messages cost on this machine, as a cost profile" },
	  &tmap_bench_calibrate_command,
	  NULL,
	  tmap_bench_calibrate },
	{ { "collective", "measure algorithms of collectives, topomap's and the library's" },
	  &tmap_bench_collective_command,
	  tmap_bench_collective_prepare,
	  tmap_bench_collective },
	{ { "guidelines", "measure what the library's collectives should not be slower than" },
	  &tmap_bench_guidelines_command,
	  NULL,
	  tmap_bench_guidelines },
	{ { "join", "join measured times of separate launches" },
	  &tmap_bench_join_command,
	  NULL,
	  NULL },
	{ { "lanes", "measure over how many ranks a node communicates fastest" },
	  &tmap_bench_lanes_command,
	  NULL,
	  tmap_bench_lanes },
	{ { "persistent", "measure what it gains to keep schedules and requests" },
	  &tmap_bench_persistent_command,
	  NULL,
	  tmap_bench_persistent },
	{ { "run", "measure the experiments of a file in random order" },
	  &tmap_bench_run_command,
	  tmap_bench_run_prepare,
	  tmap_bench_run },
	{ { NULL, NULL }, NULL, NULL, NULL },
};

static const struct tmap_command *command_at(size_t index, const char **word)
{
	*word = tmap_bench_verbs[index].word.name;
	return tmap_bench_verbs[index].command;
}

const struct tmap_completed tmap_bench_program = { .name = "topomap-bench",
						   .function = "_topomap_bench",
						   .command_at = command_at };

static const struct tmap_keywords words = TMAP_KEYWORDS("verb", tmap_bench_verbs);

struct bench_args {
	int verb;
};

static const struct tmap_opt operands[] = {
	{ TMAP_OPT_CHOICE(struct bench_args, verb, 0, NULL, "VERB", NULL, &words, TMAP_KEYWORDS_ALL,
			  "what to do; its options follow it, and --help explains them"),
	  .required = true },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "the algorithms of allgather for 64 KiB a rank, on the ranks of a job",
	  "mpirun --bind-to core topomap-bench collective -c allgather -b 64KiB -a all",
	  "it needs an MPI job" },
	{ "what the verb collective takes", "topomap-bench collective --help",
	  "its program is not built everywhere" },
	{ NULL, NULL, NULL },
};

const struct tmap_command tmap_bench_command = {
	.name = "bench",
	.invocation = "topomap-bench",
	.summary = "measure collectives in a running MPI job",
	.description =
		"An MPI program: start it as you start your job, with the same options for "
		"mapping and binding. Rank 0 writes what was measured, with the placement of "
		"the ranks.",
	.operands = operands,
	.args_size = sizeof(struct bench_args),
	.examples = examples,
};
