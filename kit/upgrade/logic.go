package upgrade

import (
	"slices"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/entail"
	"github.com/crdsem/crdsem/structural"
)

// logic decides whether a condition of the new definition holds for every
// object that the old one admits. Rules, keywords and junctors of both become
// conditions of one form (package entail): about which fields are there, and
// about ranges of values. What is not understood is a variable of its own, the
// same one wherever it has the same text.
//
// Paths are from the root of the schema. A step anyChild stands for one item:
// that which the node is below of, or any one that a macro looks at.
type logic struct {
	judges      *judges
	expressions expressions
	levels      []level
	base        []string // the path of the node
	scaled      []string // the paths of the scale subresource
	// kind stands for the node of the old definition where values of one type
	// are looked at. It may be nil.
	kind *structural.Schema
	// nonNull is how many steps of base lead to values that are not null.
	nonNull int
	// isWritten is set if only values of the node are looked at that an object
	// has, and none that a default fills in.
	isWritten bool

	variables map[string]*entail.Variable
	terms     map[string]*term
	pairs     []*pair
	tests     []*test
	sides     []entail.Condition // what holds of items that macros look at
	facts     []entail.Condition
	// read are the paths that the conditions are about, and wanted those of
	// items that the goal looks at.
	read   map[string][]string
	wanted map[string]bool
	// isUnclear is set by what the two definitions may read in two ways.
	isUnclear bool
	// isUpdate is set if the goal is about updates only.
	isUpdate bool
	compared int // models whose texts were compared with patterns
	// optionals are those around an expression that is looked at.
	optionals int
}

// scope says which object a condition is about.
type scope struct {
	// isOld is set for what was stored before an update.
	isOld bool
	// given are values that are known, by the key of their path, and givenOld
	// those of the stored object: removed{} is that of a field that is not
	// there, explicit{} any one that the object has.
	given, givenOld map[string]any
	names           map[string]name // of the variables of an expression
	depth           int             // of macros
	// isGoal is set for the condition that is to be proved.
	isGoal bool
}

// explicit is a value that an object has, and that no default filled in.
type explicit struct{}

// explicitNull is a null that an object has. To a rule there is no field, and
// to the keyword required there is one.
type explicitNull struct{}

// name is what a variable of an expression stands for.
type name struct {
	path  []string
	isOld bool
}

func (c *schemaComparison) logic(levels []level) *logic {
	l := &logic{
		judges: c.judges, expressions: c.expressions, levels: levels, scaled: c.scaled,
		variables: map[string]*entail.Variable{}, terms: map[string]*term{},
		read: map[string][]string{}, wanted: map[string]bool{},
	}
	if len(levels) > 0 {
		l.base = rulePath(levels[1:])
		l.nonNull = len(l.base) - 1
	}
	return l
}

// of returns a scope like s in which self and oldSelf are values at a path.
func (s scope) of(path []string) scope {
	s.names = map[string]name{"self": {path, s.isOld}, "oldSelf": {path, true}}
	return s
}

// key names what is at a path, in an object.
func (s scope) key(kind string, path []string, isOld bool) string {
	if isOld {
		kind = "old " + kind
	}
	return kind + ":" + pathKey(path)
}

// old and changed return the schemas at a path.
func (l *logic) old(path []string) *structural.Schema {
	if l.kind != nil && slices.Equal(path, l.base) {
		return l.kind
	}
	return schemaAt(l.levels[0].old, nodeOf(path))
}

func (l *logic) changed(path []string) *structural.Schema {
	return schemaAt(l.levels[0].new, nodeOf(path))
}

// schema returns the schema at a path that both definitions read in one way, or
// that only the new one has. It is nil, and the condition unclear, otherwise.
func (l *logic) schema(at name, s scope) *structural.Schema {
	path := at.path
	if _, isGiven := s.value(at); isGiven {
		return l.changed(path)
	}
	for i := range len(path) + 1 {
		was, is := l.old(path[:i]), l.changed(path[:i])
		switch {
		case is == nil, l.mayBeNull(path[:i], was, is):
			l.isUnclear = true
			return nil
		case was == nil && i > 0 && l.isNew(path[:i]):
			return l.changed(path)
		case was == nil:
			l.isUnclear = true
			return nil
		case l.isWritten && slices.Equal(path[:i], l.base):
		case i > 0 && !jsonvalue.EqualNumbers(l.defaultOf(path[:i], was), is.Default()):
			if _, isGiven := s.value(name{path[:i], at.isOld}); !isGiven {
				l.isUnclear = true
				return nil
			}
		}
	}
	return l.old(path)
}

// defaultOf returns the old default at a path. The schema that stands for the
// node of one type has none.
func (l *logic) defaultOf(path []string, was *structural.Schema) any {
	if was == l.kind && slices.Equal(path, l.base) {
		was = l.levels[len(l.levels)-1].old
	}
	return was.Default()
}

// mayBeNull reports whether the value at a path may be null in one of the
// definitions.
func (l *logic) mayBeNull(path []string, was, is *structural.Schema) bool {
	isBase := len(path) <= l.nonNull && slices.Equal(path, l.base[:len(path)])
	return !isBase && (is.Nullable() || was != nil && was.Nullable())
}

// isNew reports whether no old object has a field that the new definition
// declares.
func (l *logic) isNew(path []string) bool {
	is := l.changed(path)
	return l.isPruned(path, l.old) && is != nil && is.Default() == nil
}

// isNever reports whether neither definition lets an object have a field.
func (l *logic) isNever(path []string) bool {
	return l.isPruned(path, l.old) && l.isPruned(path, l.changed)
}

// isPruned reports whether a definition removes a field.
func (l *logic) isPruned(path []string, side func([]string) *structural.Schema) bool {
	last := len(path) - 1
	around := side(path[:last])
	return path[last] != anyChild && around != nil && isPruning(around) &&
		around.Property(path[last]) == nil && !isServers(path, side)
}

// isServers reports whether the server may keep a field that a definition does
// not declare: of a resource, which may be embedded, or of its metadata.
func isServers(path []string, side func([]string) *structural.Schema) bool {
	last := len(path) - 1
	isResource := func(path []string) bool {
		s := side(path)
		return len(path) == 0 || s == nil || s.EmbeddedResource()
	}
	return mayBeServers(path) && (isResource(path[:last]) ||
		last > 0 && path[last-1] == "metadata" && isResource(path[:last-1]))
}

// mayBeServers reports whether the server may keep a field that no schema
// declares, because it is one of resources or of their metadata.
func mayBeServers(path []string) bool {
	last := len(path) - 1
	return slices.Contains([]string{"apiVersion", "kind", "metadata"}, path[last]) ||
		last > 0 && path[last-1] == "metadata"
}

// isMap reports whether both definitions have a map at a path, and read its
// keys in one way.
func (l *logic) isMap(path []string) bool {
	old, changed := l.old(path), l.changed(path)
	return old != nil && changed != nil && old.AdditionalSchema() != nil &&
		changed.AdditionalSchema() != nil && !old.AdditionalSchema().Nullable() &&
		l.isAlikeBelow(path)
}

// value returns the value that is known to be at a place.
func (s scope) value(at name) (value any, isGiven bool) {
	given := s.given
	if at.isOld {
		given = s.givenOld
	}
	for i := range len(at.path) + 1 {
		if value, isGiven = given[pathKey(at.path[:i])]; !isGiven {
			continue
		}
		rest := at.path[i:]
		if value == any(explicit{}) || value == any(explicitNull{}) {
			return value, len(rest) == 0
		}
		for _, step := range rest {
			object, isObject := value.(map[string]any)
			if !isObject && value != any(removed{}) {
				return nil, false
			}
			if member, has := object[step]; has {
				value = member
			} else {
				value = removed{}
			}
		}
		return value, true
	}
	return nil, false
}

// isNull reports whether a null is known to be at a place.
func (s scope) isNull(at name) bool {
	value, _ := s.value(at)
	return value == any(explicitNull{})
}

// literal returns the value that is known to be at a place, if one is.
func (s scope) literal(at name) (value any, isKnown bool) {
	value, isGiven := s.value(at)
	return value, isGiven && value != any(removed{}) && value != any(explicit{})
}

// present returns the condition that there is a value at a path. It never
// fails.
func (l *logic) present(path []string, isOld bool, s scope) entail.Condition {
	var all []entail.Condition
	for i := range path {
		if c := l.member(path[:i+1], isOld, s); c != nil {
			all = append(all, c)
		}
	}
	return entail.All(all...)
}

// member returns the condition that there is a value at a path if there is one
// around it, nil if there always is.
func (l *logic) member(path []string, isOld bool, s scope) entail.Condition {
	last := len(path) - 1
	value, isGiven := s.value(name{path, isOld})
	isBase := len(path) <= len(l.base) && slices.Equal(path, l.base[:len(path)])
	switch around := l.old(path[:last]); {
	case isGiven:
		return entail.Constant(entail.Of(value != any(removed{}) && value != any(explicitNull{})))
	case isBase:
		return nil
	case path[last] == anyChild:
		return l.item(name{path, isOld}, s)
	case around == nil || l.isNew(path):
		return entail.Constant(entail.False)
	case slices.Contains(around.Values().Required, path[last]),
		around.Property(path[last]) != nil && around.Property(path[last]).Default() != nil:
		return nil
	}
	key := s.key("has", path, isOld)
	l.read[key] = path
	return entail.Is(l.variable(key, 2), func(value int) entail.Truth {
		return entail.Of(value == 1)
	})
}

// item returns the condition that there is the item that stands for others.
func (l *logic) item(at name, s scope) entail.Condition {
	return entail.Is(l.variable(s.key("item", at.path, at.isOld), 2),
		func(value int) entail.Truth { return entail.Of(value == 1) })
}

// variable returns the variable of a name.
func (l *logic) variable(name string, size int) *entail.Variable {
	if l.variables[name] == nil {
		l.variables[name] = &entail.Variable{Name: name, Size: size}
	}
	return l.variables[name]
}

// where returns a condition that fails unless there are values at some paths.
func where(present, c entail.Condition) entail.Condition {
	return entail.If(present, c, entail.Constant(entail.Fails))
}

// proves reports whether a condition of the goal's scope holds for every object
// that the old definition admits. Otherwise it returns objects for which it may
// not hold.
func (l *logic) proves(goal entail.Condition, s scope) (isProved bool, models []*entail.Model) {
	if goal == nil || l.isUnclear {
		return false, nil
	}
	l.collect(s)
	for _, t := range l.terms {
		t.finish()
	}
	q := entail.Question{
		Goal: goal, Facts: slices.Concat(l.sides, l.facts), Consistent: l.isConsistent,
		Steps: 4_000, Models: 6,
	}
	answer := entail.Ask(q)
	return answer.Holds && l.judges.ctx.Err() == nil, answer.Models
}
