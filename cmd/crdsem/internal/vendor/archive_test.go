package vendor_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/vendor"
)

// entry is a file of an archive; a link if its text starts with "->".
type entry struct{ name, text string }

func tarball(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	archive := tar.NewWriter(zipped)
	for _, e := range entries {
		header := &tar.Header{Name: e.name, Mode: 0o644, Size: int64(len(e.text))}
		if target, isLink := strings.CutPrefix(e.text, "->"); isLink {
			header.Typeflag, header.Linkname, header.Size = tar.TypeSymlink, target, 0
			e.text = ""
		}
		if err := archive.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte(e.text)); err != nil {
			t.Fatal(err)
		}
	}
	_, _ = archive.Close(), zipped.Close()
	return out.Bytes()
}

func zipped(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, e := range entries {
		w, err := archive.Create(e.name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(e.text)); err != nil {
			t.Fatal(err)
		}
	}
	_ = archive.Close()
	return out.Bytes()
}

// longHeader returns an archive with a name of 2 GiB, as its header says.
func longHeader() []byte {
	block := make([]byte, 512)
	copy(block, "././@LongLink")
	copy(block[100:], "0000644\x000000000\x000000000\x0020000000000\x0000000000000\x00        L")
	copy(block[257:], "ustar  ")
	sum := 0
	for _, b := range block {
		sum += int(b)
	}
	copy(block[148:], fmt.Sprintf("%06o\x00 ", sum))
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	_, _ = zipped.Write(block)
	_, _ = zipped.Write(bytes.Repeat([]byte("a"), 1<<22))
	_ = zipped.Close()
	return out.Bytes()
}

func TestArchives(t *testing.T) {
	a, big := entry{"x/a.yaml", crd("as", "")}, strings.Repeat("# ", 1<<16)
	many := make([]entry, 200)
	for i := range many {
		many[i] = entry{"x/file", ""}
	}
	deflated := strings.Repeat("\x00", 4<<20)
	for _, c := range []struct {
		name  string
		data  []byte
		below string
		names string
		err   string
	}{
		{name: "tar", data: tarball(t, a), names: "as"},
		{name: "zip", data: zipped(t, a), names: "as"},
		{name: "path", data: tarball(t, a, entry{"x/c/b.yaml", crd("bs", "")}), below: "c", names: "bs"},
		{name: "whole path", data: tarball(t, a), below: "x/a.yaml", names: "as"},
		{name: "file", data: []byte(crd("as", "")), names: "as"},
		{name: "empty", data: nil},
		{name: "dot", data: tarball(t, entry{"./a.yaml", crd("as", "")}), names: "as"},
		{name: "link", data: tarball(t, entry{"x/l.yaml", "->/etc/passwd"}, a), names: "as"},
		{name: "patch", data: tarball(t, entry{"p.yaml", strings.Replace(crd("as", ""), "group", "scope", 1)})},
		{name: "same twice", data: tarball(t, a, entry{"x/b.yaml", a.text}), names: "as"},
		{name: "twice", data: tarball(t, a, entry{"x/b.yaml", crd("as", "# b")}), err: "another as.example.com"},
		{name: "name", data: tarball(t, entry{"x/a.yaml", crd("../../as", "")}), err: "no name of a definition"},
		{name: "up", data: tarball(t, entry{"../a.yaml", "a"}), err: "outside"},
		{name: "inner up", data: zipped(t, entry{"x/../../a.yaml", "a"}), err: "outside"},
		{name: "absolute", data: tarball(t, entry{"/a.yaml", "a"}), err: "outside"},
		{name: "large file", data: tarball(t, entry{"a.yaml", big}), err: "more than 65536 bytes"},
		{name: "large file of zip", data: zipped(t, entry{"a.yaml", big}), err: "more than 65536 bytes"},
		{name: "bomb", data: tarball(t, entry{"a.txt", deflated}, a), err: "more bytes than are read"},
		{name: "many files", data: tarball(t, many...), err: "more than 100 files"},
		{name: "long header", data: longHeader(), err: "more bytes than are read"},
		{name: "cut", data: tarball(t, a)[:60], err: "archive"},
		{name: "cut zip", data: zipped(t, a)[:60], err: "archive"},
		{name: "no tar", data: []byte("\x1f\x8b\x08junk"), err: "archive"},
		{name: "YAML", data: tarball(t, entry{"a.yaml", "CustomResourceDefinition: ["}), err: "a.yaml"},
	} {
		got, err := vendor.Unpack(t.Context(), bytes.NewReader(c.data), c.below)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, not %q", c.name, err, c.err)
			}
			continue
		}
		if err != nil || len(got) != len(strings.Fields(c.names)) {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
		for name := range strings.FieldsSeq(c.names) {
			if got[name+".example.com"] == "" {
				t.Errorf("%s: %v has no %s", c.name, got, name)
			}
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := vendor.Unpack(ended, bytes.NewReader(tarball(t, a)), ""); err == nil {
		t.Error("an archive is read after the end of the context")
	}
}

// Reading an archive ends, and no name is a path.
func FuzzUnpack(f *testing.F) {
	a := entry{"x/a.yaml", crd("as", "")}
	f.Add(tarball(f, a), "x")
	f.Add(zipped(f, a), "")
	f.Add([]byte(crd("as", "")), "")
	f.Fuzz(func(t *testing.T, data []byte, below string) {
		got, _ := vendor.Unpack(t.Context(), bytes.NewReader(data), below)
		for name := range got {
			if strings.ContainsAny(name, `/\`) || strings.HasPrefix(name, ".") {
				t.Errorf("%q", name)
			}
		}
	})
}
