package upgrade

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// target says where objects are looked for that show a change.
type target struct {
	// node leads to the node of the change, a step to each child: ".name" to a
	// property, "[]" to items, "{}" to the values of a map.
	node  []string
	hints []any
	rule  string // of a change of rules
	// expression is that of the rule, nil if it does not parse.
	expression *expression
	// isTotal is set if the rule never ends with an error and never refuses a
	// value because of an equal old one.
	isTotal bool
	// others are the other keywords of the node that refuses. A witness breaks
	// none of them. It may be nil.
	others *node
	// isIndirect is set if something else refuses the objects: a rule that
	// meets other values.
	isIndirect bool
	// isUncomparable is set if the server takes the values as changed in each
	// update.
	isUncomparable bool
	// isOfParent is set if the object around the node is what is refused: the
	// field is missing there, or it counts.
	isOfParent bool
}

// Hints that are no values: the value is removed, or has an unknown field.
type (
	removed      struct{}
	unknownField struct{}
	duplicate    struct{}
)

// steps of a target's node.
const (
	itemStep   = "[]"
	valueStep  = "{}"
	memberStep = "."
)

// fieldPath returns a node's path as it is shown, e.g. spec.ports[*].name.
func fieldPath(node []string) string {
	path := ""
	for _, step := range node {
		switch {
		case step == itemStep, step == valueStep:
			path += "[*]"
		case path == "":
			path = step[len(memberStep):]
		default:
			path += step
		}
	}
	return path
}

func steps(levels []level) []string {
	var path []string
	for i := range levels {
		if levels[i].step != "" { // not the root
			path = append(path, levels[i].step)
		}
	}
	return path
}

// schemaComparison collects the changes between two schemas of a version.
type schemaComparison struct {
	version     string
	judges      *judges
	expressions expressions
	scale       []string           // the paths of the scale subresource, e.g. .spec.replicas
	storage     *structural.Schema // of another version, by which objects are read
	levels      []level            // from the root to the node that is compared
	changes     []Change
}

// compareSchemas returns the changes between two schemas, parents first, then
// properties in the order of their names. It stops where the context ends.
func (r *Report) compareSchemas(
	j *judges, version string, old, changed *structural.Schema,
) []Change {
	c := &schemaComparison{version: version, judges: j, expressions: r.expressions}
	if stored := r.changed.model.StorageVersion(); stored != nil && stored.Name != version {
		c.storage = stored.Schema()
	}
	if scale := r.changed.model.Version(version).Scale; scale != nil {
		c.scale = []string{
			scale.SpecReplicasPath, scale.StatusReplicasPath, scale.LabelSelectorPath,
		}
	}
	c.node("", old, changed)
	return c.changes
}

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
		added := c.add(d.change(Looser))
		added.Decided = d.accepts.verdict == yes
		added.target.hints, added.target.others = d.accepts.hints, d.oldOthers
	}
}

// refusal adds a change if the new node is stricter. Whether it is, is open if
// rules or junctors of the old definition may refuse these values already.
func (c *schemaComparison) refusal(d difference) {
	if d.refuses.verdict == no {
		return
	}
	added := c.add(d.change(Stricter))
	added.target.hints = d.refuses.hints
	switch d.keyword {
	case "type", "format":
		if c.concerning(newOf, len(c.levels)) != "" {
			added.target.isUncomparable = true // a rule that reads the old value fails
		}
	}
	if added.Decided = d.refuses.verdict == yes; !added.Decided {
		return
	}
	if by := c.concerning(oldOf, len(c.levels)); by != "" {
		added.Decided, added.Message = false, "the old definition may refuse the same: "+by
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
	if by := c.concerning(newOf, len(c.levels)-1); by != "" {
		return by
	}
	if c.isScaled() {
		return scaleText
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

// isScaled reports whether the scale subresource reads a value of the node, of
// one above or below it.
func (c *schemaComparison) isScaled() bool {
	path := "."
	if at := strings.TrimSuffix(fieldPath(steps(c.levels)), "[*]"); at != "" {
		path += at + "."
	}
	return slices.ContainsFunc(c.scale, func(scaled string) bool {
		return scaled != "" && (strings.HasPrefix(scaled+".", path) ||
			strings.HasPrefix(path, scaled+"."))
	})
}

// The message of an indirect change, which ends with what the values meet.
const (
	meetsText  = "other values meet "
	scaleText  = "the scale subresource"
	meetsScale = meetsText + scaleText

	embeddedKeyword = "x-kubernetes-embedded-resource"
)

// indirect adds the change that something else may refuse the other values.
func (c *schemaComparison) indirect(d difference, by string) {
	added := c.add(d.change(Stricter))
	added.Decided, added.Message = false, meetsText+by
	added.target.hints, added.target.isIndirect = d.refuses.hints, true
	added.target.isUncomparable = c.storage != nil && isFilled(c.levels[0].new, c.storage)
}

// required compares the names that are required, each at its own path.
func (c *schemaComparison) required(old, changed *structural.Schema) {
	was, is := old.Values().Required, changed.Values().Required
	for _, name := range is {
		if !slices.Contains(was, name) {
			c.within(level{memberStep + name, old.Property(name), changed.Property(name)}, func() {
				c.restriction(difference{
					keyword: "required", new: name,
					refuses: c.refusesByRequired(name, old, changed), accepts: decided(false),
				})
			})
		}
	}
	for _, name := range was {
		if !slices.Contains(is, name) {
			c.within(level{memberStep + name, old.Property(name), changed.Property(name)}, func() {
				c.restriction(difference{
					keyword: "required", old: name, refuses: decided(false),
					accepts: c.refusesByRequired(name, changed, old),
				})
			})
		}
	}
}

// refusesByRequired answers for a name that only to requires.
func (c *schemaComparison) refusesByRequired(name string, from, to *structural.Schema) answer {
	_, most := c.judges.node(from).properties()
	switch {
	case to.Property(name).Default() != nil, c.isServers(name, from, to),
		from.Type() != "object" && from.Type() != "":
		return decided(false)
	case valueOr(from.Values().MinProperties, 0) >= most:
		return answer{hints: []any{removed{}}} // perhaps it is always there
	}
	return decided(true, removed{})
}

// isServers reports whether every resource has a field: it is of the object
// itself or of an embedded resource.
func (c *schemaComparison) isServers(name string, from, to *structural.Schema) bool {
	isRoot := len(steps(c.levels)) == 0
	switch name {
	case "apiVersion", "kind":
		return isRoot || from.EmbeddedResource() && to.EmbeddedResource()
	case "metadata":
		return isRoot
	}
	return false
}

// nulls compares nullable. A null that is no value is dropped, or replaced with
// the default; in a list without a default it is refused.
func (c *schemaComparison) nulls(old, changed *node) {
	if old.Nullable() == changed.Nullable() {
		return
	}
	d := difference{
		keyword: "nullable", old: old.Nullable(), new: changed.Nullable(),
		refuses: refusesNull(old, changed), accepts: refusesNull(changed, old),
	}
	isReplaced := old.Default() != nil && changed.Default() != nil
	if c.levels[len(c.levels)-1].step == itemStep && !isReplaced {
		c.restriction(d)
		return
	}
	isMissing := !changed.Nullable() && changed.Default() == nil && c.isRequired(newOf)
	d.refuses = decided(isMissing || changed.Nullable() && !changed.accepts(nil), nil)
	switch {
	case isMissing:
		c.missing(d)
		return
	case d.refuses.verdict == yes:
		c.refusal(d)
		return
	}
	d.refuses.hints = []any{nil}
	c.storing(d)
	c.counts(d, countOf(!changed.Nullable()))
}

// refusesNull answers for null in a list.
func refusesNull(from, to *node) answer {
	return decided(from.accepts(nil) && !to.accepts(nil), nil)
}

// isMetadata reports whether the node is the metadata of an object or of an
// embedded resource, whose fields the server keeps without a schema.
func (c *schemaComparison) isMetadata(side func(*level) *structural.Schema) bool {
	return isMetadataOf(c.levels, side)
}

func isMetadataOf(levels []level, side func(*level) *structural.Schema) bool {
	last := len(levels) - 1
	return last > 0 && levels[last].step == memberStep+"metadata" &&
		(last == 1 || side(&levels[last-1]).EmbeddedResource())
}

// isOfMetadata reports whether the last level is such metadata in one of the
// definitions.
func isOfMetadata(levels []level) bool {
	return isMetadataOf(levels, oldOf) || isMetadataOf(levels, newOf)
}

// isRequired reports whether one of the definitions requires the node.
func (c *schemaComparison) isRequired(side func(*level) *structural.Schema) bool {
	last := len(c.levels) - 1
	name := c.levels[last].step[min(1, len(c.levels[last].step)):]
	return last > 0 && slices.Contains(side(&c.levels[last-1]).Values().Required, name)
}

// defaults compares the defaults. A field that was filled in and is required
// may be missing.
func (c *schemaComparison) defaults(old, changed *node) {
	if isSameDefault(old, changed) {
		return
	}
	d := difference{keyword: "default", old: old.Default(), new: changed.Default()}
	if c.levels[len(c.levels)-1].step == itemStep && (d.old == nil || d.new == nil) {
		// It replaces null, which is refused in a list otherwise.
		d.refuses = decided(d.new == nil && !changed.accepts(nil), nil)
		d.accepts = decided(d.old == nil && !old.accepts(nil), nil)
		c.restriction(d)
		return
	}
	d.refuses.hints = []any{removed{}}
	if changed.Default() == nil && c.isRequired(newOf) && c.isRequired(oldOf) {
		d.refuses.verdict = yes
		c.missing(d)
		return
	}
	c.storing(d)
	c.uncheckedDefault(d)
	if d.old == nil || d.new == nil {
		c.counts(d, countOf(d.new == nil))
	}
}

// uncheckedDefault adds the change that a default refuses objects. The server
// does not check the defaults below the values of a map, nor the type of those
// that may be integers or strings.
func (c *schemaComparison) uncheckedDefault(d difference) {
	last := c.levels[len(c.levels)-1].new
	isOfMap := slices.ContainsFunc(c.levels, func(l level) bool { return l.step == valueStep })
	if last.Default() != nil && (isOfMap || last.IntOrString()) {
		is := c.judges.node(last)
		rule := ""
		if isOfMap {
			rule = c.concerning(newOf, len(c.levels))
		}
		if rule != "" || !is.accepts(last.Default()) {
			d.keyword, d.refuses = "default", answer{hints: []any{removed{}, nil}}
			c.refusal(d)
		}
	}
}

// counts adds a change if the object around the node has a field more or less
// than it had, and its definition counts them.
func (c *schemaComparison) counts(d difference, fields fieldCount) {
	if len(c.levels) < 2 {
		return
	}
	if by := fields.bound(c.levels[len(c.levels)-2].new); by != "" {
		c.indirect(d, by)
		c.setOfParent()
	}
}

// fieldCount says how the number of an object's fields differs.
type fieldCount int

const (
	moreFields fieldCount = iota
	fewerFields
)

// countOf returns fewerFields if something is removed.
func countOf(isRemoved bool) fieldCount {
	if isRemoved {
		return fewerFields
	}
	return moreFields
}

// bound returns the keyword of a schema that may refuse the number, if any.
func (f fieldCount) bound(s *structural.Schema) string {
	switch v := s.Values(); {
	case f == moreFields && v.MaxProperties != nil:
		return "maxProperties"
	case f == fewerFields && v.MinProperties != nil:
		return "minProperties"
	case f == fewerFields && hasOther(v.Required, s.PropertyNames()):
		return "required"
	}
	return ""
}

// flags compares the extensions that switch pruning and the validation of
// embedded resources.
func (c *schemaComparison) flags(old, changed *structural.Schema) {
	if a, b := old.PreservesUnknownFields(), changed.PreservesUnknownFields(); a != b {
		d := difference{keyword: "x-kubernetes-preserve-unknown-fields", old: a, new: b}
		d.refuses.hints = []any{unknownField{}}
		if b && isOpen(old) || a && isOpen(changed) {
			c.add(d.change(NoEffect))
		} else {
			c.unknownFields(d, countOf(a))
		}
	}
	if a, b := old.EmbeddedResource(), changed.EmbeddedResource(); a != b {
		hints := []any{map[string]any{}, map[string]any{"apiVersion": "x", "kind": "y"}}
		d := difference{keyword: embeddedKeyword, old: a, new: b,
			refuses: decided(b, hints...), accepts: decided(a, hints...)}
		c.restriction(d)
		if a && isPruning(changed) {
			c.unknownFields(d, fewerFields)
		}
	}
}

// unknownFields adds the change that fields of the node are kept or removed
// that it does not declare.
func (c *schemaComparison) unknownFields(d difference, count fieldCount) {
	c.add(d.change(ChangesStorage)).target.hints = d.refuses.hints
	last, by := c.levels[len(c.levels)-1], ""
	c.within(level{valueStep, last.old.AdditionalSchema(), last.new.AdditionalSchema()}, func() {
		by = c.meets()
	})
	if by = cmp.Or(by, count.bound(last.new)); by != "" {
		c.indirect(d, by)
	}
}

// isOpen reports whether a node prunes no field even without the flag.
func isOpen(s *structural.Schema) bool {
	a := s.AdditionalProperties()
	return a != nil && a.Schema == nil
}

// listsAndMaps compares the types of lists and maps and the keys of list maps.
// Merging differs with each of them, and sets and maps refuse duplicates.
func (c *schemaComparison) listsAndMaps(old, changed *node) {
	was, is := listType(old.Schema), listType(changed.Schema)
	keys, newKeys := old.ListMapKeys(), changed.ListMapKeys()
	d := difference{keyword: "x-kubernetes-list-type", old: string(was), new: string(is)}
	if was == is {
		d = difference{keyword: "x-kubernetes-list-map-keys", old: names(keys), new: names(newKeys)}
	}
	if was != is || !slices.Equal(keys, newKeys) {
		d.refuses, d.accepts = refusesByListType(old, changed), refusesByListType(changed, old)
		d.refuses.hints = []any{duplicate{}}
		d.accepts.hints = d.refuses.hints
		if d.refuses.verdict != no || d.accepts.verdict != no {
			c.restriction(d)
		}
		c.add(d.change(ChangesMerging))
	}
	if a, b := mapType(old.Schema), mapType(changed.Schema); a != b {
		d := difference{keyword: "x-kubernetes-map-type", old: string(a), new: string(b)}
		c.add(d.change(ChangesMerging))
	}
}

func listType(s *structural.Schema) structural.ListType {
	return cmp.Or(s.ListType(), structural.ListAtomic)
}

func mapType(s *structural.Schema) structural.MapType {
	return cmp.Or(s.MapType(), structural.MapGranular)
}

// hasOther reports whether a list has a name that another one lacks.
func hasOther(list, other []string) bool {
	isOther := func(name string) bool { return !slices.Contains(other, name) }
	return slices.ContainsFunc(list, isOther)
}

func names(list []string) any {
	values := make([]any, len(list))
	for i, name := range list {
		values[i] = name
	}
	return values
}

// properties compares the properties of two objects. A field that one side does
// not know is pruned there, unless unknown fields are preserved.
func (c *schemaComparison) properties(old, changed *structural.Schema) {
	all := map[string]bool{}
	for _, name := range slices.Concat(old.PropertyNames(), changed.PropertyNames()) {
		all[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		was, is := old.Property(name), changed.Property(name)
		step := memberStep + name
		switch {
		case was != nil && is != nil:
			c.node(step, was, is)
		case c.isServers(name, old, changed):
		case was != nil && changed.AdditionalSchema() != nil:
			c.node(step, was, changed.AdditionalSchema())
		case is != nil && old.AdditionalSchema() != nil:
			c.node(step, old.AdditionalSchema(), is)
		default:
			c.within(level{step, was, is}, func() { c.field(old, changed) })
		}
	}
}

// field adds the change of a field that only one side knows.
func (c *schemaComparison) field(oldParent, newParent *structural.Schema) {
	last := c.levels[len(c.levels)-1]
	d := difference{keyword: "properties"}
	d.refuses.hints = []any{removed{}}
	if isOfMetadata(c.levels[:len(c.levels)-1]) { // the server keeps it, perhaps
		d.old, d.new = typeOf(last.old), typeOf(last.new)
		d.refuses, d.accepts = answer{verdict: no}, answer{verdict: no}
		if last.new != nil {
			d.refuses = answer{hints: wrongValues(last.new)}
		} else {
			d.accepts = answer{hints: wrongValues(last.old)}
		}
		c.restriction(d)
		return
	}
	if last.new != nil {
		d.new = typeOf(last.new)
		if !isPruning(oldParent) { // it was kept, and is checked
			d.refuses, d.accepts = decided(true, wrongValues(last.new)...), decided(false)
			c.restriction(d)
			return
		}
		if c.isRequired(oldOf) { // it was pruned and missing
			d.refuses, d.accepts = decided(false), decided(true, wrongValues(last.new)...)
			c.restriction(d)
			return
		}
		if c.add(d.change(ChangesStorage)); last.new.Default() != nil {
			if by := c.meets(); by != "" {
				c.indirect(d, by)
			}
			c.uncheckedDefault(d)
			c.counts(d, moreFields)
		}
		return
	}
	d.old = typeOf(last.old)
	switch {
	case !isPruning(newParent):
		d.refuses, d.accepts = decided(false), decided(true, wrongValues(last.old)...)
		c.restriction(d)
	case c.isRequired(newOf): // and pruned
		d.refuses.verdict = yes
		c.missing(d)
	default:
		c.storing(d)
		c.counts(d, fewerFields)
	}
}

// wrongValues returns values of which a schema refuses some, if any.
func wrongValues(*structural.Schema) []any {
	return []any{"text", int64(1), 1.5, true, map[string]any{}, []any{}}
}

// additional compares the values of maps.
func (c *schemaComparison) additional(old, changed *structural.Schema) {
	a, b := old.AdditionalProperties(), changed.AdditionalProperties()
	was, is := old.AdditionalSchema(), changed.AdditionalSchema()
	if was != nil && is != nil {
		c.node(valueStep, was, is)
		return
	}
	if a == nil && b == nil || a != nil && b != nil && was == nil && is == nil &&
		a.Allows == b.Allows {
		return
	}
	isMetadata := isOfMetadata(c.levels)
	c.within(level{valueStep, was, is}, func() {
		d := difference{keyword: "additionalProperties", old: additionalOf(a), new: additionalOf(b)}
		if isMetadata { // the server keeps some fields, whatever the schema says
			c.restriction(d) // open: which ones is not compared
			return
		}
		keptOld, keptNew := keeps(old), keeps(changed)
		switch {
		case forbids(old) || forbids(changed):
			d.refuses = decided(keptOld && !forbids(old) && forbids(changed), unknownField{})
			d.accepts = decided(!forbids(changed), unknownField{})
			c.restriction(d)
		case keptOld && keptNew:
			d.refuses, d.accepts = decided(is != nil, wrongValues(is)...),
				decided(was != nil, wrongValues(was)...)
			c.restriction(d)
		default: // one of them
			c.storing(d)
			c.counts(d, countOf(keptOld))
		}
	})
}

// keeps reports whether a node keeps the fields that it does not declare.
func keeps(s *structural.Schema) bool {
	a := s.AdditionalProperties()
	return s.PreservesUnknownFields() || a != nil && (a.Schema != nil || a.Allows)
}

// forbids reports whether a node refuses the fields that it does not declare.
func forbids(s *structural.Schema) bool {
	a := s.AdditionalProperties()
	return a != nil && a.Schema == nil && !a.Allows
}

func additionalOf(a *structural.AdditionalProperties) any {
	switch {
	case a == nil:
		return nil
	case a.Schema != nil:
		return typeOf(a.Schema)
	}
	return a.Allows
}

// rules compares the validation rules of a node by their expressions.
func (c *schemaComparison) rules(old, changed *structural.Schema) {
	was, is := old.Rules(), changed.Rules()
	find := func(list []structural.Rule, rule structural.Rule) int {
		return slices.IndexFunc(list, func(r structural.Rule) bool { return r.Rule == rule.Rule })
	}
	for i := range was {
		if rule := &was[i]; find(is, *rule) < 0 && !c.expressions.isImplied(rule, is) {
			c.rule(Change{Class: Looser, Old: rule.Rule}, rule.Rule)
		}
	}
	for i := range is {
		rule := &is[i]
		at := find(was, *rule)
		switch {
		case at < 0:
			c.newRule(old, changed, rule)
		case isOptional(was[at]) != isOptional(*rule):
			change := Change{
				Old: rule.Rule, New: rule.Rule,
				Message: "optionalOldSelf is " + onOff(isOptional(*rule)),
			}
			change.Class = Stricter
			c.rule(change, rule.Rule)
			change.Class = Looser
			c.rule(change, rule.Rule)
		case !sameTexts(was[at], *rule):
			c.rule(Change{
				Class: Cosmetic, Decided: true,
				Old: messageOf(was[at]), New: messageOf(*rule), Message: rule.Rule,
			}, rule.Rule)
		}
	}
}

// newRule adds the change of a rule that is new. It refuses nothing if rules of
// the old definition say the same, or if it is true of all old values.
func (c *schemaComparison) newRule(old, changed *structural.Schema, rule *structural.Rule) {
	change := Change{Class: Stricter, New: rule.Rule}
	if c.expressions.isImplied(rule, old.Rules()) ||
		c.expressions.parse(rule.Rule).holds(&unreachable{old, changed}) {
		change.Class, change.Decided = NoEffect, true
	}
	c.rule(change, rule.Rule)
}

// rule adds a change of a rule.
func (c *schemaComparison) rule(change Change, rule string) {
	change.Keyword = rulesKeyword
	added := c.add(change)
	added.target.rule, added.target.expression = rule, c.expressions.parse(rule)
	level := c.levels[len(c.levels)-1]
	added.target.isTotal = level.new != nil && added.target.expression.isTotal(level.new.Type())
}

const rulesKeyword = "x-kubernetes-validations"

func isOptional(rule structural.Rule) bool {
	return rule.OptionalOldSelf != nil && *rule.OptionalOldSelf
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// sameTexts reports whether two rules with one expression report the same.
func sameTexts(a, b structural.Rule) bool {
	a.OptionalOldSelf, b.OptionalOldSelf = nil, nil
	return a == b
}

// messageOf returns what a rule reports, as far as it is not the default.
func messageOf(rule structural.Rule) any {
	texts := map[string]any{}
	for name, text := range map[string]string{
		"message": rule.Message, "messageExpression": rule.MessageExpression,
		"reason": rule.Reason, "fieldPath": rule.FieldPath,
	} {
		if text != "" {
			texts[name] = text
		}
	}
	return texts
}
