package main

import (
	"strings"
	"testing"
)

// Objects are judged as Flux and Argo CD deliver them, and the patches in the
// files of both and of kustomize are judged themselves.
func TestOwned(t *testing.T) {
	const (
		flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n" +
			"metadata: {name: apps, namespace: flux-system}\nspec:\n  path: ./apps\n"
		argo = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: apps}\n" +
			"spec:\n  source:\n    repoURL: https://example.com/r\n    path: apps\n    kustomize:\n"
		kustomize  = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
		component  = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
		deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec:\n" +
			"  selector: {matchLabels: {a: b}}\n  template:\n    metadata: {labels: {a: b}}\n" +
			"    spec:\n      containers:\n      - {name: c, image: i, imagePullPolicy: x}\n"
		service = "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {}\n"
		claim   = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: c}\nspec:\n" +
			"  accessModes: [ReadWriteOnce]\n  resources: {requests: {storage: REPLACE}}\n"
		container = "spec: {template: {spec: {containers: [{name: c, imagePullPolicy: Always}]}}}"
	)
	bad := strings.Replace(widget, "size: 1", "size: x", 1)
	inline := func(text string) string {
		return "patches:\n- target: {group: example.com, kind: Widget}\n  patch: |-\n    " +
			text + "\n"
	}
	indented := func(text, by string) string {
		return by + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+by) + "\n"
	}
	long := strings.Repeat("n", 250)
	for _, c := range []struct {
		line  string
		files map[string]string
		code  int
		want  []string
	}{
		{"labels of Flux", map[string]string{"apps/a.yaml": widget,
			"ks.yaml": flux + "  commonMetadata: {labels: {a: 'not valid!'}}\n"}, exitRefused,
			[]string{"apps/a.yaml:", "metadata.labels", "judged as Kustomization flux-system/apps delivers it"}},
		{"a namespace of Flux", map[string]string{"apps/a.yaml": widget,
			"ks.yaml": flux + "  targetNamespace: Not_Valid\n"}, exitRefused, []string{"apps/a.yaml:", "metadata.namespace"}},
		{"a prefix of Flux", map[string]string{"apps/a.yaml": widget,
			"ks.yaml": flux + "  namePrefix: " + long + "-\n"}, exitOK, []string{"1 accepted"}},
		{"a prefix that is too long", map[string]string{"apps/a.yaml": widget,
			"ks.yaml": flux + "  namePrefix: " + long + "-and-more-\n"}, exitRefused,
			[]string{"error: Widget w: metadata.name", "253"}},
		{"images of Flux", map[string]string{"apps/a.yaml": deployment,
			"ks.yaml": flux + "  images: [{name: i, newTag: v1}]\n"}, exitRefused, []string{"imagePullPolicy"}},
		{"a component of Flux", map[string]string{"apps/a.yaml": bad,
			"components/c/kustomization.yaml": component + inline(`[{"op": "replace", "path": "/spec/size", "value": 1}]`),
			"ks.yaml":                         flux + "  components: [../components/c]\n"}, exitOK, []string{"1 accepted"}},
		{"an object of a component of Flux", map[string]string{"apps/a.yaml": widget,
			"components/c/kustomization.yaml": component + "resources: [w.yaml]\n",
			"components/c/w.yaml":             strings.NewReplacer("name: w", "name: 'x-${APP}'", "size: 1", "size: '${SIZE:=few}'").Replace(widget),
			"ks.yaml":                         flux + "  components: [../components/c]\n  postBuild: {substitute: {APP: a}}\n"}, exitRefused,
			[]string{"components/c/w.yaml:4:14: error: Widget x-a: spec.size: "}},
		{"values of one of the owners", map[string]string{"apps/a.yaml": strings.Replace(widget, "size: 1", "size: '${SIZE:=1}'", 1),
			"ks.yaml":    flux + "  postBuild: {substitute: {SIZE: '3'}}\n",
			"other.yaml": strings.Replace(flux, "name: apps", "name: other", 1) + "  postBuild: {substitute: {SIZE: few}}\n"}, exitRefused,
			[]string{"apps/a.yaml:4:14: error: Widget w: spec.size: ", "judged as Kustomization flux-system/other delivers it"}},
		{"a version that Kubernetes never served", map[string]string{"a.yaml": "apiVersion: batch/v2\nkind: Job\nmetadata: {name: a}\n"},
			exitRefused, []string{"a.yaml:2:7: error: Job a: no definition of batch/v2 Job was given", "did you mean the apiVersion `batch/v1`?"}},
		{"a component that is not there", map[string]string{"apps/a.yaml": widget,
			"ks.yaml": flux + "  components: [../components/c]\n"}, exitOK,
			[]string{"changed or deleted by kustomize, Flux or Argo CD: 1 "}},
		{"a patch of a list of a built-in kind", map[string]string{"apps/a.yaml": deployment,
			"ks.yaml": flux + "  patches:\n  - patch: |\n      apiVersion: apps/v1\n      kind: Deployment\n" +
				"      metadata: {name: d}\n      " + container + "\n"}, exitOK, []string{"1 accepted"}},
		{"a patch that makes it wrong", map[string]string{"apps/a.yaml": widget,
			"ks.yaml": flux + "  patches:\n  - target: {kind: Widget}\n    patch: " +
				`'[{"op": "add", "path": "/spec/size", "value": "x"}]'` + "\n"},
			exitRefused, []string{"ks.yaml:8:14: error: Widget w: spec.size: "}},
		{"patches of the kustomization in the folder", map[string]string{"apps/a.yaml": bad, "ks.yaml": flux,
			"apps/p.yaml":             widget,
			"apps/kustomization.yaml": kustomize + "resources: [a.yaml]\npatches: [{path: p.yaml}]\n"}, exitOK,
			[]string{"1 accepted"}},
		{"replacements", map[string]string{"apps/a.yaml": widget, "ks.yaml": flux,
			"apps/kustomization.yaml": kustomize + "resources: [a.yaml]\nreplacements:\n" +
				"- source: {kind: ConfigMap}\n  targets: [{select: {kind: Widget}, fieldPaths: [spec.size]}]\n"},
			exitOK, []string{"changed or deleted by kustomize, Flux or Argo CD: 1 "}},
		{"a typo in a kustomization", map[string]string{"apps/a.yaml": widget,
			"apps/kustomization.yaml": kustomize + "resources: [a.yaml]\n" + inline(`[{"op": "add", "path": "/spec/sise", "value": 1}]`)},
			exitRefused, []string{"apps/kustomization.yaml:7:6: error: Kustomization: in a patch: operation 0: " +
				`unknown field "spec.sise"`}},
		{"a typo in a file of operations", map[string]string{"apps/a.yaml": widget,
			"apps/kustomization.yaml": kustomize + "resources: [a.yaml]\npatches:\n" +
				"- {path: p.yaml, target: {group: example.com, kind: Widget}}\n",
			"apps/p.yaml": "# fine\n- {op: remove, path: /spec/old}\n- {op: add, path: /spec/sise, value: 1}\n"},
			exitRefused, []string{`apps/p.yaml:3:3: error: operation 1: unknown field "spec.sise"`}},
		{"a list in JSON that is none", map[string]string{"apps/a.yaml": widget,
			"apps/kustomization.yaml": kustomize + "resources: [a.yaml]\n" + inline("[{op: add, path: /spec/size, value: 1}]")},
			exitRefused, []string{"apps/kustomization.yaml:7:5: error: Kustomization: in a patch: kustomize reads a list"}},
		{"a patch outside of the repository", map[string]string{".git/HEAD": "", "apps/a.yaml": widget,
			"apps/kustomization.yaml": kustomize + "resources: [a.yaml]\npatches: [{path: ../../p.yaml}]\n"},
			exitRefused, []string{"apps/kustomization.yaml:4:18: error: Kustomization: ../../p.yaml is outside of the repository, and is not read"}},
		{"one that is not delivered", map[string]string{"left/a.yaml": service,
			"clusters/root.yaml": strings.Replace(flux, "./apps", "clusters", 1), "clusters/ks.yaml": flux,
			"old/ks.yaml": strings.NewReplacer("./apps", "left", "name: apps", "name: left").Replace(flux)}, exitOK,
			[]string{"not judged, incomplete, and delivered by nothing: 1 v1 Service"}},
		{"a typo in one that is not delivered", map[string]string{"left/a.yaml": strings.Replace(widget, "size: 1", "sise: 1", 1),
			"clusters/root.yaml": strings.Replace(flux, "./apps", "clusters", 1), "clusters/ks.yaml": flux,
			"old/ks.yaml": strings.NewReplacer("./apps", "left", "name: apps", "name: left").Replace(flux)}, exitRefused,
			[]string{`left/a.yaml:4:8: error: Widget w: unknown field "spec.sise"`}},
		{"a base that nothing reaches", map[string]string{"apps/base/left/a.yaml": service,
			"apps/base/left/kustomization.yaml": kustomize + "resources: [a.yaml]\n",
			"clusters/root.yaml":                strings.Replace(flux, "./apps", "clusters", 1),
			"clusters/ks.yaml":                  strings.Replace(flux, "./apps", "live", 1)}, exitOK,
			[]string{"not judged, incomplete, and delivered by nothing: 1 v1 Service"}},
		{"a base without Flux", map[string]string{"base/a.yaml": service,
			"base/kustomization.yaml": kustomize + "resources: [a.yaml]\n"}, exitRefused, []string{"spec.ports: Required"}},
		{"a Namespace that nothing delivers", map[string]string{"left/a.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: _}\n",
			"clusters/root.yaml": strings.Replace(flux, "./apps", "clusters", 1), "clusters/ks.yaml": flux,
			"old/ks.yaml": strings.NewReplacer("./apps", "left", "name: apps", "name: left").Replace(flux)}, exitOK,
			[]string{"not judged, incomplete, and delivered by nothing: 1 v1 Namespace"}},
		{"a text that a replacement replaces", map[string]string{"apps/a.yaml": claim,
			"apps/kustomization.yaml": kustomize + "resources: [a.yaml]\nreplacements:\n" +
				"- source: {kind: ConfigMap}\n  targets: [{select: {kind: PersistentVolumeClaim}, fieldPaths: [spec.resources.requests.storage]}]\n"},
			exitOK, []string{"changed or deleted by kustomize, Flux or Argo CD: 1 "}},
		{"a list that a replacement does not make an object", map[string]string{
			"apps/a.yaml": strings.Replace(claim, "requests: {storage: REPLACE}", "requests: [storage]", 1),
			"apps/kustomization.yaml": kustomize + "resources: [a.yaml]\nreplacements:\n" +
				"- source: {kind: ConfigMap}\n  targets: [{select: {kind: PersistentVolumeClaim}, fieldPaths: [spec.resources.requests.storage]}]\n"},
			exitRefused, []string{"spec.resources.requests: "}},
		{"a template by its name", map[string]string{"a.template.yaml": claim}, exitOK,
			[]string{"not judged, incomplete, and delivered by nothing: 1 v1 PersistentVolumeClaim"}},
		{"a typo in a template by its name", map[string]string{"a.template.yaml": strings.Replace(claim, "requests:", "request:", 1)},
			exitRefused, []string{`unknown field "spec.resources.request"`}},
		{"a name with an action", map[string]string{"a.yaml": strings.Replace(widget, "name: w", "name: 'w-{{$i}}'", 1)},
			exitOK, []string{"a template: render it first"}},
		{"a patch that is none", map[string]string{"apps/a.yaml": widget,
			"apps/kustomization.yaml": kustomize + "resources: [a.yaml]\n" + inline("nothing")}, exitRefused,
			[]string{"apps/kustomization.yaml:", "in a patch: it is neither an object nor a list of operations"}},
		{"a patch of Argo CD", map[string]string{"apps/a.yaml": bad, "apps/kustomization.yaml": kustomize + "resources: [a.yaml]\n",
			"app.yaml": argo + indented(inline(`[{"op": "replace", "path": "/spec/size", "value": 1}]`), "      ")}, exitOK,
			[]string{"1 accepted"}},
		{"a typo in a patch of Argo CD", map[string]string{"apps/a.yaml": widget,
			"apps/kustomization.yaml": kustomize + "resources: [a.yaml]\n",
			"app.yaml":                argo + indented(inline(`[{"op": "add", "path": "/spec/sise", "value": 1}]`), "      ")}, exitRefused,
			[]string{"app.yaml:12:12: error: Application apps: in a patch: operation 0: unknown field"}},
		{"labels of Argo CD", map[string]string{"apps/a.yaml": strings.Replace(deployment, "  selector: {matchLabels: {a: b}}\n", "", 1),
			"apps/kustomization.yaml": kustomize + "resources: [a.yaml]\n",
			"app.yaml":                argo + "      commonLabels: {x: z}\n"}, exitRefused,
			[]string{"imagePullPolicy", "0 accepted, 1 refused"}},
		{"a source that is a chart", map[string]string{"apps/a.yaml": bad, "app.yaml": strings.Replace(argo, "path: apps", "chart: apps", 1) +
			indented(inline(`[{"op": "replace", "path": "/spec/size", "value": 1}]`), "      ")}, exitRefused, []string{"a.yaml:4:14: error"}},
		{"a base that an overlay completes", map[string]string{"base/a.yaml": bad,
			"base/kustomization.yaml": kustomize + "resources: [a.yaml]\n",
			"over/kustomization.yaml": kustomize + "resources: [../base]\n" + inline(`[{"op": "replace", "path": "/spec/size", "value": 1}]`)},
			exitOK, []string{"1 accepted"}},
		{"a base that one overlay breaks", map[string]string{"base/a.yaml": widget,
			"base/kustomization.yaml": kustomize + "resources: [a.yaml]\n",
			"one/kustomization.yaml":  kustomize + "resources: [../base]\n",
			"two/kustomization.yaml":  kustomize + "resources: [../base]\nnamePrefix: A_\n"},
			exitRefused, []string{"base/a.yaml:3:18: error: ", "judged as kustomization two delivers it"}},
		{"one file for two kinds", map[string]string{"apps/a.yaml": widget, "apps/p.yaml": `[{"op": "replace", "path": "/spec/size", "value": 1}]`,
			"apps/kustomization.yaml": kustomize + "resources: [a.yaml]\npatches:\n" +
				"- {path: p.yaml, target: {kind: Widget}}\n- {path: p.yaml, target: {kind: Gadget}}\n"}, exitOK,
			[]string{"1 accepted", "a patch of kustomize: 1"}},
		{"a patch that is not used", map[string]string{"apps/a.yaml": widget, "apps/over/p.yaml": widget,
			"apps/over/q.yaml": bad, "apps/kustomization.yaml": kustomize + "resources: [a.yaml]\npatches: [{path: over/p.yaml}]\n"},
			exitRefused, []string{"apps/over/q.yaml:4:14: error: ", "a patch of kustomize: 1"}},
		{"a boolean of YAML 1.1", map[string]string{"apps/a.yaml": strings.Replace(widget, "name: w", "name: w, labels: {a: yes}", 1),
			"apps/kustomization.yaml": kustomize + "resources: [a.yaml]\n"}, exitOK, []string{"1 accepted"}},
		{"a boolean of YAML 1.1 for kubectl", map[string]string{
			"apps/a.yaml": strings.Replace(widget, "name: w", "name: w, labels: {a: yes}", 1)}, exitRefused, []string{"metadata.labels"}},
		{"a key that is a boolean", map[string]string{"apps/a.yaml": strings.Replace(widget, "size: 1", "y: 1", 1)}, exitRefused,
			[]string{`unknown field "spec.true"`, "is the boolean true in YAML 1.1"}},
		{"a kind of a group that is published", map[string]string{"f.yaml": strings.Replace(widgets, "example.com", "helm.toolkit.fluxcd.io", -1),
			"a.yaml": "apiVersion: helm.toolkit.fluxcd.io/v1\nkind: widget\nmetadata: {name: w}\n"}, exitRefused,
			[]string{"a.yaml:2:7: error: ", "did you mean `Widget`?"}},
		{"a duplicate key that kustomize reads", map[string]string{"apps/a.yaml": widget + "spec: {size: 2}\n",
			"apps/kustomization.yaml": kustomize + "resources: [a.yaml]\n"}, exitRefused,
			[]string{`apps/a.yaml:5:1: error: `, "kustomize, which reads the file, refuses it"}},
		{"a duplicate key that only kubectl reads", map[string]string{"apps/a.yaml": widget + "spec: {size: 2}\n"},
			exitOK, []string{"apps/a.yaml:5:1: warning: "}},
		{"a duplicate key of a kustomization", map[string]string{"apps/a.yaml": widget,
			"apps/kustomization.yaml": kustomize + "resources: []\nresources: [a.yaml]\n"}, exitRefused,
			[]string{"apps/kustomization.yaml:4:1: error: "}},
	} {
		t.Run(c.line, func(t *testing.T) {
			c.files["crd.yaml"], c.files[".git/HEAD"] = widgets, ""
			writeFiles(t, c.files)
			code, out, errs := execute(t, "", "validate", ".")
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			for _, want := range c.want {
				if !strings.Contains(out, want) {
					t.Errorf("no %q", want)
				}
			}
			if t.Failed() {
				t.Logf("%s%s", out, errs)
			}
		})
	}
}
