#!/usr/bin/env bash
# run.sh [PACKAGE...]: runs the suites of controller-runtime that start envtest on crdsem-server, by
# KUBEBUILDER_ASSETS. It prints how many specs of each passed. Nothing of controller-runtime differs.
set -euo pipefail
version=v0.25.2
top=$(cd "$(dirname "$0")/../../.." && pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
(cd "$top/kube/server" && go build -o "$work/crdsem-server" ./cmd/crdsem-server)
"$work/crdsem-server" assets "$work/assets"
export KUBEBUILDER_ASSETS=$work/assets GOWORK=off GOFLAGS=-mod=mod
module=$(cd "$work" && go mod download -json "sigs.k8s.io/controller-runtime@$version" |
  sed -n 's/^\t"Dir": "\(.*\)",*$/\1/p')
cp -r "$module" "$work/controller-runtime"
chmod -R u+w "$work/controller-runtime"
cd "$work/controller-runtime"
[ $# -gt 0 ] || set -- client cache manager builder cluster controller source handler webhook \
  envtest recorder
for package; do
  go test -vet=off -timeout 15m "./pkg/$package" >"$work/log" 2>&1 || true
  printf '%s: ' "$package"
  sed 's/\x1b\[[0-9;]*m//g' "$work/log" | grep -E '^(ok|FAIL!|SUCCESS!)|Passed' | tail -1
done
