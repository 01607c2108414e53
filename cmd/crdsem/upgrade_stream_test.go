package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// list is a stream of one list of pools, as kubectl get -A -o json prints it.
// It measures the live memory on its way.
type list struct {
	left    int // objects
	item    string
	pending strings.Reader
	state   int
	next    int // objects between measurements
	live    uint64
	size    int
}

// measurements is how often memory is measured.
const measurements = 8

func newList(objects, padding int) *list {
	return &list{left: objects, next: objects / measurements, item: fmt.Sprintf(`        {
            "apiVersion": "example.com/v1beta1",
            "kind": "Pool",
            "metadata": {
                "annotations": {"padding": %q},
                "name": "pool-%%d",
                "namespace": "prod",
                "resourceVersion": "7",
                "uid": "9a0c"
            },
            "spec": {
                "replicas": %%d,
                "zone": "c"
            }
        }`, strings.Repeat("x", padding))}
}

func (l *list) Read(to []byte) (int, error) {
	for l.pending.Len() == 0 {
		switch {
		case l.state == 0:
			l.pending.Reset("{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n")
			l.state = 1
		case l.left > 0:
			text := fmt.Sprintf(l.item, l.left, l.left%200)
			if l.left--; l.left > 0 {
				text += ","
			}
			l.pending.Reset(text + "\n")
			l.measure()
		case l.state == 1:
			l.pending.Reset("    ],\n    \"kind\": \"List\",\n    \"metadata\": {}\n}\n")
			l.state = 2
		default:
			return 0, io.EOF
		}
	}
	n, err := l.pending.Read(to)
	l.size += n
	return n, err
}

func (l *list) measure() {
	if l.left%l.next == 0 {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		l.live = max(l.live, stats.HeapAlloc)
	}
}

// counting counts lines, and keeps the last one.
type counting struct {
	lines int
	last  []byte
}

func (c *counting) Write(text []byte) (int, error) {
	c.lines += bytes.Count(text, []byte("\n"))
	c.last = append(c.last[:0], text[max(0, len(text)-200):]...)
	return len(text), nil
}

// A stream of any length is judged in bounded memory: a list of 250 MB needs no
// more than one of 25 MB.
func TestUpgradeOfStreamIsBounded(t *testing.T) {
	live := map[int]uint64{}
	for _, objects := range []int{1_000, 10_000} {
		stream, out := newList(objects, 25_000), &counting{}
		code := run(context.Background(), strings.Fields(
			"upgrade ../../examples/upgrade/old.yaml ../../examples/upgrade/new.yaml -"),
			streams{stream, out, os.Stderr})
		want := fmt.Sprintf("pools.example.com: %d objects: %d ratcheted\n", objects, objects)
		if code != exitRefused || !strings.HasSuffix(string(out.last), want) {
			t.Errorf("exit code %d, the last line of %d is %s", code, out.lines, out.last)
		}
		t.Logf("%d MB: %d MB live", stream.size>>20, stream.live>>20)
		live[objects] = stream.live
		if objects == 10_000 && stream.size < 200<<20 {
			t.Errorf("the stream has %d bytes", stream.size)
		}
	}
	if least, most := live[1_000], live[10_000]; most > least+16<<20 {
		t.Errorf("%d MB are live, and %d MB of a stream of a tenth", most>>20, least>>20)
	}
}

// Lists, JSON lines and folders of the same objects have the same fates.
func TestUpgradeOfFormsOfObjects(t *testing.T) {
	one := `{"apiVersion": "example.com/v1beta1", "kind": "Pool", "metadata": {"name": "a", "namespace": "b"}, "spec": {"zone": "c"}}`
	two := strings.ReplaceAll(strings.Replace(one, `"a"`, `"d"`, 1), `"c"`, `"a"`)
	folder := t.TempDir()
	for name, text := range map[string]string{"1.json": one, "2.yaml": "---\n" + two} {
		write(t, filepath.Join(folder, name), text)
	}
	for _, c := range []struct{ name, stdin, path string }{
		{"list", `{"items": [` + one + "," + two + `], "kind": "List"}`, "-"},
		{"list of the kind", `{"kind": "PoolList", "items": [` + one + "," + two + `]}`, "-"},
		{"lines", one + "\n" + two + "\n", "-"},
		{"YAML", "kind: List\nitems:\n- " + one + "\n- " + two + "\n", "-"},
		{"folder", "", folder},
	} {
		_, out, errs := execute(t, c.stdin, "upgrade", "--tries", "0",
			"../../examples/upgrade/old.yaml", "../../examples/upgrade/new.yaml", c.path)
		if !strings.HasSuffix(out, "pools.example.com: 2 objects: 1 ratcheted, 1 unaffected\n") ||
			!strings.Contains(out, ": Pool b/a: ratcheted\n") || errs != "" {
			t.Errorf("%s:\n%s%s", c.name, out, errs)
		}
	}
}
