package describe

import "github.com/crdsem/crdsem/definition"

// Description is what a definition says about a field, for programs.
type Description struct {
	Group   string `json:"group"`
	Kind    string `json:"kind"`
	Version string `json:"version"`
	FieldValue
	// Rules are those of the field, and those above that read it.
	Rules []RuleValue `json:"rules,omitempty"`
	// Unknown says what happens to fields that are not declared below: kept or
	// removed. It is empty for a field that has none.
	Unknown string `json:"unknownFields,omitempty"`
	// Fields are the fields directly below.
	Fields []FieldValue `json:"fields,omitempty"`
}

// FieldValue is one field.
type FieldValue struct {
	// Path is the field, e.g. spec.ports[].name. It is empty for the object.
	Path        string      `json:"path"`
	Type        string      `json:"type"`
	Required    bool        `json:"required,omitempty"`
	Nullable    bool        `json:"nullable,omitempty"`
	Description string      `json:"description,omitempty"`
	Facts       []FactValue `json:"facts,omitempty"`
	// Updates say what an update may not change.
	Updates []string `json:"updates,omitempty"`
}

// FactValue is a fact, e.g. maximum and 10.
type FactValue struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

// RuleValue is a validation rule.
type RuleValue struct {
	Rule              string `json:"rule"`
	Message           string `json:"message,omitempty"`
	MessageExpression string `json:"messageExpression,omitempty"`
	// At is the field that has the rule.
	At string `json:"at"`
}

// Value returns what a version says about a field.
func Value(m *definition.Model, v *definition.Version, f Field) *Description {
	d := &Description{
		Group: m.Group(), Kind: m.Names().Kind, Version: v.Name, FieldValue: f.value(),
	}
	if f.Path == "" {
		d.Updates = append(d.Updates, rootUpdates(v)...)
	}
	for _, r := range f.Schema.Rules() {
		d.Rules = append(d.Rules, RuleValue{r.Rule, r.Message, r.MessageExpression, f.Path})
	}
	above, rules := f.readBy()
	for i := range above {
		for _, r := range rules[i] {
			d.Rules = append(d.Rules,
				RuleValue{r.Rule, r.Message, r.MessageExpression, above[i].Path})
		}
	}
	for _, text := range unknownFields(m, f) {
		d.Unknown = text
	}
	for child := range f.fields() {
		d.Fields = append(d.Fields, child.value())
	}
	return d
}

func (f Field) value() FieldValue {
	out := FieldValue{
		Path: f.Path, Type: Type(f.Schema), Required: f.Required, Nullable: f.Schema.Nullable(),
		Description: f.Schema.Description(), Updates: f.updates(),
	}
	for _, fact := range Facts(f.Schema) {
		out.Facts = append(out.Facts, FactValue{fact.Name, fact.Value})
	}
	return out
}

// More returns what a field's hover says next to its facts: what an update may
// not change, and what happens to fields that are not declared.
func (f Field) More(m *definition.Model) (lines []string) {
	for _, text := range f.updates() {
		lines = append(lines, "updates: "+text)
	}
	for _, text := range unknownFields(m, f) {
		lines = append(lines, "unknown fields: "+text)
	}
	return lines
}

// Along returns the field that names lead to, through the items of lists. ok is
// false if there is none.
func Along(root Field, names []string) (f Field, ok bool) {
	f = root
	for _, name := range names {
		if f, _, ok = f.step([]pathStep{{name: name}}); !ok {
			return f, false
		}
	}
	return f, true
}
