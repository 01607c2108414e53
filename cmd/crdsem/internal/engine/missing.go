package engine

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/vendor"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/internal/kit/visible"
)

// AddVendored adds the folder that crdsem vendor wrote, if there is one, to the
// definitions by which objects are judged.
func (e *Engine) AddVendored() error {
	if e.Config == nil || e.Config.Path == "" || e.DefinitionsOnly {
		return nil
	}
	folder, err := vendor.New(filepath.Dir(e.Config.Path)).Folder(e.Config.Definitions)
	if err != nil {
		return fmt.Errorf("%s: %w", e.Config.Path, err)
	}
	if folder != "" {
		e.CRDs = append(e.CRDs, shownName(folder))
	}
	return nil
}

// missing has the kinds without a definition by the sources that publish it.
type missing struct {
	kinds      map[string][]string
	configured []string // the sources of the configuration
}

// add counts a result, and adds the source to its finding. A kind that is
// probably misspelt has none.
func (m *missing) add(r *verdict.Result, of *config.File) {
	if r.Reason != verdict.NoDefinition || len(r.Findings) > 0 && r.Findings[0].Hint != "" {
		return
	}
	group, _ := typemeta.Split(r.APIVersion)
	source := vendor.Publisher(group, r.Kind)
	if source == "" {
		return
	}
	if of != nil {
		m.configured = of.Definitions.Sources
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Hint = "run crdsem vendor"; !slices.Contains(m.configured, source) {
			f.Hint = fmt.Sprintf("add `- %s` to definitions.sources of %s, and run crdsem vendor",
				source, config.Name)
		}
	}
	if m.kinds == nil {
		m.kinds = map[string][]string{}
	}
	if kind := r.Kind + "." + group; !slices.Contains(m.kinds[source], kind) {
		m.kinds[source] = append(m.kinds[source], kind)
	}
}

// few returns kinds for one line.
func few(kinds []string) string {
	const shown = 3
	if len(kinds) <= shown+1 {
		return strings.Join(kinds, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(kinds[:shown], ", "), len(kinds)-shown)
}

// print prints the lines of definitions.sources that are missing, and those
// whose definitions are.
func (m *missing) print(out io.Writer) {
	var added, known strings.Builder
	for _, source := range jsonvalue.SortedKeys(m.kinds) {
		to := &added
		if slices.Contains(m.configured, source) {
			to = &known
		}
		visible.Printf(to, "  - %s  # %s\n", source, few(m.kinds[source]))
	}
	if added.Len() > 0 {
		fmt.Fprintf(out, "definitions that can be added to definitions.sources of %s, "+
			"for crdsem vendor:\n%s", config.Name, added.String())
	}
	if known.Len() > 0 {
		fmt.Fprintf(out, "definitions that crdsem vendor copies from the sources in %s:\n%s",
			config.Name, known.String())
	}
}

// remark says what is to be done about the configuration: entries that ignore
// nothing, and sources of definitions that are missing; and how kustomizations
// are judged, if nothing else was read.
func (e *Engine) remark(to io.Writer) {
	for _, entry := range e.Repo.unused() {
		fmt.Fprintf(to, "%s: ignore %s: there is no such finding\n",
			e.Repo.Config.Path, entry)
	}
	e.missing.print(to)
	if e.outcome() == NotJudged && len(e.Kustomize) == 0 && !e.ObjectsOnly {
		for _, folder := range e.unrendered {
			fmt.Fprintf(to, "the objects of the kustomization are those that kustomize makes: "+
				"crdsem validate --kustomize %s judges them\n", visible.Line(folder))
		}
	}
}
