package evaluator

import (
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/app/protocol"
)

// The version is that of this module, in whatever program it is.
func TestVersion(t *testing.T) {
	own := debug.Module{Path: module, Version: "v1.2.3"}
	other := debug.Module{Path: "example.com/tool", Version: "v9.9.9"}
	for _, c := range []struct {
		name string
		info debug.BuildInfo
		want string
	}{
		{"the program itself", debug.BuildInfo{Main: own}, "v1.2.3"},
		{"a dependency", debug.BuildInfo{Main: other, Deps: []*debug.Module{{Path: "a.b/c", Version: "v0.1.0"}, &own}}, "v1.2.3"},
		{"replaced by a folder", debug.BuildInfo{Main: other, Deps: []*debug.Module{{Path: module, Version: "v1.2.3", Replace: &debug.Module{Path: "../x"}}}}, "(devel)"},
		{"built from a folder", debug.BuildInfo{Main: debug.Module{Path: module}}, "(devel)"},
		{"built in the workspace", debug.BuildInfo{Main: debug.Module{Path: module + "/cmd/crdsem", Version: "v0.1.0"}, Deps: []*debug.Module{{Path: module, Version: "(devel)"}}}, "v0.1.0"},
		{"built in the workspace without a version", debug.BuildInfo{Main: debug.Module{Path: module + "/cmd/crdsem"}, Deps: []*debug.Module{{Path: module, Version: "(devel)"}}}, "(devel)"},
		{"not in it", debug.BuildInfo{Main: other}, "(devel)"},
	} {
		if got := versionIn(&c.info); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestHello(t *testing.T) {
	want := &protocol.Hello{Name: "crdsem", Version: unversioned,
		Kubernetes: strings.Fields("1.30 1.31 1.32 1.33 1.34 1.35 1.36 1.37 1.38"),
		Ops: []string{"structural", "prune", "default", "validate", "cel", "cost", "crd", "admit",
			"convert", "sort", "table", "store", "read", "define"}}
	if diff := cmp.Diff(want, Hello()); diff != "" {
		t.Error(diff)
	}
}

func TestUnknownOp(t *testing.T) {
	result, err := New()(t.Context(), &protocol.Request{Op: "prun"})
	if result != nil || err == nil || err.Error() != `unknown op "prun"` {
		t.Errorf("%v, %v", result, err)
	}
}
