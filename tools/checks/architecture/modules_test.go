package architecture_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// nested are the modules below the root module, by their folders.
var nested = []string{
	"cmd/crdsem", "conformance/oracle", "examples/controller", "kit/fleet", "kube", "kube/server",
	"tools", "web",
}

// imported are the modules that programs import. A program can have one of them
// in another version than the rest, so they share only what is exported.
var imported = []string{"kit/fleet", "kube", "kube/server"}

// No module that programs import uses an internal package of another one.
// Commands may: they are installed with exactly the versions that they require.
func TestModulesShareNoInternal(t *testing.T) {
	for _, folder := range imported {
		cmd := exec.Command("go", "list", "-f",
			`{{if ne .Name "main"}}{{.ImportPath}} {{join .Imports " "}}{{end}}`, "./...")
		cmd.Dir, cmd.Env = filepath.Join("../../..", folder), append(os.Environ(), "GOWORK=")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go list in %s: %v", folder, err)
		}
		packages := 0
		for line := range strings.Lines(string(out)) {
			fields := strings.Fields(line)
			if len(fields) == 0 {
				continue
			}
			packages++
			for _, path := range fields[1:] {
				if within(path, module) {
					if err := checkShared(relative(fields[0]), relative(path)); err != "" {
						t.Error(err)
					}
				}
			}
		}
		if packages == 0 {
			t.Errorf("module %s has no packages", folder)
		}
	}
}

// The check refuses an internal package of each other module.
func TestModulesShareNoInternalNotices(t *testing.T) {
	for _, test := range []struct {
		pkg, path string
		refused   bool
	}{
		{"kube/server", "internal/base/jsonvalue", true},
		{"kube/server", "celrules/internal/decl", true},
		{"kube/server", "kube/server/internal/storage", false},
		{"kube/server", "kube/internal/storage", true},
		{"kube", "kube/server/internal/storage", true},
		{"kube/fake", "kube/server", false},
		{"kube/fake", "kube/internal/storage", false},
		{"kube", "", false},
		{"kit/fleet", "kit/upgrade", false},
		{"kit/fleet", "internal/kit/lru", true},
		{"kit/fleet", "kit/fleet/internal/lru", false},
	} {
		if err := checkShared(test.pkg, test.path); (err != "") != test.refused {
			t.Errorf("%s imports %s: %q, refused: want %v", test.pkg, test.path, err, test.refused)
		}
	}
}

// checkShared returns an error for an import of an internal package of another
// module, or "".
func checkShared(pkg, path string) string {
	if !strings.Contains("/"+path+"/", "/internal/") || moduleOf(pkg) == moduleOf(path) {
		return ""
	}
	return pkg + " imports " + path + " of another module: export it, or copy what is short"
}

// moduleOf returns the folder of the module that a package is of.
func moduleOf(pkg string) (longest string) {
	for _, folder := range nested {
		if within(pkg, folder) && len(folder) > len(longest) {
			longest = folder
		}
	}
	return longest
}
