/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How fast algorithms are scored: each of allgather, bcast and allreduce beside a bare loop over its own
 * messages with one counter, as it emits them; one allgather beside such a loop, and beside one that adds up
 * what each link carries, which no exact score of ranks in no order can do without (that loop takes twenty
 * times the bare one); and every allgather, both from a thousand to 11,039,616 ranks, with the peak of memory
 * and how these grow; every other collective at a million. Each line is a process of its own, so that its peak
 * of memory is its own.
 *
 * Of an algorithm that emits about one message a rank (a ring, one that repeats a round, a root that has all of
 * them) no score takes as little as three loops: the loop reads one number of 4 bytes a rank, in order, and a
 * score takes several clocks of 8 bytes of each rank and writes them, which by itself is more. So the goal is
 * for all rows of a collective together.
 *
 *     bench_score                              all of that
 *     bench_score bare                         the first part of that
 *     bench_score loop ALGORITHM NODES block|cyclic|random       seconds of one allgather's loop
 *     bench_score links ALGORITHM NODES block|cyclic|random      of that which adds up its links
 *     bench_score one ALGORITHM NODES block|cyclic|random        that allgather beside its loop
 *     bench_score rows COLLECTIVE NODES [cyclic|random]    each algorithm beside its own loop; 43808 nodes have
 *                                                          11,039,616 ranks, which takes minutes
 *     bench_score answer NODES ALGORITHM       seconds of one allgather's score, 8 ranks a node
 */
#include "core/algorithms/catalogue.h"
#include "core/cost/cost_model.h"
#include "core/score/score.h"
#include "tests/bench/memory.h"
#include "tests/support/machines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NODE_RANKS = 252, BLOCK_BYTES = 65536 };

static struct tmap_error err;

/* Seconds of this process's CPU, whatever else the machine does. */
static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void must(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "bench_score: %s\n", what);
	exit(EXIT_FAILURE);
}

/* 2 packages x 2 NUMA nodes x 3 L3 x 21 cores, 18 nodes a switch, 30 switches a group. */
static struct tmap_machine *cluster(int nodes)
{
	struct tmap_machine *machine =
		machine_regular(nodes,
				(const struct test_level[]){ { TMAP_PACKAGE, 2 },
							     { TMAP_NUMA, 2 },
							     { TMAP_L3, 3 },
							     { TMAP_CORE, 21 },
							     { 0 } });

	machine_add_switches(machine, 18);
	machine_add_switches(machine, 30);
	return machine;
}

static void place(struct tmap_placement *p, int nodes, const char *mapping)
{
	int size = nodes * NODE_RANKS, *seat = malloc((size_t)size * sizeof *seat);
	struct dice dice = { .state = 1 };

	must(seat != NULL, "no memory");
	for (int r = 0; r < size; r++)
		seat[r] = strcmp(mapping, "cyclic") == 0 ? r % nodes * NODE_RANKS + r / nodes : r;
	if (strcmp(mapping, "random") == 0)
		dice_shuffle(&dice, seat, size);
	placement_on_take(p, cluster(nodes), size);
	for (int r = 0; r < size; r++)
		placement_seat_pu(p, r, seat[r] / NODE_RANKS, seat[r] % NODE_RANKS);
	free(seat);
}

static int64_t bytes_of(enum tmap_collective collective)
{
	return collective == TMAP_BARRIER ? 0 : BLOCK_BYTES;
}

static double score(const struct tmap_placement *p, enum tmap_collective collective,
		    const char *algorithm)
{
	const struct tmap_score_request request = { .collective = collective,
						    .bytes = bytes_of(collective),
						    .algorithm = &algorithm,
						    .algorithm_count = algorithm != NULL };
	double begin = now();
	struct tmap_score made;

	must(tmap_score_init(&made, p, &request, &err) == 0, err.text);
	begin = now() - begin;
	tmap_score_fini(&made);
	return begin;
}

/* The least that any program does for a schedule: look where both ranks of each message are. Messages are
 * those that an algorithm emits when it is scored: what comes again in later rounds is one of them. */
struct bare {
	const struct tmap_placement *placement;
	int64_t between; /* messages between nodes */
	double messages;
};

static int bare_batch(void *context, const struct tmap_messages *batch, struct tmap_error *why)
{
	struct bare *bare = context;
	const int *node = bare->placement->node;

	(void)why;
	for (int i = 0; i < batch->count; i++)
		bare->between += node[batch->from[i]] != node[batch->to[i]];
	bare->messages += batch->count;
	return 0;
}

static int bare_shift(void *context, const struct tmap_shift_pattern *shift, struct tmap_error *why)
{
	struct bare *bare = context;
	const int *node = bare->placement->node, size = bare->placement->size;
	int from = shift->first, place = 0;

	(void)why;
	for (int i = 0; i < shift->count; i++) {
		int to = from < size - shift->ahead ? from + shift->ahead :
						      from - (size - shift->ahead);

		bare->between += node[from] != node[to];
		from += shift->gap + 1;
		if (++place == shift->run) {
			place = 0;
			from += shift->step - shift->run * (shift->gap + 1);
		}
		if (from >= size)
			from %= size;
	}
	bare->messages += shift->count;
	return 0;
}

static int bare_message(void *context, const struct tmap_message *message, struct tmap_error *why)
{
	struct bare *bare = context;
	const int *node = bare->placement->node;

	(void)why;
	bare->between += node[message->from] != node[message->to];
	bare->messages++;
	return 0;
}

/* A message of each rank stands for those to all others. */
static int bare_all_pairs(void *context, const struct tmap_all_pairs *pairs, struct tmap_error *why)
{
	int size = ((const struct bare *)context)->placement->size;

	(void)pairs;
	return bare_shift(context,
			  &(struct tmap_shift_pattern){
				  .run = size, .step = size, .count = size, .ahead = 1 },
			  why);
}

/* The least that any program does that adds up what each link carries: for each message of a round what the
 * links at both its ends have, and when the first of it comes; and when all have that, by message, until when
 * they are busy. These are records of 16 bytes and numbers of 8 in no order, if the ranks are in none; no
 * price, no kind, no port. */
struct bare_load {
	double first_s;
	uint32_t round, count;
};

struct bare_links {
	const struct tmap_cost_model *model;
	struct bare_load **load;
	double **end_s;
	double *at, *next;
	uint32_t round;
};

/* Calls its body for each message of a shift. */
#define BARE_EACH(shift, size, from, to) \
	for (int bare_i = 0, from = (shift)->first, bare_place = 0, to; bare_i < (shift)->count && \
	     ((to = from < (size) - (shift)->ahead ? from + (shift)->ahead : \
						     from - ((size) - (shift)->ahead)), \
	      true); \
	     bare_i++, from += (shift)->gap + 1, \
		 bare_place = bare_place + 1 == (shift)->run ? \
		     (from += (shift)->step - (shift)->run * ((shift)->gap + 1), 0) : \
		     bare_place + 1, \
		 from = from >= (size) ? from % (size) : from)

static void bare_load_add(struct bare_load *load, uint32_t round, double first_s)
{
	if (load->round != round)
		*load = (struct bare_load){ first_s, round, 0 };
	load->count++;
	load->first_s = first_s < load->first_s ? first_s : load->first_s;
}

static int bare_links_shift(void *context, const struct tmap_shift_pattern *shift,
			    struct tmap_error *why)
{
	struct bare_links *bare = context;
	const struct tmap_cost_model *model = bare->model;
	int size = model->kinds.size;

	(void)why;
	bare->round++;
	BARE_EACH(shift, size, from, to)
	for (int l = 0; l < model->link_count; l++) {
		const struct tmap_cost_link *link = &model->link[l];
		int twice = !link->is_sum;

		bare_load_add(
			&bare->load[l]
				   [tmap_cost_object(link, tmap_pair_position(&model->kinds, from))
				    << twice],
			bare->round, bare->at[from]);
		bare_load_add(
			&bare->load[l][(tmap_cost_object(link, tmap_pair_position(&model->kinds, to))
					<< twice) +
				       twice],
			bare->round, bare->at[from]);
	}
	for (int l = 0; l < model->link_count; l++)
		for (size_t i = 0; i < tmap_cost_load_count(&model->link[l]); i++)
			bare->end_s[l][i] = fmax(bare->end_s[l][i], bare->load[l][i].first_s) +
				bare->load[l][i].count;
	BARE_EACH(shift, size, from, to)
	{
		double end = bare->at[from];

		for (int l = 0; l < model->link_count; l++) {
			const struct tmap_cost_link *link = &model->link[l];
			int twice = !link->is_sum;
			int left = tmap_cost_object(link, tmap_pair_position(&model->kinds, from))
				<< twice;
			int reached = (tmap_cost_object(link, tmap_pair_position(&model->kinds, to))
				       << twice) +
				twice;

			end = bare->end_s[l][left] > end ? bare->end_s[l][left] : end;
			end = bare->end_s[l][reached] > end ? bare->end_s[l][reached] : end;
		}
		bare->next[to] = end;
	}
	memcpy(bare->at, bare->next, (size_t)size * sizeof *bare->at);
	return 0;
}

static void call_parse(struct tmap_call *call, const struct tmap_placement *p,
		       enum tmap_collective collective, const char *algorithm)
{
	*call = (struct tmap_call){ .size = p->size, .bytes = bytes_of(collective) };
	must(tmap_call_parse(call, collective, algorithm, &err) == 0, err.text);
}

/* The bare loop over the messages of a call. */
static double loop_call(const struct tmap_call *call, struct bare *bare)
{
	struct tmap_visitor visitor = { .folded = true,
					.message = bare_message,
					.all_pairs = bare_all_pairs,
					.context = bare,
					.batch = bare_batch,
					.shift = bare_shift };
	double begin = now();

	must(tmap_schedule(call, &visitor, &err) == 0, err.text);
	begin = now() - begin;
	must(bare->between > 0, "nothing between nodes");
	return begin;
}

static double loop_barely(const struct tmap_placement *p, const char *algorithm)
{
	struct bare bare = { .placement = p };
	struct tmap_call call;

	call_parse(&call, p, TMAP_ALLGATHER, algorithm);
	return loop_call(&call, &bare);
}

static double loop_links(struct tmap_cost_model *model, const struct tmap_call *call)
{
	size_t size = (size_t)model->kinds.size;
	struct bare_links bare = { .model = model,
				   .load = calloc((size_t)model->link_count, sizeof *bare.load),
				   .end_s = calloc((size_t)model->link_count, sizeof *bare.end_s),
				   .at = calloc(size, sizeof *bare.at),
				   .next = calloc(size, sizeof *bare.next) };
	struct tmap_visitor visitor = { .folded = true,
					.message = bare_message,
					.all_pairs = bare_all_pairs,
					.context = &bare,
					.shift = bare_links_shift };
	double begin;

	must(bare.load && bare.end_s && bare.at && bare.next, "no memory");
	for (int l = 0; l < model->link_count; l++) {
		size_t count = tmap_cost_load_count(&model->link[l]);

		bare.load[l] = calloc(count, sizeof *bare.load[l]);
		bare.end_s[l] = calloc(count, sizeof *bare.end_s[l]);
		must(bare.load[l] && bare.end_s[l], "no memory");
	}
	begin = now();
	must(tmap_schedule(call, &visitor, &err) == 0, err.text);
	begin = now() - begin;
	for (int l = 0; l < model->link_count; l++) {
		free(bare.load[l]);
		free(bare.end_s[l]);
	}
	free(bare.load);
	free(bare.end_s);
	free(bare.at);
	free(bare.next);
	return begin;
}

/* One schedule, on a placement that was analyzed before, as a score does for each row; or the loop over its
 * links. */
static double cost(const struct tmap_placement *p, const char *algorithm, bool links)
{
	struct tmap_levels levels;
	struct tmap_metric metric;
	struct tmap_cost_model model;
	struct tmap_call call;
	double begin, seconds;

	call_parse(&call, p, TMAP_ALLGATHER, algorithm);
	must(tmap_levels_init(&levels, p->machine, &err) == 0 &&
		     tmap_metric_init(&metric, p, TMAP_SCALE_PROCESS, &err) == 0 &&
		     tmap_cost_model_init(&model, p, &metric, &levels, tmap_profile_at(0), &err) ==
			     0,
	     err.text);
	if (links) {
		seconds = loop_links(&model, &call);
	} else {
		begin = now();
		must(tmap_cost(&seconds, &model, &call, &err) == 0, err.text);
		seconds = now() - begin;
	}
	tmap_cost_model_fini(&model);
	tmap_metric_fini(&metric);
	tmap_levels_fini(&levels);
	return seconds;
}

struct figures {
	double seconds, bytes; /* beside the placement */
	double bare_seconds;   /* of the bare loop, where it is one algorithm */
	double links_seconds;  /* of the one over the links */
};

/* Measures in a process of its own, which has its own peak of memory; what it leaves in *task comes back. */
static void apart(void (*measure)(void *task), void *task, size_t size)
{
	int ends[2], status;
	pid_t child;

	fflush(stdout);
	must(pipe(ends) == 0, "no pipe");
	child = fork();
	must(child >= 0, "no process");
	if (child == 0) {
		measure(task);
		_exit(write(ends[1], task, size) != (ssize_t)size);
	}
	close(ends[1]);
	must(read(ends[0], task, size) == (ssize_t)size && waitpid(child, &status, 0) == child &&
		     status == 0,
	     "a process failed");
	close(ends[0]);
}

/* One allgather where it is named, else all algorithms. */
struct figures_task {
	enum tmap_collective collective;
	const char *algorithm, *mapping;
	int nodes;
	struct figures figures;
};

static void figures_measure(void *task)
{
	struct figures_task *it = task;
	const char *algorithm = it->algorithm;
	struct figures *figures = &it->figures;
	struct tmap_placement p;
	double before;

	place(&p, it->nodes, it->mapping);
	before = memory("VmRSS");
	figures->seconds = algorithm ? cost(&p, algorithm, false) : score(&p, it->collective, NULL);
	figures->bytes = memory("VmHWM") - before;
	if (algorithm) /* the least of two, as of the loops the machine has to get used to it */
		figures->seconds = fmin(figures->seconds, cost(&p, algorithm, false));
	for (int i = 0; algorithm && i < 2; i++) {
		double seconds = loop_barely(&p, algorithm), links = cost(&p, algorithm, true);

		figures->bare_seconds = i ? fmin(figures->bare_seconds, seconds) : seconds;
		figures->links_seconds = i ? fmin(figures->links_seconds, links) : links;
	}
	tmap_placement_fini(&p);
}

static struct figures measure_apart(enum tmap_collective collective, const char *algorithm,
				    int nodes, const char *mapping)
{
	struct figures_task task = {
		.collective = collective, .algorithm = algorithm, .mapping = mapping, .nodes = nodes
	};

	apart(figures_measure, &task, sizeof task);
	return task.figures;
}

static void show(int nodes, const char *mapping, const struct figures *it)
{
	double ranks = (double)nodes * NODE_RANKS;

	printf("%10.0f  %-6s  %10.4f s  %6.0f ns  %6.0f bytes a rank", ranks, mapping, it->seconds,
	       it->seconds / ranks * 1e9, it->bytes / ranks);
}

static void show_loops(const struct figures *it)
{
	printf("  %6.1f x the loop, %5.1f x that over links\n", it->seconds / it->bare_seconds,
	       it->seconds / it->links_seconds);
}

/* One algorithm of log p rounds. */
static void show_bare(const char *algorithm)
{
	static const char *const mapping[] = { "block", "cyclic", "random" };
	static const int nodes[] = { 40, 397, 3968, 43808 };
	enum { COUNT = sizeof nodes / sizeof *nodes };
	double regular = 0;

	printf("%s of 64 KiB a rank, and a bare loop over its messages with one counter\n",
	       algorithm);
	for (size_t m = 0; m < sizeof mapping / sizeof *mapping; m++) {
		struct figures first = { 0 }, it = { 0 };

		for (int i = 0; i < COUNT; i++) {
			it = measure_apart(TMAP_ALLGATHER, algorithm, nodes[i], mapping[m]);
			if (i == 0)
				first = it;
			show(nodes[i], mapping[m], &it);
			show_loops(&it);
		}
		if (m == 0)
			regular = it.seconds;
		printf("            %-6s  grows as p^%.2f, the loop as p^%.2f; %.1f x block\n",
		       mapping[m],
		       log(it.seconds / first.seconds) / log((double)nodes[COUNT - 1] / nodes[0]),
		       log(it.bare_seconds / first.bare_seconds) /
			       log((double)nodes[COUNT - 1] / nodes[0]),
		       it.seconds / regular);
	}
}

/* Of one algorithm, once the machine is used to it: what programs are measured by (commands.sh). */
static void show_loop(const char *algorithm, int nodes, const char *mapping, bool links)
{
	struct tmap_placement p;
	double seconds = 0;

	place(&p, nodes, mapping);
	for (int i = 0; i < 2; i++)
		seconds = links ? cost(&p, algorithm, true) : loop_barely(&p, algorithm);
	printf("%.4f\n", seconds);
	tmap_placement_fini(&p);
}

/* One line of these. */
static void show_one(const char *algorithm, int nodes, const char *mapping)
{
	struct figures it = measure_apart(TMAP_ALLGATHER, algorithm, nodes, mapping);

	show(nodes, mapping, &it);
	show_loops(&it);
}

static void show_growth(const char *mapping)
{
	static const int nodes[] = { 4, 40, 397, 3968, 43808 };
	enum { COUNT = sizeof nodes / sizeof *nodes };
	struct figures first = { 0 }, it = { 0 };
	double growth;

	for (int i = 0; i < COUNT; i++) {
		it = measure_apart(TMAP_ALLGATHER, NULL, nodes[i], mapping);
		if (i == 1)
			first = it;
		show(nodes[i], mapping, &it);
		puts("");
	}
	growth = log((double)nodes[COUNT - 1] / nodes[1]);
	printf("            %-6s  from %d ranks on time grows as p^%.2f, memory as p^%.2f\n",
	       mapping, nodes[1] * NODE_RANKS, log(it.seconds / first.seconds) / growth,
	       log(it.bytes / first.bytes) / growth);
}

static void show_others(int nodes)
{
	for (int c = 0; c < TMAP_COLLECTIVE_COUNT; c++) {
		struct figures it;

		if (tmap_collective_rows[c].has_neighbors)
			continue;
		it = measure_apart((enum tmap_collective)c, NULL, nodes, "block");
		show(nodes, "block", &it);
		printf("  %s\n", tmap_collective_rows[c].word.name);
	}
}

/* What a row of a score takes, once there is a model, and its loop. */
struct row {
	const struct tmap_placement *placement;
	enum tmap_collective collective;
	const char *algorithm;
	double seconds, bare_seconds, messages;
	double bytes; /* of a score of it alone, beside the placement */
	bool applies;
};

/* The least of two of each, as the machine has to get used to them. */
static void row_measure(void *task)
{
	struct row *row = task;
	const struct tmap_placement *p = row->placement;
	double before = memory("VmRSS");
	struct tmap_levels levels;
	struct tmap_metric metric;
	struct tmap_cost_model model;
	struct tmap_call call;

	call_parse(&call, p, row->collective, row->algorithm);
	must(tmap_levels_init(&levels, p->machine, &err) == 0 &&
		     tmap_metric_init(&metric, p, TMAP_SCALE_PROCESS, &err) == 0 &&
		     tmap_cost_model_init(&model, p, &metric, &levels, tmap_profile_at(0), &err) ==
			     0,
	     err.text);
	call.metric = &metric;
	row->applies = tmap_call_check(&call, &err) == 0;
	row->seconds = row->bare_seconds = INFINITY;
	for (int i = 0; i < 2 && row->applies; i++) {
		struct tmap_moved moved = { 0 };
		double begin = now(), seconds;

		must(tmap_cost_and_moved(&seconds, &moved, &model, &call, &err) == 0, err.text);
		row->seconds = fmin(row->seconds, now() - begin);
		tmap_moved_fini(&moved);
	}
	row->bytes = memory("VmHWM") - before;
	tmap_cost_model_rest(&model);
	for (int i = 0; i < 2 && row->applies; i++) {
		struct bare bare = { .placement = p };

		row->bare_seconds = fmin(row->bare_seconds, loop_call(&call, &bare));
		row->messages = bare.messages;
	}
	tmap_cost_model_fini(&model);
	tmap_metric_fini(&metric);
	tmap_levels_fini(&levels);
}

/* Of each algorithm, and of all of them together. What a message takes is there beside the loop's, as a loop
 * is slow where messages are found slowly, and then says little. */
static void show_rows(enum tmap_collective collective, int nodes, const char *mapping)
{
	const struct tmap_keywords *words = tmap_algorithms(collective);
	struct row all = { 0 };
	const struct tmap_keyword *word;
	struct tmap_placement p;
	int rows = 0;

	place(&p, nodes, mapping);
	printf("%s of 64 KiB, %d ranks, %s: each algorithm beside a bare loop over its messages\n",
	       tmap_collective_rows[collective].word.name, p.size, mapping);
	printf("%-24s %10s %10s %7s %9s %8s %8s %7s\n", "", "CPU s", "loop s", "loops", "messages",
	       "ns each", "loop's", "bytes");
	for (size_t i = 0; (word = tmap_keywords_at(words, i)); i++) {
		struct row row = { .placement = &p,
				   .collective = collective,
				   .algorithm = word->name };

		apart(row_measure, &row, sizeof row);
		if (!row.applies)
			continue;
		printf("%-24s %10.4f %10.4f %7.1f %9.2f %8.2f %8.2f %7.0f\n", word->name,
		       row.seconds, row.bare_seconds, row.seconds / row.bare_seconds,
		       row.messages / p.size, row.seconds / row.messages * 1e9,
		       row.bare_seconds / row.messages * 1e9, row.bytes / p.size);
		all.seconds += row.seconds;
		all.bare_seconds += row.bare_seconds;
		all.bytes = fmax(all.bytes, row.bytes);
		rows++;
	}
	printf("%-24s %10.4f %10.4f %7.1f %9s %8s %8s %7.0f\n", "together; most bytes", all.seconds,
	       all.bare_seconds, all.seconds / all.bare_seconds, "a rank", "", "",
	       all.bytes / p.size);
	tmap_placement_fini(&p);
}

/* As many times as take a tenth of a second. */
static void show_answer(int nodes, const char *algorithm)
{
	const struct test_level node_levels[] = { { TMAP_CORE, 8 }, { 0 } };
	double seconds = 0;
	struct tmap_placement p;
	int times = 0;

	placement_block_take(&p, machine_regular(nodes, node_levels));
	for (; seconds < 0.1; times++)
		seconds += score(&p, TMAP_ALLGATHER, algorithm);
	printf("%.9f\n", seconds / times);
	tmap_placement_fini(&p);
}

int main(int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], "answer") == 0) {
		show_answer(atoi(argv[2]), argv[3]);
		return 0;
	}
	if (argc == 2 && strcmp(argv[1], "bare") == 0) {
		show_bare("sparbit");
		return 0;
	}
	if (argc == 5 && (strcmp(argv[1], "loop") == 0 || strcmp(argv[1], "links") == 0)) {
		show_loop(argv[2], atoi(argv[3]), argv[4], strcmp(argv[1], "links") == 0);
		return 0;
	}
	if (argc == 5 && strcmp(argv[1], "one") == 0) {
		show_one(argv[2], atoi(argv[3]), argv[4]);
		return 0;
	}
	if (argc >= 4 && strcmp(argv[1], "rows") == 0) {
		int collective = tmap_keywords_find(&tmap_collectives, argv[2], &err);

		must(collective != TMAP_NONE, err.text);
		show_rows((enum tmap_collective)collective, atoi(argv[3]),
			  argc > 4 ? argv[4] : "block");
		return 0;
	}
	show_rows(TMAP_ALLGATHER, 3968, "block");
	show_rows(TMAP_BCAST, 3968, "block");
	show_rows(TMAP_ALLREDUCE, 3968, "block");
	show_bare("sparbit");
	puts("every allgather of 64 KiB a rank: time and peak of memory beside the placement");
	show_growth("block");
	show_growth("cyclic");
	show_growth("random");
	puts("the other collectives of 64 KiB");
	show_others(3968);
	return 0;
}
