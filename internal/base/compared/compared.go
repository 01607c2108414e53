// Package compared lists the modules that answers depend on, and the versions
// with which all vectors and cases were run. The program in
// conformance/oracle/dependencies runs them.
package compared

import "strings"

// Modules are the modules of other makers whose code is a part of answers.
func Modules() []string {
	return []string{
		"cel.dev/cel-go",
		"k8s.io/apimachinery",
		"k8s.io/kube-openapi",
		"sigs.k8s.io/json",
		"sigs.k8s.io/structured-merge-diff/v4",
		"sigs.k8s.io/yaml",
		"go.yaml.in/yaml/v3",
		"github.com/go-json-experiment/json",
	}
}

// Row is a set of versions that were compared together. A module that it does
// not name has the version that this module requires.
type Row struct {
	Name    string
	Modules []string // e.g. k8s.io/apimachinery@v0.36.0
}

// Rows are what was compared. The first one is what this module requires.
func Rows() []Row {
	return []Row{
		{"required", []string{
			"cel.dev/cel-go@v0.33.2",
			"k8s.io/apimachinery@v0.34.0",
			"k8s.io/kube-openapi@v0.0.0-20250710124328-f3f2b991d03b",
			"sigs.k8s.io/json@v0.0.0-20250730193827-2d320260d730",
			"sigs.k8s.io/structured-merge-diff/v4@v4.7.0",
			"sigs.k8s.io/yaml@v1.6.0",
			"go.yaml.in/yaml/v3@v3.0.4",
			"github.com/go-json-experiment/json@v1.27.2",
		}},
		{"0.34", []string{"k8s.io/apimachinery@v0.34.13"}},
		{"0.35", []string{
			"k8s.io/apimachinery@v0.35.10",
			"k8s.io/kube-openapi@v0.0.0-20250910181357-589584f1c912",
		}},
		{"0.36", []string{
			"k8s.io/apimachinery@v0.36.6",
			"k8s.io/kube-openapi@v0.0.0-20260317180543-43fb72c5454a",
		}},
		{"0.37", []string{
			"k8s.io/apimachinery@v0.37.2",
			"k8s.io/kube-openapi@v0.0.0-20260721132016-d427ff9ee9ad",
		}},
	}
}

// Next are versions that are asked too and do not count as compared yet. They
// need Go 1.27.
func Next() []Row {
	return []Row{
		{"0.38", []string{
			"k8s.io/apimachinery@v0.38.0-beta.0",
			"k8s.io/kube-openapi@v0.0.0-20261014044854-ca3452a79603",
			"go.yaml.in/yaml/v3@v3.0.6",
		}},
	}
}

// Pairs are the versions of Kubernetes' libraries and of controller-runtime
// with which the tests of kube and of kube/fake were run. The first one is what
// they and kube/server require.
func Pairs() []Row {
	pair := func(name, kubernetes, runtime string) Row {
		return Row{name, []string{
			"k8s.io/api@" + kubernetes, "k8s.io/apiextensions-apiserver@" + kubernetes,
			"k8s.io/apimachinery@" + kubernetes, "k8s.io/client-go@" + kubernetes,
			"sigs.k8s.io/controller-runtime@" + runtime,
		}}
	}
	return []Row{
		pair("kube-0.35", "v0.35.0", "v0.23.0"),
		pair("kube-0.36", "v0.36.6", "v0.24.1"),
		pair("kube-0.37", "v0.37.2", "v0.25.2"),
	}
}

// Has reports whether a version of a module was compared. Of apimachinery, all
// patch versions of a minor count as compared if one was: they mend bugs only.
func Has(module, version string) bool {
	for _, row := range Rows() {
		for _, m := range row.Modules {
			path, compared, _ := strings.Cut(m, "@")
			if path == module && (version == compared || path == "k8s.io/apimachinery" &&
				minorOf(version) == minorOf(compared)) {
				return true
			}
		}
	}
	return false
}

// minorOf returns a version without its patch number, e.g. v0.36 of v0.36.3.
// Versions before a release have none.
func minorOf(version string) string {
	if strings.Contains(version, "-") {
		return version
	}
	at := strings.LastIndexByte(version, '.')
	return version[:max(at, 0)]
}
