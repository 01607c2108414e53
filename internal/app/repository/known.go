package repository

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/base/typemeta"
)

// IsManifest reports whether an object is meant for a server: it has an
// apiVersion and a kind, or one of them and metadata. Others are e.g. the
// values of a chart, Chart.yaml, or a workflow.
func IsManifest(object map[string]any) bool {
	hasVersion, hasKind := object["apiVersion"] != nil, object["kind"] != nil
	_, hasMetadata := object["metadata"].(map[string]any)
	return hasVersion && hasKind || (hasVersion || hasKind) && hasMetadata
}

// toolGroups are the API groups of objects that programs read from files. A
// server has no definitions of them.
var toolGroups = []string{
	"apiserver.config.k8s.io",      // flags of kube-apiserver
	"audit.k8s.io",                 // its audit policy
	"client.authentication.k8s.io", // credential plugins of kubectl
	"config.kubernetes.io",         // functions of kustomize and kpt
	"ctlptl.dev",
	"k3d.io",
	"kind.x-k8s.io",
	"kpt.dev",
	"kubeadm.k8s.io",
	"kubelet.config.k8s.io",
	"kubeproxy.config.k8s.io",
	"kubescheduler.config.k8s.io",
	"kubecontrollermanager.config.k8s.io",
	"kustomize.config.k8s.io", // Kustomization, Component
	"schema.plugin.fluxcd.io", // the settings of flux-schema
	"skaffold",
	"viaduct.ai", // ksops, a generator of kustomize
}

// IsTool reports whether an object is a tool file.
func IsTool(object map[string]any) bool {
	t := typemeta.Of(object)
	switch {
	case slices.Contains(toolGroups, t.Group):
		return true
	case t.Group == "builtin": // transformers and generators of kustomize
		return true
	case t.Group == "" && t.Version == "v1" && t.Kind == "Config": // a kubeconfig
		_, clusters := object["clusters"]
		return clusters
	}
	return false
}

// action is an action of a template outside of strings and comments: at the
// start of a line, of an item or of a value.
var action = regexp.MustCompile(`(?m)^(?:[^"'#\n]|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')*?` +
	`(?:^|[-:,{\[]) *\{[{%]`)

// IsTemplate reports whether a text that is neither YAML nor JSON is a
// template, e.g. of a Helm chart.
func IsTemplate(text []byte) bool { return action.Match(text) }

// IsTemplateOf reports whether an object is a template that happens to be YAML:
// its name, its namespace or its type has an action, e.g. app-{{ .name }}.
func IsTemplateOf(object map[string]any) bool {
	namespace, name := typemeta.Name(object)
	version, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	return hasAction.MatchString(strings.Join([]string{namespace, name, version, kind}, " "))
}

var hasAction = regexp.MustCompile(`\{\{.*\}\}|\{%.*%\}`)

// MayBeManifest reports whether a text that cannot be read may be meant for a
// server: it is not JSON of something else.
func MayBeManifest(file string, text []byte) bool {
	return filepath.Ext(file) != ".json" ||
		bytes.Contains(text, []byte("apiVersion")) && bytes.Contains(text, []byte("kind"))
}

// Kustomizations are the names of files that kustomize reads in a folder.
var Kustomizations = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}
