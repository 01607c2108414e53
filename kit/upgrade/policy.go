package upgrade

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// Policy says how severe changes are, and what happens to stored objects. It is
// chosen by [ByPolicy]. A nil Policy leaves the severities as they are.
type Policy struct {
	// Rules are tried in their order. The first one that matches a change
	// decides.
	Rules []PolicyRule `json:"changes,omitempty"`
	// Objects are the severities of fates, e.g. breaking for pruned. A fate
	// that is not listed has [Fate.Severity].
	Objects map[Fate]Severity `json:"objects,omitempty"`
	// Merging is the highest severity of changes that only server-side apply
	// notices, and Status that of changes in a status with a subresource, which
	// only controllers write. Both are notable if they are empty.
	Merging Severity `json:"merging,omitempty"`
	Status  Severity `json:"status,omitempty"`
}

// PolicyRule gives a severity to the changes that match all of its fields. A
// field that is empty matches every change.
type PolicyRule struct {
	// Definition is the name of the definition, e.g. pools.example.com.
	Definition string `json:"definition,omitempty"`
	// Version is the version of the change.
	Version string `json:"version,omitempty"`
	// Path is a field, as changes name it. It matches the fields below as well.
	// A * stands for one name, e.g. spec.*.ports.
	Path string `json:"path,omitempty"`
	// Keywords are the keywords of the change, any of them.
	Keywords []string `json:"keywords,omitempty"`
	Class    Class    `json:"class,omitempty"`
	Edit     Edit     `json:"edit,omitempty"`

	Severity Severity `json:"severity"`
	// Reason is reported with the change.
	Reason string `json:"reason,omitempty"`

	// ofSchema leaves out changes of the definition as a whole.
	ofSchema bool
}

// Edit says how the keyword of a change was edited.
type Edit string

// The edits.
const (
	// Added: only the new definition has the keyword, e.g. a new field.
	Added Edit = "added"
	// Removed: only the old definition has the keyword.
	Removed Edit = "removed"
	// Modified: both have it, with other values.
	Modified Edit = "modified"
)

// Edit returns how the keyword was edited. A keyword that is false is as if it
// were absent.
func (c *Change) Edit() Edit {
	switch {
	case isAbsent(c.Old):
		return Added
	case isAbsent(c.New):
		return Removed
	}
	return Modified
}

// isAbsent reports whether a keyword has no value, or is as if it had none.
func isAbsent(v any) bool { return v == nil || v == false }

// ParsePolicy parses a policy from YAML or JSON. A configuration of crdify is
// understood as well: its validations become rules. The error names the field
// that is wrong.
func ParsePolicy(text []byte) (*Policy, error) {
	var keys map[string]any
	if err := yaml.Unmarshal(text, &keys); err != nil {
		return nil, err
	}
	for _, key := range []string{"validations", "unhandledEnforcement", "conversion"} {
		if _, ok := keys[key]; ok {
			return parseCrdify(text)
		}
	}
	p := &Policy{}
	if err := unmarshalStrict(text, p); err != nil {
		return nil, err
	}
	if err := p.validate(); err != nil {
		return nil, err
	}
	return p, nil
}

// unmarshalStrict decodes YAML or JSON. Unknown and duplicate fields are errors
// with their paths.
func unmarshalStrict(text []byte, into any) error {
	data, err := yaml.YAMLToJSONStrict(text)
	if err != nil {
		return err
	}
	strict, err := json.UnmarshalStrict(data, into)
	return errors.Join(append(strict, err)...)
}

// validate returns an error for each value that means nothing.
func (p *Policy) validate() error {
	var errs []error
	for i, rule := range p.Rules {
		at := fmt.Sprintf("changes[%d].", i)
		errs = append(errs,
			oneOf(at+"severity", rule.Severity, severityNames),
			oneOf(at+"class", rule.Class, append(Classes(), "")),
			oneOf(at+"edit", rule.Edit, []Edit{Added, Removed, Modified, ""}))
	}
	limits := append(slices.Clone(severityNames), "")
	errs = append(errs,
		oneOf("merging", p.Merging, limits), oneOf("status", p.Status, limits))
	for _, fate := range slices.Sorted(maps.Keys(p.Objects)) {
		errs = append(errs, oneOf("objects", fate, Fates()),
			oneOf("objects."+string(fate), p.Objects[fate], severityNames))
	}
	return errors.Join(errs...)
}

var severityNames = []Severity{Breaking, Notable, Fine}

// oneOf returns an error for a value that is not one of some.
func oneOf[T ~string](path string, value T, values []T) error {
	if slices.Contains(values, value) {
		return nil
	}
	var names []string
	for _, v := range values {
		if v != "" {
			names = append(names, string(v))
		}
	}
	return fmt.Errorf("%s: %q is none of %s", path, value, strings.Join(names, ", "))
}

// severity returns the severity of a change of a definition, and the reason of
// the rule that decides. A change that is not known to do what its class says
// is undecided at most.
func (p *Policy) severity(definition string, c *Change) (Severity, string) {
	if p == nil {
		return c.Severities.Most(), ""
	}
	for i := range p.Rules {
		if rule := &p.Rules[i]; rule.matches(definition, c) {
			if rule.Severity == Breaking && !c.IsKnown() {
				return Undecided, rule.Reason
			}
			return rule.Severity, rule.Reason
		}
	}
	return c.Severities.Most(), ""
}

// limit returns the highest severity that a change may have without a rule.
func (p *Policy) limit(c *Change) Severity {
	var merging, status Severity
	if p != nil {
		merging, status = p.Merging, p.Status
	}
	limit := Breaking
	if c.Class == ChangesMerging {
		limit = lower(limit, cmp.Or(merging, Notable))
	}
	if c.target.isStatus {
		limit = lower(limit, cmp.Or(status, Notable))
	}
	return limit
}

func (rule *PolicyRule) matches(definition string, c *Change) bool {
	return (rule.Definition == "" || rule.Definition == definition) &&
		(rule.Version == "" || rule.Version == c.Version) &&
		(!rule.ofSchema || c.Version != "") &&
		(rule.Class == "" || rule.Class == c.Class) &&
		(rule.Edit == "" || rule.Edit == c.Edit()) &&
		(len(rule.Keywords) == 0 || slices.Contains(rule.Keywords, c.Keyword)) &&
		isWithin(rule.Path, c.Path)
}

// isWithin reports whether a path is that of a pattern, or below it.
func isWithin(pattern, path string) bool {
	want, got := segments(pattern), segments(path)
	if len(want) > len(got) {
		return false
	}
	for i, name := range want {
		if name != "*" && name != got[i] {
			return false
		}
	}
	return true
}

// segments splits a path, e.g. spec.ports[*].name into spec, ports, [*], name.
func segments(path string) []string {
	return strings.FieldsFunc(strings.ReplaceAll(path, "[", ".["), func(r rune) bool {
		return r == '.'
	})
}

// fate returns the severity of what happens to stored objects.
func (p *Policy) fate(f Fate) Severity {
	if p != nil {
		if severity, ok := p.Objects[f]; ok {
			return severity
		}
	}
	return f.Severity()
}
