# SPDX-License-Identifier: BSD-3-Clause
# Ranks that take a CPU only while they have something to do, and then before whatever else this machine
# does: to be sourced first, by tests that measure on cables and may run in the real-time class (root may).
if [ -z "${AT_ONCE:-}" ] && chrt -r 1 true 2>/dev/null; then
	AT_ONCE=yes exec chrt -r 1 "$0" "$@"
fi

# waits_build: $work/waits.so, which ranks preload
waits_build()
{
	${CC:-cc} -std=c11 -O2 -shared -fPIC -o "$work/waits.so" tests/cluster/waits.c -ldl &&
		return
	fail "waits.c does not compile"
	return 1
}
