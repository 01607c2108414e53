#!/usr/bin/env bash
# Compares crdsem with other validators on a folder of definitions and objects:
#
#   tools/peers.sh FOLDER [PEER...]
#
# PEER is kubeconform or kubectl-validate; both by default. They are installed
# with go install into a temporary folder, or PEERS_BIN if that is set. For each
# tool the script prints how many documents it accepts and refuses, in its own
# count, and the seconds that passed and that the processor worked.
set -euo pipefail
folder=${1:?usage: tools/peers.sh FOLDER [PEER...]}
shift
peers=("$@")
[ ${#peers[@]} -gt 0 ] || peers=(kubeconform kubectl-validate)
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bin=${PEERS_BIN:-$work/bin}
mkdir -p "$bin"

install() { # NAME PACKAGE@VERSION
	[ -x "$bin/$1" ] || (cd "$work" && GOBIN=$bin GOFLAGS=-mod=mod go install "$2")
}

# timed NAME COMMAND...: runs the command and prints its last line and its times.
timed() {
	local name=$1
	shift
	TIMEFORMAT="$name: %R s, processor %U s"
	{ time "$@" >"$work/out" 2>"$work/err" || true; } 2>"$work/time"
	cat "$work/time"
	grep -E 'accepted|Summary|^PASS|^FAIL' "$work/out" "$work/err" -h | tail -n 3 | sed 's/^/  /' || true
}

(cd "$root/cmd/crdsem" && go build -o "$bin/crdsem" .)
timed crdsem "$bin/crdsem" validate "$folder"

for peer in "${peers[@]}"; do
	case $peer in
	kubeconform)
		install kubeconform github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0
		# It reads JSON schemas, which are made of the definitions first.
		(cd "$root" && go build -o "$bin/schemas" ./tools/schemas)
		timed "schemas for kubeconform" "$bin/schemas" "$folder" "$work/schemas"
		timed kubeconform "$bin/kubeconform" -summary -strict -ignore-missing-schemas \
			-skip CustomResourceDefinition \
			-schema-location "$work/schemas/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json" \
			"$folder"
		;;
	kubectl-validate)
		install kubectl-validate sigs.k8s.io/kubectl-validate@latest
		timed kubectl-validate "$bin/kubectl-validate" "$folder" --local-crds "$folder"
		;;
	*)
		echo "$peer is not known" >&2
		exit 2
		;;
	esac
done
