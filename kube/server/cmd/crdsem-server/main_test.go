package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/crdsem/crdsem/minors"
)

// program builds the command.
func program(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "crdsem-server")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// The program writes a kubeconfig, says when it answers, and ends with its
// input.
func TestServe(t *testing.T) {
	config := filepath.Join(t.TempDir(), "kubeconfig")
	cmd, in := serving(t, "--kubeconfig", config, "--kubernetes", "1.34")
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	rest, err := clientcmd.RESTConfigFromKubeConfig(text)
	if err != nil {
		t.Fatal(err)
	}
	c, err := kubernetes.NewForConfig(rest)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := c.Discovery().ServerVersion(); err != nil || v.GitVersion != "v1.34.0" {
		t.Errorf("%v, %v", v, err)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// serving starts the program and waits until it answers. It ends with its
// standard input.
func serving(t *testing.T, arguments ...string) (*exec.Cmd, io.Closer) {
	t.Helper()
	cmd := exec.Command(program(t), arguments...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "ready: https://127.0.0.1:") {
		t.Fatalf("%q, %v", line, err)
	}
	return cmd, in
}

// A suite that starts envtest runs on the assets without a change.
func TestAssets(t *testing.T) {
	folder := t.TempDir()
	out, err := exec.Command(program(t), "assets", folder).Output()
	if err != nil || string(out) != folder+"\n" {
		t.Fatalf("%v, prints %q", err, out)
	}
	t.Setenv("KUBEBUILDER_ASSETS", folder)
	env := &envtest.Environment{}
	config, err := env.Start()
	if err != nil {
		t.Fatal(err)
	}
	c, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	all, err := c.CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{})
	if err != nil || len(all.Items) != 4 {
		t.Errorf("%v, %v", all, err)
	}
	if err := env.Stop(); err != nil {
		t.Error(err)
	}
}

// The assets of a minor stand where setup-envtest puts them, and answer as that
// minor.
func TestAssetsOfMinors(t *testing.T) {
	folder := t.TempDir()
	cmd := exec.Command(program(t), "assets", "--kubernetes", "1.31-1.32", folder)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	var folders []string
	for _, minor := range []string{"1.31", "1.32"} {
		made := filepath.Join(folder, "k8s", minor+".0-"+runtime.GOOS+"-"+runtime.GOARCH)
		folders = append(folders, made)
		want.WriteString(made + "\n")
		of, err := minorOf(filepath.Join(made, "kube-apiserver"))
		if err != nil || of.String() != minor {
			t.Errorf("%s: %v, %v", made, of, err)
		}
	}
	if string(out) != want.String() {
		t.Errorf("prints %q, want %q", out, want.String())
	}
	t.Setenv("KUBEBUILDER_ASSETS", folders[1])
	env := &envtest.Environment{}
	config, err := env.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := env.Stop(); err != nil {
			t.Error(err)
		}
	}()
	c, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	version, err := c.Discovery().ServerVersion()
	if err != nil || version.Minor != "32" {
		t.Errorf("%v, %v", version, err)
	}
}

// A folder of assets without a minor is one of the newest, and one with another
// text is an error.
func TestMinorOf(t *testing.T) {
	folder := t.TempDir()
	program := filepath.Join(folder, "kube-apiserver")
	if of, err := minorOf(program); err != nil || of != minors.Newest() {
		t.Errorf("%v, %v", of, err)
	}
	if err := os.WriteFile(filepath.Join(folder, minorFile), []byte("1.2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := minorOf(program); err == nil {
		t.Error("1.2 is a minor")
	}
}

// A kubectl that is installed is the folder's, unless it is in the folder.
func TestAssetsKubectl(t *testing.T) {
	name := "kubectl"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	installed, folder := t.TempDir(), t.TempDir()
	const program = "installed"
	err := os.WriteFile(filepath.Join(installed, name), []byte(program), 0o755)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{installed, folder} {
		t.Setenv("PATH", path)
		if err := assets(folder+string(filepath.Separator), "", copies{}); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil || (string(text) == program) != (path == installed) {
			t.Errorf("%s: a kubectl of %d bytes, %v", path, len(text), err)
		}
	}
}

func TestHelp(t *testing.T) {
	var out strings.Builder
	err := run(t.Context(), "crdsem-server", []string{"--help"}, strings.NewReader(""), &out)
	for _, want := range []string{
		"crdsem-server assets DIR", "\n  --crd PATH\n", "\n  --kubeconfig FILE\n",
	} {
		if err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%v, %q, want %q", err, out.String(), want)
		}
	}
}

func TestVersion(t *testing.T) {
	var out strings.Builder
	err := run(t.Context(), "crdsem-server", []string{"--version"}, strings.NewReader(""), &out)
	line, linked, _ := strings.Cut(out.String(), "\n")
	if err != nil || !strings.HasPrefix(line, "crdsem-server") ||
		!strings.HasSuffix(line, fmt.Sprint(minors.All())) ||
		!strings.Contains(linked, "  with cel.dev/cel-go v") {
		t.Errorf("%v, %q", err, out.String())
	}
}

func TestBadUsage(t *testing.T) {
	for _, args := range [][]string{
		{"assets"}, {"assets", "--kubernetes", "1.2", "x"}, {"assets", "a", "b"}, {"x"}, {"--none"}, {"--kubernetes", "1.2"}, {"--crd", "/does/not/exist"},
		{"--data-every", "1s"}, {"--max-object-bytes", "-1"}, {"env"},
	} {
		err := run(t.Context(), "crdsem-server", args, strings.NewReader(""), io.Discard)
		if err == nil {
			t.Errorf("%q is no error", args)
		}
	}
	if err := run(t.Context(), "kubectl", nil, nil, nil); err == nil {
		t.Error("kubectl is no error")
	}
}
