package upgrade

import (
	"context"
	"slices"

	"github.com/crdsem/crdsem/internal/kit/relang"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

// answer is whether a keyword refuses a value that was admitted.
type answer struct {
	verdict verdict
	// hints are values that may show it, the surest first.
	hints []any
}

// verdict is what logic says. The zero value is that it cannot tell.
type verdict int

const (
	open verdict = iota
	yes
	no
)

// decided returns the answer yes or no.
func decided(isYes bool, hints ...any) answer {
	if isYes {
		return answer{yes, hints}
	}
	return answer{verdict: no}
}

// node is a schema node in a comparison.
type node struct {
	*structural.Schema
	values *structural.ValueValidation
	judges *judges
	all    *validation.Validator // of all its keywords, made when needed
	// isMetadata is set for the metadata of a resource.
	isMetadata bool
}

// judges makes the validators of nodes.
type judges struct {
	ctx   context.Context
	minor minors.Minor
}

func (j *judges) node(s *structural.Schema) *node {
	return &node{Schema: s, values: s.Values(), judges: j}
}

// accepts reports whether the keywords of the node accept a value.
func (n *node) accepts(v any) bool {
	if n.all == nil {
		n.all = validation.Compile(n.Schema, structural.Kubernetes(n.judges.minor))
	}
	return len(n.all.Values(n.judges.ctx, nil, v)) == 0
}

// restricted returns a node with the type of n and some keywords.
func (n *node) restricted(keywords map[string]any) *node {
	keywords["nullable"] = n.Nullable()
	if n.Type() != "" {
		keywords["type"] = n.Type()
	}
	if n.IntOrString() {
		keywords["x-kubernetes-int-or-string"] = true
	}
	schema, err := structural.FromMap(keywords)
	if err != nil {
		return n
	}
	return n.judges.node(schema)
}

// others returns a node with the type of n and its keywords of scalar values,
// but for one and its exclusive form.
func (n *node) others(than string) *node {
	keywords := map[string]any{}
	for _, k := range keywordsOfScalars {
		value := k.value(n.values)
		isPart := k.name == than || k.name == exclusiveForms[than] || than == exclusiveForms[k.name]
		if !isPart && !isAbsent(value) {
			keywords[k.name] = value
		}
	}
	if than != "enum" && len(n.values.Enum) > 0 {
		keywords["enum"] = n.values.Enum
	}
	return n.restricted(keywords)
}

var exclusiveForms = map[string]string{
	"maximum": "exclusiveMaximum", "minimum": "exclusiveMinimum",
}

// admits reports whether values of a type may be valid at the node.
func (n *node) admits(kind string) bool {
	return n.Type() == kind || n.Type() == "" ||
		n.IntOrString() && (kind == "integer" || kind == "string")
}

// shownBy returns the answer yes if one of some values is accepted by a node
// and refused by a restriction. Otherwise it is open.
func (n *node) shownBy(restriction *node, candidates []any) answer {
	const most = 4
	var found []any
	for _, v := range candidates {
		if n.judges.ctx.Err() != nil || len(found) == most {
			break
		}
		if n.accepts(v) && !restriction.accepts(v) {
			found = append(found, v)
		}
	}
	if len(found) > 0 {
		return answer{yes, found}
	}
	return answer{hints: candidates}
}

// enum returns values among which are all that the node accepts, nil if it has
// no such list.
func (n *node) enum() []any {
	enum := n.values.Enum
	for _, s := range n.values.AllOf {
		if len(enum) == 0 {
			enum = s.Values().Enum
		}
	}
	return enum
}

// members answers by the enum of a node, if it has one.
func (n *node) members(restriction *node) (a answer, isDecided bool) {
	const most = 1000
	enum := n.enum()
	if len(enum) == 0 || len(enum) > most {
		return answer{}, false
	}
	a = n.shownBy(restriction, enum)
	if a.verdict == open {
		a = answer{verdict: no}
	}
	return a, n.judges.ctx.Err() == nil
}

// finite returns scalars among which are all values that the node accepts, nil
// if there are more than a few.
func (n *node) finite() []any {
	const most = 50
	values := n.enum()
	if len(values) == 0 && n.values.Format == "" {
		switch {
		case n.Type() == "boolean":
			values = []any{true, false}
		case n.Type() == "string" && n.values.MaxLength != nil && *n.values.MaxLength == 0:
			values = []any{""}
		case n.Type() == "string" && n.values.Pattern != "":
			values = n.words()
		}
	}
	if len(values) == 0 || len(values) > most || slices.ContainsFunc(values, isCompound) {
		return nil
	}
	return append(slices.Clone(values), nil)
}

// words returns strings among which are all that the node accepts, nil if there
// are more than a few.
func (n *node) words() []any {
	const most, mostSize = 4, 64
	if relang.Size(n.values.Pattern) > mostSize {
		return nil
	}
	words := []any{""}
	for len(words) <= most {
		found := relang.Difference(n.judges.ctx, n.language(),
			relang.Language{Patterns: []string{exactly(words)}})
		switch {
		case found.Decided && !found.Found:
			return words
		case !found.Found || found.Long:
			return nil
		}
		words = append(words, found.Word)
	}
	return nil
}
