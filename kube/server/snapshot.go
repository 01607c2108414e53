package server

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crdsem/crdsem/kube/server/internal/storage"
)

// A file with the objects of a server has one line of JSON for each object,
// after a line that says what it is, and before a line with a sum of all lines.
// Definitions come first, because they say what the other objects are.

// snapshotHead is the first line of a file.
type snapshotHead struct {
	Kind     string `json:"kind"`
	Revision uint64 `json:"revision"`
}

// snapshotKind is the kind of the files, with the version of their form.
const snapshotKind = "crdsem-server/v1"

// snapshotLine is an object in a file.
type snapshotLine struct {
	Group        string          `json:"group"`
	Resource     string          `json:"resource"`
	Key          string          `json:"key"`
	Revision     uint64          `json:"revision"`
	NegativeZero bool            `json:"negativeZero,omitempty"`
	Content      json.RawMessage `json:"content"`
}

// snapshotEnd is the last line of a file.
type snapshotEnd struct {
	Lines  int    `json:"lines"` // before it
	SHA256 string `json:"sha256"`
}

// lockData locks the file of a server for it, as a file next to it, and removes
// what a server left that was killed while it wrote.
func lockData(path string) (lock *os.File, err error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
	}
	lock, err = os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := tryLock(lock); err != nil {
		return nil, errors.Join(
			fmt.Errorf("%s: another server uses it: %w", path, err), lock.Close())
	}
	strays, err := filepath.Glob(path + newSuffix + "*")
	for _, stray := range strays {
		err = errors.Join(err, os.Remove(stray))
	}
	return lock, err
}

// newSuffix begins the end of the name of a file that is being written.
const newSuffix = ".new-"

// save writes all objects to a file, whole or not at all.
func (c *cluster) save(path string) error {
	return writeWhole(path, c.write)
}

// saveEvery writes the file again and again until the context ends. One that
// cannot be written is logged, and tried again the next time.
func (c *cluster) saveEvery(ctx context.Context, period time.Duration, path string) {
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	saved := uint64(0)
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		now := c.store.Revision()
		if now == saved {
			continue
		}
		if err := c.save(path); err != nil {
			log.Printf("crdsem: the objects were not written: %v", err)
			continue
		}
		saved = now
	}
}

// writeWhole writes a file that only its owner can read, whole or not at all.
// What was there under the name, a link too, is replaced and not changed.
func writeWhole(path string, write func(*bufio.Writer) error) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+newSuffix)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	out := bufio.NewWriter(file)
	err = write(out)
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// write writes the lines of a file.
func (c *cluster) write(out *bufio.Writer) error {
	sum, lines := sha256.New(), 1
	to := json.NewEncoder(io.MultiWriter(out, sum))
	if err := to.Encode(snapshotHead{snapshotKind, c.store.Revision()}); err != nil {
		return err
	}
	all := c.sorted()
	slices.SortStableFunc(all, func(a, b *kind) int {
		return cmp.Compare(isDefinitions(b), isDefinitions(a))
	})
	for _, k := range all {
		objects, _ := k.objects.List(k.prefix(""))
		for object := range objects.All() {
			text, err := object.JSON()
			if err == nil {
				err = to.Encode(snapshotLine{
					Group: k.resource.Group, Resource: k.resource.Resource, Key: object.Key,
					Revision: object.Revision, NegativeZero: object.NegativeZero, Content: text,
				})
			}
			if err != nil {
				return err
			}
			lines++
		}
	}
	return json.NewEncoder(out).Encode(snapshotEnd{lines, hex.EncodeToString(sum.Sum(nil))})
}

// withoutEnd returns the lines of a file without the last one, and an error if
// that does not say that they are all there, as they were written.
func withoutEnd(text []byte) ([]byte, error) {
	at := bytes.LastIndexByte(bytes.TrimSuffix(text, []byte("\n")), '\n') + 1
	var end snapshotEnd
	if err := json.Unmarshal(text[at:], &end); err != nil || end.SHA256 == "" {
		return text, errors.New("the end is missing: the file was cut")
	}
	sum := sha256.Sum256(text[:at])
	if hex.EncodeToString(sum[:]) != end.SHA256 ||
		bytes.Count(text[:at], []byte("\n")) != end.Lines {
		return text[:at], errors.New(
			"the sum at the end is that of other lines: the file was changed")
	}
	return text[:at], nil
}

// isDefinitions returns 1 for the kind of definitions.
func isDefinitions(k *kind) int {
	if k.resource == definitions {
		return 1
	}
	return 0
}

// restore reads the objects of a file that save wrote. Without a file there are
// none.
func (c *cluster) restore(ctx context.Context, path string) error {
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	head, _, _ := bytes.Cut(text, []byte("\n"))
	var is snapshotHead
	if err := json.Unmarshal(head, &is); err != nil || is.Kind != snapshotKind {
		return fmt.Errorf("%s: line 1: expected the kind %s of a file that a server wrote",
			path, snapshotKind)
	}
	whole, cut := withoutEnd(text)
	lines := whole[min(len(head)+1, len(whole)):]
	number, installed := 1, false
	for line := range bytes.Lines(lines) {
		if number++; ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var object snapshotLine
		if err := utiljson.Unmarshal(line, &object); err != nil {
			return fmt.Errorf("%s: line %d: %w", path, number, err)
		}
		of := schema.GroupResource{Group: object.Group, Resource: object.Resource}
		if of != definitions && !installed {
			c.starting, installed = false, true
			c.installAll()
		}
		k, ok := c.kinds.Resource(of.Group, of.Resource)
		if !ok {
			return fmt.Errorf("%s: line %d: no definition of %s", path, number, of)
		}
		packed := storage.Packed(object.Key, object.Revision, object.Content)
		packed.NegativeZero = object.NegativeZero
		k.objects.Restore(packed)
	}
	if cut != nil { // told last: a line that is wrong says more
		return fmt.Errorf("%s: %w", path, cut)
	}
	c.store.Restore(is.Revision)
	return nil
}
