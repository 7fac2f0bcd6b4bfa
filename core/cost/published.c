/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The published profiles: one table, from which options, help, manual and completion list them.
 *
 * Each number comes from a text that can be looked up, which its source names; what is an estimate
 * is called one there. Latencies are of one way. An overhead is the time between messages that one
 * rank sends on and on.
 */
#include "core/cost/profile.h"

#define US 1e-6
#define NS 1e-9
#define ANY INT64_MAX

/* Messages of fewer bytes at a distance: microseconds, and nanoseconds a byte. */
#define PIECE(distance_, below_, latency_us_, byte_ns_, overhead_us_, protocol_, copier_) \
	{ \
		.distance = (distance_), .below_bytes = (below_), .latency_s = (latency_us_)*US, \
		.byte_s = (byte_ns_)*NS, .overhead_s = (overhead_us_)*US, \
		.copier = TMAP_COPIER_##copier_, .protocol = TMAP_PROTOCOL_##protocol_ \
	}

/* A table cannot use one list twice, so the rows of a socket come as a macro. */
#define SUMMIT_SOCKET(distance_) \
	PIECE(distance_, 256, 0.48, 0.50, 0.2, EAGER, UNKNOWN), \
		PIECE(distance_, 16384, 0.61, 0.119, 0.2, EAGER, UNKNOWN), \
		PIECE(distance_, ANY, 2.8, 0.066, 0.2, RENDEZVOUS, UNKNOWN)
#define SUMMIT_OTHER_SOCKET(distance_) \
	PIECE(distance_, 256, 0.94, 1.52, 0.2, EAGER, UNKNOWN), \
		PIECE(distance_, 16384, 1.18, 0.233, 0.2, EAGER, UNKNOWN), \
		PIECE(distance_, ANY, 4.7, 0.161, 0.2, RENDEZVOUS, UNKNOWN)

#define SUMMIT_NETWORK(distance_, further_us_) \
	PIECE(distance_, 256, 1.5 + (further_us_), 0, 0.2, EAGER, UNKNOWN), \
		PIECE(distance_, 16384, 1.90 + (further_us_), 0.422, 0.2, EAGER, UNKNOWN), \
		PIECE(distance_, ANY, 6.2 + (further_us_), 0.0905, 0.2, RENDEZVOUS, UNKNOWN)

static const struct tmap_profile_row summit[] = {
	SUMMIT_SOCKET(1),        SUMMIT_OTHER_SOCKET(3), SUMMIT_SOCKET(4),
	SUMMIT_OTHER_SOCKET(5),  SUMMIT_NETWORK(7, 0),   SUMMIT_NETWORK(8, 0.18),
	SUMMIT_NETWORK(9, 0.36),
};

#define BLUE_WATERS_SOCKET(distance_) \
	PIECE(distance_, 500, 0.42, 0.441, 0.2, EAGER, UNKNOWN), \
		PIECE(distance_, 8000, 0.49, 0.308, 0.2, EAGER, UNKNOWN), \
		PIECE(distance_, ANY, 1.52, 0.154, 0.2, RENDEZVOUS, UNKNOWN)
#define BLUE_WATERS_OTHER_SOCKET(distance_) \
	PIECE(distance_, 500, 0.77, 1.73, 0.2, EAGER, UNKNOWN), \
		PIECE(distance_, 8000, 1.02, 0.591, 0.2, EAGER, UNKNOWN), \
		PIECE(distance_, ANY, 1.94, 0.150, 0.2, RENDEZVOUS, UNKNOWN)

static const struct tmap_profile_row blue_waters[] = {
	BLUE_WATERS_SOCKET(1),
	BLUE_WATERS_OTHER_SOCKET(3),
	BLUE_WATERS_SOCKET(4),
	BLUE_WATERS_OTHER_SOCKET(5),
	PIECE(7, 500, 1.92, 0.585, 0.2, EAGER, UNKNOWN),
	PIECE(7, 8000, 5.58, 0.861, 0.2, EAGER, UNKNOWN),
	PIECE(7, ANY, 6.85, 0.225, 0.2, RENDEZVOUS, UNKNOWN),
};

/*
 * Two EPYCs: the same L3; another L3 of the package; another package. Large ones go by CMA, so the
 * receiver copies; a large piece begins where the one before ends.
 */
#define EPYC_L3(distance_) \
	PIECE(distance_, 4096, 0.2, 0.048, 0.2, EAGER, SHARED), \
		PIECE(distance_, ANY, 0.2, 0.0706, 0.2, RENDEZVOUS, RECEIVER)
#define EPYC_OTHER_L3(distance_) \
	PIECE(distance_, 16384, 0.35, 0.236, 0.2, EAGER, SHARED), \
		PIECE(distance_, ANY, 2.7, 0.0924, 0.2, RENDEZVOUS, RECEIVER)
#define EPYC_OTHER_PACKAGE(distance_) \
	PIECE(distance_, 16384, 0.55, 0.248, 0.2, EAGER, SHARED), \
		PIECE(distance_, ANY, 3.3, 0.0818, 0.2, RENDEZVOUS, RECEIVER)
#define EPYC \
	EPYC_L3(1), EPYC_OTHER_L3(2), EPYC_OTHER_PACKAGE(3), EPYC_OTHER_L3(4), EPYC_OTHER_PACKAGE(5)

#define HDR(distance_, further_us_) \
	PIECE(distance_, 512, 0.9 + (further_us_), 2.2, 0.18, EAGER, ADAPTER), \
		PIECE(distance_, 16384, 1.5 + (further_us_), 0.36, 0.18, EAGER, ADAPTER), \
		PIECE(distance_, ANY, 6.5 + (further_us_), 0.0811, 0.18, RENDEZVOUS, ADAPTER)

static const struct tmap_profile_row epyc_hdr[] = {
	EPYC,
	HDR(7, 0),
	HDR(8, 0.26),
	HDR(9, 0.52),
};

#define SLINGSHOT(distance_, further_us_) \
	PIECE(distance_, 16384, 2.2 + (further_us_), 0.39, 0.43, EAGER, ADAPTER), \
		PIECE(distance_, ANY, 5.2 + (further_us_), 0.0417, 0.43, RENDEZVOUS, ADAPTER)

static const struct tmap_profile_row epyc_slingshot[] = {
	EPYC,
	SLINGSHOT(7, 0),
	SLINGSHOT(8, 0.35),
	SLINGSHOT(9, 1.05),
};

/* Two Xeons with an L3 each: the same for both, or nearly so. */
#define XEON(distance_, further_us_) \
	PIECE(distance_, 4096, 0.2 + (further_us_), 0.19, 0.11, EAGER, SHARED), \
		PIECE(distance_, ANY, 0.6 + (further_us_), 0.0868, 0.11, RENDEZVOUS, RECEIVER)

#define OMNI_PATH(distance_, further_us_) \
	PIECE(distance_, 65536, 1.1 + (further_us_), 0.0856, 0.34, EAGER, ADAPTER), \
		PIECE(distance_, ANY, 4 + (further_us_), 0.0808, 0.34, RENDEZVOUS, ADAPTER)

static const struct tmap_profile_row xeon_omnipath[] = {
	XEON(1, 0),      XEON(3, 0.1),       XEON(4, 0),         XEON(5, 0.1),
	OMNI_PATH(7, 0), OMNI_PATH(8, 0.22), OMNI_PATH(9, 0.44),
};

static const struct tmap_profile_row gigabit[] = {
	XEON(1, 0),
	XEON(3, 0.1),
	XEON(4, 0),
	XEON(5, 0.1),
	PIECE(7, 4096, 24.6, 23.1, 4.3, EAGER, ADAPTER),
	PIECE(7, 32768, 234, 0.25, 4.3, EAGER, ADAPTER),
	PIECE(7, ANY, 140, 8.55, 4.3, RENDEZVOUS, ADAPTER),
};

/* A node of Leonardo's Booster has one package. */
static const struct tmap_profile_row leonardo[] = {
	XEON(1, 0),
	HDR(7, 0),
	HDR(8, 0.26),
	HDR(9, 0.52),
};

static const struct tmap_profile_link summit_links[] = {
	{ .level = "package", .byte_s = 1 / 64e9 },
};
static const struct tmap_profile_link blue_waters_links[] = {
	{ .level = "package", .byte_s = 1 / 12.8e9 },
};
static const struct tmap_profile_link epyc_links[] = {
	{ .level = "package", .byte_s = 1 / 96e9 },
};
static const struct tmap_profile_link xeon_links[] = {
	{ .level = "package", .byte_s = 1 / 38.4e9 },
};
static const struct tmap_profile_link omnipath_links[] = {
	{ .level = "package", .byte_s = 1 / 38.4e9 },
	{ .level = "switch1", .oversubscription = 2 },
};
static const struct tmap_profile_link leonardo_links[] = {
	{ .level = "switch1", .oversubscription = 22.0 / 18 },
	{ .level = "switch2", .oversubscription = 2 },
};

static const struct tmap_profile_link hdr_adapters[] = {
	{ .device = "mlx5", .is_each = true, .byte_s = 1 / 12.33e9, .message_s = 1 / 215e6 },
};
static const struct tmap_profile_link slingshot_adapters[] = {
	{ .device = "cxi", .is_each = true, .byte_s = 1 / 24e9 },
};
static const struct tmap_profile_link omnipath_adapters[] = {
	{ .device = "hfi", .is_each = true, .byte_s = 1 / 12.38e9, .message_s = 1 / 160e6 },
};

/* Names of adapters, as far as they say whose network it is (core/machine/device.h). */
static const char *const infiniband[] = { "mlx", "ib", "qib", NULL };
static const char *const omnipath[] = { "hfi", "opa", NULL };
static const char *const slingshot[] = { "cxi", "hsn", "hsi", NULL };
static const char *const ethernet[] = { "en", "eth", "em", NULL };

#define COUNT(list_) (sizeof(list_) / sizeof(list_)[0])
#define ROWS(rows_) .row_count = COUNT(rows_), .row = (rows_)
#define LINKS(links_) .link_count = COUNT(links_), .link = (links_)
#define ADAPTERS(adapters_) .adapter_count = COUNT(adapters_), .adapter = (adapters_)

#define EPYC_SOURCE \
	"Within nodes: two EPYC 7H12, osu_latency at 8 KiB and osu_bw at 1 MiB as " \
	"Vaibhavkkm/hpc-final-project@45f3c625 has them (0.59, 2.28, 2.58 us; 14.2, 10.8, 12.2 " \
	"GB/s), short messages between by nviennot/core-to-core-latency (23 and 107 ns on Zen 3): " \
	"an estimate. Memory: 8 channels of DDR4-3200 a package, 204.8 GB/s, as one controller. " \
	"Between packages: 96 GB/s, an estimate. "
#define XEON_MESSAGES \
	"Within nodes: an estimate after two Xeons of six cores (0.2 us, 1 us at 4 KiB, 11.5 GB/s). "
#define XEON_SOURCE \
	XEON_MESSAGES \
	"Memory: 4 channels of DDR4-2400 a package, 76.8 GB/s. Between packages: 2 links QPI of 9.6 " \
	"GT/s, 38.4 GB/s. "
#define COPY_SOURCE \
	"A copy takes as long as a large message within a package, and so does a reduction: an " \
	"estimate."

static const struct tmap_profile profiles[] = {
	{ .word = { "summit", "Summit: POWER9, Spectrum MPI, EDR InfiniBand" },
	  .source =
		  "Messages: least squares over the ping-pongs of bienz2/BenchPress@ac2ede18. "
		  "Memory: 8 channels of DDR4-2666 a socket, 170.6 GB/s. Adapter: dual EDR, 23 GB/s "
		  "a node. Between sockets: X-Bus, 64 GB/s. Overhead: 0.2 us a message, as in "
		  "MPICH's topology_wave. A copy takes as long as a large message in a socket, and "
		  "so does a reduction: an estimate. Farther switches: two more of 90 ns a level, "
		  "an estimate for Switch-IB 2; the tree is not tapered.",
	  .date = "2021-04",
	  .is_published = true,
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
	  .date = "2018",
	  .is_published = true,
	  ROWS(blue_waters),
	  .memory_byte_s = 1 / 25.6e9,
	  .adapter_byte_s = 1 / 6.6e9,
	  .copy_byte_s = 0.154 * NS,
	  .reduce_byte_s = 0.154 * NS,
	  LINKS(blue_waters_links) },
	{ .word = { "epyc-hdr", "two EPYC 7H12, HDR100 InfiniBand" },
	  .source = EPYC_SOURCE
	  "Between nodes: the columns of Open MPI in gist jfgrimm/3af692a5 (0.9 us; 4.79 us at 8 "
	  "KiB, 12.6 us at 64 KiB; 5.5 million messages a second), which does not name its network: "
	  "InfiniBand by its figures; beside 3.9 to 4.8 us at 8 KiB and 12.33 GB/s in the former. "
	  "Where rendezvous begins, 16 KiB, and farther switches, two more of 130 ns a level, are "
	  "estimates. An adapter takes 215 million messages a second (user manual of ConnectX-6). " COPY_SOURCE,
	  .date = "2025-05",
	  .is_published = true,
	  .devices = infiniband,
	  ROWS(epyc_hdr),
	  .memory_byte_s = 1 / 204.8e9,
	  .adapter_byte_s = 1 / 12.33e9,
	  .adapter_message_s = 1 / 215e6,
	  .copy_byte_s = 0.0706 * NS,
	  .reduce_byte_s = 0.0706 * NS,
	  LINKS(epyc_links),
	  ADAPTERS(hdr_adapters) },
	{ .word = { "epyc-slingshot", "two EPYC, Slingshot 11" },
	  .source = EPYC_SOURCE
	  "Between nodes: the references of eth-cscs/cscs-reframe-tests@2f813557 (2.3 us at 256 B, "
	  "180 us at 4 MiB, 600 and 24000 MB/s); where rendezvous begins, 16 KiB, is an estimate. "
	  "So one large message takes twice as long within a node as between two, whose adapters "
	  "copy by themselves; of two EPYC 7742 with HDR the same was measured from 128 KiB on "
	  "(openucx/ucx#8210: 16 GB/s both ways through memory, 22 GB/s through the adapter). "
	  "Many at once share the adapter. "
	  "Farther switches: 350 ns each (De Sensi et al., SC20, arXiv 2008.08886), one more in a "
	  "group, up to three between groups. " COPY_SOURCE,
	  .date = "2024",
	  .is_published = true,
	  .devices = slingshot,
	  .layer = TMAP_LAYER_ETHERNET,
	  ROWS(epyc_slingshot),
	  .memory_byte_s = 1 / 204.8e9,
	  .adapter_byte_s = 1 / 24e9,
	  .copy_byte_s = 0.0706 * NS,
	  .reduce_byte_s = 0.0706 * NS,
	  LINKS(epyc_links),
	  ADAPTERS(slingshot_adapters) },
	{ .word = { "xeon-omnipath", "two Xeon E5-2695 v4, Omni-Path 100" },
	  .source = XEON_SOURCE
	  "Between nodes: osu_mbw_mr of one pair in gist hppritcha/8da4436a (2.9 million messages a "
	  "second, 1.49 at 4 KiB, 12.38 GB/s); the latency of 1.1 us, that of a rendezvous, 4 us, "
	  "and where it begins, 64 KiB, are estimates. An adapter takes 160 million messages a "
	  "second, and farther switches are two more of 110 ns a level (Dell HPC Omni-Path Fabric, "
	  "white paper of June 2016); half as many links leave a leaf as enter it: an estimate. " COPY_SOURCE,
	  .date = "2016-11",
	  .is_published = true,
	  .devices = omnipath,
	  ROWS(xeon_omnipath),
	  .memory_byte_s = 1 / 76.8e9,
	  .adapter_byte_s = 1 / 12.38e9,
	  .adapter_message_s = 1 / 160e6,
	  .copy_byte_s = 0.0868 * NS,
	  .reduce_byte_s = 0.0868 * NS,
	  LINKS(omnipath_links),
	  ADAPTERS(omnipath_adapters) },
	{ .word = { "gigabit", "two Xeons, gigabit Ethernet with TCP" },
	  .source = XEON_SOURCE
	  "Between nodes: the columns of MPICH in gist jfgrimm/3af692a5, which does not name its "
	  "network: gigabit Ethernet by its figures (24.6 us, 72 us at 2 KiB, "
	  "235 us from 4 to 16 KiB, 419 us at 32 KiB, 117 MB/s, 230 thousand messages a "
	  "second). The shortest frame takes 672 ns of the wire (IEEE 802.3). " COPY_SOURCE,
	  .date = "2021-02",
	  .is_published = true,
	  .devices = ethernet,
	  .layer = TMAP_LAYER_ETHERNET,
	  .most_bits_per_s = INT64_C(1000000000),
	  ROWS(gigabit),
	  .memory_byte_s = 1 / 76.8e9,
	  .adapter_byte_s = 1 / 117e6,
	  .adapter_message_s = 672 * NS,
	  .copy_byte_s = 0.0868 * NS,
	  .reduce_byte_s = 0.0868 * NS,
	  LINKS(xeon_links) },
	{ .word = { "leonardo", "Leonardo Booster: Xeon 8358, 4 x HDR100, Dragonfly+" },
	  .source = XEON_MESSAGES
	  "Memory: 8 channels of DDR4-3200, 204.8 GB/s. Between nodes: as epyc-hdr, with two adapters "
	  "of two ports, 400 Gb/s a node (docs.hpc.cineca.it), and twice the messages. switch1 are leaves with 22 links down "
	  "and 18 up; switch2 are cells, of whose links half are taken by others: estimates. " COPY_SOURCE,
	  .date = "2023-07",
	  .is_published = true,
	  ROWS(leonardo),
	  .memory_byte_s = 1 / 204.8e9,
	  .adapter_byte_s = 1 / 49.3e9,
	  .adapter_message_s = 1 / 430e6,
	  .copy_byte_s = 0.0868 * NS,
	  .reduce_byte_s = 0.0868 * NS,
	  LINKS(leonardo_links) },
	{ .row = NULL },
};

const struct tmap_keywords tmap_profiles = TMAP_KEYWORDS("profile", profiles);

const struct tmap_profile *tmap_profile_at(int index)
{
	return &profiles[index];
}
