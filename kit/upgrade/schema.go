package upgrade

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// schemaComparison collects the changes between two schemas of a version.
type schemaComparison struct {
	version     string
	judges      *judges
	expressions expressions
	hasStatus   bool // the status has a subresource, before and after
	// given is what both definitions read where a field is absent, nil unless
	// its default differs.
	given *defaultPair
	// onlyPrunes is set where the new definition removes fields that the old
	// one kept, and nothing else differs.
	onlyPrunes bool
	// examples are objects that a default may be refused in.
	examples []example
	scale    []string           // the paths of the scale subresource: replicas, selector
	scaled   []string           // those of them that both definitions have
	storage  *structural.Schema // of another version, by which objects are read
	levels   []level            // from the root to the node that is compared
	changes  []Change
}

// compareSchemas returns the changes between two schemas, parents first, then
// properties in the order of their names. It stops where the context ends.
func (r *Report) compareSchemas(
	j *judges, version string, old, changed *structural.Schema, scaled []string,
) []Change {
	c := &schemaComparison{
		version: version, judges: j, expressions: r.expressions, scaled: scaled,
	}
	if stored := r.changed.model.StorageVersion(); stored != nil && stored.Name != version {
		c.storage = stored.Schema()
	}
	c.hasStatus = r.old.hasStatus(version) && r.changed.hasStatus(version)
	c.scale = pathsOfScale(r.changed.model.Version(version))
	c.node("", old, changed)
	return c.changes
}

// pathsOfScale returns the paths of the scale subresource of a version, nil if
// it has none.
func pathsOfScale(v *definition.Version) []string {
	if v == nil || v.Scale == nil {
		return nil
	}
	return []string{v.Scale.SpecReplicasPath, v.Scale.StatusReplicasPath, v.Scale.LabelSelectorPath}
}

// scaledIn returns the paths of the scale subresource that two versions have
// both.
func scaledIn(was, is *definition.Version) []string {
	known := pathsOfScale(is)
	return slices.DeleteFunc(pathsOfScale(was), func(path string) bool {
		return path == "" || !slices.Contains(known, path)
	})
}

// selectorPath is the index of the path of the selector.
const selectorPath = 2

// within calls a function with a level below the others.
func (c *schemaComparison) within(l level, do func()) {
	c.levels = append(c.levels, l)
	do()
	c.levels = c.levels[:len(c.levels)-1]
}

// node compares two nodes and everything below them.
func (c *schemaComparison) node(step string, old, changed *structural.Schema) {
	if structural.Equal(old, changed) || c.judges.ctx.Err() != nil {
		return
	}
	c.within(level{step, old, changed}, func() {
		was, is := c.judges.node(old), c.judges.node(changed)
		was.isMetadata, is.isMetadata = c.isMetadata(oldOf), c.isMetadata(newOf)
		types, meet := compareTypes(was, is)
		for _, d := range types {
			c.restriction(d)
		}
		if !meet {
			return // their other keywords do not meet
		}
		for _, d := range compareValues(was, is) {
			c.restriction(d)
		}
		c.required(old, changed)
		c.nulls(was, is)
		c.defaults(was, is)
		c.flags(old, changed)
		c.listsAndMaps(was, is)
		c.rules(old, changed)
		c.properties(old, changed)
		c.additional(old, changed)
		c.node(itemStep, old.Items(), changed.Items())
	})
}

// add adds a change of the node that is compared.
func (c *schemaComparison) add(change Change) *Change {
	change.Version = c.version
	change.target.node = steps(c.levels)
	change.Path = fieldPath(change.target.node)
	change.target.isStatus = c.hasStatus && len(change.target.node) > 0 &&
		change.target.node[0] == memberStep+"status"
	change.target.isOfParent = change.Keyword == "required"
	change.target.isUncomparable = change.Class == Stricter && c.isUncomparable(&change)
	c.changes = append(c.changes, change)
	return &c.changes[len(c.changes)-1]
}

// isUncomparable reports whether the server takes the values that a change
// refuses as changed in each update: those that may have fields without a
// schema, and those that are filled in only when they are written.
func (c *schemaComparison) isUncomparable(change *Change) bool {
	at := len(c.levels) - 1
	if change.target.isOfParent ||
		change.Keyword == "additionalProperties" && c.levels[at].new == nil {
		at--
	}
	found := isOfMetadata(c.levels[:at+1]) || isOfMetadata(c.levels[:at])
	for _, s := range []*structural.Schema{c.levels[at].old, c.levels[at].new} {
		structural.Visit(s, structural.Visitor{Spine: func(n *structural.Schema) {
			found = found || n.Type() == "object" && !isPruning(n) && n.AdditionalSchema() == nil ||
				n.EmbeddedResource() || n.PreservesUnknownFields()
		}})
	}
	return found || c.storage != nil && isFilled(c.levels[at].new, c.storedAt(at))
}

// storedAt returns the node of the storage version at a level. It may be nil.
func (c *schemaComparison) storedAt(at int) *structural.Schema {
	stored := c.storage
	for i := 1; i <= at && stored != nil; i++ {
		if name, isName := strings.CutPrefix(c.levels[i].step, memberStep); isName {
			stored = cmp.Or(stored.Property(name), stored.AdditionalSchema())
		} else {
			stored = itemsOrValues(stored)
		}
	}
	return stored
}

// isFilled reports whether values of a schema get a default, or lose a null,
// where the storage version's schema does not do it. The server reads objects
// by the latter.
func isFilled(s, stored *structural.Schema) bool {
	switch {
	case s == nil:
		return false
	case stored == nil:
		stored = &structural.Schema{}
	}
	if s.Default() != nil && !jsonvalue.EqualNumbers(s.Default(), stored.Default()) ||
		stored.Nullable() && !s.Nullable() ||
		isFilled(s.Items(), stored.Items()) ||
		isFilled(s.AdditionalSchema(), stored.AdditionalSchema()) {
		return true
	}
	return slices.ContainsFunc(s.PropertyNames(), func(name string) bool {
		return isFilled(s.Property(name), cmp.Or(stored.Property(name), stored.AdditionalSchema()))
	})
}

func (d *difference) change(class Class) Change {
	return Change{
		Keyword: d.keyword, Old: d.old, New: d.new, Class: class, Decided: true,
		target: target{others: d.others},
	}
}

// restriction adds the changes of a keyword that restricts values.
func (c *schemaComparison) restriction(d difference) {
	if d.refuses.verdict == no && d.accepts.verdict == no {
		c.add(d.change(NoEffect))
		return
	}
	c.refusal(d)
	if d.accepts.verdict != no {
		if c.isRefusedAfter(d) {
			if d.refuses.verdict == no {
				c.add(d.change(NoEffect))
			}
			return
		}
		added := c.add(d.change(Looser))
		added.Decided = d.accepts.verdict == yes
		added.target.hints, added.target.others = d.accepts.hints, d.oldOthers
	}
}

// prover returns what proves things of the node at some levels.
func (c *schemaComparison) prover(levels int) *prover {
	return &prover{judges: c.judges, expressions: c.expressions, levels: c.levels[:levels]}
}

// isRefusedBefore reports whether old rules refuse all that a keyword of the
// node refuses now.
func (c *schemaComparison) isRefusedBefore(d difference) bool {
	at := len(c.levels)
	if d.keyword == "required" {
		name, isText := d.new.(string)
		return isText && at > 1 && c.prover(at-1).isPresent([]string{name}, world{})
	}
	last := c.levels[at-1]
	if last.old == nil || last.new == nil || last.old.Nullable() || last.old.Values().Format != "" {
		return false // what has a format may be of another type
	}
	from, to := c.prover(at).effective(nil), c.judges.node(last.new)
	if from == nil || from.Type() != to.Type() {
		return false
	}
	if d.keyword == "allOf" {
		return acceptsAll(from, to.values.AllOf)
	}
	if from.IntOrString() {
		return false
	}
	if d.keyword == "enum" {
		return len(to.values.Enum) > 0 && refusesByEnum(from, to).verdict == no
	}
	for _, k := range slices.Concat(keywordsOfScalars, keywordsOfSizes) {
		if k.name == d.keyword && hasBound(to, k.name) {
			return k.refuses(from, to).verdict == no
		}
	}
	return false
}

// refusal adds a change if the new node is stricter. Whether it is, is open if
// rules or junctors of the old definition may refuse these values already.
func (c *schemaComparison) refusal(d difference) {
	if d.refuses.verdict == no {
		return
	}
	if c.isVoidNode(d.keyword) || d.keyword == "not" && c.isNeverMet() {
		c.add(d.change(NoEffect))
		return
	}
	by := c.concerning(oldOf, len(c.levels), false)
	if by != "" && c.isRefusedBefore(d) {
		c.add(d.change(NoEffect))
		return
	}
	var examples []example
	if by != "" || d.refuses.verdict == open || c.isAsked() {
		isImplied, found := c.impliesKeyword(d.keyword, d.new)
		if isImplied || c.isEmpty() {
			c.add(d.change(NoEffect))
			return
		}
		examples = found
	}
	added := c.add(d.change(Stricter))
	added.target.hints, added.target.examples = d.refuses.hints, examples
	switch d.keyword {
	case "type", "format":
		if c.concerning(newOf, len(c.levels), false) != "" {
			added.target.isUncomparable = true // a rule that reads the old value fails
		}
	}
	if added.Decided = d.refuses.verdict == yes; !added.Decided {
		return
	}
	if by != "" {
		added.Decided = false
		added.Message = "another check of the old definition may refuse these already: " + by
	}
}

// missing adds the change that a field is missing, which the object around it
// requires or counts.
func (c *schemaComparison) missing(d difference) {
	c.refusal(d)
	c.setOfParent()
}

// setOfParent says that the last change refuses the object around the node.
func (c *schemaComparison) setOfParent() {
	last := &c.changes[len(c.changes)-1]
	last.target.isOfParent = true
	last.target.isUncomparable = c.isUncomparable(last)
}

// storing adds a change of what is stored. If rules or junctors of the new
// definition look at the value, it is open whether they refuse it.
func (c *schemaComparison) storing(d difference) {
	added := c.add(d.change(ChangesStorage))
	added.target.hints = d.refuses.hints
	if by := c.meets(); by != "" {
		c.indirect(d, by)
	}
}

// meets returns what may refuse another value of the node in the new
// definition: a rule or a junctor that looks at it, the scale subresource, or a
// list around it whose items differ. It is empty if there is nothing.
func (c *schemaComparison) meets() string {
	if by := c.concerning(newOf, len(c.levels)-1, true); by != "" {
		return by
	}
	if by := c.ownTransition(); by != "" {
		return by
	}
	if c.isScaled() {
		return scaleText
	}
	if c.keepsNulls() {
		return "" // items that are alike then were alike before
	}
	for i := range c.levels {
		list, below := c.levels[i].new, c.levels[i+1:]
		if list == nil || len(below) == 0 || below[0].step != itemStep {
			continue
		}
		isKey := len(below) > 1 &&
			slices.Contains(list.ListMapKeys(), below[1].step[min(1, len(below[1].step)):])
		if list.ListType() == structural.ListSet || list.ListType() == structural.ListMap && isKey {
			return "the list type of " + fieldPath(steps(c.levels[:i+1]))
		}
	}
	return ""
}

// keepsNulls reports whether what is compared is the null that the new
// definition keeps, and nothing else that differs in what they read.
func (c *schemaComparison) keepsNulls() bool {
	last := c.levels[len(c.levels)-1]
	return c.given != nil && c.given.new == any(explicitNull{}) && last.old != nil &&
		isSameDefault(c.judges.node(last.old), c.judges.node(last.new))
}

// ownTransition returns a rule of the node itself that compares a value with an
// old one, which a default fills in. It is empty if there is none.
func (c *schemaComparison) ownTransition() string {
	last := c.levels[len(c.levels)-1]
	if last.old == nil || last.new == nil || last.new.Default() == nil ||
		isSameDefault(c.judges.node(last.old), c.judges.node(last.new)) {
		return ""
	}
	for _, rule := range last.new.Rules() {
		if isTransition(&rule) && !c.isHarmless(len(c.levels)-1, nil, &rule) {
			return rule.Rule
		}
	}
	return ""
}

// isScaled reports whether the scale subresource reads a value of the node, of
// one above or below it.
func (c *schemaComparison) isScaled() bool {
	value, isKnown := c.filled()
	if isKnown && value == nil {
		return false
	}
	path := "."
	if at := strings.TrimSuffix(fieldPath(steps(c.levels)), "[*]"); at != "" {
		path += at + "."
	}
	return slices.ContainsFunc(c.scale, func(scaled string) bool {
		below, isBelow := strings.CutPrefix(scaled+".", path)
		isOne := isBelow && isKnown && !strings.HasSuffix(fieldPath(steps(c.levels)), "[*]")
		switch {
		case scaled == "":
			return false
		case isOne && value == any(explicitNull{}): // on the way, it is an absent field
			return below == ""
		case isOne && below != "":
			return hasAt(value, strings.Split(strings.TrimSuffix(below, "."), "."))
		case isOne && isBelow && scaled != c.scale[selectorPath] && isReplicas(value):
			return false
		}
		return isBelow || strings.HasPrefix(path, scaled+".")
	})
}

// isReplicas reports whether the scale subresource takes a value as replicas.
func isReplicas(value any) bool {
	n, isInt := value.(int64)
	return isInt && n >= 0 && n <= math.MaxInt32
}

// filled returns what the new definition reads in the place of another value of
// the node: nil for nothing. It reports false if that is not known.
func (c *schemaComparison) filled() (value any, isKnown bool) {
	last := c.levels[len(c.levels)-1]
	if c.given != nil {
		return c.given.new, true
	}
	if c.nullable() {
		return explicitNull{}, true
	}
	return nil, last.new == nil || last.new.Default() == nil
}

// nullable reports whether the new definition may keep a null at the node, and
// the old one does not.
func (c *schemaComparison) nullable() bool {
	last := c.levels[len(c.levels)-1]
	return last.new != nil && last.new.Nullable() && last.old != nil && !last.old.Nullable()
}

// hasAt reports whether there is a value at a path of keys, or one that is no
// object on the way.
func hasAt(value any, keys []string) bool {
	for _, key := range keys {
		object, isObject := value.(map[string]any)
		if !isObject {
			return value != nil
		}
		value = object[key]
	}
	return value != nil
}

// The message of an indirect change, which ends with what the values meet.
const (
	meetsText  = "other values meet "
	scaleText  = "the scale subresource"
	meetsScale = meetsText + scaleText

	embeddedKeyword = "x-kubernetes-embedded-resource"
)

// isEmpty reports whether the old definition admits no object with a value
// around the node.
func (c *schemaComparison) isEmpty() bool {
	last := len(c.levels) - 1
	if last < 1 || c.levels[last-1].old == nil {
		return false
	}
	if c.isUnreachable(c.levels[:last]) {
		return true
	}
	l := c.logic(c.levels[:last])
	l.nonNull = len(l.base)
	isImplied, _ := l.decides(nil, scope{isGoal: true}.of(l.base))
	return isImplied
}

// indirect adds the change that something else may refuse the other values. It
// reports false if there are none.
func (c *schemaComparison) indirect(d difference, by string) bool {
	if c.isEmpty() {
		c.examples = nil
		return false
	}
	added := c.add(d.change(Stricter))
	added.Decided, added.Message = false, meetsText+by
	added.target.hints, added.target.isIndirect = d.refuses.hints, true
	added.target.examples, c.examples = c.examples, nil
	added.target.isUncomparable = c.storage != nil && isFilled(c.levels[0].new, c.storage)
	return true
}
