package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/crdsem/crdsem/internal/app/firstsuite"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/kit/crdtest"
)

// writeFirst writes a first suite for each definition in the paths, next to it.
func (c *tests) writeFirst(ctx context.Context, std streams) (int, error) {
	crds, err := crdtest.ReadCRDs(c.paths...)
	if err != nil {
		return 0, err
	}
	written := map[string]bool{}
	for _, crd := range crds {
		suite, err := firstsuite.Of(ctx, crd)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", crd.File, err)
		}
		text := suite.Text(filepath.Base(crd.File))
		plural, _, _ := strings.Cut(crd.Name(), ".")
		file := filepath.Join(filepath.Dir(crd.File), filepath.Base(plural)+".crdtest.yaml")
		if written[file] { // another definition of these objects, e.g. of another channel
			file = strings.TrimSuffix(crd.File, filepath.Ext(crd.File)) + ".crdtest.yaml"
		}
		if err := writeNew(file, text); err != nil {
			return 0, err
		}
		written[file] = true
		visible.Printf(std.out, "%s: written\n", file)
	}
	return exitOK, nil
}

// writeNew writes a file that must not exist.
func writeNew(file string, text []byte) error {
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s: exists already: --init writes new suites only", file)
	}
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	return errors.Join(err, out.Close())
}
