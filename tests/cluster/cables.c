/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cables DELAY_US INTERFACE=BITS_PER_S ... - a switch whose cables carry so much each way.
 *
 *     host a ---- va   |cables|   vb ---- host b       a queue in, a queue out for each cable
 *
 * A frame takes its time on both cables, and waits for those before it: it goes on when its last bit is
 * through, and its first bit is on the way out while the rest comes in. Kernels have nothing like it where
 * netem is not built in: a token bucket (tbf) lets what comes after a pause through at once, a whole bucket
 * in the host and another in the switch, so that a message alone takes no time on a cable of 10 Mbit/s.
 *
 * What a kernel hands over at once (segments of one connection, up to 64 KiB) goes on at once, when its last
 * bit is through, with the headers, preambles and gaps of its segments counted.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/virtio_net.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
	PORTS = 64,
	FRAME_MAX = 1 << 17,
	QUEUE_MAX = 64 << 20, /* bytes that wait for a cable; what is more is dropped */
	SOCKET_MAX = 32 << 20,
	BETWEEN = 24, /* bytes of preamble, checksum and gap */
	LEAST = 60,   /* bytes of a frame without its checksum */
};

/* With the header that says what is left to be cut and summed. */
struct frame {
	struct frame *next;
	int64_t at_ns; /* that it begins to come in; then, that it is out */
	size_t length;
	unsigned char bytes[];
};

struct queue {
	struct frame *first, **last;
	size_t bytes;
};

struct port {
	const char *name;
	double byte_ns;
	int socket;
	int64_t in_free_ns, out_free_ns;
	struct queue in, out;
	unsigned char host[ETH_ALEN]; /* that was seen last behind it */
};

static struct port port[PORTS];
static int port_count;
static int64_t delay_ns; /* of each frame */

static const char usage[] = "usage: cables DELAY_US INTERFACE=BITS_PER_S ...\n";

static void fail(const char *what, const char *name)
{
	fprintf(stderr, "cables: %s: %s: %s\n", name, what, strerror(errno));
	exit(1);
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void port_open(struct port *it, char *argument)
{
	char *value = strchr(argument, '=');
	struct sockaddr_ll address = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL) };
	struct packet_mreq all = { .mr_type = PACKET_MR_PROMISC };
	int one = 1, room = SOCKET_MAX;

	if (!value || !(strtod(value + 1, NULL) > 0)) {
		fputs(usage, stderr);
		exit(2);
	}
	*value = '\0';
	it->name = argument;
	it->byte_ns = 8e9 / strtod(value + 1, NULL);
	it->in.last = &it->in.first;
	it->out.last = &it->out.first;
	it->socket = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK, htons(ETH_P_ALL));
	address.sll_ifindex = all.mr_ifindex = (int)if_nametoindex(argument);
	if (it->socket < 0 || !address.sll_ifindex ||
	    bind(it->socket, (struct sockaddr *)&address, sizeof address) < 0 ||
	    setsockopt(it->socket, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof all) < 0 ||
	    setsockopt(it->socket, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof one) < 0 ||
	    setsockopt(it->socket, SOL_PACKET, PACKET_VNET_HDR, &one, sizeof one) < 0 ||
	    setsockopt(it->socket, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room) < 0 ||
	    setsockopt(it->socket, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof room) < 0)
		fail("no socket", argument);
}

/* Bytes on a cable. */
static double wire_bytes(const unsigned char *bytes, size_t length)
{
	struct virtio_net_hdr header;
	size_t frame = length - sizeof header, count = 1;

	memcpy(&header, bytes, sizeof header);
	if (header.gso_type != VIRTIO_NET_HDR_GSO_NONE && header.gso_size &&
	    frame > header.hdr_len) {
		count = (frame - header.hdr_len + header.gso_size - 1u) / header.gso_size;
		frame += (count - 1) * header.hdr_len;
	}
	return (double)((frame > LEAST ? frame : LEAST) + count * BETWEEN);
}

static void queue_add(struct queue *it, struct frame *frame, int64_t at_ns)
{
	frame->at_ns = at_ns;
	frame->next = NULL;
	*it->last = frame;
	it->last = &frame->next;
	it->bytes += frame->length;
}

static struct frame *queue_take(struct queue *it)
{
	struct frame *frame = it->first;

	it->first = frame->next;
	if (!it->first)
		it->last = &it->first;
	it->bytes -= frame->length;
	return frame;
}

static struct frame *frame_copy(const unsigned char *bytes, size_t length)
{
	struct frame *frame = malloc(sizeof *frame + length);

	if (!frame)
		fail("memory", "frame");
	frame->length = length;
	memcpy(frame->bytes, bytes, length);
	return frame;
}

/* What a host has sent: behind what it sent before. */
static void port_read(struct port *from)
{
	static unsigned char bytes[FRAME_MAX];
	const struct ethhdr *head = (const struct ethhdr *)(bytes + sizeof(struct virtio_net_hdr));
	ssize_t length;

	while ((length = recv(from->socket, bytes, sizeof bytes, 0)) > 0) {
		int64_t begins = later(now_ns(), from->in_free_ns);

		if ((size_t)length < sizeof(struct virtio_net_hdr) + sizeof *head ||
		    from->in.bytes > QUEUE_MAX)
			continue;
		memcpy(from->host, head->h_source, ETH_ALEN);
		from->in_free_ns =
			begins + (int64_t)(wire_bytes(bytes, (size_t)length) * from->byte_ns);
		queue_add(&from->in, frame_copy(bytes, (size_t)length), begins);
	}
}

/* Its last bit is out when it has come in, and when what was there before it is out. */
static void frame_pass(const struct frame *frame, struct port *from, struct port *to)
{
	double wire = wire_bytes(frame->bytes, frame->length);
	int64_t out = later(frame->at_ns, to->out_free_ns) + (int64_t)(wire * to->byte_ns);
	int64_t in = frame->at_ns + (int64_t)(wire * from->byte_ns);

	if (to->out.bytes > QUEUE_MAX)
		return;
	to->out_free_ns = later(out, in);
	queue_add(&to->out, frame_copy(frame->bytes, frame->length), to->out_free_ns + delay_ns);
}

/* The first frame that a host has sent and whose first bit is here: to its host, or to all. */
static void port_pass(struct port *from)
{
	struct frame *frame = queue_take(&from->in);
	const struct ethhdr *head =
		(const struct ethhdr *)(frame->bytes + sizeof(struct virtio_net_hdr));
	struct port *to = NULL;

	for (int i = 0; i < port_count; i++)
		if (memcmp(port[i].host, head->h_dest, ETH_ALEN) == 0)
			to = &port[i];
	for (int i = 0; i < port_count; i++)
		if (&port[i] != from && (!to || to == &port[i]))
			frame_pass(frame, from, &port[i]);
	free(frame);
}

/* In the order in which they begin; returns when the next one does. */
static int64_t frames_pass(void)
{
	for (;;) {
		struct port *first = NULL;

		for (int i = 0; i < port_count; i++)
			if (port[i].in.first &&
			    (!first || port[i].in.first->at_ns < first->in.first->at_ns))
				first = &port[i];
		if (!first)
			return INT64_MAX;
		if (first->in.first->at_ns > now_ns())
			return first->in.first->at_ns;
		port_pass(first);
	}
}

/* Frames whose last bit is out; returns when the next one's is. */
static int64_t port_write(struct port *to)
{
	while (to->out.first && to->out.first->at_ns <= now_ns()) {
		struct frame *frame = to->out.first;

		if (send(to->socket, frame->bytes, frame->length, 0) < 0 && errno == EAGAIN)
			break;
		free(queue_take(&to->out));
	}
	return to->out.first ? to->out.first->at_ns : INT64_MAX;
}

/* Cables do not wait for a CPU. */
static void hurry(void)
{
	struct sched_param first = { .sched_priority = 1 };

	prctl(PR_SET_TIMERSLACK, 1);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	sched_setscheduler(0, SCHED_FIFO, &first);
}

int main(int argc, char **argv)
{
	struct pollfd wait[PORTS];

	if (argc < 3) {
		fputs(usage, stderr);
		return 2;
	}
	delay_ns = (int64_t)(1e3 * strtod(argv[1], NULL));
	for (int i = 2; i < argc && port_count < PORTS; i++) {
		port_open(&port[port_count], argv[i]);
		wait[port_count] = (struct pollfd){ port[port_count].socket, POLLIN, 0 };
		port_count++;
	}
	hurry();
	for (;;) {
		int64_t next, left;
		struct timespec pause;

		for (int i = 0; i < port_count; i++)
			port_read(&port[i]);
		next = frames_pass();
		for (int i = 0; i < port_count; i++) {
			int64_t at = port_write(&port[i]);

			next = at < next ? at : next;
		}
		left = next < INT64_MAX ? later(next - now_ns(), 0) : INT64_C(1000000000);
		pause = (struct timespec){ left / 1000000000, left % 1000000000 };
		ppoll(wait, (nfds_t)port_count, &pause, NULL);
	}
}
