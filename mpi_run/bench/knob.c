/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/knob.h"

#include "core/base/units.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SMPI_H

int tmap_knobs_init(void)
{
	return MPI_SUCCESS;
}

void tmap_knobs_fini(void)
{
}

int tmap_knob_set(struct tmap_knob *knob, enum tmap_collective collective, const char *words,
		  struct tmap_error *err)
{
	(void)collective;
	*knob = (struct tmap_knob){ 0 };
	return tmap_fail(err, TMAP_INPUT, "this library has no variables, such as %s", words);
}

void tmap_knob_reset(struct tmap_knob *knob)
{
	*knob = (struct tmap_knob){ 0 };
}

#else

int tmap_knobs_init(void)
{
	int level;

	return MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
}

void tmap_knobs_fini(void)
{
	MPI_T_finalize();
}

enum { WORD = 200, DESCRIPTION = 8192 };

/* The next variable and its value of the words; false: there are no more. */
static bool words_next(const char **words, char name[WORD], char value[WORD])
{
	const char *at = *words + strspn(*words, " ");
	size_t length;

	if (strncmp(at, "--mca ", 6) == 0)
		at += 6;
	length = strcspn(at, " =");
	if (!length || length >= WORD)
		return false;
	memcpy(name, at, length);
	name[length] = '\0';
	at += length + (at[length] != '\0');
	length = strcspn(at, " ");
	if (length >= WORD)
		return false;
	memcpy(value, at, length);
	value[length] = '\0';
	*words = at + length;
	return true;
}

/* Its number in a description that lists "auto - ... binomial   - ...", or TMAP_NONE. Lines may be
 * joined there ("Binomial Treenb    - ..."), so a word ends where it should, and begins behind
 * anything but a part of a longer one. */
static int description_number(const char *description, const char *word)
{
	size_t length = strlen(word);
	int number = 0, found = TMAP_NONE, times = 0;

	for (const char *at = strstr(description, " - "); at;
	     at = strstr(at + 3, " - "), number++) {
		const char *end = at;

		while (end > description && end[-1] == ' ')
			end--;
		if ((size_t)(end - description) < length ||
		    strncmp(end - length, word, length) != 0 ||
		    (end - length > description && end[-(ptrdiff_t)length - 1] == '_'))
			continue;
		found = number;
		times++;
	}
	return times == 1 ? found : TMAP_NONE;
}

static bool enum_number(MPI_T_enum items, const char *word, int *number)
{
	int count = 0;
	char name[WORD];
	int length = WORD;

	if (items == MPI_T_ENUM_NULL ||
	    MPI_T_enum_get_info(items, &count, name, &length) != MPI_SUCCESS)
		return false;
	for (int i = 0; i < count; i++) {
		length = WORD;
		if (MPI_T_enum_get_item(items, i, number, name, &length) == MPI_SUCCESS &&
		    strcmp(name, word) == 0)
			return true;
	}
	return false;
}

static bool word_number(const char *word, MPI_T_enum items, const char *description, int *number)
{
	struct tmap_error err;
	int64_t value;

	if (tmap_units_parse_int(word, INT_MIN, INT_MAX, &value, &err) == 0) {
		*number = (int)value;
		return true;
	}
	if (enum_number(items, word, number))
		return true;
	*number = description_number(description, word);
	return *number != TMAP_NONE;
}

static bool variable_read(const struct tmap_knob_variable *it, int *number)
{
	unsigned char byte = 0;
	int code = it->bytes == 1 ? MPI_T_cvar_read(it->handle, &byte) :
				    MPI_T_cvar_read(it->handle, number);

	if (it->bytes == 1)
		*number = byte;
	return code == MPI_SUCCESS;
}

static bool variable_write(const struct tmap_knob_variable *it, int number)
{
	unsigned char byte = (unsigned char)number;

	return (it->bytes == 1 ? MPI_T_cvar_write(it->handle, &byte) :
				 MPI_T_cvar_write(it->handle, &number)) == MPI_SUCCESS;
}

/* "coll/tuned" of "coll_tuned_bcast_algorithm"; false: it is no such name. */
static bool component_of(const char *name, char component[WORD])
{
	size_t length = strcspn(name + (strncmp(name, "coll_", 5) == 0 ? 5 : strlen(name)), "_");

	snprintf(component, WORD, "%.*s", (int)length, name + 5 * (length > 0));
	return length > 0;
}

static int fail_unknown(const char *name, struct tmap_error *err)
{
	char component[WORD];

	return component_of(name, component) ?
		tmap_fail(
			err, TMAP_INPUT,
			"this MPI library has no variable %s: its component coll/%s is not there, or "
			"left out by --mca coll",
			name, component) :
		tmap_fail(err, TMAP_INPUT, "this MPI library has no variable %s", name);
}

/* How to have it all the same. */
static int fail_fixed(const char *name, const char *words, struct tmap_error *err)
{
	return tmap_fail(
		err, TMAP_INPUT,
		"this MPI library's %s cannot be set while it runs: restart with %s%s, where "
		"it is measured by this name",
		name, words, *words == '-' ? "" : " in the environment");
}

static int variable_set(struct tmap_knob_variable *it, const char *name, const char *value,
			const char *words, struct tmap_error *err)
{
	char own[WORD], description[DESCRIPTION] = "";
	int index, own_length = WORD, length = DESCRIPTION, verbosity, binding, scope, count,
		   number;
	MPI_Datatype type;
	MPI_T_enum items = MPI_T_ENUM_NULL;

	if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS ||
	    MPI_T_cvar_get_info(index, own, &own_length, &verbosity, &type, &items, description,
				&length, &binding, &scope) != MPI_SUCCESS)
		return fail_unknown(name, err);
	if (!word_number(value, items, description, &number))
		return tmap_fail(err, TMAP_INPUT, "'%s' is no value of this MPI library's %s",
				 value, name);
	if (MPI_Type_size(type, &it->bytes) != MPI_SUCCESS ||
	    (it->bytes != 1 && it->bytes != (int)sizeof number) ||
	    MPI_T_cvar_handle_alloc(index, NULL, &it->handle, &count) != MPI_SUCCESS)
		return tmap_fail(err, TMAP_INPUT, "this MPI library's %s is no number", name);
	if (count == 1 && variable_read(it, &it->before) &&
	    (it->before == number || variable_write(it, number)))
		return 0;
	MPI_T_cvar_handle_free(&it->handle);
	return fail_fixed(name, words, err);
}

#define HAS(collective) (UINT64_C(1) << (collective))
#define HAS_SHARED (HAS(TMAP_BARRIER) | HAS(TMAP_BCAST) | HAS(TMAP_REDUCE) | HAS(TMAP_ALLREDUCE))
#define HAS_ANY UINT64_MAX /* or which ones it has depends on how it was built */

/* Components of Open MPI, and of what they have blocking calls. What coll/han has it has by the
 * words. */
static const struct component {
	const char *name;
	uint64_t has;
} components[] = {
	{ "tuned", HAS_ANY },
	{ "basic", HAS_ANY },
	{ "sm", HAS_SHARED },
	{ "adapt", HAS(TMAP_BCAST) | HAS(TMAP_REDUCE) },
	{ "hcoll", HAS_ANY },
	{ "ucc", HAS_ANY },
	{ "xhc", HAS_SHARED },
	{ "acoll", HAS_SHARED | HAS(TMAP_ALLGATHER) | HAS(TMAP_ALLTOALL) | HAS(TMAP_GATHER) },
	{ "fca", HAS_ANY },
	{ "portals4", HAS_ANY },
};

/* The number of a component's priority. */
static bool priority_read(const char *component, int *priority)
{
	struct tmap_knob_variable it = { .bytes = (int)sizeof *priority };
	char name[WORD];
	int index, count;
	bool done;

	snprintf(name, sizeof name, "coll_%s_priority", component);
	if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS ||
	    MPI_T_cvar_handle_alloc(index, NULL, &it.handle, &count) != MPI_SUCCESS)
		return false;
	done = count == 1 && variable_read(&it, priority);
	MPI_T_cvar_handle_free(&it.handle);
	return done;
}

/* The one whose variables are set is the one that is asked for the collective. */
static int check_first(enum tmap_collective collective, const char *words, struct tmap_error *err)
{
	char name[WORD], value[WORD], component[WORD];
	int mine, other;

	if (!words_next(&words, name, value) || !component_of(name, component) ||
	    !priority_read(component, &mine))
		return 0;
	for (size_t i = 0; i < sizeof components / sizeof *components; i++)
		if ((components[i].has & HAS(collective)) &&
		    priority_read(components[i].name, &other) && other > mine)
			return tmap_fail(
				err, TMAP_INPUT,
				"coll/%s comes before coll/%s, which has this algorithm: its "
				"priority is %d, not %d; restart with --mca "
				"coll_%s_priority %d",
				components[i].name, component, other, mine, component, other + 1);
	return 0;
}

int tmap_knob_set(struct tmap_knob *knob, enum tmap_collective collective, const char *words,
		  struct tmap_error *err)
{
	const char *const all = words;
	char name[WORD], value[WORD];

	*knob = (struct tmap_knob){ 0 };
	while (words_next(&words, name, value)) {
		if (knob->count == TMAP_KNOB_VARIABLES)
			tmap_fail(err, TMAP_INPUT, "more than %d variables would have to be set",
				  TMAP_KNOB_VARIABLES);
		else if (variable_set(&knob->variable[knob->count], name, value, all, err) == 0) {
			knob->count++;
			continue;
		}
		tmap_knob_reset(knob);
		return -1;
	}
	if (check_first(collective, all, err) == 0)
		return 0;
	tmap_knob_reset(knob);
	return -1;
}

void tmap_knob_reset(struct tmap_knob *knob)
{
	while (knob->count > 0) {
		struct tmap_knob_variable *it = &knob->variable[--knob->count];
		int now = it->before;

		if (variable_read(it, &now) && now != it->before)
			variable_write(it, it->before);
		MPI_T_cvar_handle_free(&it->handle);
	}
}

#endif
