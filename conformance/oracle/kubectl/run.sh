#!/usr/bin/env bash
# run.sh: builds kubectl from its module, starts crdsem-server, and compares what kubectl prints
# with transcript.txt. KUBECTL can name a kubectl that is built already.
set -euo pipefail
version=v0.37.2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "${KUBECTL:-}" ]; then
  mkdir "$work/build"
  cp "$here/kubectl.go.txt" "$work/build/main.go"
  (
    cd "$work/build"
    export GOWORK=off GOFLAGS=-mod=mod
    go mod init example.com/kubectl 2>/dev/null
    go get "k8s.io/kubectl@$version" "k8s.io/component-base@$version" "k8s.io/client-go@$version"
    go build -o kubectl .
  )
  KUBECTL=$work/build/kubectl
fi
mkdir "$work/bin"
ln -s "$(realpath "$KUBECTL")" "$work/bin/kubectl"
(cd "$here/../../../kube/server" && go build -o "$work/bin/crdsem-server" ./cmd/crdsem-server)
cd "$here/.."
go build -o "$work/bin/transcript" ./kubectl
export PATH=$work/bin:$PATH KUBECONFIG=$work/kubeconfig HOME=$work
mkfifo "$work/in"
crdsem-server --no-validation-warnings --kubeconfig "$KUBECONFIG" <"$work/in" >"$work/ready" &
exec 3>"$work/in"
until [ -s "$work/ready" ]; do sleep 0.1; done
cd "$work"
status=0
transcript "$here/transcript.txt" || status=$?
exec 3>&-
wait
exit $status
