#!/usr/bin/env bash
# run.sh: builds the printers of k8s.io/kubernetes, and records what they print of the objects in
# kube/server/internal/tables/testdata/objects.yaml in tables.json next to it.
set -euo pipefail
version=1.37.2
here=$(cd "$(dirname "$0")" && pwd)
data=$here/../../../kube/server/internal/tables/testdata
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/printers.go.txt" "$work/main.go"
cd "$work"
export GOWORK=off GOFLAGS=-mod=mod
go mod init example.com/printers 2>/dev/null
go mod edit -require "k8s.io/kubernetes@v$version"
of=$(go mod download -json "k8s.io/kubernetes@v$version" | sed -n 's/^\t"GoMod": "\(.*\)",*$/\1/p')
for module in $(sed -n 's/^\t\(k8s.io\/[a-z-]*\) v0\.0\.0$/\1/p' "$of"); do
  go mod edit -replace "$module=$module@v0.${version#1.}"
done
go build -o printers .
./printers <"$data/objects.yaml" >tables.json
mv tables.json "$data/"
