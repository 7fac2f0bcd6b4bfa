/* Any bytes: a permutation, or a sentence. */
#include "formats/launchers/permutation/permutation.h"
#include "tests/fuzz/networks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct tmap_error err = { 0 };
	int *place_of = NULL, count = 0;
	int64_t sum = 0;

	/* a range of many ranks is no finding, only slow */
	for (size_t i = 0, digits = 0; text[i]; i++) {
		digits = text[i] >= '0' && text[i] <= '9' ? digits + 1 : 0;
		if (digits > 4) {
			free(text);
			return 0;
		}
	}
	place_of = tmap_permutation_parse(&count, text, "text", &err);
	for (int r = 0; place_of && r < count; r++) {
		if (place_of[r] < 0 || place_of[r] >= count)
			abort();
		sum += place_of[r];
	}
	if (place_of ? sum != (int64_t)count * (count - 1) / 2 : !*err.text)
		abort();
	free(place_of);
	free(text);
	return 0;
}
