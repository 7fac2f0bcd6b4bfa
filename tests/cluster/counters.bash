# SPDX-License-Identifier: BSD-3-Clause
# The bytes that the kernel counts on each imitated host's cable.
#
# What the kernel makes of the same messages is a matter of timing. It puts what waits into packets of up to
# 64 KiB, and acknowledges one or several of them: 100 packets or 1,100, each with a header. And it sends
# again what seems lost, because two CPUs handed on packets in another order, and is not (the receivers say
# so, by DSACK): none or 200 segments. Both make differences of more than 1 % between two launches that send
# the same. So neither is counted, and what is left repeats within 0.1 %.
# Ethernet's 14 bytes, IPv4's and TCP's 20 and time stamps' 12; what is left for data of Ethernet's 1500
packet_header=66 segment=1448

# "HOST BYTES" that each host has sent so far, without headers of packets and segments that were sent again
sent()
{
	local host
	for host in $hosts_all; do
		ip netns exec "topomap-$hosts_run-$host" cat /proc/net/dev /proc/net/snmp |
			awk -v host="$host" -v header=$packet_header -v segment=$segment '
				$1 == "eth0:" { bytes = $10 - header * $11 }
				$1 == "Tcp:" && !again { for (i = 1; i <= NF; i++) if ($i == "RetransSegs") again = i; next }
				$1 == "Tcp:" { bytes -= segment * $again }
				END { printf "%s %.0f\n", host, bytes }'
	done
}
