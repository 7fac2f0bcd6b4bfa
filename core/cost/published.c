/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The published profiles: one table, from which options, help, manual and completion list them.
 */
#include "core/cost/profile.h"

#define US 1e-6
#define NS 1e-9
#define ANY INT64_MAX

/* A rank's own time for a message, where nothing else is known: MPICH's topology_wave has 200 for
 * it, beside latencies of 1600 to 2800. */
#define OVERHEAD (0.2 * US)

/* Messages of fewer bytes at a distance: microseconds, and nanoseconds a byte. */
#define PIECE(distance_, below_, latency_us_, byte_ns_, protocol_) \
	{ \
		.distance = (distance_), .below_bytes = (below_), .latency_s = (latency_us_)*US, \
		.byte_s = (byte_ns_)*NS, .overhead_s = OVERHEAD, \
		.protocol = TMAP_PROTOCOL_##protocol_ \
	}

/* A table cannot use one list twice, so the rows of a socket come as a macro. */
#define SUMMIT_SOCKET(distance_) \
	PIECE(distance_, 256, 0.48, 0.50, EAGER), PIECE(distance_, 16384, 0.61, 0.119, EAGER), \
		PIECE(distance_, ANY, 2.8, 0.066, RENDEZVOUS)
#define SUMMIT_OTHER_SOCKET(distance_) \
	PIECE(distance_, 256, 0.94, 1.52, EAGER), PIECE(distance_, 16384, 1.18, 0.233, EAGER), \
		PIECE(distance_, ANY, 4.7, 0.161, RENDEZVOUS)

static const struct tmap_profile_row summit[] = {
	SUMMIT_SOCKET(1),
	SUMMIT_OTHER_SOCKET(3),
	SUMMIT_SOCKET(4),
	SUMMIT_OTHER_SOCKET(5),
	PIECE(7, 256, 1.5, 0, EAGER),
	PIECE(7, 16384, 1.90, 0.422, EAGER),
	PIECE(7, ANY, 6.2, 0.0905, RENDEZVOUS),
};

#define BLUE_WATERS_SOCKET(distance_) \
	PIECE(distance_, 500, 0.42, 0.441, EAGER), PIECE(distance_, 8000, 0.49, 0.308, EAGER), \
		PIECE(distance_, ANY, 1.52, 0.154, RENDEZVOUS)
#define BLUE_WATERS_OTHER_SOCKET(distance_) \
	PIECE(distance_, 500, 0.77, 1.73, EAGER), PIECE(distance_, 8000, 1.02, 0.591, EAGER), \
		PIECE(distance_, ANY, 1.94, 0.150, RENDEZVOUS)

static const struct tmap_profile_row blue_waters[] = {
	BLUE_WATERS_SOCKET(1),
	BLUE_WATERS_OTHER_SOCKET(3),
	BLUE_WATERS_SOCKET(4),
	BLUE_WATERS_OTHER_SOCKET(5),
	PIECE(7, 500, 1.92, 0.585, EAGER),
	PIECE(7, 8000, 5.58, 0.861, EAGER),
	PIECE(7, ANY, 6.85, 0.225, RENDEZVOUS),
};

static const struct tmap_profile_link summit_links[] = {
	{ .level = "package", .byte_s = 1 / 64e9 },
};
static const struct tmap_profile_link blue_waters_links[] = {
	{ .level = "package", .byte_s = 1 / 12.8e9 },
};

#define COUNT(list_) (sizeof(list_) / sizeof(list_)[0])
#define ROWS(rows_) .row_count = COUNT(rows_), .row = (rows_)
#define LINKS(links_) .link_count = COUNT(links_), .link = (links_)

static const struct tmap_profile profiles[] = {
	{ .word = { "summit", "Summit: POWER9, Spectrum MPI, EDR InfiniBand" },
	  .source =
		  "Messages: least squares over the ping-pongs of bienz2/BenchPress@ac2ede18. "
		  "Memory: 8 channels of DDR4-2666 a socket, 170.6 GB/s. Adapter: dual EDR, 23 GB/s "
		  "a node. Between sockets: X-Bus, 64 GB/s. Overhead: 0.2 us a message, as in "
		  "MPICH's topology_wave. A copy takes as long as a large message in a socket, and "
		  "so does a reduction: an estimate.",
	  ROWS(summit),
	  .memory_byte_s = 1 / 170.6e9,
	  .adapter_byte_s = 1 / 23e9,
	  .copy_byte_s = 0.066 * NS,
	  .reduce_byte_s = 0.066 * NS,
	  LINKS(summit_links) },
	{ .word = { "bluewaters", "Blue Waters XE: AMD 6276, Cray Gemini" },
	  .source =
		  "Messages: least squares over the ping-pongs of bienz2/BlueWatersModel@4ecec3e9. "
		  "Memory: 2 channels of DDR3-1600 a die, 25.6 GB/s. Adapter: 6.6 GB/s a node (the "
		  "same ping-pongs). Between sockets: HyperTransport 3, 12.8 GB/s each way. "
		  "Overhead, copies and reductions: as for summit.",
	  ROWS(blue_waters),
	  .memory_byte_s = 1 / 25.6e9,
	  .adapter_byte_s = 1 / 6.6e9,
	  .copy_byte_s = 0.154 * NS,
	  .reduce_byte_s = 0.154 * NS,
	  LINKS(blue_waters_links) },
	{ .row = NULL },
};

const struct tmap_keywords tmap_profiles = TMAP_KEYWORDS("profile", profiles);

const struct tmap_profile *tmap_profile_at(int index)
{
	return &profiles[index];
}
