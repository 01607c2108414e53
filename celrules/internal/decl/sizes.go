package decl

import (
	"github.com/crdsem/crdsem/structural"
)

// MaxRequestBytes is the size of the largest request that a server accepts. All
// sizes without a bound are derived from it (COST-001).
const MaxRequestBytes = 3 << 20

// Sizes of serialized values: of delimiters, and of the shortest and longest
// values of each format (CEL-020).
const (
	delimiters      = 2
	minDuration     = 3
	minDateTime     = 21
	dateSize        = 12
	maxFormatLength = 32
	utf8Max         = 4 // bytes of one character
	minEntry        = 6 // of a map: key quotes, two bytes of key, colon, comma
	minField        = 4 // of an object: name quotes, colon, comma
)

// measure is what the type of a node says about the sizes of its values.
type measure struct {
	omitted     bool
	minBytes    int64
	maxElements int64
}

// Omitted reports whether CEL cannot see the node (CEL-020, CEL-026).
func (n *Node) Omitted() bool { return n.measure().omitted }

// MinBytes returns the length of the shortest JSON form of a value, 0 for an
// omitted node.
func (n *Node) MinBytes() int64 { return n.measure().minBytes }

// MaxElements returns how many items, entries or bytes a value has at most, 0
// for values without a size.
func (n *Node) MaxElements() int64 { return n.measure().maxElements }

// MaxCardinality returns how many values of this node one request can have if
// some list or map above it has no bound (COST-014).
func (n *Node) MaxCardinality() uint64 {
	return uint64(MaxRequestBytes / (n.MinBytes() + 1))
}

// measure returns the sizes, which are computed once.
func (n *Node) measure() *measure {
	n.typing.Do(func() { n.measured = n.computeMeasure() })
	return &n.measured
}

// computeMeasure computes the sizes by the kind of the node.
func (n *Node) computeMeasure() measure {
	values := n.values()
	switch n.Kind {
	case IntOrString:
		if n.universe.variant.UnboundedIntOrStrings {
			return measure{minBytes: 1, maxElements: MaxRequestBytes - delimiters}
		}
		return measure{minBytes: 1, maxElements: n.textLength(values, utf8Max)}
	case Object:
		return n.measureObject(values)
	case List:
		return n.measureList(values)
	case String:
		return measure{minBytes: delimiters, maxElements: n.stringLength(values)}
	case Bytes:
		return measure{minBytes: delimiters, maxElements: n.textLength(values, 1)}
	case Duration:
		return measure{minBytes: minDuration, maxElements: maxFormatLength}
	case Date:
		return measure{minBytes: dateSize, maxElements: dateSize}
	case DateTime:
		return measure{minBytes: minDateTime, maxElements: maxFormatLength}
	case Boolean:
		return measure{minBytes: int64(len("true"))}
	case Number, Integer:
		return measure{minBytes: 1}
	}
	return measure{omitted: true}
}

func (n *Node) values() *structural.ValueValidation { return n.Schema.Values() }

// measureList measures lists.
func (n *Node) measureList(values *structural.ValueValidation) measure {
	item := n.Elem()
	if item == nil || item.Omitted() {
		return measure{omitted: true}
	}
	return measure{minBytes: delimiters, maxElements: bound(values.MaxItems, item.MinBytes()+1)}
}

// measureObject measures maps and objects. Properties do not count in maps;
// required ones count in objects.
func (n *Node) measureObject(values *structural.ValueValidation) measure {
	if n.IsMap() {
		value := n.Elem()
		if value.Omitted() {
			return measure{omitted: true}
		}
		return measure{
			minBytes:    delimiters,
			maxElements: bound(values.MaxProperties, value.MinBytes()+minEntry),
		}
	}
	least := int64(delimiters)
	seen := make(map[string]bool, len(values.Required))
	for _, name := range values.Required {
		field := n.Property(name)
		if seen[name] || field == nil || field.Omitted() || field.Schema.Default() != nil {
			continue
		}
		seen[name] = true
		least += int64(len(name)) + field.MinBytes() + minField
	}
	return measure{minBytes: least}
}

// IsMap reports whether an object node is a map (CEL-020).
func (n *Node) IsMap() bool { return n.Kind == Object && n.Schema.AdditionalSchema() != nil }

// bound returns a declared maximum, otherwise how many elements of so many
// bytes fit into a request.
func bound(declared *int64, elementBytes int64) int64 {
	if declared != nil {
		return max(*declared, 0)
	}
	return (MaxRequestBytes - delimiters) / elementBytes
}

// stringLength returns the greatest size of a string: of maxLength, otherwise
// of the longest value of enum.
func (n *Node) stringLength(values *structural.ValueValidation) int64 {
	if n.maxLengthOf(values) != nil || len(values.Enum) == 0 {
		return n.textLength(values, utf8Max)
	}
	return longestText(values.Enum)
}

// longestText returns the length of the longest string among values, -1 if
// there are no values.
func longestText(values []any) int64 {
	longest := -1
	for _, v := range values {
		s, _ := v.(string)
		longest = max(longest, len(s))
	}
	return int64(longest)
}

// textLength returns the greatest size of a string by its maxLength.
func (n *Node) textLength(values *structural.ValueValidation, bytesPerCharacter int64) int64 {
	if m := n.maxLengthOf(values); m != nil {
		return max(*m, 0) * bytesPerCharacter
	}
	return MaxRequestBytes - delimiters
}

// maxLengthOf returns the maxLength of the node, nil if it has none.
func (n *Node) maxLengthOf(values *structural.ValueValidation) *int64 {
	if n.maxLength != nil {
		return n.maxLength
	}
	return values.MaxLength
}

// Bound returns the keyword that bounds the size of values, e.g. "maxItems",
// its value in the schema, nil if it is missing, and how many elements one unit
// of it stands for. The keyword is empty if values have no size, or one that
// another keyword bounds.
func (n *Node) Bound() (keyword string, limit *int64, perUnit int64) {
	values := n.values()
	switch {
	case n.Kind == List:
		return "maxItems", values.MaxItems, 1
	case n.IsMap():
		return "maxProperties", values.MaxProperties, 1
	case n.Kind == Bytes:
		return "maxLength", n.maxLengthOf(values), 1
	case n.Kind == IntOrString, n.Kind == String && len(values.Enum) == 0:
		return "maxLength", n.maxLengthOf(values), utf8Max
	}
	return "", nil, 0
}
