package celfunctions

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/common/types"
)

// literal writes a value of a type without calls, except for types that have no
// literals.
func (g *generator) literal(t *types.Type, depth int) string {
	pick := func(from []string) string { return from[g.IntN(len(from))] }
	switch t.Kind() {
	case types.IntKind:
		return pick(numbers)
	case types.UintKind:
		return strings.TrimPrefix(pick(numbers), "-") + "u"
	case types.DoubleKind:
		return pick(
			[]string{
				"0.0",
				"1.0",
				"-1.5",
				"2.5",
				"1e300",
				"0.1",
				"3.0",
				"double('NaN')",
				"double('Infinity')",
			},
		)
	case types.BoolKind:
		return pick([]string{"true", "false"})
	case types.StringKind:
		return Quote(pick(plain))
	case types.BytesKind:
		return "b" + pick(
			[]string{"''", "'abc'", "'\\xff\\x00'", "'日本'", "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'"},
		)
	case types.NullTypeKind:
		return "null"
	case types.DurationKind:
		return "duration(" + Quote(pick(spans[:4])) + ")"
	case types.TimestampKind:
		return "timestamp(" + Quote(pick(moments[:4])) + ")"
	case types.DynKind, types.AnyKind, types.TypeParamKind:
		return "dyn(" + g.value(scalars[g.IntN(8)], depth-1) + ")"
	case types.TypeKind:
		return pick(
			[]string{
				"int",
				"string",
				"list",
				"map",
				"net.IP",
				"net.CIDR",
				"type",
				"bool",
				"google.protobuf.Duration",
			},
		)
	case types.ListKind:
		return g.list(t.Parameters()[0], depth)
	case types.MapKind:
		return g.mapping(t, depth)
	}
	if isOptional(t) {
		if g.IntN(4) == 0 {
			return "optional.none()"
		}
		return "optional.of(" + g.value(t.Parameters()[0], depth-1) + ")"
	}
	return g.kubernetes(t)
}

func (g *generator) list(of *types.Type, depth int) string {
	elements := make([]string, g.IntN(5))
	for i := range elements {
		elements[i] = g.value(of, depth-2)
	}
	return "[" + strings.Join(elements, ", ") + "]"
}

func (g *generator) mapping(t *types.Type, depth int) string {
	entries := make([]string, g.IntN(3))
	for i := range entries {
		key := t.Parameters()[0]
		if key.Kind() == types.DynKind || key.Kind() == types.DoubleKind {
			key = types.StringType
		}
		entries[i] = g.literal(key, 0) + ": " + g.value(t.Parameters()[1], depth-2)
	}
	return "{" + strings.Join(entries, ", ") + "}"
}

// kubernetes writes a value of a type of the Kubernetes libraries, mostly a
// valid one.
func (g *generator) kubernetes(t *types.Type) string {
	pick := func(from []string) string { return Quote(from[g.IntN(len(from))]) }
	switch t.TypeName() {
	case "kubernetes.URL":
		return "url(" + pick(locations) + ")"
	case "kubernetes.Quantity":
		return "quantity(" + pick(quantities) + ")"
	case "kubernetes.Semver":
		if g.IntN(3) == 0 {
			return fmt.Sprintf("semver(%s, %v)", pick(versions), g.IntN(3) > 0)
		}
		return "semver(" + pick(versions) + ")"
	case "kubernetes.NamedFormat":
		return "format." + names[g.IntN(11)] + "()"
	case "net.IP":
		return "ip(" + pick(addresses) + ")"
	case "net.CIDR":
		return "cidr(" + pick(networks) + ")"
	}
	return "dyn(1)"
}
