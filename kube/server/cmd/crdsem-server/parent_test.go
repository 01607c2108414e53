//go:build unix

package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/crdsem/crdsem/minors"
)

// A terminal that is closed ends the server, which writes its data, for the
// owner only.
func TestHangup(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	cmd, in := serving(t, "--data", data)
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	_ = in.Close() // the program has closed it
	text, err := os.ReadFile(data)
	if err != nil || !strings.Contains(string(text), `"key":"//namespaces/default"`) {
		t.Errorf("%s, %v", text, err)
	}
	if info, err := os.Stat(data); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

// An asset ends when the program that started it is gone, and not before.
func TestOrphans(t *testing.T) {
	folder := t.TempDir()
	if err := os.Symlink(program(t), filepath.Join(folder, "etcd")); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	parent := exec.Command("sh", "-c", `"$0" --listen-client-urls="$1" & wait`,
		filepath.Join(folder, "etcd"), url)
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	answers := func() bool {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/health", nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return false
		}
		return response.Body.Close() == nil
	}
	within := func(want bool) bool {
		for end := time.Now().Add(30 * time.Second); time.Now().Before(end); {
			if answers() == want {
				return true
			}
			time.Sleep(20 * time.Millisecond)
		}
		return false
	}
	if !within(true) {
		t.Fatal("it does not answer")
	}
	time.Sleep(2 * parentPeriod)
	if !answers() {
		t.Error("it ended before its parent")
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait() // it was killed
	if !within(false) {
		t.Error("it goes on without its parent")
	}
}

// The context goes on while the parent is there.
func TestWithParent(t *testing.T) {
	ctx, cancel := withParent(context.Background())
	select {
	case <-ctx.Done():
		t.Error("it ended")
	case <-time.After(2 * parentPeriod):
	}
	cancel()
	<-ctx.Done()
}

// Env fills a folder and prints a line that a shell evaluates.
func TestEnv(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "it's")
	for _, args := range [][]string{{folder}, {"--kubernetes", "1.32", folder}} {
		var out strings.Builder
		if err := env(args, &out); err != nil {
			t.Fatal(err)
		}
		text, err := exec.Command("sh", "-c", out.String()+`printf %s "$KUBEBUILDER_ASSETS"`).Output()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(string(text), "kube-apiserver")); err != nil {
			t.Errorf("%s: %v", out.String(), err)
		}
	}
	for _, args := range [][]string{
		nil, {"a", "b"}, {"--kubernetes", "1.2", folder}, {"--kubernetes", "all", folder},
	} {
		if err := env(args, &strings.Builder{}); err == nil {
			t.Errorf("%q is no error", args)
		}
	}
}

// The assets of all minors take the room of one program.
func TestAssetsAreLinked(t *testing.T) {
	folder := t.TempDir()
	args := []string{"--kubernetes", "1.31-1.32", folder}
	if err := assetsOf(args, &strings.Builder{}); err != nil {
		t.Fatal(err)
	}
	var files []os.FileInfo
	for _, minor := range []string{"1.31", "1.32"} {
		for _, name := range []string{"kube-apiserver", "etcd"} {
			info, err := os.Stat(filepath.Join(folderOf(folder, minors.Minor(minor)), name))
			if err != nil {
				t.Fatal(fmt.Errorf("%s: %w", minor, err))
			}
			files = append(files, info)
		}
	}
	for _, info := range files[1:] {
		if !os.SameFile(files[0], info) {
			t.Errorf("%s is a file of its own", info.Name())
		}
	}
}
