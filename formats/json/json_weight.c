/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/json/json_weight.h"

#include <inttypes.h>

enum {
	BYTE = 2,    /* of a number, while it is read */
	LETTER = 4,  /* of a string, its copy, and the buffer in which it was read */
	QUOTE = 40,  /* half of a string */
	VALUE = 56,  /* a number, and its place in an array that doubles */
	MEMBER = 112 /* of an object, but for its name and value */
};

/* What a byte outside of strings stands for beside BYTE. */
static const short weights[256] = {
	['"'] = QUOTE,
	[','] = VALUE,
	[':'] = MEMBER,
	['['] = 128 + VALUE,
	['{'] = TMAP_JSON_MOST_WEIGHT - BYTE,
};

void tmap_json_weigh(struct tmap_json_weight *weight, const char *text, size_t length)
{
	struct tmap_json_weight now = *weight;

	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)text[i];

		if (!now.is_string) {
			now.bytes += BYTE + weights[byte];
			now.is_string = byte == '"';
			continue;
		}
		now.bytes += LETTER;
		if (byte == '"' && !now.is_escape) {
			now.bytes += QUOTE;
			now.is_string = false;
		}
		now.is_escape = byte == '\\' && !now.is_escape;
	}
	*weight = now;
}

int tmap_json_weight_check(const struct tmap_json_weight *weight, struct tmap_error *err)
{
	if (weight->bytes <= TMAP_JSON_MOST_MEMORY)
		return 0;
	return tmap_fail(err, TMAP_INPUT,
			 "its values take more than %" PRId64
			 " bytes of memory, which are the most that are made",
			 (int64_t)TMAP_JSON_MOST_MEMORY);
}
