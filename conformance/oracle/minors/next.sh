#!/bin/sh
# next.sh VERSION [FOLDER]: take a version of the minor that is not released yet,
# from its first beta to its release, e.g. next.sh v0.38.0-beta.0. It requires the
# libraries of that version, builds the minor's oracle in FOLDER (a temporary one
# without it), asks it all recorded questions again, prints what changed since the
# version before, and records the answers. The newest version is that of
#   go list -m -versions k8s.io/apiextensions-apiserver
# A minor that has no folder yet starts with the requirements of the newest one.
set -eu
cd "$(dirname "$0")/.."
version=$1
minor=1.$(echo "$version" | cut -d. -f2)
folder=minors/$minor
if [ ! -d "$folder" ]; then
	newest=$(ls -d minors/1.* | sort -t. -k2n | tail -1)
	cp -R "$newest" "$folder"
fi
programs=${2:-$(mktemp -d)}
out=$programs/$minor
required=$(awk '$1 == "k8s.io/apiextensions-apiserver" {print $2; exit}' "$folder/go.mod")
GOTOOLCHAIN=$(sed -n 's/^toolchain //p' "$folder/go.mod")
export GOTOOLCHAIN GOWORK=off
go=${GO:-go}

echo "== $required -> $version"
if [ "$required" != "$version" ]; then
	# Replaced modules are asked for again: a later version may have all of them.
	sed -i '/^\/\/ The proxy has neither/,/^)/d' "$folder/go.mod"
	sed -i "s# $required\( .*\)*\$# $version\1#" "$folder/go.mod"
	GOFLAGS="-mod=mod -modfile=$folder/go.mod" $go get "k8s.io/apiextensions-apiserver@$version" "k8s.io/apiserver@$version" \
		"k8s.io/apimachinery@$version" "k8s.io/client-go@$version"
fi
for m in $(sed -n 's/^\t\([^ ]*\) => .*/\1/p' "$folder/go.mod"); do
	wanted=$(awk -v m="$m" '$1 == m && $2 != "=>" {print $2; exit}' "$folder/go.mod")
	if $go mod download "$m@$wanted" >/dev/null 2>&1; then
		echo "$m $wanted can be had: remove its replacement from $folder/go.mod"
	else
		echo "$m $wanted cannot be had: it is replaced, see $folder/go.mod"
	fi
done
minors/build.sh "$minor" "$out"

echo "== what changed"
changed=0
"$out" record -check -requests "../testdata/$minor.jsonl" || { [ $? = 1 ] && changed=1; }
"$out" record -check -vectors ../vectors || { [ $? = 1 ] && changed=1; }
if [ $changed = 0 ]; then
	echo "nothing: the answers are those of $required"
else
	"$out" record -requests "../testdata/$minor.jsonl" >/dev/null
	"$out" record -vectors ../vectors
fi
if [ "$required" != "$version" ]; then
	echo "== files that name $required"
	grep -rlF --include='*.go' --include='*.md' --include='*.txt' "$required" ../.. || true
fi
case $version in
*-*) ;;
*) echo "== $version is released: Default is the minor in internal/belowstructural/profile" ;;
esac
