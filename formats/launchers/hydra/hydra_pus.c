#include "formats/launchers/hydra/hydra_pus.h"

#include <ctype.h>
#include <string.h>

#define MOST 99999999

static bool read_number(int *number, const char **at)
{
	const char *start = *at;

	for (*number = 0; isdigit((unsigned char)**at); ++*at) {
		*number = 10 * *number + (**at - '0');
		if (*number > MOST)
			return false;
	}
	return *at > start;
}

static bool read_span(int *first, int *last, const char **at)
{
	if (!read_number(first, at))
		return false;
	*last = *first;
	if (**at != '-')
		return true;
	++*at;
	return read_number(last, at) && *first <= *last;
}

static int refuse(const char *entry, struct tmap_error *err)
{
	return tmap_fail(err, TMAP_INPUT,
			 "'%.*s' is no entry of user:, such as 3 or 0+4-6 or 0-3x2",
			 (int)strcspn(entry, ",") > 64 ? 64 : (int)strcspn(entry, ","), entry);
}

static int read_spans(struct tmap_idset *pus, const char **at, const char *entry,
		      struct tmap_error *err)
{
	for (;;) {
		int first, last;

		if (!read_span(&first, &last, at))
			return refuse(entry, err);
		if (pus && tmap_idset_add_range(pus, first, last, err) < 0)
			return -1;
		if (**at != '+')
			return 0;
		++*at;
	}
}

int tmap_hydra_pus_next(struct tmap_hydra_pus *entry, struct tmap_idset *pus, const char **list,
			struct tmap_error *err)
{
	struct tmap_hydra_pus made = { .text = *list, .repeat = 1 };
	const char *at = *list;

	if (read_spans(pus, &at, made.text, err) < 0)
		return -1;
	made.length = (size_t)(at - made.text);
	if (*at == 'x') {
		at++;
		if (!read_number(&made.repeat, &at) || made.repeat == 0)
			return refuse(made.text, err);
	}
	if (*at == ',' && !at[1])
		return tmap_fail(err, TMAP_INPUT, "the list of user: ends with a comma");
	if (*at && *at != ',')
		return refuse(made.text, err);
	*list = at + (*at == ',');
	*entry = made;
	return 0;
}
