/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/kept_env.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

static const struct tmap_keywords variables = TMAP_KEYWORDS("variable", tmap_variables);
static const uint64_t any_launchers = ~TMAP_KEYWORDS_BIT(TMAP_I_MPI_PIN);

/* Which of tmap_variables the text sets, or TMAP_NONE. */
static int variable_find(const char *text)
{
	size_t length = strcspn(text, "=");

	for (int i = 0; i < TMAP_VARIABLE_COUNT; i++)
		if (strlen(tmap_variables[i].name) == length &&
		    strncmp(tmap_variables[i].name, text, length) == 0)
			return i;
	return TMAP_NONE;
}

bool tmap_kept_env_has(const char *text)
{
	int found = variable_find(text);

	return found != TMAP_NONE && tmap_keywords_among(any_launchers, (size_t)found);
}

char *tmap_kept_env_list(struct tmap_error *err)
{
	return tmap_keywords_list_among(&variables, any_launchers, ", ", err);
}

static int value_check(const char *name, const char *value, struct tmap_error *err)
{
	if (strlen(value) > TMAP_VALUE_LENGTH)
		return tmap_fail(err, TMAP_USAGE, "--env: the value of %s is longer than %d bytes",
				 name, TMAP_VALUE_LENGTH);
	for (; *value; value++)
		if ((unsigned char)*value < ' ' || *value == '\x7f')
			return tmap_fail(err, TMAP_USAGE,
					 "--env: the value of %s has a control character", name);
	return 0;
}

int tmap_kept_env_set(struct tmap_placement *p, const char *const *env, size_t count,
		      struct tmap_error *err)
{
	const struct tmap_setting none = TMAP_SETTING_INIT;

	for (size_t i = 0; i < count; i++) {
		int found = variable_find(env[i]);
		const char *value = strchr(env[i], '=');

		if (found == TMAP_NONE || !value)
			continue;
		if (value_check(tmap_variables[found].name, value + 1, err) < 0 ||
		    (!p->setting_count && tmap_placement_add_setting(p, &none, err) == TMAP_NONE))
			return -1;
		for (int j = 0; j < p->setting_count; j++) {
			struct tmap_setting *setting = &p->settings[j];
			char *copy = tmap_strdup(value + 1, err);

			if (!copy)
				return -1;
			free(setting->variable[found]);
			setting->variable[found] = copy;
			setting->environment = true;
			/* what was said of threads was said of other variables */
			setting->threads = 0;
		}
	}
	return 0;
}
