package lint_test

import (
	"fmt"
	"testing"
)

// withRules returns a schema of fields with rules, written in single quotes.
func withRules(fields, required string, rules ...string) string {
	list := ""
	for i, rule := range rules {
		if i > 0 {
			list += ", "
		}
		list += fmt.Sprintf(`{"rule": %q}`, rule)
	}
	return `{"type": "object", "required": [` + required + `], "properties": {` + fields +
		`}, "x-kubernetes-validations": [` + list + `]}`
}

func TestCreated(t *testing.T) {
	const phase = `"phase": {"type": "string", "enum": ["A", "B", "C"]}`
	const sizes = `"min": {"type": "integer"}, "max": {"type": "integer"}, "class": {"type": "string", "maxLength": 9}`
	const all = `"min", "max", "class"`
	field := func(rules string) string {
		return `{"type": "object", "properties": {"phase": {"type": "string", "enum": ["A", "B"], "x-kubernetes-validations": [` + rules + `]}}}`
	}
	const outer = ".x-kubernetes-validations[0].rule"
	const inner = ".properties[phase]" + outer
	checkSurprises(t, "LINT-create", []surprise{
		{"a first value", field(`{"rule": "oldSelf == 'A' || self == 'A'"}`), inner},
		{"a first value, with optionalOldSelf", field(`{"rule": "oldSelf.orValue('A') == 'A' || self == 'A'", "optionalOldSelf": true}`), ""},
		{"a first value, also in a rule for new ones", field(`{"rule": "oldSelf == 'A' || self == 'A'"}, {"rule": "oldSelf.hasValue() || self == 'A'", "optionalOldSelf": true}`), ""},
		{"a last value", field(`{"rule": "oldSelf == 'B' ? self == 'B' : true"}`), ""},
		{"no way back", field(`{"rule": "!(oldSelf == 'B' && self == 'A')"}`), ""},
		{"immutable", field(`{"rule": "self == oldSelf"}`), ""},
		{"a change each time", field(`{"rule": "self != oldSelf"}`), ""},
		{"the end of updates", withRules(phase, `"phase"`, `oldSelf.phase != 'C'`), ""},
		{"a first value of an object", withRules(phase, `"phase"`, `oldSelf.phase == 'A' || self.phase == 'A'`), outer},
		{"set at first", withRules(phase, ``, `has(oldSelf.phase) || has(self.phase) && self.phase == 'A'`), outer},
		{"a field that stays", withRules(phase, ``, `!has(oldSelf.phase) || has(self.phase)`), ""},
		{"a part for the new value", withRules(sizes, all, `self.min <= self.max && self.class == oldSelf.class`), outer},
		{"a part for the new value, within a guard", withRules(sizes, `"min", "max"`, `!has(self.class) || self.min <= self.max && has(oldSelf.class)`), outer},
		{"a part that is a rule of its own, too", withRules(sizes, all, `self.min <= self.max && self.class == oldSelf.class`, `self.min <= self.max`), ""},
		{"a part that always holds", withRules(sizes, all, `has(self.min) && self.class == oldSelf.class`), ""},
		{"a number that grows", withRules(sizes, all, `self.min >= oldSelf.min`), ""},
		{"a number that must grow", withRules(sizes, all, `self.min > oldSelf.min`), ""},
		{"an exception", withRules(sizes, all, `oldSelf.class == '' || self.class == oldSelf.class`), ""},
		{"no transition", withRules(sizes, all, `self.min <= self.max`), ""},
		{"items that stay", withRules(`"l": {"type": "array", "maxItems": 3, "x-kubernetes-list-type": "set", "items": {"type": "string", "maxLength": 9}}`, `"l"`, `oldSelf.l.all(x, x in self.l)`), ""},
	})
}

func TestReplaced(t *testing.T) {
	const fields = `"class": {"type": "string", "maxLength": 9}, "size": {"type": "integer"}, "on": {"type": "boolean"}, "o": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}}`
	const found = ".x-kubernetes-validations[0].rule"
	checkSurprises(t, "LINT-immutable", []surprise{
		{"while both are there", withRules(fields, ``, `!has(self.class) || !has(oldSelf.class) || self.class == oldSelf.class`), found},
		{"the same by && and ?", withRules(fields, ``, `has(self.class) && has(oldSelf.class) ? self.class == oldSelf.class : true`), found},
		{"an integer", withRules(fields, ``, `!(has(self.size) && has(oldSelf.size)) || oldSelf.size == self.size`), found},
		{"an object", withRules(fields, ``, `!has(self.o) || !has(oldSelf.o) || self.o == oldSelf.o`), found},
		{"not removed", withRules(fields, ``, `!has(oldSelf.class) || has(self.class) && self.class == oldSelf.class`), ""},
		{"not removed, by a second rule", withRules(fields, ``, `!has(self.class) || !has(oldSelf.class) || self.class == oldSelf.class`, `!has(oldSelf.class) || has(self.class)`), ""},
		{"neither removed nor added", withRules(fields, ``, `has(self.class) == has(oldSelf.class)`, `!has(self.class) || !has(oldSelf.class) || self.class == oldSelf.class`), ""},
		{"required", withRules(fields, `"class"`, `self.class == oldSelf.class`), ""},
		{"a number that grows", withRules(fields, ``, `!has(self.size) || !has(oldSelf.size) || self.size >= oldSelf.size`), found},
	})
}
