/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/setting_pack.h"

#include "core/base/mem.h"

#include <string.h>

static const char *variable_find(char *const *environment, const char *name)
{
	size_t length = strlen(name);

	for (; *environment; environment++)
		if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
			return *environment + length + 1;
	return NULL;
}

int tmap_setting_query(struct tmap_setting *setting, int part, const char *program,
		       char *const *environment, struct tmap_error *err)
{
	struct tmap_setting made = { .part = part, .environment = environment };
	int status = 0;

	if (program && !(made.program = tmap_setting_text(program, TMAP_PROGRAM_LENGTH, err)))
		status = -1;
	for (int i = 0; i < TMAP_VARIABLE_COUNT && environment && status == 0; i++) {
		const char *value = variable_find(environment, tmap_variables[i].name);

		if (value && !(made.variable[i] = tmap_setting_text(value, TMAP_VALUE_LENGTH, err)))
			status = -1;
	}
	if (status < 0)
		tmap_setting_fini(&made);
	else
		*setting = made;
	return status;
}

static void text_pack(struct tmap_bytes *bytes, const char *text)
{
	tmap_bytes_add_int(bytes, text != NULL);
	if (text)
		tmap_bytes_add_text(bytes, text);
}

static int text_unpack(char **text, struct tmap_cursor *cursor, struct tmap_error *err)
{
	char copy[TMAP_VALUE_LENGTH + 1];

	if (!tmap_cursor_int(cursor))
		return 0;
	tmap_cursor_text(cursor, copy, sizeof copy);
	*text = tmap_strdup(copy, err);
	return *text ? 0 : -1;
}

void tmap_setting_pack(struct tmap_bytes *bytes, const struct tmap_setting *setting)
{
	tmap_bytes_add_int(bytes, setting->part);
	tmap_bytes_add_int(bytes, setting->threads);
	tmap_bytes_add_int(bytes, setting->environment);
	text_pack(bytes, setting->program);
	for (int i = 0; i < TMAP_VARIABLE_COUNT; i++)
		text_pack(bytes, setting->variable[i]);
}

int tmap_setting_unpack(struct tmap_setting *setting, struct tmap_cursor *cursor,
			struct tmap_error *err)
{
	struct tmap_setting made = { .part = tmap_cursor_int(cursor) };
	int status;

	made.threads = tmap_cursor_int(cursor);
	made.environment = tmap_cursor_int(cursor) != 0;
	status = text_unpack(&made.program, cursor, err);
	for (int i = 0; i < TMAP_VARIABLE_COUNT && status == 0; i++)
		status = text_unpack(&made.variable[i], cursor, err);
	if (made.part < TMAP_NONE || made.part > TMAP_MOST_PARTS || made.threads < 0 ||
	    made.threads > TMAP_MOST_THREADS ||
	    (made.program && strlen(made.program) > TMAP_PROGRAM_LENGTH))
		cursor->failed = true;
	if (status < 0)
		tmap_setting_fini(&made);
	else
		*setting = made;
	return status;
}
