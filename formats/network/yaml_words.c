#include "formats/network/yaml_words.h"

#include "core/base/mem.h"

#include <string.h>

int tmap_yaml_fail(int line, struct tmap_error *err, const char *what)
{
	return tmap_fail(err, TMAP_INPUT, "line %d: %s", line, what);
}

void tmap_yaml_trim(const char **text, size_t *length)
{
	while (*length && strchr(" \t", **text)) {
		(*text)++;
		(*length)--;
	}
	while (*length && strchr(" \t", (*text)[*length - 1]))
		(*length)--;
}

/* Length of the quoted text at the beginning of a text, quotes included; 0: it does not close. */
size_t tmap_yaml_quoted_length(const char *text, size_t length)
{
	for (size_t i = 1; i < length; i++) {
		if (text[i] == '\\' && *text == '"') {
			i++;
		} else if (text[i] == *text) {
			if (*text == '\'' && i + 1 < length && text[i + 1] == '\'')
				i++;
			else
				return i + 1;
		}
	}
	return 0;
}

bool tmap_yaml_is_quote(char c)
{
	return c == '"' || c == '\'';
}

/* Where a text that is no quotation ends, or its comment begins: at " #". */
size_t tmap_yaml_without_comment(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		bool begins = i == 0 || strchr(" \t[{,:", text[i - 1]) != NULL;

		if (text[i] == '#' && (i == 0 || strchr(" \t", text[i - 1])))
			return i;
		if (begins && tmap_yaml_is_quote(text[i])) {
			size_t quoted = tmap_yaml_quoted_length(text + i, length - i);

			i += quoted ? quoted - 1 : 0;
		}
	}
	return length;
}

/* What is inside the quotes; a doubled ' is one, and \ takes the next character as it is. */
static char *unquote(const char *text, size_t length, struct tmap_error *err)
{
	char *made = tmap_alloc(length, 1, err), *to = made;

	for (size_t i = 1; made && i + 1 < length; i++) {
		if (text[i] == '\\' && *text == '"')
			i++;
		else if (text[i] == '\'' && *text == '\'')
			i++;
		*to++ = text[i];
	}
	return made;
}

int tmap_yaml_set_word(char **out, const char *text, size_t length, int line,
		       struct tmap_error *err)
{
	if (length && tmap_yaml_is_quote(*text)) {
		if (tmap_yaml_quoted_length(text, length) != length)
			return tmap_yaml_fail(line, err,
					      "a quotation does not close, or something follows "
					      "it");
		*out = unquote(text, length, err);
	} else {
		if (length && strchr("&*!|>%@`", *text))
			return tmap_yaml_fail(line, err,
					      "anchors, aliases, tags, directives and block "
					      "texts are not read");
		*out = tmap_strndup(text, length, err);
	}
	return *out ? 0 : -1;
}

/* Where the key of "key: value" ends; TMAP_NONE where the text is no such thing. */
int tmap_yaml_key_length(const char *text, size_t length)
{
	size_t at = 0;

	if (length && tmap_yaml_is_quote(*text))
		at = tmap_yaml_quoted_length(text, length);
	for (; at < length; at++) {
		if (strchr("[]{},", text[at]))
			return TMAP_NONE;
		if (text[at] == ':' && (at + 1 == length || strchr(" \t", text[at + 1])))
			return (int)at;
	}
	return TMAP_NONE;
}
