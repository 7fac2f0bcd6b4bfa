# SPDX-License-Identifier: BSD-3-Clause
# A bare Debian of a release in a folder, and commands in it: for the checks that want a machine on
# which nothing is installed. Sourced; needs root, debootstrap and a mirror, which is that of this
# machine's own package sources. Their errors end the shell with status 3.

bare_stop() { echo "$(basename "$0" .sh): $*" >&2; exit 3; }

# bare_needs RELEASE: what they need is here
bare_needs()
{
	[ "$(id -u)" -eq 0 ] || bare_stop "it needs root"
	command -v debootstrap >/dev/null || bare_stop "it needs debootstrap"
	[ -e "/usr/share/debootstrap/scripts/$1" ] || bare_stop "debootstrap knows no release '$1'"
}

# Of this machine's sources the first that is Debian itself, or else the first that is no security
# archive.
bare_mirror()
{
	local sources
	sources=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
		sed -n 's/^URIs: *//p; s/^deb  *\(\[[^]]*\] *\)\{0,1\}\([^ ]*\) .*/\2/p' |
		grep -v security || true)
	echo "$sources" | grep -m 1 '/debian/*$' || echo "$sources" | head -n 1
}

# bare_make RELEASE ROOT [PACKAGE,...]: anew in the folder ROOT, with these packages besides; what
# debootstrap says is in ROOT.log
bare_make()
{
	local release=$1 root=$2 packages=${3:-} mirror
	mirror=$(bare_mirror)
	[ -n "$mirror" ] || bare_stop "/etc/apt names no mirror"
	mkdir -p "${root%/*}"
	rm -rf --one-file-system "$root"
	# namespaces of its own: with debootstrap's own mounts in sight of nobody
	unshare --mount --pid --fork --kill-child --mount-proc debootstrap --variant=minbase \
		${packages:+--include="$packages"} "$release" "$root" "$mirror" \
		>"$root.log" 2>&1 </dev/null || { tail -n 3 "$root.log" >&2; exit 3; }
	echo "deb $mirror $release main" >"$root/etc/apt/sources.list"
	# how this machine reaches its mirror; what a package brings here, it brings there
	{ grep -l '^ *Acquire' /etc/apt/apt.conf.d/* /etc/apt/apt.conf 2>/dev/null || true; } |
		while read -r file; do
			dpkg -S "$file" >/dev/null 2>&1 || cp "$file" "$root/etc/apt/apt.conf.d/"
		done
	cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
	printf '127.0.0.1 localhost\n127.0.1.1 %s\n' "$(hostname)" >"$root/etc/hosts"
}

# bare_exec ROOT COMMAND...: becomes the command, in that root. The root is a mount point, because
# tests that make namespaces need one; mounts and processes are gone when it ends.
bare_exec()
{
	exec unshare --mount --pid --fork --kill-child bash -c '
		root=$1
		shift
		mount --bind "$root" "$root" && cd "$root" &&
		mount --rbind /dev dev && mount -t tmpfs tmpfs dev/shm && mount --rbind /sys sys &&
		mount -t proc proc proc &&
		exec env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C \
			chroot . "$@"' "$0" "$@"
}
