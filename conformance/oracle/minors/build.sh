#!/bin/sh
# build.sh MINOR OUT: build the oracle of an older minor, e.g. build.sh 1.33 /tmp/1.33. OUT is absolute.
# The program is the oracle of this folder's parent. Its modules are those of MINOR/go.mod. Files with
# the tag until1.NN are for 1.NN and older, those with !until1.NN for newer minors, and those with
# older and !older for every older minor and for the newest one.
set -eu
cd "$(dirname "$0")/.."
tags=older
for folder in minors/1.*; do
	n=${folder#minors/1.}
	if [ "$n" -ge "${1#1.}" ]; then tags="$tags,until1.$n"; fi
done
GOWORK=off exec "${GO:-go}" build -overlay minors/overlay.json -modfile "minors/$1/go.mod" \
	-tags "$tags" -o "$2" .
