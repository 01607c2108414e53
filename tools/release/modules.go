package main

import (
	"path"

	"golang.org/x/mod/module"
)

const root = "github.com/crdsem/crdsem"

// released are the folders of the modules that users import or install, each
// after those that it requires.
var released = []string{"", "kube/server", "kube", "cmd/crdsem", "kit/fleet"}

// internal are the modules for work on the project.
var internal = []string{
	".ci/goreleaser", "conformance/oracle", "conformance/oracle/kubernetes",
	"conformance/ports/celgo", "conformance/ports/crossplane",
	"conformance/ports/fakeclient", "conformance/ports/kubeconform",
	"conformance/ports/internal/adapter", "conformance/ports/kubectlvalidate",
	"examples/controller", "tools", "web",
}

// installed are the packages of the commands.
var installed = []string{
	"cmd/crdsem", "kube/server/cmd/crdsem-server", "kit/fleet/cmd/crdsem-fleet",
}

// tag returns the tag of a module's version.
func tag(folder, version string) string { return path.Join(folder, version) }

// versionOf returns the module of a folder in a version.
func versionOf(folder, version string) module.Version {
	return module.Version{Path: path.Join(root, folder), Version: version}
}
