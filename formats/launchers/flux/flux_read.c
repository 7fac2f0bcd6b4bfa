/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/flux/flux.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/machine/most_ranks.h"
#include "formats/base/input.h"
#include "formats/base/lines.h"
#include "formats/json/json.h"
#include "formats/launchers/common/comment.h"
#include "formats/launchers/common/local_binding.h"
#include "formats/launchers/common/rankmap.h"
#include "formats/machine/json_placement.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct task_map {
	int *node; /* [count] */
	int count;
	int most; /* tasks */
	size_t capacity;
};

static int add_tasks(struct task_map *map, int node, int tasks, struct tmap_error *err)
{
	if (tmap_most_ranks_check((int64_t)map->count + tasks, map->most, "tasks", err) < 0)
		return -1;
	if (tmap_grow(&map->node, &map->capacity, (size_t)map->count + (size_t)tasks,
		      sizeof *map->node, err) < 0)
		return -1;
	for (int i = 0; i < tasks; i++)
		map->node[map->count++] = node;
	return 0;
}

/* [start, nodes, tasks, repeat] */
static int add_block(struct task_map *map, const struct tmap_json *block, struct tmap_error *err)
{
	static const char *const names[] = { "first node", "nodes", "tasks of each", "times" };
	int64_t tasks;
	int value[4];

	if (tmap_json_count(block) != 4)
		return tmap_json_fail(block, err,
				      "4 numbers are expected: first node, nodes, tasks of "
				      "each, times");
	for (int i = 0; i < 4; i++) {
		struct tmap_json number;
		int64_t found;

		if (tmap_json_element(block, i, TMAP_JSON_INTEGER, &number, err) < 0)
			return -1;
		if (tmap_json_integer(&number, i > 0, TMAP_MOST_RANKS, &found, err) < 0)
			return tmap_wrap(err, "%s", names[i]);
		value[i] = (int)found;
	}
	tasks = (int64_t)value[1] * value[2]; /* below 2^55 */
	tasks = tasks > map->most ? tasks : tasks * value[3];
	if (tmap_most_ranks_check(map->count + tasks, map->most, "tasks", err) < 0)
		return tmap_json_wrap(block, err);
	for (int times = 0; times < value[3]; times++)
		for (int n = 0; n < value[1]; n++)
			if (add_tasks(map, value[0] + n, value[2], err) < 0)
				return -1;
	return 0;
}

static int add_blocks(struct task_map *map, const struct tmap_json *doc, struct tmap_error *err)
{
	struct tmap_json blocks = *doc, block;
	int version = 1;

	if (tmap_json_is(doc, TMAP_JSON_OBJECT) &&
	    (tmap_json_find_int(doc, "version", 1, 1, &version, err) < 0 ||
	     tmap_json_get(doc, "map", TMAP_JSON_ARRAY, &blocks, err) < 0))
		return -1;
	for (int i = 0; i < tmap_json_count(&blocks); i++)
		if (tmap_json_element(&blocks, i, TMAP_JSON_ARRAY, &block, err) < 0 ||
		    add_block(map, &block, err) < 0)
			return -1;
	return 0;
}

static int parse_json(struct task_map *map, const char *text, const char *name,
		      struct tmap_error *err)
{
	struct tmap_json doc;
	int status;

	if (tmap_json_parse(&doc, text, strlen(text), name, err) < 0)
		return -1;
	status = add_blocks(map, &doc, err);
	tmap_json_fini(&doc);
	return status;
}

/* The set of one node: each of its tasks goes there. */
static int put_set(struct task_map *map, const struct tmap_idset *tasks, int node,
		   struct tmap_error *err)
{
	for (int i = 0; i < tasks->count; i++)
		for (int t = tasks->range[i].first; t <= tasks->range[i].last; t++) {
			while (map->count <= t)
				if (add_tasks(map, TMAP_NONE, 1, err) < 0)
					return -1;
			assert(map->node); /* t is one of its tasks */
			if (map->node[t] != TMAP_NONE)
				return tmap_fail(err, TMAP_INPUT,
						 "task %d is on node %d and on node %d", t,
						 map->node[t], node);
			map->node[t] = node;
		}
	return 0;
}

/* 0-3;4-7 */
static int parse_sets(struct task_map *map, const char *text, struct tmap_error *err)
{
	int status = 0;

	for (int node = 0; status == 0; node++) {
		size_t length = strcspn(text, ";");
		char *set = tmap_strndup(text, length, err);
		struct tmap_idset tasks = { 0 };

		status = set ? tmap_idset_parse(&tasks, set, TMAP_MOST_RANKS - 1, err) : -1;
		if (status == 0 && tasks.count)
			status = tmap_most_ranks_check((int64_t)tasks.range[tasks.count - 1].last +
							       1,
						       map->most, "tasks", err);
		if (status == 0)
			status = put_set(map, &tasks, node, err);
		tmap_idset_fini(&tasks);
		free(set);
		text += length;
		if (!*text++)
			break;
	}
	for (int t = 0; t < map->count && status == 0; t++)
		if (map->node[t] == TMAP_NONE)
			status = tmap_fail(err, TMAP_INPUT, "task %d is on no node", t);
	return status;
}

/* What is left without comments and blanks; of blanks and line ends between two words or numbers
 * one blank stays, so that they do not become one. */
static char *comments_strip(const char *text, struct tmap_error *err)
{
	static const char marks[] = "[](){},;:-*";
	struct tmap_line line = { 0 };
	struct tmap_str made = TMAP_STR_INIT;

	for (char last = ','; tmap_line_next(&line, &text);) {
		bool is_apart = true;

		if (line.length && *line.text == '#')
			continue;
		for (size_t i = 0; i < line.length; i++) {
			char c = line.text[i];

			if (c == ' ' || c == '\t') {
				is_apart = true;
				continue;
			}
			if (is_apart && !strchr(marks, last) && !strchr(marks, c))
				tmap_str_addc(&made, ' ');
			tmap_str_addc(&made, c);
			is_apart = false;
			last = c;
		}
	}
	return tmap_str_take(&made, err);
}

static int parse_pmi(struct task_map *map, const char *text, struct tmap_error *err)
{
	struct tmap_rankmap ranks = { 0 };

	if (tmap_rankmap_parse(&ranks, text, map->most, err) < 0)
		return -1;
	*map = (struct task_map){ ranks.node, ranks.count, map->most, ranks.capacity };
	return 0;
}

int *tmap_taskmap_parse(int *count, const char *text, const char *name, int most,
			struct tmap_error *err)
{
	char *plain = comments_strip(text, err);
	struct task_map map = { .most = most };
	int status;

	if (!plain)
		return NULL;
	if (*plain == '{' || *plain == '[')
		status = parse_json(&map, plain, name, err);
	else
		status = *plain == '(' ? parse_pmi(&map, plain, err) : parse_sets(&map, plain, err);
	if (status == 0 && map.count == 0)
		status = tmap_fail(err, TMAP_INPUT, "there is no task");
	free(plain);
	if (status < 0) {
		free(map.node);
		return NULL;
	}
	*count = map.count;
	return map.node;
}

/* -o cpu-affinity= in a comment */
static int bind_tasks(struct tmap_entries *entries, const char *text, struct tmap_error *err)
{
	struct tmap_local_binding binding = { 0 };
	char *list;
	int status;

	if (tmap_comment_find(&list, text, "cpu-affinity=", err) < 0)
		return -1;
	if (!list)
		return 0;
	status = tmap_local_binding_parse_flux(&binding, list, err);
	if (status == 0)
		status = tmap_local_binding_apply(&binding, entries, err);
	tmap_local_binding_fini(&binding);
	free(list);
	return status;
}

int tmap_flux_parse(struct tmap_entries *entries, const struct tmap_launcher_file *file, int *line,
		    struct tmap_error *err)
{
	int count, status;
	int *node = tmap_taskmap_parse(&count, file->text, tmap_input_name(file->path),
				       tmap_most_ranks(file->machine), err);

	(void)line;
	if (!node)
		return -1;
	status = tmap_entries_add_nodes(entries, node, count, err);
	if (status == 0)
		status = bind_tasks(entries, file->text, err);
	free(node);
	return status;
}
