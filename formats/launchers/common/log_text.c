/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/common/log_text.h"

#include "core/base/mem.h"

#include <string.h>

enum { ESC = '\x1b', BEL = '\a' };

/* Is it one of the characters from @p first to @p last? The end of a line is none that is asked
 * for. */
static bool is_between(char c, char first, char last)
{
	return c >= first && c <= last;
}

/* Behind "ESC[": parameters, intermediate characters and the one that ends them. */
static const char *control_end(const char *at)
{
	while (is_between(*at, '0', '?'))
		at++;
	while (is_between(*at, ' ', '/'))
		at++;
	return at + is_between(*at, '@', '~');
}

/* Behind "ESC]" and its like: a text up to BEL or ESC \. */
static const char *string_end(const char *at)
{
	while (*at && *at != '\n' && *at != BEL && *at != ESC)
		at++;
	if (*at == ESC && at[1] == '\\')
		return at + 2;
	return at + (*at == BEL);
}

/* Behind the sequence that begins with the ESC here. */
static const char *sequence_end(const char *at)
{
	at++;
	if (*at == '[')
		return control_end(at + 1);
	if (*at && strchr("]PX^_", *at))
		return string_end(at + 1);
	while (is_between(*at, ' ', '/'))
		at++;
	return at + is_between(*at, '0', '~');
}

const char *tmap_log_text_plain(char **made, const char *text, struct tmap_error *err)
{
	char *plain, *to;

	*made = NULL;
	if (!strchr(text, ESC))
		return text;
	plain = to = tmap_strdup(text, err);
	if (!plain)
		return NULL;
	while (*text)
		if (*text == ESC)
			text = sequence_end(text);
		else
			*to++ = *text++;
	*to = '\0';
	*made = plain;
	return plain;
}
