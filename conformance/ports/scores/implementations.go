package main

import (
	"slices"

	"github.com/crdsem/crdsem/internal/test/suite"
)

// implementation is a program that speaks the protocol, and what is said of it.
type implementation struct {
	name, version, about string
	// folder holds the adapter, a Go module. Otherwise command starts it.
	folder  string
	command []string
	// asked are the minors that the program is asked for one after the other.
	// If there are none, it does not know minors: it is asked once, and its
	// answers are compared with those of each minor.
	asked []string
}

// allMinors returns the minors of a score, from the newest to the oldest.
func allMinors() []string {
	minors := append(suite.Minors(), suite.Beta())
	slices.Reverse(minors)
	return minors
}

// endsOfMinors returns the two newest minors and the oldest one, for a program
// that takes minutes for each.
func endsOfMinors() []string {
	all := allMinors()
	return slices.Concat(all[:2], all[len(all)-1:])
}

// rounds returns the minors that the program is asked for at once.
func (im *implementation) rounds() (rounds [][]string) {
	if len(im.asked) == 0 {
		return [][]string{allMinors()}
	}
	for _, minor := range im.asked {
		rounds = append(rounds, []string{minor})
	}
	return rounds
}

// ports is the folder of the adapters.
const ports = "conformance/ports/"

// implementations returns what is scored, with the command of this repository.
func implementations(crdsem string) []*implementation {
	return []*implementation{
		{name: "crdsem", version: "this commit", command: []string{crdsem, "eval", "--hello"},
			about: "The library of this repository, by its command.", asked: allMinors()},
		{name: "npm package crdsem", version: "this commit",
			command: []string{"node", "web/test/serve.js"}, asked: endsOfMinors(),
			about: "The same library as WebAssembly, in Node, for three minors. It answers no writes."},
		{name: "port in Python", version: "this commit",
			command: []string{"python3", "-B", ports + "python/port.py"},
			about:   "Written from the specification alone: pruning, defaults, version order."},
		{name: "kubectl-validate", version: "v0.0.4", folder: ports + "kubectlvalidate",
			about: "Links the API server's code of Kubernetes 1.30. Creates only."},
		{name: "crossplane beta validate", version: "v1.20.0", folder: ports + "crossplane",
			about: "The package behind the command. Links the API server's validation. Creates only."},
		{name: "kubeconform", version: "v0.8.0", folder: ports + "kubeconform",
			about: "With the JSON Schemas of `crdsem schema`, in strict mode. Creates only."},
		{name: "flux-schema", version: "v0.9.0",
			command: []string{"python3", "-B", ports + "fluxschema/port.py"},
			about:   "The command, with the schemas that it extracts from the definition. Creates only."},
		{name: "ajv", version: "8.20.0",
			command: []string{"node", ports + "ajv/port.js"},
			about: "A JSON Schema validator on the schema of the definition, with the YAML reader of " +
				"@kubernetes/client-node, which validates nothing itself. Creates only."},
		{name: "controller-runtime fake client", version: "v0.25.2", folder: ports + "fakeclient",
			about: "What many controllers are tested with. It keeps objects and judges little."},
		{name: "cel-go", version: "v0.29.2, apiserver v0.37.2", folder: ports + "celgo",
			about: "CEL with the libraries of the API server, but no types from a schema."},
	}
}

// absent are implementations that could not be had where the board was made.
var absent = [][2]string{
	{"kube-cel (Rust)", "its crate needs crates.io, which was out of reach"},
	{"kyaml and kustomize", "they merge by OpenAPI and do not validate objects of a definition"},
}
