// Package release_test checks the files that a release needs against each
// other. `make check` in tools/release reads the first of them as goreleaser
// does.
package release_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const root = "../../.."

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The images are built with the Go version of go.mod, and their files exist.
func TestDockerfile(t *testing.T) {
	_, version, _ := strings.Cut(read(t, "go.mod"), "\ngo ")
	version, _, _ = strings.Cut(version, "\n")
	version = strings.TrimSuffix(version, ".0")
	for _, name := range []string{".ci/Dockerfile", ".ci/Dockerfile.server"} {
		file := read(t, name)
		if !strings.Contains(file, "FROM --platform=$BUILDPLATFORM golang:"+version+".") {
			t.Errorf("%s: the image is not built with Go %s", name, version)
		}
		for line := range strings.Lines(file) {
			words := strings.Fields(line)
			if len(words) < 3 || words[0] != "COPY" || strings.HasPrefix(words[1], "--") {
				continue
			}
			for _, source := range words[1 : len(words)-1] {
				if _, err := os.Stat(filepath.Join(root, source)); err != nil {
					t.Errorf("%s copies %s: %v", name, source, err)
				}
			}
		}
	}
}

// The step of action.yml builds the command and writes annotations: an object
// that is accepted, one that is not, and further arguments.
func TestAction(t *testing.T) {
	removeBuilt(t)
	const head = "apiVersion: g.io/v1\nkind: K\nmetadata: {name: x}\n"
	dir := t.TempDir()
	for name, text := range map[string]string{
		"crds/ks.yaml": `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ks.g.io}
spec:
  {group: g.io, scope: Cluster, names: {plural: ks, kind: K}, versions: [{name: v1, served: true,
   storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: integer}}}}}]}
`,
		"good/k.yaml": head + "a: 1\n", "bad/k.yaml": head + "a: x\n", "odd/k.yaml": head + "b: 1\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		paths, arguments string
		exit             int
		annotation       string
	}{
		{"good", "", 0, ""},
		{"good bad", "", 1, "::error file=bad/k.yaml,line=4"},
		{"odd", "", 1, "::error file=odd/k.yaml,line=4"},
		{"odd", "--field-validation Ignore", 0, ""},
	} {
		out, exit := action(t, dir, c.paths, c.arguments)
		if sarif, err := os.ReadFile(filepath.Join(dir, "found.sarif")); err != nil ||
			strings.Contains(string(sarif), `"level": "error"`) != (c.exit == 1) {
			t.Errorf("%s: %v %s", c.paths, err, sarif)
		}
		if exit != c.exit || !strings.Contains(out, c.annotation) ||
			(c.annotation == "") != !strings.Contains(out, "::error") {
			t.Errorf("%s %s: exit code %d, want %d: %s", c.paths, c.arguments, exit, c.exit, out)
		}
	}
}

// action runs the step in a folder and returns its output and exit code.
func action(t *testing.T, dir, paths, arguments string) (string, int) {
	t.Helper()
	script, err := filepath.Abs(filepath.Join(root, ".ci/action"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "RUNNER_TEMP="+dir, "INPUT_PATHS="+paths, "INPUT_CRDS=crds",
		"INPUT_SARIF=found.sarif", "CRDSEM_CACHE="+dir,
		"INPUT_ARGUMENTS="+arguments)
	out, err := cmd.CombinedOutput()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// The action gives its step every input, and the hook for pre-commit calls a
// command that exists.
func TestActionAndHook(t *testing.T) {
	var file struct {
		Inputs map[string]any
		Runs   struct {
			Steps []struct {
				Run string
				Env map[string]string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, "action.yml")), &file); err != nil {
		t.Fatal(err)
	}
	step := file.Runs.Steps[slices.IndexFunc(file.Runs.Steps, func(s struct {
		Run string
		Env map[string]string
	}) bool {
		return s.Run != ""
	})]
	script := read(t, strings.TrimPrefix(step.Run, "${{ github.action_path }}/"))
	for name := range file.Inputs {
		variable := "INPUT_" + strings.ToUpper(name)
		if step.Env[variable] != "${{ inputs."+name+" }}" || !strings.Contains(script, variable) {
			t.Errorf("the step does not get the input %s", name)
		}
	}
	var hooks []struct{ Entry, Language string }
	if err := yaml.Unmarshal([]byte(read(t, ".pre-commit-hooks.yaml")), &hooks); err != nil {
		t.Fatal(err)
	}
	if len(hooks) != 1 || hooks[0].Language != "script" {
		t.Fatalf("%+v", hooks)
	}
	info, err := os.Stat(filepath.Join(root, hooks[0].Entry))
	if err != nil || info.Mode()&0o111 == 0 {
		t.Errorf("the hook calls %s: %v, %v", hooks[0].Entry, info.Mode(), err)
	}
}

// removeBuilt removes the command that a script built, and again at the end.
func removeBuilt(t *testing.T) {
	t.Helper()
	binary := filepath.Join(root, ".crdsem")
	if err := os.Remove(binary); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(binary) })
}

// The binary of a release is loaded once and compared with its checksum. A
// checkout without a release builds its own.
func TestReleasedBinary(t *testing.T) {
	removeBuilt(t)
	releases, cache := t.TempDir(), t.TempDir()
	folder := filepath.Join(releases, "v1.2.3")
	pack := `set -e; cd "$1"; printf '#!/bin/sh\necho released\n' >crdsem; chmod +x crdsem
		os=$(uname -s | tr '[:upper:]' '[:lower:]')
		for arch in amd64 arm64; do tar -czf crdsem_${os}_$arch.tar.gz crdsem; done
		{ sha256sum *.tar.gz 2>/dev/null || shasum -a 256 *.tar.gz; } >checksums.txt`
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("bash", "-c", pack, "pack", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	binary := func(cache, version string) (string, string, int) {
		cmd := exec.Command(filepath.Join(root, ".ci/binary"))
		cmd.Env = append(os.Environ(), "CRDSEM_RELEASES=file://"+releases,
			"CRDSEM_CACHE="+cache, "CRDSEM_VERSION="+version)
		var errs strings.Builder
		cmd.Stderr = &errs
		out, _ := cmd.Output()
		return strings.TrimSpace(string(out)), errs.String(), cmd.ProcessState.ExitCode()
	}
	want := filepath.Join(cache, "v1.2.3", "crdsem")
	path, errs, code := binary(cache, "v1.2.3")
	if said, err := exec.Command(path).Output(); err != nil || string(said) != "released\n" ||
		path != want || code != 0 {
		t.Fatalf("%s, exit code %d, %v: %s%s", path, code, err, said, errs)
	}
	sums := filepath.Join(folder, "checksums.txt")
	if err := os.WriteFile(sums, []byte("0  crdsem_linux_amd64.tar.gz\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if path, errs, code := binary(cache, "v1.2.3"); path != want || code != 0 {
		t.Errorf("it is not taken from the cache: %s, exit code %d: %s", path, code, errs)
	}
	other := t.TempDir()
	if path, errs, code := binary(other, "v1.2.3"); path != "" || code != 2 ||
		!strings.Contains(errs, "which is not that of the release") {
		t.Errorf("another checksum: %s, exit code %d: %s", path, code, errs)
	}
	if left, _ := os.ReadDir(other); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
	for _, version := range []string{"v9.9.9", "main", "v1.2.3/../v1.2.3"} {
		path, errs, code := binary(other, version)
		if filepath.Base(path) != ".crdsem" || code != 0 {
			t.Errorf("%s: %s, exit code %d: %s", version, path, code, errs)
		}
	}
}

// The hook validates files, and is content with files that it cannot judge.
func TestHook(t *testing.T) {
	dir := t.TempDir()
	script, err := filepath.Abs(filepath.Join(root, ".ci/hook"))
	if err != nil {
		t.Fatal(err)
	}
	removeBuilt(t)
	examples, err := filepath.Abs(filepath.Join(root, "examples/crontab"))
	if err != nil {
		t.Fatal(err)
	}
	service := filepath.Join(dir, "service.yaml")
	const text = "apiVersion: v1\nkind: Service\nmetadata: {name: s}\n" +
		"spec: {ports: [{port: 80}]}\n"
	if err := os.WriteFile(service, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		exit int
	}{
		{[]string{filepath.Join(examples, "crd.yaml")}, 0},
		{[]string{service}, 0},
		{[]string{"--crd", examples, filepath.Join(examples, "refused.yaml")}, 1},
		{[]string{filepath.Join(dir, "none.yaml")}, 2},
	} {
		cmd := exec.Command(script, c.args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if exit := cmd.ProcessState.ExitCode(); exit != c.exit {
			t.Errorf("%v: exit code %d, want %d: %v %s", c.args, exit, c.exit, err, out)
		}
	}
}
