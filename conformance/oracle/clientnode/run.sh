#!/usr/bin/env bash
# run.sh: tests crdsem-server with the client for Node, @kubernetes/client-node: typed and untyped
# objects, a watch and an informer. It needs Node and the registry of npm.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'exec 3>&-; wait; rm -rf "$work"' EXIT
(cd "$here/../../../kube/server" && go build -o "$work/crdsem-server" ./cmd/crdsem-server)
cp "$here"/*.js* "$work"
cd "$work"
npm ci --silent --no-audit --no-fund
mkfifo input
./crdsem-server --kubeconfig kubeconfig <input >ready &
exec 3>input # the server stops when this is closed
for _ in $(seq 200); do
  [ ! -s ready ] || break
  sleep 0.1
done
KUBECONFIG=$work/kubeconfig npm test --silent
