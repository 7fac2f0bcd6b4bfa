/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/json_setting.h"

#include "core/base/mem.h"

#include <string.h>

static void put_environment(struct tmap_json_writer *w, const struct tmap_setting *setting)
{
	if (!setting->environment)
		return;
	tmap_json_open(w, "environment", '{');
	for (int i = 0; i < TMAP_VARIABLE_COUNT; i++)
		if (setting->variable[i])
			tmap_json_put_string(w, tmap_variables[i].name, setting->variable[i]);
	tmap_json_close(w);
}

void tmap_json_put_settings(struct tmap_json_writer *w, const struct tmap_placement *p)
{
	if (!p->setting_count)
		return;
	tmap_json_open(w, "settings", '[');
	for (int i = 0; i < p->setting_count; i++) {
		const struct tmap_setting *setting = &p->settings[i];

		tmap_json_open_line(w, NULL, '{');
		if (setting->part != TMAP_NONE)
			tmap_json_put_int(w, "part", setting->part);
		if (setting->program)
			tmap_json_put_string(w, "program", setting->program);
		if (setting->threads)
			tmap_json_put_int(w, "threads", setting->threads);
		put_environment(w, setting);
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

int tmap_json_put_rank_settings(struct tmap_json_writer *w, const struct tmap_placement *p,
				struct tmap_error *err)
{
	return p->setting ? tmap_json_put_list(w, "setting", p->setting, p->size, err) : 0;
}

/* A text that is printed, perhaps on a terminal. */
static int get_text(const struct tmap_json *in, const char *member, size_t length, char **text,
		    struct tmap_error *err)
{
	struct tmap_json found;
	const char *value;

	if (tmap_json_find(in, member, TMAP_JSON_STRING, &found, err) < 0)
		return -1;
	if (!found.value)
		return 0;
	value = tmap_json_string(&found);
	if (strlen(value) > length)
		return tmap_json_fail(&found, err, "'%.64s...' is longer than %zu bytes", value,
				      length);
	for (const char *at = value; *at; at++)
		if ((unsigned char)*at < ' ' || *at == '\x7f')
			return tmap_json_fail(&found, err, "the text has a control character");
	*text = tmap_strdup(value, err);
	return *text ? 0 : -1;
}

static int get_setting(const struct tmap_json *in, struct tmap_setting *setting,
		       struct tmap_error *err)
{
	struct tmap_json environment;

	if (tmap_json_find_int(in, "part", 0, TMAP_MOST_PARTS, &setting->part, err) < 0 ||
	    get_text(in, "program", TMAP_PROGRAM_LENGTH, &setting->program, err) < 0 ||
	    tmap_json_find_int(in, "threads", 1, TMAP_MOST_THREADS, &setting->threads, err) < 0 ||
	    tmap_json_find(in, "environment", TMAP_JSON_OBJECT, &environment, err) < 0)
		return -1;
	setting->environment = environment.value;
	for (int i = 0; i < TMAP_VARIABLE_COUNT && environment.value; i++)
		if (get_text(&environment, tmap_variables[i].name, TMAP_VALUE_LENGTH,
			     &setting->variable[i], err) < 0)
			return -1;
	return 0;
}

static int add_setting(const struct tmap_json *in, struct tmap_placement *p, struct tmap_error *err)
{
	struct tmap_setting setting = TMAP_SETTING_INIT;
	int status = get_setting(in, &setting, err);

	if (status == 0 && tmap_placement_add_setting(p, &setting, err) == TMAP_NONE)
		status = -1;
	tmap_setting_fini(&setting);
	return status;
}

static int get_rank_settings(const struct tmap_json *in, struct tmap_placement *p,
			     struct tmap_error *err)
{
	struct tmap_json ranks, found;

	if (tmap_json_get(in, "ranks", TMAP_JSON_OBJECT, &ranks, err) < 0 ||
	    tmap_json_find(&ranks, "setting", TMAP_JSON_ANY, &found, err) < 0)
		return -1;
	if (!found.value && p->setting_count > 1)
		return tmap_json_fail(&ranks, err,
				      "the member 'setting' is missing, and there are %d settings",
				      p->setting_count);
	if (!found.value)
		return 0;
	if (!p->setting_count)
		return tmap_json_fail(&found, err, "there is no setting for the ranks");
	p->setting = tmap_json_list(&found, p->size, 0, p->setting_count - 1, err);
	return p->setting ? 0 : -1;
}

int tmap_json_get_settings(const struct tmap_json *in, struct tmap_placement *p,
			   struct tmap_error *err)
{
	struct tmap_json array, element;

	if (tmap_json_find(in, "settings", TMAP_JSON_ARRAY, &array, err) < 0)
		return -1;
	for (int i = 0; i < tmap_json_count(&array); i++)
		if (tmap_json_element(&array, i, TMAP_JSON_OBJECT, &element, err) < 0 ||
		    add_setting(&element, p, err) < 0)
			return -1;
	return get_rank_settings(in, p, err);
}
