package gotypes_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/gotypes"
)

var project = map[string]string{
	"go.mod": "module example.com/op\n",
	"api/v1/group.go": `// Package v1 has types.
// +groupName=example.com
package v1
`,
	"api/v1/types.go": `package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/op/api/common"
	other "example.com/op/api/v2"
)

// Widget is a kind.
type Widget struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `

	Spec   WidgetSpec ` + "`json:\"spec\"`" + `
	Status *Status    ` + "`json:\"status,omitempty\"`" + `
}

type (
	WidgetSpec struct {
		common.Shared ` + "`json:\",inline\"`" + `
		Ports []*Port ` + "`json:\"ports,omitempty\"`" + `
		ByName map[string]Ports ` + "`json:\"byName\"`" + `
		Inner struct {
			Deep int ` + "`json:\"deep\"`" + `
		} ` + "`json:\"inner\"`" + `
		Conditions []metav1.Condition ` + "`json:\"conditions\"`" + `
		Other (other.Thing) ` + "`json:\"other\"`" + `
		Untagged string
		Round Round ` + "`json:\"round\"`" + `
		Box Box[Port] ` + "`json:\"box\"`" + `
		Dash string ` + "`yaml:\"x\" json:\"-\"`" + `
	}
	Ports []Port
	Port struct { Name, Second string ` + "`json:\"name\"`" + ` }
	Status struct{ *Status }
	Round Around
	Around Round
	Box[T any] struct { Item T ` + "`json:\"item\"`" + ` }
)
`,
	"api/v1/x_test.go":      "package v1_test\n\ntype Widget struct{ Wrong int }\n",
	"api/v1/testdata/a.go":  "no Go",
	"api/common/common.go":  "package common\n\ntype Shared struct {\n\tSize *int `json:\"size\"`\n}\n",
	"api/v2/v2.go":          "// +groupName=example.com\n// +versionName=v2beta1\npackage two\n\ntype Thing struct{ A int `json:\"a\"` }\n",
	"api/other/go.mod":      "module example.com/op/api/other\n",
	"api/other/v3/group.go": "// +groupName=example.com\npackage v3\n\ntype Widget struct{}\n",
}

func write(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Fields are followed through pointers, lists, maps, names, embedded structs
// and packages of the module. The way ends where a type is not known.
func TestField(t *testing.T) {
	write(t, project)
	types, err := gotypes.Read("./api/...")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"":                       "api/v1/types.go:11:6 Widget",
		"metadata name":          "api/v1/types.go:13:2 Widget.ObjectMeta",
		"apiVersion":             "api/v1/types.go:11:6 Widget",
		"spec":                   "api/v1/types.go:15:2 Widget.Spec",
		"spec size":              "api/common/common.go:4:2 Shared.Size",
		"spec ports [*] name":    "api/v1/types.go:35:16 Port.Name",
		"spec byName [*] [*]":    "api/v1/types.go:23:3 WidgetSpec.ByName",
		"spec byName [*]":        "api/v1/types.go:23:3 WidgetSpec.ByName",
		"spec inner deep":        "api/v1/types.go:25:4 WidgetSpec.Deep",
		"spec conditions [*] a":  "api/v1/types.go:27:3 WidgetSpec.Conditions",
		"spec other a":           "api/v2/v2.go:5:20 Thing.A",
		"spec Untagged":          "api/v1/types.go:29:3 WidgetSpec.Untagged",
		"spec round a":           "api/v1/types.go:30:3 WidgetSpec.Round",
		"spec box item name":     "api/v1/types.go:31:3 WidgetSpec.Box",
		"spec Dash":              "api/v1/types.go:15:2 Widget.Spec",
		"spec no name":           "api/v1/types.go:15:2 Widget.Spec",
		"spec ports name":        "api/v1/types.go:22:3 WidgetSpec.Ports",
		"status a":               "api/v1/types.go:16:2 Widget.Status",
		"spec size [*] [*] deep": "api/common/common.go:4:2 Shared.Size",
	} {
		field, found := types.Field("example.com", "v1", "Widget", strings.Fields(path))
		if got := filepath.ToSlash(field.String()) + " " + field.Name; !found || got != want {
			t.Errorf("%q: %v %s, want %s", path, found, got, want)
		}
	}
	for _, c := range [][3]string{
		{"example.com", "v2", "Thing"}, {"example.com", "v1", "Gadget"},
		{"example.com", "v3", "Widget"}, {"", "v1", "Widget"},
	} {
		if field, found := types.Field(c[0], c[1], c[2], nil); found {
			t.Errorf("%v: %v", c, field)
		}
	}
	if _, found := types.Field("example.com", "v2beta1", "Thing", nil); !found {
		t.Error("the marker +versionName is not read")
	}
}

func TestReadErrors(t *testing.T) {
	write(t, map[string]string{
		"none/a.go": "package none\n", "bad/a.go": "package bad\n\ntype {\n", "empty/README": "",
		"folder/a.go/b": "",
	})
	for pattern, want := range map[string]string{
		"none":        "none: no Go package has the marker +groupName",
		"./empty/...": "no Go package has the marker +groupName",
		"bad":         "bad/a.go:3:6: expected",
		"missing/...": "missing: no such file",
		"folder":      "folder/a.go is not a file of at most 16777216 bytes",
	} {
		if _, err := gotypes.Read(pattern); err == nil ||
			!strings.Contains(filepath.ToSlash(err.Error()), want) {
			t.Errorf("%s: %v, want %s", pattern, err, want)
		}
	}
}
