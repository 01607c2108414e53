package suite

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/crdsem/crdsem/internal/app/protocol"
)

// Part is a part of what an API server does to custom resources, e.g. "prune".
// An implementation may have some parts and lack others.
type Part string

// The parts, in the order in which a port may add them.
const (
	Values      Part = "values"       // types, bounds, enums, patterns, junctors
	Formats     Part = "formats"      // format
	ListTypes   Part = "list types"   // sets and list-maps
	Prune       Part = "prune"        // unknown fields
	Default     Part = "default"      // defaults and nulls
	Ratcheting  Part = "ratcheting"   // errors that an update tolerates
	Structural  Part = "structural"   // what a schema must be
	Sort        Part = "sort"         // the order of versions
	Conversion  Part = "conversion"   // between versions
	Rules       Part = "CEL evaluate" // rules: results and costs
	Costs       Part = "costs"        // estimated costs of rules
	RuleChecks  Part = "CEL compile"  // definitions that are refused for their rules
	Definitions Part = "definitions"  // all else that a definition is checked for
	Metadata    Part = "metadata"     // an object's metadata
	Columns     Part = "columns"      // the table of kubectl get
	Storage     Part = "storage"      // what etcd holds, and what is read of it
	Merge       Part = "merge"        // server-side apply, and who owns a field
	Requests    Part = "requests"     // all steps of a create, an update, a status update
	Writes      Part = "writes"       // patches, updates, status, scale: what a client sees
)

// Parts returns all parts, in their order.
func Parts() []Part {
	return []Part{
		Values, Formats, ListTypes, Prune, Default, Ratcheting, Structural, Sort, Conversion, Rules,
		Costs, RuleChecks, Definitions, Metadata, Columns, Storage, Merge, Requests, Writes,
	}
}

// Profile is a set of parts with a name.
type Profile struct {
	Name  string
	Parts []Part
}

// Profiles returns the profiles, from the smallest to all parts. Each has the
// parts of the one before.
func Profiles() []Profile {
	all := Parts()
	upTo := func(last Part) []Part { return all[:slices.Index(all, last)+1] }
	return []Profile{
		{"values", upTo(ListTypes)},    // the minimal subset: does an object fit a schema?
		{"objects", upTo(Conversion)},  // what happens to an object, without rules
		{"rules", upTo(Costs)},         // and with them
		{"definitions", upTo(Columns)}, // and to its definition
		{"server", all},
	}
}

// partOf returns the part that a vector tests: it follows from its op, and for
// some ops from its group.
func partOf(group, op string) Part {
	switch op {
	case protocol.OpStructural:
		return Structural
	case protocol.OpPrune:
		return Prune
	case protocol.OpDefault:
		return Default
	case protocol.OpSort:
		return Sort
	case protocol.OpConvert:
		return Conversion
	case protocol.OpTable:
		return Columns
	case protocol.OpStore, protocol.OpRead:
		if group == "conv" {
			return Conversion
		}
		return Storage
	case protocol.OpUpdate, protocol.OpStatus, protocol.OpPatch, protocol.OpApply,
		protocol.OpScale:
		if group == "mrg" || op == protocol.OpApply {
			return Merge
		}
		return Writes
	case protocol.OpCEL:
		return Rules
	case protocol.OpCost:
		return Costs
	case protocol.OpCRD:
		if slices.Contains([]string{"cel", "cost", "lib"}, group) {
			return RuleChecks
		}
		return Definitions
	case protocol.OpValidate:
		return validatedPart(group)
	}
	return Requests
}

// validatedPart returns the part of a vector whose op is validate.
func validatedPart(group string) Part {
	switch group {
	case "fmt":
		return Formats
	case "lst":
		return ListTypes
	case "rat":
		return Ratcheting
	case "meta":
		return Metadata
	}
	return Values
}

// InProfile returns the vectors of a profile's parts.
func InProfile(name string, vectors []Vector) ([]Vector, error) {
	i := slices.IndexFunc(Profiles(), func(p Profile) bool { return p.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no profile %q", name)
	}
	parts := Profiles()[i].Parts
	var kept []Vector
	for i := range vectors {
		if slices.Contains(parts, vectors[i].Part) {
			kept = append(kept, vectors[i])
		}
	}
	return kept, nil
}

// Parts counts the vectors of each part.
func (r *Report) Parts() map[Part]Counts {
	parts := map[Part]Counts{}
	for _, result := range r.Results {
		counts := parts[result.Part]
		counts.add(result)
		parts[result.Part] = counts
	}
	return parts
}

// WriteParts writes a line for each part that was asked for: how many vectors
// passed, failed (or had no answer), and are not supported.
func (r *Report) WriteParts(out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "part\tpassed\tfailed\tnot supported\t")
	counted := r.Parts()
	for _, part := range Parts() {
		if c, asked := counted[part]; asked {
			fmt.Fprintf(table, "%s\t%d\t%d\t%d\t\n", part, c.Passed+c.Excused, c.Failed+c.Faulted,
				c.Skipped)
		}
	}
	return table.Flush()
}
