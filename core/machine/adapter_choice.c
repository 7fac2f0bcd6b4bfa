/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/machine/adapter_choice.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "core/machine/device.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* The device of a walk over all kinds of nodes; NULL at the end. */
struct walk {
	const struct tmap_machine *machine;
	int topology, device;
};

static struct tmap_device *walk_next(struct walk *walk)
{
	for (; walk->topology < walk->machine->topology_count; walk->topology++, walk->device = 0) {
		const struct tmap_topology *topo = &walk->machine->topology[walk->topology];

		while (walk->device < topo->device_count) {
			struct tmap_device *device = &topo->device[walk->device++];

			if (device->type == TMAP_NETWORK)
				return device;
		}
	}
	return NULL;
}

/* Marks are made aside, and kept only when the whole list is understood. */
struct marks {
	const struct tmap_machine *machine;
	bool *is_marked; /* in the order of a walk */
};

static int count_adapters(const struct tmap_machine *machine)
{
	struct walk walk = { .machine = machine };
	int count = 0;

	while (walk_next(&walk))
		count++;
	return count;
}

static bool marks_add(struct marks *marks, const char *pattern, bool is_glob)
{
	struct walk walk = { .machine = marks->machine };
	bool found = false;

	for (int i = 0;; i++) {
		const struct tmap_device *device = walk_next(&walk);

		if (!device)
			return found;
		if (is_glob ? fnmatch(pattern, device->name, 0) != 0 :
			      strcmp(pattern, device->name) != 0)
			continue;
		marks->is_marked[i] = true;
		found = true;
	}
}

/* Every adapter but those that are interfaces of one that is there by itself. */
static void marks_add_all(struct marks *marks)
{
	struct walk walk = { .machine = marks->machine };

	for (int i = 0;; i++) {
		const struct tmap_device *device = walk_next(&walk);

		if (!device)
			return;
		marks->is_marked[i] = !tmap_device_is_interface(
			&marks->machine->topology[walk.topology], walk.device - 1);
	}
}

/* By their names, "mlx5_2" before "mlx5_10". */
static int compare_names(const void *a, const void *b)
{
	static const char digits[] = "0123456789";
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	size_t in_x, in_y;

	for (; *x && *x == *y; x++)
		y++;
	in_x = strspn(x, digits);
	in_y = strspn(y, digits);
	if (in_x != in_y)
		return in_x < in_y ? -1 : 1;
	return (unsigned char)*x - (unsigned char)*y;
}

/* Append them to @p str, sorted. */
static int names_add(const struct tmap_hostlist *names, struct tmap_str *str,
		     struct tmap_error *err)
{
	const char **name = tmap_alloc(names->count, sizeof *name, err);
	struct tmap_hostlist sorted = TMAP_HOSTLIST_INIT;
	int status = name ? 0 : -1;

	for (size_t i = 0; name && i < names->count; i++)
		name[i] = tmap_hostlist_name(names, i);
	if (name)
		qsort(name, names->count, sizeof *name, compare_names);
	for (size_t i = 0; i < names->count && status == 0; i++)
		status = tmap_hostlist_add(&sorted, name[i], err);
	if (status == 0)
		tmap_hostlist_print(&sorted, str);
	tmap_hostlist_fini(&sorted);
	free(name);
	return status;
}

/* The names of adapters, each once: all, or those that count. */
static char *names_print(const struct tmap_machine *machine, bool all, struct tmap_error *err)
{
	struct walk walk = { .machine = machine };
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT;
	struct tmap_str str = TMAP_STR_INIT;
	const struct tmap_device *device;
	char *text = NULL;

	while ((device = walk_next(&walk))) {
		bool is_new = all ||
			tmap_device_is_adapter(&machine->topology[walk.topology], walk.device - 1);

		for (size_t i = 0; i < list.count && is_new; i++)
			is_new = strcmp(tmap_hostlist_name(&list, i), device->name) != 0;
		if (is_new && tmap_hostlist_add(&list, device->name, err) < 0)
			goto out;
	}
	if (!list.count)
		tmap_str_add(&str, "none");
	else if (names_add(&list, &str, err) < 0)
		goto out;
	text = tmap_str_take(&str, err);
	for (char *c = text; text && *c; c++) /* it is for terminals, too */
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = '?';
out:
	tmap_hostlist_fini(&list);
	return text;
}

char *tmap_adapters_print(const struct tmap_machine *machine, struct tmap_error *err)
{
	return names_print(machine, false, err);
}

bool tmap_adapters_are_known(const struct tmap_machine *machine)
{
	struct walk walk = { .machine = machine };

	return walk_next(&walk) != NULL;
}

bool tmap_adapters_are_chosen(const struct tmap_machine *machine)
{
	struct walk walk = { .machine = machine };
	const struct tmap_device *device;

	while ((device = walk_next(&walk)))
		if (device->choice)
			return true;
	return false;
}

static int refuse(const struct tmap_machine *machine, const char *name, struct tmap_error *err)
{
	char *names = names_print(machine, true, err);

	if (!names)
		return -1;
	if (strcmp(names, "none") == 0)
		tmap_fail(err, TMAP_INPUT,
			  "no node has a network adapter '%.64s': the placement has none at all",
			  name);
	else
		tmap_fail(err, TMAP_INPUT,
			  "no node has a network adapter '%.64s'; those that there are: %s", name,
			  names);
	free(names);
	return -1;
}

/* "mlx5_[0-3]", a name, or a pattern of a shell's. */
static int marks_add_word(struct marks *marks, const char *word, struct tmap_error *err)
{
	struct tmap_hostlist names = TMAP_HOSTLIST_INIT;
	struct tmap_error why;
	int status = 0;

	if (strpbrk(word, "*?") || strstr(word, "[!") || strstr(word, "[^"))
		return marks_add(marks, word, true) ? 0 : refuse(marks->machine, word, err);
	if (tmap_hostlist_parse(&names, word, &why) < 0) {
		if (why.kind == TMAP_SYSTEM) {
			*err = why;
			return -1;
		}
		/* [ab] is a shell's */
		return marks_add(marks, word, true) ? 0 : refuse(marks->machine, word, err);
	}
	for (size_t i = 0; i < names.count && status == 0; i++)
		if (!marks_add(marks, tmap_hostlist_name(&names, i), false))
			status = refuse(marks->machine, tmap_hostlist_name(&names, i), err);
	tmap_hostlist_fini(&names);
	return status;
}

/* Up to a comma that is in no bracket. */
static size_t word_length(const char *list)
{
	bool inside = false;
	size_t length = 0;

	for (; list[length] && (inside || list[length] != ','); length++)
		inside = list[length] == '[' ? true : list[length] == ']' ? false : inside;
	return length;
}

static int marks_add_list(struct marks *marks, const char *list, struct tmap_error *err)
{
	for (;; list++) {
		size_t length = word_length(list);
		char *word = tmap_strndup(list, length, err);
		int status = word ? 0 : -1;

		if (word && !length)
			status = tmap_fail(err, TMAP_USAGE, "the list has an empty name");
		else if (word)
			status = marks_add_word(marks, word, err);
		free(word);
		list += length;
		if (status < 0 || !*list)
			return status;
	}
}

int tmap_adapters_choose(struct tmap_machine *machine, const char *list, struct tmap_error *err)
{
	struct marks marks = { .machine = machine };
	struct walk walk = { .machine = machine };
	struct tmap_device *device;
	int status = 0;

	if (!list)
		return 0;
	marks.is_marked = tmap_alloc((size_t)count_adapters(machine), sizeof *marks.is_marked, err);
	if (!marks.is_marked)
		return -1;
	if (strcmp(list, "all") == 0)
		marks_add_all(&marks);
	else if (strcmp(list, "none") != 0)
		status = marks_add_list(&marks, list, err);
	for (int i = 0; status == 0 && (device = walk_next(&walk)); i++)
		device->choice = marks.is_marked[i] ? TMAP_CHOICE_YES : TMAP_CHOICE_NO;
	free(marks.is_marked);
	return status;
}
