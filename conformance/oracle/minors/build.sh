#!/bin/sh
# build.sh MINOR OUT: build the oracle of another minor than the newest released one, e.g.
# build.sh 1.33 /tmp/1.33. OUT is absolute. The program is the oracle of this folder's parent. Its
# modules are those of MINOR/go.mod. Files with the tag until1.NN are for 1.NN and older, those with
# !until1.NN for newer minors, those with from1.38 for 1.38 and newer, and those with older and !older for every other minor and for the
# newest released one. Kubernetes 1.38 and newer link cel-go by its new path, and need a newer Go.
set -eu
cd "$(dirname "$0")/.."
tags=older
for folder in minors/1.*; do
	n=${folder#minors/1.}
	if [ "$n" -ge "${1#1.}" ]; then tags="$tags,until1.$n"; fi
done
overlay=minors/overlay.json
if [ "${1#1.}" -ge 38 ]; then
	tags=older,from1.38
	GOTOOLCHAIN=$(sed -n 's/^toolchain //p' "minors/$1/go.mod")
	export GOTOOLCHAIN
	copies=$(mktemp -d)
	trap 'rm -rf "$copies"' EXIT
	overlay=$copies/overlay.json
	sed '$d' minors/overlay.json >"$overlay"
	for file in $(grep -rl --include='*.go' github.com/google/cel-go .); do
		copy=$copies/$(echo "$file" | tr / _)
		sed 's#github.com/google/cel-go#cel.dev/cel-go#' "$file" >"$copy"
		sed -i '$s/$/,/' "$overlay"
		printf '"%s": "%s"\n' "$file" "$copy" >>"$overlay"
	done
	echo '}}' >>"$overlay"
fi
GOWORK=off "${GO:-go}" build -overlay "$overlay" -modfile "minors/$1/go.mod" \
	-tags "$tags" -o "$2" .
