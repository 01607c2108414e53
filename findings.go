package crdsem

import (
	"encoding/json"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/fieldpath"
	"github.com/crdsem/crdsem/internal/base/fieldtext"
	"github.com/crdsem/crdsem/structural"
)

// Pointer is the place of a value in an object, e.g. `/spec/ports/0/name`. It
// is an alias of structural.Pointer.
type Pointer = structural.Pointer

// Finding is one reason for a verdict. Its JSON has the names of a cause in a
// metav1.Status, reason, message and field, and further ones.
type Finding struct {
	// Rule is the id of the rule of the specification that the object breaks,
	// e.g. VAL-042 for a pattern (see conformance/spec). It is the Origin of
	// Error.
	Rule string
	// Error is the finding as the server reports it. Its BadValue is the value.
	// About an unknown or duplicate field, which a server refuses without a
	// cause, its Detail is the server's text.
	*field.Error
	// Pointer is the place of Error.Field, in a form that can be followed. The
	// value may be absent, e.g. if it is required.
	Pointer Pointer
	// Ratcheted is set for a finding that does not fail an update, because the
	// value did not change.
	Ratcheted bool
}

// Message returns the text of the finding without its field, as in a server's
// cause: e.g. `Invalid value: 0: spec.n in body should be greater than 1`. It
// is empty without an Error.
func (f Finding) Message() string {
	if f.Error == nil {
		return ""
	}
	return fieldtext.Body(f.Error)
}

// String returns the field, the text and the rule.
func (f Finding) String() string {
	if f.Error == nil {
		return f.Rule
	}
	return fmt.Sprintf("%s: %s (%s)", f.Field, f.Message(), f.Rule)
}

// MarshalJSON writes a finding with the names of a cause in a metav1.Status.
func (f Finding) MarshalJSON() ([]byte, error) {
	message := f.Message()
	if f.Error == nil {
		f.Error = &field.Error{}
	}
	return json.Marshal(struct {
		Reason    string  `json:"reason"`
		Message   string  `json:"message"`
		Field     string  `json:"field"`
		Pointer   Pointer `json:"pointer"`
		Rule      string  `json:"rule"`
		Ratcheted bool    `json:"ratcheted,omitempty"`
	}{string(f.Type), message, f.Field, f.Pointer, f.Rule, f.Ratcheted})
}

// Findings returns Errors and then Ratcheted, each with its rule and place. Of
// a request that [Strict] refused, it returns the duplicate and the unknown
// fields. The rule of any other request that was refused before validation is
// in the [StatusError].
func (r *Result) Findings() []Finding {
	if len(r.objections) > 0 {
		return append([]Finding(nil), r.objections...)
	}
	if len(r.Errors)+len(r.Ratcheted) == 0 {
		return nil
	}
	findings := make([]Finding, 0, len(r.Errors)+len(r.Ratcheted))
	for _, err := range r.Errors {
		findings = append(findings, r.finding(err, false))
	}
	for _, err := range r.Ratcheted {
		findings = append(findings, r.finding(err, true))
	}
	return findings
}

func (r *Result) finding(err *field.Error, ratcheted bool) Finding {
	return Finding{
		Rule: err.Origin, Error: err, Pointer: pointerTo(r.Object, err.Field), Ratcheted: ratcheted,
	}
}

// pointerTo returns the place that a path of an error names in an object.
func pointerTo(object map[string]any, path string) (p Pointer) {
	if path == noField {
		return ""
	}
	for _, key := range fieldpath.Resolve(object, path) {
		p = p.Append(key)
	}
	return p
}

// noField is the path of an error about the object itself.
const noField = "<nil>"

// strictRule is the rule about unknown and duplicate fields.
const strictRule = "PIPE-006"

// strictFindings returns what a strict request objects to: duplicate fields,
// then unknown ones.
func (r *request) strictFindings() (list []Finding) {
	add := func(kind field.ErrorType, path, text string, at Pointer, value any) {
		if len(list) < r.choices.most {
			list = append(list, Finding{
				Rule: strictRule, Pointer: at, Error: &field.Error{
					Type: kind, Field: path, BadValue: value, Detail: text, Origin: strictRule,
				},
			})
		}
	}
	for _, err := range r.strict {
		for _, d := range r.duplicates(err) {
			key := ""
			for k := range d.at.Keys() {
				key = k
			}
			add(field.ErrorTypeDuplicate, d.path, d.text, d.at, key)
		}
	}
	for _, c := range r.decoded.changes {
		if c.Action == Pruned || c.Action == MetadataPruned {
			add(field.ErrorTypeForbidden, c.Path, `unknown field "`+c.Path+`"`, c.Pointer, c.Value)
		}
	}
	return list
}

// duplicate is a duplicate field.
type duplicate struct {
	path, text string
	at         Pointer
}

// duplicates returns the duplicate fields that an error of a strict decoder is
// about.
func (r *request) duplicates(err error) []duplicate {
	var of interface{ FieldPath() string }
	if errors.As(err, &of) {
		path := of.FieldPath()
		return []duplicate{{path, err.Error(), pointerTo(r.decoded.object, path)}}
	}
	var root yaml.Node
	if yaml.Unmarshal(r.body, &root) != nil {
		return []duplicate{{text: err.Error()}}
	}
	var list []duplicate
	duplicateKeys(&root, "", nil, &list)
	return list
}

// duplicateKeys appends the keys of a YAML document that stand twice in one
// mapping, with their lines.
func duplicateKeys(n *yaml.Node, at Pointer, path *field.Path, list *[]duplicate) {
	switch n.Kind {
	case yaml.DocumentNode:
		for _, child := range n.Content {
			duplicateKeys(child, at, path, list)
		}
	case yaml.SequenceNode:
		for i, child := range n.Content {
			duplicateKeys(child, at.Append(fmt.Sprint(i)), path.Index(i), list)
		}
	case yaml.MappingNode:
		seen := map[string]bool{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i].Value
			below, to := at.Append(key), path.Child(key)
			if seen[key] {
				text := fmt.Sprintf("line %d: key %q already set in map", n.Content[i].Line, key)
				*list = append(*list, duplicate{to.String(), text, below})
			}
			seen[key] = true
			duplicateKeys(n.Content[i+1], below, to, list)
		}
	}
}
