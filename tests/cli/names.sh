#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Names of files with dashes, blanks, quotes, newlines and worse: they are written and read, and the
# commands that are printed for copying name them when a shell reads those. Oracle: bash, which runs the
# printed line with programs that print their words in the launchers' place.
cd "$(dirname "$0")/../.." || exit 3
PATH=$PWD/${BUILD:-build}:$PATH
export LC_ALL=C
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
mkdir "$work/stubs" "$work/job" || exit 3
for program in mpirun srun mpiexec mpiexec.hydra flux aprun; do
	# shellcheck disable=SC2016 # the stub's own words
	printf '#!/bin/sh\nfor word; do printf "%%s\\0" "$word"; done\nprintf "%%s\\0" "$SLURM_HOSTFILE" "$MPICH_RANK_REORDER_FILE"\n' \
		>"$work/stubs/$program"
	chmod +x "$work/stubs/$program"
done
cd "$work/job" || exit 3
topomap place 'node:2 package:2 core:2' -o job.json
names=(plain -rf --help -- 'a b' "it's" '"q"' $'two\nlines' $'esc\033[31m' ';touch pwned' '$(touch pwned)'
	'`touch pwned`' '*' '~' '#x' $'n\303\244he' $'latin\351' $'over\342\200\256ride' 'back\slash' '!x' 'a&b')

complain()
{
	bad=$((bad + 1))
	printf '%q, %s: %s\n' "$name" "$launcher" "$1"
	head -n 3 ../err
}

for name in "${names[@]}"; do
	bad=0
	for launcher in openmpi4 openmpi5 seq slurm hydra40 intel cray flux permutation; do
		rm -f ./-* ./*
		topomap place 'node:2 package:2 core:2' -o job.json
		topomap suggest-rankfile -m cyclic -l $launcher -o "$name" job.json 2>../err >../out || {
			complain "it is not written"
			continue
		}
		[ -s "./$name" ] || complain "it is not there"
		if grep -a -q "$(printf '[\001-\010\013-\037\177]')" ../err "./$name"; then
			complain "control characters in messages or in the file"
		fi
		line=$(grep -a -m 1 '^  .*PROGRAM$' ../err)
		case $launcher in
		permutation) continue ;; # a program reads it: there is no such line
		flux) # which reads the file itself
			want=$(grep -a '^{' "./$name") ;;
		*) want=$name ;;
		esac
		[ -n "$line" ] || { complain "no command is printed"; continue; }
		PATH=$work/stubs:$PATH bash -c "$line" >../words 2>>../err
		found=
		while IFS= read -r -d '' word; do
			case $launcher:$word in
			flux:*"manual:$want") found=yes ;;
			*:"$want" | *:"./$want" | *:*"file=$want" | *:*"file=$want:"*) found=yes ;;
			esac
			# what begins with a dash is an option's name
			[ "$word" != "$name" ] || [ "${name#-}" = "$name" ] || complain "it became an option"
		done <../words
		[ -n "$found" ] || complain "the command does not name it: $line"
		[ ! -e pwned ] || complain "the command ran a part of it"
	done
	# a placement: written, read, and named in what to do next
	launcher=inspect
	rm -f ./-* ./*
	if topomap place 'node:2 package:2 core:2' --output="$name" && [ -s "./$name" ]; then
		topomap inspect -- "$name" >../out 2>../err || complain "it is not read behind --"
		topomap inspect "./$name" >../out 2>../err || complain "it is not read as ./NAME"
		line=$(grep -a -m 1 '^    topomap inspect' ../out)
		bash -c "$line" >/dev/null 2>../err || complain "what is to be done next does not work: $line"
		rm -f traffic*
	else
		complain "place does not write it"
	fi
	launcher=ti
	topomap schedule -c bcast -a binomial_far -b 1k -n 4 -f ti -o "$name" 2>../err
	status=$?
	case $name in
	*$'\n'*) [ $status -eq 2 ] && [ "$(wc -l <../err)" -eq 1 ] || complain "status $status" ;;
	*) [ "$(cat "./$name")" = "$name.ranks" ] && [ -s "./$name.ranks" ] || complain "no traces" ;;
	esac
	if [ $bad -eq 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'FAILED  %q\n' "$name"
	fi
done

# "-" is standard input and output, ./- a file
bad=0 name=- launcher=place
rm -f ./-* ./*
topomap place 'node:1 core:2' -o ./- >../out 2>../err
[ -s ./- ] && [ ! -s ../out ] || complain "./- is no file"
topomap inspect ./- >../out 2>../err </dev/null || complain "./- is not read"
topomap inspect - >../out 2>../err <./- || complain "- is not standard input"
topomap place 'node:1 core:2' -o - 2>../err | grep -q '"kind": "placement"' ||
	complain "- is not standard output"
if [ $bad -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
