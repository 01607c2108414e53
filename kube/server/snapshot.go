package server

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crdsem/crdsem/kube/server/internal/storage"
)

// A file with the objects of a server has one line of JSON for each object,
// after a line that says what it is. Definitions come first, because they say
// what the other objects are.

// snapshotHead is the first line of a file.
type snapshotHead struct {
	Kind     string `json:"kind"`
	Revision uint64 `json:"revision"`
}

// snapshotKind is the kind of the files, with the version of their form.
const snapshotKind = "crdsem-server/v1"

// snapshotLine is an object in a file.
type snapshotLine struct {
	Group        string         `json:"group"`
	Resource     string         `json:"resource"`
	Key          string         `json:"key"`
	Revision     uint64         `json:"revision"`
	NegativeZero bool           `json:"negativeZero,omitempty"`
	Content      map[string]any `json:"content"`
}

// save writes all objects to a file, whole or not at all.
func (c *cluster) save(path string) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	out := bufio.NewWriter(file)
	err = c.write(out)
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

func (c *cluster) write(out *bufio.Writer) error {
	to := json.NewEncoder(out)
	if err := to.Encode(snapshotHead{snapshotKind, c.store.Revision()}); err != nil {
		return err
	}
	all := c.sorted()
	slices.SortStableFunc(all, func(a, b *kind) int {
		return cmp.Compare(isDefinitions(b), isDefinitions(a))
	})
	for _, k := range all {
		objects, _ := k.objects.List(k.prefix(""))
		for _, object := range objects {
			err := to.Encode(snapshotLine{
				Group: k.resource.Group, Resource: k.resource.Resource, Key: object.Key,
				Revision: object.Revision, NegativeZero: object.NegativeZero,
				Content: object.Content,
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
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
	head, lines, _ := bytes.Cut(text, []byte("\n"))
	var is snapshotHead
	if err := json.Unmarshal(head, &is); err != nil || is.Kind != snapshotKind {
		return fmt.Errorf("%s: line 1: expected the kind %s of a file that a server wrote",
			path, snapshotKind)
	}
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
		k.objects.Restore(&storage.Object{
			Key: object.Key, Content: object.Content, Revision: object.Revision,
			NegativeZero: object.NegativeZero,
		})
	}
	c.store.Restore(is.Revision)
	c.random = rand.New(rand.NewPCG(1, is.Revision)) // for uids that are new
	return nil
}
