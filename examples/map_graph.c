/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * map_graph.c - a better mapping for a graph of one's own, such as the parts of a mesh.
 *
 *     cc -o map_graph map_graph.c $(pkg-config --cflags --libs topomap)
 *     mpirun ... topomap-probe -o job.json
 *     ./map_graph job.json openmpi4 better.rankfile <edges
 *
 * A line of the graph is "FROM TO WEIGHT": what rank FROM sends to rank TO, in bytes; a # begins a
 * comment. An edge that works both ways stands there twice. The file of the launcher is written;
 * the standard output says what is gained, which place each rank takes, and how to start.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <topomap/topomap.h>

/* "FROM TO WEIGHT": is it no more, no less, and no number too large for its type? */
static int read_edge(const char *line, int *from, int *to, double *weight)
{
	char *end, *rest;
	long number[2];

	for (int i = 0; i < 2; i++, line = end) {
		errno = 0;
		number[i] = strtol(line, &end, 10);
		if (end == line || (*end != ' ' && *end != '\t') || errno || number[i] < INT_MIN ||
		    number[i] > INT_MAX)
			return 0;
	}
	*from = (int)number[0];
	*to = (int)number[1];
	*weight = strtod(line, &rest);
	return rest != line && rest[strspn(rest, " \t\r")] == '\0';
}

/* The edges of a file; -1 after a message. */
static int read_graph(FILE *in, struct topomap_traffic *traffic)
{
	struct topomap_error err;
	char line[256];
	int from, to, number = 0;
	double weight;

	while (fgets(line, sizeof line, in)) {
		number++;
		line[strcspn(line, "#\n")] = '\0';
		if (line[strspn(line, " \t\r")] == '\0')
			continue;
		if (!read_edge(line, &from, &to, &weight)) {
			fprintf(stderr, "line %d: it is not FROM TO WEIGHT\n", number);
			return -1;
		}
		if (topomap_traffic_add(traffic, from, to, weight, &err) < 0) {
			fprintf(stderr, "line %d: %s\n", number, err.text);
			return -1;
		}
	}
	if (!ferror(in))
		return 0;
	perror("the graph cannot be read");
	return -1;
}

/* The file of the launcher; one that is not whole is taken away. */
static int write_file(const struct topomap_suggestion *better, const char *launcher,
		      const char *path)
{
	struct topomap_error err;
	FILE *out = fopen(path, "w");
	int status;

	if (!out) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return -1;
	}
	status = topomap_suggestion_write_launcher(better, launcher, out, &err);
	if (status < 0)
		fprintf(stderr, "%s: %s\n", path, err.text);
	if (fclose(out) != 0 && status == 0) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		status = -1;
	}
	if (status < 0)
		remove(path);
	return status;
}

static int report(const struct topomap_suggestion *better, int size, const char *launcher,
		  const char *path)
{
	struct topomap_error err;
	const int *place_of = topomap_suggestion_place_of(better, &err);
	char *command = topomap_suggestion_command(better, launcher, path, &err);
	double gain;
	int status = -1;

	if (!place_of || !command || topomap_suggestion_gain(better, &gain, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
	} else {
		printf("predicted time: %.1f %% less\nplaces:", 100 * gain);
		for (int r = 0; r < size; r++)
			printf(" %d", place_of[r]);
		printf("\n%s\n", command);
		status = write_file(better, launcher, path);
	}
	free(command);
	return status;
}

int main(int argc, char **argv)
{
	struct topomap_placement *job;
	struct topomap_traffic *traffic = NULL;
	struct topomap_suggestion *better = NULL;
	struct topomap_error err;
	int size, status = -1;

	if (argc != 4) {
		fprintf(stderr, "Usage: %s PLACEMENT LAUNCHER FILE <GRAPH\n", argv[0]);
		return 2;
	}
	job = topomap_placement_read(argv[1], &err);
	size = job ? topomap_placement_size(job, &err) : 0;
	if (job && (traffic = topomap_traffic_new(size, &err)))
		status = read_graph(stdin, traffic);
	if (status == 0)
		better = topomap_suggestion_new(job, traffic, NULL, NULL, &err);
	if (better)
		status = report(better, size, argv[2], argv[3]);
	else if (!traffic || status == 0)
		fprintf(stderr, "%s\n", err.text);
	topomap_suggestion_free(better);
	topomap_traffic_free(traffic);
	topomap_placement_free(job);
	return better && status == 0 ? 0 : 1;
}
