package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity is how much a finding counts.
type Severity string

// The severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Style   Severity = "style"
)

// Check describes a check.
type Check struct {
	// ID is the id, e.g. LINT-pattern.
	ID string
	// Severity is that of its findings, unless another one is asked for: an
	// error is never valid or surely not meant.
	Severity Severity
	// Title is the finding in a few words.
	Title string
	// Text says what is found and why, in Markdown.
	Text string
}

// Checks returns the checks, in the order of docs/lint.md.
func Checks() []Check {
	return slices.Concat(checksOfValues(), otherChecks(), checksOfSurprises(),
		checksOfDefaults(), checksOfCosts())
}

// checksOfValues returns the checks of what keywords say of values.
func checksOfValues() []Check {
	return []Check{
		{"LINT-pattern", Error, "The pattern matches nothing",
			"No string matches the pattern. A `^` stands behind something that takes a " +
				"character, or a `$` before it: `[A-Z]{3}-^[0-9]+$`."},
		{"LINT-length", Error, "No string has the length that is asked for",
			"No string has the length that is asked for: `minLength` is above `maxLength`, " +
				"or every string that matches the pattern is longer than `maxLength` or shorter " +
				"than `minLength`."},
		{"LINT-range", Error, "The bounds exclude each other",
			"No value is within the bounds: `minimum` is above `maximum`, `minItems` above " +
				"`maxItems`, `minProperties` above `maxProperties`, or more fields are required " +
				"than `maxProperties` allows."},
		{"LINT-enum", Error, "A value of the enum is refused",
			"No object can have a value of the enum: another keyword of the field refuses it, " +
				"e.g. the pattern or a bound. In YAML 1.1, which " +
				"the server reads, `y`, `yes` and `on` are true, and `n`, `no` and `off` are " +
				"false: `enum: [on, off]` holds no string. Write them in quotes."},
		{"LINT-required", Error, "A required field is not declared",
			"`required` names a field that `properties` lacks. The server prunes the field and " +
				"then misses it: no object is valid."},
		{"LINT-branch", Warning, "A branch of a junctor never holds",
			"A branch of `allOf`, `anyOf` or `oneOf` excludes what the field itself asks for: " +
				"its enum has none of the values, its bounds are beyond the field's, it " +
				"requires a field that is not declared, or forbids one that is required."},
		{"LINT-unreachable", Warning, "A field is excluded by junctors",
			"No object can have a declared field: `not` forbids it, or every branch of `anyOf` or " +
				"`oneOf` does, or they ask for values that the field itself refuses. A field that " +
				"is kept in the schema for old objects can be forbidden by a rule, which may have " +
				"a message."},
	}
}

// otherChecks returns those of rules, of paths, and of what surprises.
func otherChecks() []Check {
	return []Check{
		{"LINT-has", Error, "A rule reads an optional field without has()",
			"A rule in CEL that reads a field which the object does not have fails with `no such " +
				"key`. If the rule cannot hold without the field, the field is required by " +
				"accident, and the message does not say so. Write `!has(self.a) || self.a > 0`, " +
				"list the field in `required`, or give it a default."},
		{"LINT-constant", Warning, "A rule always or never holds",
			"The schema decides a rule: it compares a field with a value that its enum lacks, or " +
				"with a number beyond its bounds, or asks for a field that is required. The rule " +
				"`false`, which forbids a field, has no such finding."},
		{"LINT-default", Error, "A rule refuses the defaults",
			"A rule does not hold for the defaults of the fields that it reads, whatever the " +
				"others are: an object that leaves the fields out is refused. The default \"\", " +
				"which Kubernetes' types of references have, is left to a rule that asks for more."},
		{"LINT-path", Error, "A path leads to a field that is not declared",
			"A path of the scale subresource or of a printer column, or a filter in it, leads " +
				"to a field that the schema does not declare, that metadata does not have, that " +
				"is one of the items of a list, of which none is selected, or that is below a " +
				"string or a number. The path never leads to a value."},
		{"LINT-status", Warning, "There is a status, but no subresource for it",
			"The schema has a `status`, but the version has no status subresource: clients that " +
				"write the object write the status too, and every write changes the generation."},
		{"LINT-listtype", Warning, "The items have a key, but the list is atomic",
			"The items of a list are objects, and a field looks as if it identified them: " +
				"the `type` of conditions, the `controllerName` of what each controller reports, " +
				"or a required `name` of an item that does not refer to another object. So it is " +
				"with a list of `finalizers`. Without `x-kubernetes-list-type` the list is atomic. " +
				"Server-side apply then replaces the whole list, and a rule cannot compare an " +
				"item with its old value. If that is meant, say `x-kubernetes-list-type: " +
				"atomic`."},
		{"LINT-boolean", Warning, "A key is a boolean in YAML 1.1",
			"A key is not in quotes, and a boolean in YAML 1.1: the property `y` is called " +
				"`true`. Write it in quotes: `\"y\"`."},
	}
}

// checksOfSurprises returns the checks of what does not do what it seems to do.
func checksOfSurprises() []Check {
	return []Check{
		{"LINT-immutable", Warning, "An immutable field can be removed and set anew",
			"A transition rule of a field that is optional does not run when the field is " +
				"removed, nor when it is set again: in two writes it has another value. So it is " +
				"if an object around it can be removed, and with `!has(self.f) || !has(oldSelf.f) " +
				"|| self.f == oldSelf.f` at the object. All three writes are tried: the direct " +
				"change is refused, and the two steps are accepted. The object needs " +
				"`!has(oldSelf.f) || has(self.f)`. What is removed with the whole `spec`, or as " +
				"an item of a list, is not found."},
		{"LINT-create", Warning, "A transition rule does not run for a new value",
			"A rule that reads `oldSelf` does not run when an object is created, nor when the " +
				"value is new. Found are parts of it that are about the new value alone, e.g. " +
				"`self.min <= self.max && self.class == oldSelf.class`, rules that refuse an " +
				"update which keeps some value: `oldSelf == 'A' || self == 'A'`, and rules that " +
				"ask `!has(oldSelf.f)` of a required field to tell that the object is new. With " +
				"`optionalOldSelf: true` a rule runs in both cases."},
		{"LINT-union", Warning, "Fields that exclude each other are accepted together",
			"A message or a description says that an object has exactly one of some fields, or " +
				"one at most, and two of them are accepted: `has(self.a) || has(self.b)`, or " +
				"`anyOf`. Found are also `has()` of three fields compared with `!=`, which three " +
				"of them fulfil again, and members that are required by the value of an enum, " +
				"and forbidden by no value."},
		{"LINT-empty", Warning, "An object keeps nothing",
			"An object declares no field, and has neither `additionalProperties` nor " +
				"`x-kubernetes-preserve-unknown-fields`: the server removes all that is written " +
				"to it. Found are the `metadata` and the `spec` of a template, items of lists, " +
				"values of maps, names such as `config`, `labels` or `affinity`, and objects that " +
				"are described as maps; an empty object may be meant as a mark elsewhere."},
		{"LINT-error", Warning, "A rule ends with an error on an ordinary object",
			"A rule reads an item or a key that may be missing, divides by a field that may " +
				"be 0, converts a string that may be something else, or takes for a string what " +
				"may be an integer, e.g. `self.l[0]`, `self.name.split('-')[1]`, " +
				"`quantity(self.size)` or `self.port.endsWith('%')`. The server refuses the " +
				"object with an error of evaluation, and the message of the rule is not what it " +
				"says. The finding has a value that the schema accepts and no other rule refuses, " +
				"also none of an object around it that reads the field, and for which the rule " +
				"was seen to end with the error."},
		{"LINT-type", Warning, "A keyword means nothing for the type",
			"A keyword restricts values of another type: `pattern` of an integer, `maxItems` " +
				"of a string, also in a branch of a junctor; a format is one of another type; or " +
				"`exclusiveMinimum` has no `minimum`. It has no effect."},
		{"LINT-nullable", Warning, "Nullable has no effect next to an enum",
			"A field is `nullable` and has an `enum`, also by its junctors. The server " +
				"refuses null, even if the enum lists it."},
		{"LINT-storage", Warning, "The storage version lacks a field",
			"A served version declares a field that the storage version lacks, or keeps fields " +
				"of any name where the storage version does not, and the strategy of conversion " +
				"is None. The server removes the field from each object that is written, in " +
				"whatever version. Where the storage version has another type for the field, " +
				"what is stored is invalid there. A kustomization in the folder or above it " +
				"that patches a conversion webhook into the definition is read: then there is " +
				"no finding."},
		{"LINT-column", Warning, "A printer column or scale path has another type",
			"A printer column of type integer, number, boolean or date leads to a field of " +
				"another type, and is empty; one of type date leads to a string that is no time, " +
				"as far as its name and its description say; it can give several values, e.g. by " +
				"`[*]`, of which one is shown; or a path of the scale subresource leads to a " +
				"field that is no string or integer, so that the server refuses writes."},
	}
}

// checksOfDefaults returns the checks of defaults that surprise.
func checksOfDefaults() []Check {
	return []Check{
		{"LINT-requireddefault", Style, "A required field has a default",
			"A field is in `required` and has a default. The server fills it in before it looks, " +
				"so that objects may leave it out; typed clients, documentation and schema " +
				"validators take it as mandatory."},
		{"LINT-parentdefault", Style, "Defaults are behind an object that is optional",
			"Fields of an object have defaults, and the object itself is optional and has " +
				"none: all of several fields, or one that is `true`. The server fills in defaults " +
				"only where the object is written, if only as `{}`."},
	}
}

// checksOfCosts returns the checks of what rules cost.
func checksOfCosts() []Check {
	return []Check{
		{"LINT-next", Warning, "The next minor of Kubernetes refuses a rule",
			"The minor after the newest released one estimates more for a rule than its limit " +
				"allows, and refuses the definition. The page about that minor shows the rules. " +
				"The hint has the edit, in JSON as `edits`: the rule in other words, which judges " +
				"every object as before, or bounds. The edited definition was checked as every " +
				"supported minor does. Editors offer the edit, too, and `lint --fix` makes it " +
				"unless it is a bound."},
		{"LINT-bound", Style, "A list below a rule has no bound",
			"The estimated cost of a rule depends on a list or map without `maxItems` or " +
				"`maxProperties`. The server counts as many elements as fit into a request. A " +
				"rule that takes less than a hundredth of its limit has no such finding. `crdsem " +
				"cost` shows the estimates."},
	}
}

// Has reports whether there is a check of an id.
func Has(id string) bool {
	return slices.ContainsFunc(Checks(), func(c Check) bool { return c.ID == id })
}

// Settings are the severities of checks that differ from their own.
type Settings map[string]Severity

// Off is the severity of checks that are not made.
const Off Severity = "off"

// All is the name of all checks.
const All = "all"

// Set gives a check a severity. Without one it gets its own. A severity of all
// does not turn on those that are off. The error is about a name or a severity
// that is not known.
func (s Settings) Set(check string, severity Severity) error {
	if !slices.Contains([]Severity{Error, Warning, Style, Off, ""}, severity) {
		return fmt.Errorf("severity %q: it is error, warning, style or off", severity)
	}
	isKnown := check == All
	for _, c := range Checks() {
		isOff := s[c.ID] == Off && severity != ""
		if check == All && !isOff || strings.EqualFold(check, c.ID) {
			isKnown, s[c.ID] = true, cmp.Or(severity, c.Severity)
		}
	}
	if !isKnown {
		var ids []string
		for _, c := range Checks() {
			ids = append(ids, c.ID)
		}
		slices.Sort(ids)
		return fmt.Errorf("no check is named %q: there are %s", check, strings.Join(ids, ", "))
	}
	return nil
}

// Of returns the severity of a check.
func (s Settings) Of(check string) Severity {
	if severity, ok := s[check]; ok {
		return severity
	}
	all := Checks()
	return all[slices.IndexFunc(all, func(c Check) bool { return c.ID == check })].Severity
}
