/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/adapter_query.h"

#include "core/base/mem.h"
#include "core/machine/device.h"
#include "mpi_probe/system_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* States of a port of InfiniBand; hardware types of interfaces (linux/if_arp.h). */
enum { PORT_DOWN = 1, PORT_ACTIVE = 4, PORTS_MOST = 255, TYPE_ETHERNET = 1, TYPE_INFINIBAND = 32 };

/* More is no speed. */
static const double most_bits_per_s = 1e15;

enum { TEXT = 64 };

static int64_t speed_of(double bits_per_s)
{
	return bits_per_s > 0 && bits_per_s <= most_bits_per_s ? (int64_t)bits_per_s : 0;
}

struct port {
	enum tmap_link link;
	enum tmap_link_layer layer;
	int64_t bits_per_s; /* where it is up */
};

#define PORT_FILE "%s/sys/class/infiniband/%s/ports/%d/"

/* False where there is no such port. */
static bool port_read(struct port *port, const char *root, const char *name, int number)
{
	char text[TEXT];
	double gbit_per_s = 0;
	int state;

	*port = (struct port){ 0 };
	if (!tmap_system_file_read(text, TEXT, PORT_FILE "state", root, name, number))
		return false;
	state = atoi(text);
	port->link = state >= PORT_ACTIVE ? TMAP_LINK_UP :
		state >= PORT_DOWN        ? TMAP_LINK_DOWN :
					    TMAP_LINK_UNKNOWN;
	tmap_system_file_read(text, TEXT, PORT_FILE "link_layer", root, name, number);
	port->layer = strcmp(text, "InfiniBand") == 0 ? TMAP_LAYER_INFINIBAND :
		strcmp(text, "Ethernet") == 0         ? TMAP_LAYER_ETHERNET :
							TMAP_LAYER_UNKNOWN;
	tmap_system_file_read(text, TEXT, PORT_FILE "rate", root, name, number);
	if (port->link == TMAP_LINK_UP && sscanf(text, "%lf Gb/sec", &gbit_per_s) == 1)
		port->bits_per_s = speed_of(gbit_per_s * 1e9);
	return true;
}

/* Messages go over the port that is up, on a network of its own, and the fastest. */
static bool port_is_better(const struct port *a, const struct port *b)
{
	bool a_is_up = a->link == TMAP_LINK_UP, b_is_up = b->link == TMAP_LINK_UP;

	if (a_is_up != b_is_up)
		return a_is_up;
	return a->layer != b->layer ? a->layer > b->layer : a->bits_per_s > b->bits_per_s;
}

static void device_take_port(struct tmap_device *device, const struct port *port)
{
	device->link = port->link ? port->link : device->link;
	device->layer = port->layer ? port->layer : device->layer;
	device->bits_per_s = port->bits_per_s ? port->bits_per_s : device->bits_per_s;
}

/* An adapter for message passing; false: it is none. */
static bool adapter_query(struct tmap_device *device, const char *root)
{
	struct port best, port;

	if (!port_read(&best, root, device->name, 1))
		return false;
	for (int i = 2; i <= PORTS_MOST && port_read(&port, root, device->name, i); i++)
		if (port_is_better(&port, &best))
			best = port;
	device_take_port(device, &best);
	return true;
}

#define NET_FILE "%s/sys/class/net/%s/"

/* What the state does not say the carrier may. */
static enum tmap_link interface_link(const char *root, const char *name)
{
	static const char *const down[] = { "down", "lowerlayerdown", "notpresent" };
	char text[TEXT];

	tmap_system_file_read(text, TEXT, NET_FILE "operstate", root, name);
	if (strcmp(text, "up") == 0)
		return TMAP_LINK_UP;
	for (size_t i = 0; i < sizeof down / sizeof down[0]; i++)
		if (strcmp(text, down[i]) == 0)
			return TMAP_LINK_DOWN;
	tmap_system_file_read(text, TEXT, NET_FILE "carrier", root, name);
	return strcmp(text, "1") == 0  ? TMAP_LINK_UP :
		strcmp(text, "0") == 0 ? TMAP_LINK_DOWN :
					 TMAP_LINK_UNKNOWN;
}

static void interface_query(struct tmap_device *device, const char *root)
{
	struct port port = { .link = interface_link(root, device->name) };
	double mbit_per_s = 0;
	char text[TEXT];

	tmap_system_file_read(text, TEXT, NET_FILE "speed", root, device->name);
	if (port.link != TMAP_LINK_DOWN && sscanf(text, "%lf", &mbit_per_s) == 1)
		port.bits_per_s = speed_of(mbit_per_s * 1e6);
	tmap_system_file_read(text, TEXT, NET_FILE "type", root, device->name);
	port.layer = atoi(text) == TYPE_INFINIBAND ? TMAP_LAYER_INFINIBAND :
		atoi(text) == TYPE_ETHERNET        ? TMAP_LAYER_ETHERNET :
						     TMAP_LAYER_UNKNOWN;
	device_take_port(device, &port);
}

/* Do the same adapters count as before? */
static bool same_count(const struct tmap_topology *topo, const bool *counts)
{
	for (int d = 0; d < topo->device_count; d++)
		if (tmap_device_is_adapter(topo, d) != counts[d])
			return false;
	return true;
}

/* Adapters that do not count are as if nothing were known of their links, where they do not count
 * then either; @p most is what each can at most. */
static void adapters_forget(struct tmap_topology *topo, const int64_t *most, const bool *counts)
{
	for (int d = 0; d < topo->device_count; d++) {
		struct tmap_device now = topo->device[d];

		if (counts[d] || now.type != TMAP_NETWORK)
			continue;
		topo->device[d].link = TMAP_LINK_UNKNOWN;
		topo->device[d].bits_per_s = most[d];
		if (!same_count(topo, counts))
			topo->device[d] = now;
	}
}

int tmap_adapters_query(struct tmap_topology *topo, const char *root, struct tmap_error *err)
{
	size_t count = (size_t)topo->device_count;
	int64_t *most = tmap_alloc(count, sizeof *most, err);
	bool *counts = tmap_alloc(count, sizeof *counts, err);
	int status = most && counts ? 0 : -1;

	for (int d = 0; d < topo->device_count && status == 0; d++) {
		struct tmap_device *device = &topo->device[d];

		most[d] = device->bits_per_s;
		if (device->type == TMAP_NETWORK && !strchr(device->name, '/') &&
		    device->name[0] != '.' && !adapter_query(device, root))
			interface_query(device, root);
	}
	for (int d = 0; d < topo->device_count && status == 0; d++)
		counts[d] = tmap_device_is_adapter(topo, d);
	if (status == 0)
		adapters_forget(topo, most, counts);
	free(most);
	free(counts);
	return status;
}
