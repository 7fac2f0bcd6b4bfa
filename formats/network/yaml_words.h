/*
 * yaml_words.h - the words on a line of YAML: quotes, comments, keys. What formats/network/yaml.c
 * reads a line with.
 */
#ifndef TMAP_FORMATS_NETWORK_YAML_WORDS_H
#define TMAP_FORMATS_NETWORK_YAML_WORDS_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>

/** Fail with "line N: what is wrong"; always -1. */
int tmap_yaml_fail(int line, struct tmap_error *err, const char *what);

/** Cut blanks and tabs off both ends. */
void tmap_yaml_trim(const char **text, size_t *length);

/** Length of the quoted text at the beginning, quotes included; 0 if it does not close. */
size_t tmap_yaml_quoted_length(const char *text, size_t length);
bool tmap_yaml_is_quote(char c);

/** Length without the comment at the end, which begins at a "#" behind a blank. */
size_t tmap_yaml_without_comment(const char *text, size_t length);

/** *out = the word without its quotes, the caller's to free. Refuses what is not read:
 *  anchors, aliases, tags, directives, block texts. */
int tmap_yaml_set_word(char **out, const char *text, size_t length, int line,
		       struct tmap_error *err);

/** Where the key of "key: value" ends; TMAP_NONE where the text is no such thing. */
int tmap_yaml_key_length(const char *text, size_t length);

#endif
