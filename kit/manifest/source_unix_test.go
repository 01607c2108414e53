//go:build unix

package manifest_test

import (
	"errors"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/kit/manifest"
)

// A link to a folder is read like the folder.
func TestLink(t *testing.T) {
	write(t, "d/b.yaml", "d/c/x.json")
	if err := os.Symlink("d", "link"); err != nil {
		t.Fatal(err)
	}
	got := names(manifest.Find([]string{"link"}, nil))
	if diff := cmp.Diff([]string{"link/b.yaml", "link/c/x.json"}, got); diff != "" {
		t.Error(diff)
	}
}

// A device has no end.
func TestDevice(t *testing.T) {
	for _, err := range manifest.Find([]string{"/dev/zero"}, nil)[0].Documents() {
		const want = "/dev/zero: neither a file nor a folder nor a pipe"
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A pipe that is named is read, and can be read again.
func TestFIFO(t *testing.T) {
	write(t)
	if err := syscall.Mkfifo("p", 0o644); err != nil {
		t.Fatal(err)
	}
	go func() { _ = os.WriteFile("p", []byte("a: 1\n---\nb: 1\n"), 0o600) }()
	in := manifest.Find([]string{"p"}, nil)[0]
	if in.IsStream() || counted(t, in) != 2 || counted(t, in) != 2 || !in.IsStream() {
		t.Error("a pipe is not read twice")
	}
}

// Files are closed: the next one has the same number as before.
func TestFilesAreClosed(t *testing.T) {
	write(t, "f")
	if err := syscall.Mkfifo("p", 0o644); err != nil {
		t.Fatal(err)
	}
	next := func() uintptr {
		file, err := os.Open("f")
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		return file.Fd()
	}
	counted(t, &manifest.Source{Name: "f"})
	before := next()
	counted(t, &manifest.Source{Name: "f"})
	go func() { _ = os.WriteFile("p", []byte("a: 1\n"), 0o600) }()
	counted(t, &manifest.Source{Name: "p"})
	if after := next(); after != before {
		t.Errorf("file %d, then file %d", before, after)
	}
}

// A socket is no file, and a file that cannot be read has its name once.
func TestUnreadableFiles(t *testing.T) {
	write(t)
	socket, err := net.Listen("unix", "s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	for name, want := range map[string]string{
		"s": "neither a file nor a folder nor a pipe", "/proc/self/mem": "input/output error",
	} {
		for doc, err := range (&manifest.Source{Name: name}).Documents() {
			if doc != nil || err == nil || err.Error() != name+": "+want {
				t.Errorf("%s: %v, want %s", name, err, want)
			}
		}
	}
}

// A folder that cannot be read is an error; the system refuses long paths.
func TestUnreadableFolder(t *testing.T) {
	write(t, "d/a.yaml")
	top, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	name := strings.Repeat("x", 250)
	t.Chdir("d")
	for range 20 {
		if err := errors.Join(os.Mkdir(name, 0o700), os.Chdir(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chdir(top); err != nil {
		t.Fatal(err)
	}
	list := manifest.Find([]string{"d"}, nil)
	if len(list) != 2 || list[0].Name != "d/a.yaml" || list[1].Err == nil ||
		!strings.HasSuffix(list[1].Err.Error(), name+": file name too long") {
		t.Errorf("%v", names(list))
	}
}

// Without a working directory a path stays relative.
func TestPathWithoutFolder(t *testing.T) {
	write(t)
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	if got := (&manifest.Source{Name: "x/../y"}).Path(); got != "y" {
		t.Errorf("%q, want y", got)
	}
}

// A FIFO in a folder may have no writer. It is left out.
func TestFIFOInFolder(t *testing.T) {
	write(t, "d/a.yaml")
	if err := syscall.Mkfifo("d/b.yaml", 0o644); err != nil {
		t.Fatal(err)
	}
	got := names(manifest.Find([]string{"d"}, nil))
	if diff := cmp.Diff([]string{"d/a.yaml"}, got); diff != "" {
		t.Error(diff)
	}
}
