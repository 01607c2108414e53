#!/usr/bin/env bash
# build.sh OUT: builds the kube-apiserver of the Kubernetes that ../kubernetes names, into the file
# OUT. Its modules are those of ../kubernetes/go.mod, and what kube-apiserver needs besides.
set -euo pipefail
[ $# = 1 ] || { sed -n '2,/^set/s/^# //p' "$0"; exit 2; }
out=$(realpath -m "$1")
from=$(cd "$(dirname "$0")/../kubernetes" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
sed '1s/.*/module apiserver/; /crdsem/d' "$from/go.mod" >go.mod
cp "$from/go.sum" .
printf 'package main\n\nimport _ "k8s.io/kubernetes/cmd/kube-apiserver/app"\n\nfunc main() {}\n' >main.go
export GOWORK=off
go list -mod=mod -deps . >/dev/null # adds what is missing
version=$(go list -mod=mod -m -f '{{.Version}}' k8s.io/kubernetes)
go build -mod=mod -ldflags "-X k8s.io/component-base/version.gitVersion=$version" -o "$out" \
  k8s.io/kubernetes/cmd/kube-apiserver
