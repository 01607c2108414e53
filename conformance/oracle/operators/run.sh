#!/usr/bin/env bash
# run.sh REPOSITORY REVISION PACKAGE...: runs suites of a public operator that start envtest on
# crdsem-server, by KUBEBUILDER_ASSETS and PATH, in a clean clone. It prints for each package how
# many specs or tests passed, and the time. Nothing of the operator differs. For example:
#
#   run.sh https://github.com/kubernetes-sigs/lws main test/integration/webhooks
#
# MODULE is the folder of the module, if it is not the root. With CRDS, the folders of definitions,
# a server is started with these and KUBECONFIG names it, for suites that take an existing cluster.
# TAGS are build tags. LOGS is a folder for the whole output. ASSETS is a folder with a kube-apiserver
# and an etcd that run in place of crdsem-server, to compare times.
set -euo pipefail
[ $# -ge 3 ] || { sed -n '2,/^set/s/^# //p' "$0"; exit 2; }
repository=$1 revision=$2
shift 2
top=$(cd "$(dirname "$0")/../../.." && pwd)
work=$(mktemp -d)
logs=${LOGS:-$work/logs}
mkdir -p "$logs"
stop() {
  exec 3>&-
  wait
  chmod -R u+w "$work"
  rm -rf "$work"
}
exec 3>/dev/null
trap stop EXIT
(cd "$top/kube/server" && go build -o "$work/crdsem-server" ./cmd/crdsem-server)
"$work/crdsem-server" assets "$work/assets"
git init -q "$work/operator"
cd "$work/operator"
git fetch -q --depth 1 "$repository" "$revision"
git checkout -q FETCH_HEAD
echo "$repository $(git log -1 --format='%h of %cs')"
export KUBEBUILDER_ASSETS=${ASSETS:-$work/assets} PATH=${ASSETS:-$work/assets}:$PATH GOWORK=off
[ -d "${MODULE:-.}/vendor" ] || export GOFLAGS=-mod=mod
if [ -n "${CRDS:-}" ]; then
  arguments=()
  for folder in $CRDS; do arguments+=(--crd "$folder"); done
  mkfifo "$work/input"
  "$work/crdsem-server" "${arguments[@]}" --kubeconfig "$work/kubeconfig" \
    <"$work/input" >"$work/ready" &
  exec 3>"$work/input" # the server stops when this is closed
  until [ -s "$work/ready" ]; do
    kill -0 $! || exit 1
    sleep 0.1
  done
  export KUBECONFIG=$work/kubeconfig
fi
cd "${MODULE:-.}"
for package; do
  log=$logs/$(basename "$repository")-${package//\//-}.log
  program=$work/suite.test
  if ! go test -c -vet=off -tags "${TAGS:-}" -o "$program" "./$package" >"$log" 2>&1; then
    echo "$package: does not build"
    continue
  fi
  begin=$(date +%s)
  (cd "$package" && "$program" -test.v -test.timeout 30m) >"$log" 2>&1 || true
  text=$(sed 's/\x1b\[[0-9;]*m//g' "$log")
  specs=$(grep -E '^(Ran|FAIL!|SUCCESS!) ' <<<"$text" | tr '\n' ' ' || true)
  [ -n "$specs" ] || specs="$(grep -cE '^ *--- PASS' <<<"$text" || true) tests and subtests pass,\
 $(grep -cE '^ *--- FAIL' <<<"$text" || true) fail"
  echo "$package: $specs in $(($(date +%s) - begin)) s"
done
