package mutation

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/app/spine"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/kit/crdtest"
)

// Score returns how many mutants were noticed, of how many.
func (m *Report) Score() crdtest.Score {
	score := crdtest.Score{Goals: len(m.Mutants)}
	for _, mutant := range m.Mutants {
		if mutant.NoticedBy != "" {
			score.Reached++
		}
	}
	return score
}

// Survivors returns the mutants that no case noticed.
func (m *Report) Survivors() []*Mutant {
	var all []*Mutant
	for _, mutant := range m.Mutants {
		if mutant.NoticedBy == "" {
			all = append(all, mutant)
		}
	}
	return all
}

// WriteText writes the scores of the definitions, and a line for each survivor.
// Survivors in fields that no case has are only counted.
func (m *Report) WriteText(out io.Writer) error {
	var b strings.Builder
	for _, part := range m.byDefinition() {
		first, score := part.Mutants[0], part.Score()
		const line = "%s: %s: %d of %d mutants noticed (%.1f%%), %d in fields that no case has\n"
		visible.Printf(&b, line,
			first.File, first.Name, score.Reached, score.Goals, score.Percent(), part.unvisited())
	}
	survivors := m.Survivors()
	slices.SortStableFunc(survivors, func(a, b *Mutant) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column))
	})
	for _, mutant := range survivors {
		if mutant.Visited {
			visible.Printf(&b, "%s:%d:%d: %s: %s\n", mutant.File, mutant.Line, mutant.Column,
				spine.Field(mutant.Path), mutant.Change)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// unvisited returns the number of mutants in fields that no case has.
func (m *Report) unvisited() int {
	n := 0
	for _, mutant := range m.Mutants {
		if !mutant.Visited {
			n++
		}
	}
	return n
}

// byDefinition splits the mutants by definition.
func (m *Report) byDefinition() []*Report {
	var parts []*Report
	for i, mutant := range m.Mutants {
		if i == 0 || mutant.crd != m.Mutants[i-1].crd {
			parts = append(parts, &Report{})
		}
		last := parts[len(parts)-1]
		last.Mutants = append(last.Mutants, mutant)
	}
	return parts
}

// WriteJSON writes the mutants as one JSON object.
func (m *Report) WriteJSON(out io.Writer) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(m)
}
