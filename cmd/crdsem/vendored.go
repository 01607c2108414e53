package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/vendor"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/internal/base/visible"
)

// addVendored adds the folder that crdsem vendor wrote, if there is one, to the
// definitions by which objects are judged.
func (e *engine) addVendored() error {
	if e.config == nil || e.config.Path == "" || e.definitionsOnly {
		return nil
	}
	folder, err := vendor.New(filepath.Dir(e.config.Path)).Folder(e.config.Definitions)
	if err != nil {
		return fmt.Errorf("%s: %w", e.config.Path, err)
	}
	if folder != "" {
		e.crds = append(e.crds, folder)
	}
	return nil
}

// missing has the kinds without a definition by the sources that publish it.
type missing map[string][]string

// add counts a result, and adds the source to its finding.
func (m *missing) add(r *verdict.Result) {
	if r.Reason != verdict.NoDefinition {
		return
	}
	group, _ := typemeta.Split(r.APIVersion)
	source := vendor.Publisher(group, r.Kind)
	if source == "" {
		return
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Hint == "" {
			f.Hint = fmt.Sprintf("add `- %s` to definitions.sources of %s, and run crdsem vendor",
				source, config.Name)
		}
	}
	if *m == nil {
		*m = missing{}
	}
	if kind := r.Kind + "." + group; !slices.Contains((*m)[source], kind) {
		(*m)[source] = append((*m)[source], kind)
	}
}

// print prints the lines of definitions.sources that are missing.
func (m *missing) print(std streams) {
	if len(*m) == 0 {
		return
	}
	visible.Printf(std.err, "definitions that can be added to definitions.sources of %s, "+
		"for crdsem vendor:\n", config.Name)
	for _, source := range jsonvalue.SortedKeys(*m) {
		visible.Printf(std.err, "  - %s  # %s\n", source, strings.Join((*m)[source], ", "))
	}
}
