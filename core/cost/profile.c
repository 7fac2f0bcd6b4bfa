/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/profile.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

#define US 1e-6
#define NS 1e-9

/* A table cannot use one list twice, so the rows of a socket come as a macro. */
#define SUMMIT_SOCKET(distance_) \
	{ distance_, 256, 0.48 * US, 0.50 * NS }, { distance_, 16384, 0.61 * US, 0.119 * NS }, \
	{ \
		distance_, INT64_MAX, 2.8 * US, 0.066 * NS \
	}
#define SUMMIT_OTHER_SOCKET(distance_) \
	{ distance_, 256, 0.94 * US, 1.52 * NS }, { distance_, 16384, 1.18 * US, 0.233 * NS }, \
	{ \
		distance_, INT64_MAX, 4.7 * US, 0.161 * NS \
	}

static const struct tmap_profile_row summit[] = {
	SUMMIT_SOCKET(1),
	SUMMIT_OTHER_SOCKET(3),
	SUMMIT_SOCKET(4),
	SUMMIT_OTHER_SOCKET(5),
	{ 7, 256, 1.5 * US, 0 },
	{ 7, 16384, 1.90 * US, 0.422 * NS },
	{ 7, INT64_MAX, 6.2 * US, 0.0905 * NS },
};

#define BLUE_WATERS_SOCKET(distance_) \
	{ distance_, 500, 0.42 * US, 0.441 * NS }, { distance_, 8000, 0.49 * US, 0.308 * NS }, \
	{ \
		distance_, INT64_MAX, 1.52 * US, 0.154 * NS \
	}
#define BLUE_WATERS_OTHER_SOCKET(distance_) \
	{ distance_, 500, 0.77 * US, 1.73 * NS }, { distance_, 8000, 1.02 * US, 0.591 * NS }, \
	{ \
		distance_, INT64_MAX, 1.94 * US, 0.150 * NS \
	}

static const struct tmap_profile_row blue_waters[] = {
	BLUE_WATERS_SOCKET(1),
	BLUE_WATERS_OTHER_SOCKET(3),
	BLUE_WATERS_SOCKET(4),
	BLUE_WATERS_OTHER_SOCKET(5),
	{ 7, 500, 1.92 * US, 0.585 * NS },
	{ 7, 8000, 5.58 * US, 0.861 * NS },
	{ 7, INT64_MAX, 6.85 * US, 0.225 * NS },
};

#define ROWS(rows_) sizeof(rows_) / sizeof(rows_)[0], (rows_)

static const struct tmap_profile_link summit_links[] = { { "package", 1 / 64e9 } };
static const struct tmap_profile_link blue_waters_links[] = { { "package", 1 / 12.8e9 } };

static const struct tmap_profile profiles[] = {
	{ { "summit", "Summit: POWER9, Spectrum MPI, EDR InfiniBand" },
	  "Messages: least squares over the ping-pongs of bienz2/BenchPress@ac2ede18. Memory: 8 "
	  "channels of DDR4-2666 a socket, 170.6 GB/s. Adapter: dual EDR, 23 GB/s a node. Between "
	  "sockets: X-Bus, 64 GB/s. Overhead: 0.2 us a message, as in MPICH's topology_wave. A copy "
	  "takes as long as a large message in a socket, and so does a reduction: an estimate.",
	  ROWS(summit),
	  1 / 170.6e9,
	  1 / 23e9,
	  0.2 * US,
	  0.066 * NS,
	  0.066 * NS,
	  1,
	  summit_links },
	{ { "bluewaters", "Blue Waters XE: AMD 6276, Cray Gemini" },
	  "Messages: least squares over the ping-pongs of bienz2/BlueWatersModel@4ecec3e9. Memory: "
	  "2 channels of DDR3-1600 a die, 25.6 GB/s. Adapter: 6.6 GB/s a node (the same ping-pongs). "
	  "Between sockets: HyperTransport 3, 12.8 GB/s each way. Overhead, copies and reductions: "
	  "as for summit.",
	  ROWS(blue_waters),
	  1 / 25.6e9,
	  1 / 6.6e9,
	  0.2 * US,
	  0.154 * NS,
	  0.154 * NS,
	  1,
	  blue_waters_links },
	{ .row = NULL },
};

const struct tmap_keywords tmap_profiles = TMAP_KEYWORDS("profile", profiles);

const struct tmap_profile *tmap_profile_at(int index)
{
	return &profiles[index];
}

const struct tmap_profile_row *tmap_profile_find(const struct tmap_profile *profile,
						 double distance, int64_t bytes)
{
	const struct tmap_profile_row *row = profile->row;
	int begin = 0;

	for (int i = 0; i < profile->row_count; i++)
		if (row[i].distance != row[begin].distance && row[i].distance <= distance)
			begin = i;
	while (bytes >= row[begin].below_bytes && row[begin].below_bytes != INT64_MAX)
		begin++;
	return &row[begin];
}

static bool value_is_cost(double seconds)
{
	return isfinite(seconds) && seconds >= 0;
}

static int profile_check_row(const struct tmap_profile *profile, int i, struct tmap_error *err)
{
	const struct tmap_profile_row *row = &profile->row[i];
	bool is_last = i + 1 == profile->row_count || row[1].distance != row->distance;

	if (!value_is_cost(row->latency_s) || !value_is_cost(row->byte_s))
		return tmap_fail(err, TMAP_INPUT,
				 "row %d of the cost profile: %g seconds and %g seconds "
				 "a byte must be finite and not negative",
				 i, row->latency_s, row->byte_s);
	if (row->distance < 1 || (i && row->distance < row[-1].distance))
		return tmap_fail(err, TMAP_INPUT,
				 "row %d of the cost profile: distance %d is below %d", i,
				 row->distance, i ? row[-1].distance : 1);
	if (row->below_bytes < 1 ||
	    (i && row->distance == row[-1].distance && row->below_bytes <= row[-1].below_bytes))
		return tmap_fail(err, TMAP_INPUT,
				 "row %d of the cost profile: the sizes of distance %d "
				 "do not rise at %" PRId64 " bytes",
				 i, row->distance, row->below_bytes);
	if (is_last && row->below_bytes != INT64_MAX)
		return tmap_fail(err, TMAP_INPUT,
				 "row %d of the cost profile: distance %d has no row "
				 "for messages of %" PRId64 " bytes",
				 i, row->distance, row->below_bytes);
	return 0;
}

int tmap_profile_check(const struct tmap_profile *profile, struct tmap_error *err)
{
	if (profile->row_count < 1)
		return tmap_fail(err, TMAP_INPUT, "the cost profile has no rows");
	for (int i = 0; i < profile->row_count; i++)
		if (profile_check_row(profile, i, err) < 0)
			return -1;
	if (!value_is_cost(profile->memory_byte_s) || !value_is_cost(profile->adapter_byte_s))
		return tmap_fail(err, TMAP_INPUT,
				 "the cost profile: %g and %g seconds a byte of memory "
				 "and adapter must be finite and not negative",
				 profile->memory_byte_s, profile->adapter_byte_s);
	if (!value_is_cost(profile->overhead_s) || !value_is_cost(profile->copy_byte_s) ||
	    !value_is_cost(profile->reduce_byte_s))
		return tmap_fail(
			err, TMAP_INPUT,
			"the cost profile: %g seconds a message, %g and %g "
			"seconds a byte copied and reduced must be finite and not negative",
			profile->overhead_s, profile->copy_byte_s, profile->reduce_byte_s);
	for (int i = 0; i < profile->link_count; i++)
		if (!value_is_cost(profile->link[i].byte_s))
			return tmap_fail(err, TMAP_INPUT,
					 "the cost profile: %g seconds a byte of level "
					 "'%s' must be finite and not negative",
					 profile->link[i].byte_s, profile->link[i].level);
	return 0;
}
