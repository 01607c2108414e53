package edit

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/app/sample"
	"github.com/crdsem/crdsem/internal/kit/celsyntax"
	"github.com/crdsem/crdsem/structural"
)

// Location is a part of a file.
type Location struct {
	File  string
	Range Range
}

// Definition returns where the field at a position is declared: of an object,
// in the schema of its definition; of a rule, a column or another path, in the
// schema around it. ok is false if that is not known.
func (w *Workspace) Definition(
	ctx context.Context, name string, at Position,
) (found Location, ok bool) {
	lines, ok := w.lines(name, at)
	if !ok {
		return Location{}, false
	}
	offset := w.encoding.offset(lines[at.Line], at.Column)
	way := wayTo(lines, at.Line, offset)
	if way.value("kind") == definitionKind {
		t, isField := w.target(lines, way, at)
		if !isField || t.key.line == at.Line && t.key.id == 0 {
			return Location{}, false
		}
		return Location{name, w.keyRange(lines, t.key)}, true
	}
	steps, _ := way.onLine(lines, at.Line, offset)
	o, v := w.definitions(ctx).of(way.value("apiVersion"), way.value("kind"))
	if v == nil || len(steps) == 0 {
		return Location{}, false
	}
	if path, ok := pathIn(v.Schema(), steps); ok {
		return w.declared(o, v.Name(), path)
	}
	return Location{}, false
}

// pathIn returns the path of the schema node that some steps lead to.
func pathIn(schema *structural.Schema, steps []wayStep) (path string, ok bool) {
	for i, step := range steps {
		s := nodeAt(schema, steps[:i])
		switch {
		case step.item:
			path += ".items"
		case s != nil && s.Property(step.key) != nil:
			path += ".properties[" + step.key + "]"
		case s != nil && s.AdditionalSchema() != nil:
			path += ".additionalProperties"
		case i == 0 && (step.key == "kind" || step.key == "apiVersion"):
		default:
			return "", false
		}
	}
	return path, true
}

// declared returns the place of a schema node of a version, by its path.
func (w *Workspace) declared(o *origin, version, path string) (found Location, ok bool) {
	object := o.object()
	if object.Document == nil {
		return Location{}, false
	}
	place := object.Find(schemaOf(object.Content, version) + path).Key
	text := strings.Split(o.file.text(), "\n")
	if place.Line < 1 || place.Line > len(text) {
		return Location{}, false
	}
	line := text[place.Line-1]
	start := UTF32.offset(line, max(place.Column-1, 0))
	end := start + len(strings.TrimRight(strings.SplitN(line[start:], ":", 2)[0], " "))
	return Location{o.file.name, w.span(line, place.Line-1, start, end)}, true
}

// keyRange returns the range of a key.
func (w *Workspace) keyRange(lines []string, k wayKey) Range {
	width := len(k.key)
	if rest := lines[k.line][k.column:]; rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		width += 2
	}
	return w.span(lines[k.line], k.line, k.column, k.column+width)
}

// target is a field that a definition declares: its key in the schema, and the
// version that it is in.
type target struct {
	schema  *schemaText
	key     wayKey
	version int
}

// target returns the field that is declared or used at a position of a
// definition.
func (w *Workspace) target(lines []string, way *way, at Position) (target, bool) {
	offset := w.encoding.offset(lines[at.Line], at.Column)
	steps, k := way.onLine(lines, at.Line, offset)
	t := target{schema: newSchemaText(way), key: k}
	if len(way.steps) > 2 {
		t.version = way.steps[2].id
	} else if len(steps) > 2 {
		t.version = steps[2].id
	}
	onKey := k.id != 0 && offset >= k.column && offset <= k.column+len(k.key)+2
	if onKey && inSchema(steps[:len(steps)-1]) == atSchemas {
		return t, true
	}
	for _, use := range t.uses(lines) {
		if use.line == at.Line && use.start <= offset && offset <= use.end {
			t.key = t.schema.keys[use.node]
			return t, t.key.id != 0
		}
	}
	return t, false
}

// use is a place of a definition that names a field: bytes of a line. The name
// in a rule is escaped.
type use struct {
	node             int // the key of the field
	line, start, end int
	inRule           bool
}

// uses returns the places of the version that name a field: rules, the lists
// required and x-kubernetes-list-map-keys, and paths of columns, selectable
// fields, scale and rules.
func (t *target) uses(lines []string) (all []use) {
	root, _ := t.schema.child(t.version, "schema", "openAPIV3Schema")
	for _, k := range t.schema.keys {
		if !t.schema.within(k.id, t.version) {
			continue
		}
		_, isRule := t.schema.byID[k.parent]
		switch {
		case isRule && isExpression(k.key):
			e := newExpression(lines, t.schema, k, len(lines), 0)
			all = append(all, e.uses()...)
		case isRule && k.key == "fieldPath":
			all = append(all, t.pathUses(lines, k, t.schema.byID[k.parent])...)
		case strings.HasSuffix(strings.ToLower(k.key), "path") && !isRule:
			all = append(all, t.pathUses(lines, k, root.id)...)
		case k.key == "required":
			all = append(all, t.nameUses(lines, k, k.parent)...)
		case k.key == "x-kubernetes-list-map-keys":
			items, _ := t.schema.child(k.parent, "items")
			all = append(all, t.nameUses(lines, k, items.id)...)
		}
	}
	slices.SortFunc(all, func(a, b use) int {
		if a.line != b.line {
			return a.line - b.line
		}
		return a.start - b.start
	})
	return all
}

// within reports whether a key is below a key or an item.
func (s *schemaText) within(id, above int) bool {
	for id != 0 && id != above {
		if k, isKey := s.keys[id]; isKey {
			id = k.parent
		} else {
			id = s.lists[id]
		}
	}
	return id == above
}

// uses returns the names of fields in an expression.
func (e *expression) uses() (all []use) {
	for i, t := range e.tokens {
		of := i - 1
		if e.is(of, "?") {
			of--
		}
		if t.kind != 'i' || e.is(i+1, "(") || !e.is(of, ".") {
			continue
		}
		owner := e.typeOf(e.operand(of), of).held()
		if owner.name != "object" {
			continue
		}
		k, ok := e.schema.child(owner.node, "properties", celsyntax.Field(t.text))
		if ok {
			all = append(all, use{k.id, t.line, t.start, t.end, true})
		}
	}
	return all
}

var pathName = regexp.MustCompile(`\.([^.\[\]'"\s]+)|\[['"]([^'"]+)['"]\]`)

// pathUses returns the names of fields in a path that starts at a node.
func (t *target) pathUses(lines []string, k wayKey, node int) (all []use) {
	text := lines[k.line]
	if k.end.Column > 0 {
		text = text[:k.end.Column]
	}
	from := min(k.column+len(k.key), len(text))
	for _, m := range pathName.FindAllStringSubmatchIndex(text[from:], -1) {
		start, end := m[2], m[3]
		if start < 0 {
			start, end = m[4], m[5]
		}
		for t.schema.word(node, "type") == "array" {
			items, _ := t.schema.child(node, "items")
			node = items.id
		}
		next, ok := t.schema.child(node, "properties", text[from+start:from+end])
		if !ok {
			return all
		}
		all = append(all, use{next.id, k.line, from + start, from + end, false})
		node = next.id
	}
	return all
}

var listedName = regexp.MustCompile(`[\w.$-]+`)

// nameUses returns the names in a list of names of fields of a node.
func (t *target) nameUses(lines []string, k wayKey, node int) (all []use) {
	isFlow, isClosed := false, false
	for n := k.line; n < len(lines) && !isClosed; n++ {
		text, from := lines[n], 0
		if n == k.line {
			from = min(k.column+len(k.key)+1, len(text))
			isFlow = strings.HasPrefix(strings.TrimLeft(text[from:], `" :`), "[")
		} else if rest := strings.TrimLeft(text, " "); !isFlow &&
			(indent(text) < k.column || !strings.HasPrefix(rest, "- ")) {
			break
		}
		if end := strings.IndexByte(text[from:], ']'); isFlow && end >= 0 {
			text, isClosed = text[:from+end], true
		}
		for _, m := range listedName.FindAllStringIndex(text[from:], -1) {
			property, ok := t.schema.child(node, "properties", text[from+m[0]:from+m[1]])
			if ok {
				all = append(all, use{property.id, n, from + m[0], from + m[1], false})
			}
		}
	}
	return all
}

// References returns the places of a definition that name the field at a
// position, its declaration first.
func (w *Workspace) References(name string, at Position) []Location {
	lines, ok := w.lines(name, at)
	if !ok {
		return nil
	}
	way := wayTo(lines, at.Line, w.encoding.offset(lines[at.Line], at.Column))
	t, ok := w.target(lines, way, at)
	if way.value("kind") != definitionKind || !ok {
		return nil
	}
	all := []Location{{name, w.keyRange(lines, t.key)}}
	for _, use := range t.uses(lines) {
		if use.node == t.key.id {
			all = append(all, Location{name, w.span(lines[use.line], use.line, use.start, use.end)})
		}
	}
	return all
}

var fieldName = regexp.MustCompile(`^[A-Za-z_$][\w.$/-]*$`)

// Rename returns the edits that give the field at a position of a definition
// another name: in the schema, in rules and in paths. The error says why it
// cannot be renamed.
func (w *Workspace) Rename(name string, at Position, to string) ([]Edit, error) {
	lines, ok := w.lines(name, at)
	if !ok {
		return nil, fmt.Errorf("%s has no line %d", name, at.Line+1)
	}
	way := wayTo(lines, at.Line, w.encoding.offset(lines[at.Line], at.Column))
	t, isField := w.target(lines, way, at)
	switch {
	case way.value("kind") != definitionKind || !isField:
		return nil, fmt.Errorf("no field of a definition is at line %d", at.Line+1)
	case !fieldName.MatchString(to):
		return nil, fmt.Errorf("%q cannot be the name of a field", to)
	}
	siblings := t.schema.children[t.key.parent]
	if slices.ContainsFunc(siblings, func(k wayKey) bool { return k.key == to }) {
		return nil, fmt.Errorf("there is a field %s already", to)
	}
	key := to
	if !sample.IsPlain(to) {
		key = sample.JSON(to)
	}
	edits := []Edit{{w.keyRange(lines, t.key), key}}
	for _, use := range t.uses(lines) {
		if use.node != t.key.id {
			continue
		}
		text := to
		if use.inRule {
			text = celsyntax.Name(to)
		}
		edits = append(edits, Edit{w.span(lines[use.line], use.line, use.start, use.end), text})
	}
	return edits, nil
}
