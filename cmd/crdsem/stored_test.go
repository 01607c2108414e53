package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/app/verdict"
)

// established is a status as a server writes it.
const established = `status:
  conditions: [{type: Established, status: "True"}]
  storedVersions: [v1]
`

// The old definition of a check is the stored one with its status. Without
// conditions it is taken to be established, which is printed.
func TestCheckOfStoredDefinitions(t *testing.T) {
	assumed := "note: the stored definition has no conditions"
	for _, c := range []struct{ name, old, was, is, want string }{
		{"another scope", shelfCRD + established, "Namespaced", "Cluster", "spec.scope: Invalid value: \"Cluster\": field is immutable"},
		{"another kind", shelfCRD + established, "kind: Shelf", "kind: Board", "spec.names.kind: Invalid value: \"Board\": field is immutable"},
		{"a version less", shelfCRD + strings.Replace(established, "[v1]", "[v0, v1]", 1), "maxItems: 50", "maxItems: 51", "status.storedVersions[0]: Invalid value: \"v0\": missing from spec.versions"},
		{"another scope, no status", shelfCRD, "Namespaced", "Cluster", "field is immutable"},
		{"no status", shelfCRD, "maxItems: 50", "maxItems: 51", assumed},
	} {
		t.Run(c.name, func(t *testing.T) {
			old := filepath.Join(t.TempDir(), "old.yaml")
			write(t, old, c.old)
			revised := strings.Replace(shelfCRD, c.was, c.is, 1)
			code, out, errs := execute(t, revised, "check", "--old", old, "-")
			if refused := c.want != assumed; (code == exitRefused) != refused || errs != "" {
				t.Errorf("exit code %d, %s", code, errs)
			}
			hasStatus := c.old != shelfCRD
			if !strings.Contains(out, c.want) || strings.Contains(out, assumed) == hasStatus {
				t.Errorf("%q is missing, or the assumption is wrong, in\n%s", c.want, out)
			}
		})
	}
}

// Objects meet stored ones as on a server, whether or not they name the
// namespace default. Results say which request was made.
func TestAdmitFindsStoredObjects(t *testing.T) {
	named := strings.Replace(
		stored, `namespace: d, resourceVersion: "7", uid: u`, "namespace: default", 1)
	unnamed := strings.Replace(named, ", namespace: default", "", 1)
	elsewhere := strings.Replace(named, "namespace: default", "namespace: other", 1)
	dir := t.TempDir()
	crd, old := filepath.Join(dir, "crd.yaml"), filepath.Join(dir, "old.yaml")
	write(t, crd, shelfCRD)
	for _, c := range []struct {
		name, old, sent, flag, request string
		code                           int
	}{
		{"both named", named, named, "", "update", exitRefused},
		{"both unnamed", unnamed, unnamed, "", "update", exitRefused},
		{"the stored one named", named, unnamed, "", "update", exitRefused},
		{"the sent one named", unnamed, named, "", "update", exitRefused},
		{"another namespace", named, elsewhere, "", "create", exitOK},
		{"another namespace, updates only", named, elsewhere, "--update-only", "", exitRefused},
		{"stored, updates only", named, unnamed, "--update-only", "update", exitRefused},
	} {
		t.Run(c.name, func(t *testing.T) {
			write(t, old, c.old)
			args := []string{"admit", "-o", "json", "--crd", crd, "--old", old, "-"}
			if c.flag != "" {
				args = append(args, c.flag)
			}
			travel := strings.Replace(c.sent, "genre: fiction", "genre: travel", 1)
			code, out, errs := execute(t, travel, args...)
			var report struct{ Results []verdict.Result }
			if err := json.Unmarshal([]byte(out), &report); err != nil || len(report.Results) != 1 {
				t.Fatal(err, out, errs)
			}
			r := report.Results[0]
			if code != c.code || r.Request != c.request {
				t.Errorf("exit code %d of a request %q: %s", code, r.Request, out)
			}
			text := "genre is fixed"
			if c.request != "update" {
				text = "not among the stored objects"
			}
			if code == exitRefused && !strings.Contains(out, text) {
				t.Errorf("%q is missing in\n%s", text, out)
			}
		})
	}
}

// Objects of a definition that is refused are not judged, unless that is asked
// for.
func TestAdmitChecksDefinitions(t *testing.T) {
	crd := filepath.Join(t.TempDir(), "crd.yaml")
	const enum = "enum: [fiction, science, travel]"
	write(t, crd, strings.Replace(
		shelfCRD, enum, enum+"\n                default: novel", 1))
	object := strings.Replace(stored, `, resourceVersion: "7", uid: u`, "", 1)
	code, out, _ := execute(t, object, "admit", "--crd", crd, "-")
	if code != exitRefused || !strings.Contains(out, "default: Unsupported value") ||
		!strings.Contains(out, "not judged: Shelf d/a (its definition is refused)") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	code, out, _ = execute(t, object, "admit", "--force", "--crd", crd, "-")
	if code != exitRefused || !strings.Contains(out, "accepted: Shelf d/a (create, v1)") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	const served = "    served: true"
	write(t, crd, strings.Replace(
		shelfCRD, served, served+"\n"+served+"\n    serves: true", 1))
	_, out, _ = execute(t, object, "admit", "--crd", crd, "-")
	for _, want := range []string{`unknown field "spec.versions[0].serves"`, `key "served" already set in map`} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is missing in\n%s", want, out)
		}
	}
}

// A status that is not stored is reported, and its defaults are not.
func TestAdmitReportsDroppedStatus(t *testing.T) {
	crd := filepath.Join(t.TempDir(), "crd.yaml")
	const schema = "    schema:\n      openAPIV3Schema:\n        type: object\n" +
		"        properties:\n"
	write(t, crd, strings.Replace(shelfCRD, schema, "    subresources: {status: {}}\n"+schema+
		"          status: {type: object, properties: {phase: {type: string, default: New}}}\n", 1))
	object := strings.Replace(stored, `, resourceVersion: "7", uid: u`, "", 1) + "status: {}\n"
	code, out, errs := execute(t, object, "admit", "--crd", crd, "-")
	if code != exitOK || !strings.Contains(out, "dropped    status (openAPIV3Schema)") ||
		strings.Contains(out, "defaulted  status") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

// A definition that a server has stored is believed: what a server refuses in a
// new one is a warning, and its objects are judged.
func TestStoredDefinitionsAreBelieved(t *testing.T) {
	crd := filepath.Join(t.TempDir(), "crd.yaml")
	const enum = "enum: [fiction, science, travel]"
	refused := strings.Replace(shelfCRD, enum, enum+"\n                default: novel", 1)
	object := strings.Replace(stored, `, resourceVersion: "7", uid: u`, "", 1)
	notEstablished := strings.Replace(established, "True", "False", 1)
	for status, code := range map[string]int{
		established: exitOK, notEstablished: exitRefused, "": exitRefused,
	} {
		write(t, crd, refused+status)
		got, out, _ := execute(t, "", "check", crd)
		believed := strings.Contains(out, "a server has stored this definition")
		if got != code || believed != (code == exitOK) ||
			!strings.Contains(out, `default: Unsupported value: "novel"`) {
			t.Errorf("%q: exit code %d\n%s", status, got, out)
		}
		got, out, _ = execute(t, object, "admit", "--crd", crd, "-")
		if judged := strings.Contains(out, "accepted: Shelf d/a (create, v1)"); got != code ||
			judged != (code == exitOK) {
			t.Errorf("%q: exit code %d\n%s", status, got, out)
		}
	}
}
