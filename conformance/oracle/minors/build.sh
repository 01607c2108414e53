#!/bin/sh
# build.sh MINOR OUT: build the oracle of another minor than the newest released one, e.g.
# build.sh 1.33 /tmp/1.33. OUT is absolute. The program is the oracle of this folder's parent. Its
# modules are those of MINOR/go.mod. Files with the tag until1.NN are for 1.NN and older, those with
# !until1.NN for newer minors, those with from1.38 for 1.38 and newer, and those with older and
# !older for every other minor and for the newest released one. Kubernetes 1.38 and newer link cel-go
# and the client of definitions by their new paths, and need a newer Go. Where that client's module
# is replaced by the one that had it before, a copy of it imports its own packages, and the merge
# library, by their new paths.
set -eu
cd "$(dirname "$0")/.."
tags=older
for folder in minors/1.*; do
	n=${folder#minors/1.}
	if [ "$n" -ge "${1#1.}" ]; then tags="$tags,until1.$n"; fi
done
overlay=minors/overlay.json
modules=minors/$1/go.mod
go=${GO:-go}
export GOWORK=off
if [ "${1#1.}" -ge 38 ]; then
	tags=older,from1.38
	GOTOOLCHAIN=$(sed -n 's/^toolchain //p' "minors/$1/go.mod")
	export GOTOOLCHAIN
	copies=$(mktemp -d)
	trap 'rm -rf "$copies"' EXIT
	overlay=$copies/overlay.json
	sed '$d' minors/overlay.json >"$overlay"
	api=k8s.io/apiextensions-api
	client=k8s.io/apiextensions-apiserver/pkg/client
	for file in $(grep -rlE --include='*.go' "github.com/google/cel-go|$client" .); do
		copy=$copies/$(echo "$file" | tr / _)
		sed "s#github.com/google/cel-go#cel.dev/cel-go#; s#$client#$api/pkg/client#" \
			"$file" >"$copy"
		sed -i '$s/$/,/' "$overlay"
		printf '"%s": "%s"\n' "$file" "$copy" >>"$overlay"
	done
	echo '}}' >>"$overlay"
	former=$($go list -m -modfile "$modules" -f '{{with .Replace}}{{.Dir}}{{end}}' $api)
	if [ -n "$former" ]; then
		mkdir -p "$copies/api/pkg"
		cp -R "$former/pkg/apis" "$former/pkg/client" "$copies/api/pkg"
		chmod -R u+w "$copies/api"
		merge=$(grep -o 'structured-merge-diff/v[0-9]*' "$modules" | head -n 1)
		grep -rlE 'k8s.io/apiextensions-apiserver|structured-merge-diff' "$copies/api/pkg" |
			xargs sed -i "s#k8s.io/apiextensions-apiserver#$api#
				s#structured-merge-diff/v[0-9]*#$merge#"
		printf 'module %s\n\ngo 1.26.0\n' "$api" >"$copies/api/go.mod"
		cp "minors/$1/go.mod" "minors/$1/go.sum" "$copies"
		modules=$copies/go.mod
		$go mod edit -replace "$api=$copies/api" "$modules"
	fi
fi
"$go" build -overlay "$overlay" -modfile "$modules" -tags "$tags" -o "$2" .
