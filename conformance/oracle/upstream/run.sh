#!/usr/bin/env bash
# run.sh [-run REGEXP]: runs the integration tests of k8s.io/apiextensions-apiserver, with
# kube/server in the place of their API server and its etcd. Only fixtures/server.go differs.
# It prints how many tests passed, and the names of those that did not. A test that panics would end
# the others: it runs alone.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here/.."
module=$(go list -m -f '{{.Dir}}' k8s.io/apiextensions-apiserver)
cp -r "$module" "$work/upstream"
chmod -R u+w "$work/upstream"
cp "$here/fixtures.go.txt" "$work/upstream/test/integration/fixtures/server.go"
cp "$top/go.work.sum" "$work/"
cat >"$work/go.work" <<END
go $(GOWORK=off go list -m -f '{{.GoVersion}}')

use (
	$top
	$top/kube
	$top/conformance/oracle
)

replace k8s.io/apiextensions-apiserver => $work/upstream
END
export GOWORK=$work/go.work
alone='^TestFieldSelectorDisablement$'
out=${OUT:-$work/out.json}
tests=k8s.io/apiextensions-apiserver/test/integration
go test -vet=off -timeout 20m -skip "$alone" -json "$@" $tests/... >"$out" || true
[ $# -gt 0 ] || go test -vet=off -timeout 20m -run "$alone" -json $tests >>"$out" || true
go run ./upstream "$out"
