package celrules

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/structural"
)

// CheckFields checks what does not need compiling in the rules of one node: that texts are there and on one line, that reasons
// exist and that fieldPaths lead somewhere (CEL-070, CEL-071). path is the node's. A nil schema stands for a node that
// has no structural model; fieldPaths then go unchecked.
func CheckFields(rules []structural.Rule, schema *structural.Schema, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i := range rules {
		at := path.Child(rulesKeyword).Index(i)
		errs = append(errs, checkTexts(&rules[i], at)...)
		errs = append(errs, checkReason(&rules[i], at)...)
		errs = append(errs, checkFieldPath(&rules[i], schema, at.Child("fieldPath"))...)
	}
	return errs
}

const (
	rulesKeyword = "x-kubernetes-validations"

	mustNotBeEmpty = "must be non-empty if specified"
	mustBeOneLine  = "must not contain line breaks"
)

func checkTexts(r *structural.Rule, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	rule, message := strings.TrimSpace(r.Rule), strings.TrimSpace(r.Message)
	switch {
	case rule == "":
		errs = append(errs, field.Required(at.Child("rule"), "rule is not specified"))
	case r.Message != "" && message == "":
		errs = append(errs, field.Invalid(at.Child("message"), r.Message, mustNotBeEmpty))
	case hasLineBreak(message):
		errs = append(errs, field.Invalid(at.Child("message"), r.Message, mustBeOneLine))
	case hasLineBreak(rule) && message == "":
		errs = append(errs, field.Required(at.Child("message"), "message must be specified if rule contains line breaks"))
	}
	if r.MessageExpression != "" && strings.TrimSpace(r.MessageExpression) == "" {
		errs = append(errs, field.Required(at.Child("messageExpression"), "messageExpression must be non-empty if specified"))
	}
	return errs
}

func hasLineBreak(text string) bool { return strings.ContainsAny(text, "\n\r") }

// reason is shown as JSON by errors, as a value of a string type of its own is.
type reason string

func checkReason(r *structural.Rule, at *field.Path) field.ErrorList {
	known := []reason{"FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"}
	if !r.HasReason || slices.Contains(known, reason(r.Reason)) {
		return nil
	}
	return field.ErrorList{field.NotSupported(at.Child("reason"), reason(r.Reason), known)}
}

func checkFieldPath(r *structural.Rule, schema *structural.Schema, at *field.Path) field.ErrorList {
	if r.FieldPath == "" {
		return nil
	}
	var errs field.ErrorList
	if strings.TrimSpace(r.FieldPath) == "" {
		errs = append(errs, field.Invalid(at, r.FieldPath, mustNotBeEmpty))
	}
	if hasLineBreak(r.FieldPath) {
		errs = append(errs, field.Invalid(at, r.FieldPath, mustBeOneLine))
	}
	if schema != nil {
		if _, _, err := ValidFieldPath(r.FieldPath, schema); err != nil {
			errs = append(errs, field.Invalid(at, r.FieldPath, "must be a valid path"))
		}
	}
	return errs
}

// Check checks all rules of a resource's schema as a server does when a CRD is created: [CheckFields] and [Place.Check] on every node
// on the spine, and the schema's total cost. path is the schema's, openAPIV3Schema below something. The schema must be structural; a server
// leaves out the rules of nodes with other errors, for which there is [NewChecker].
func Check(schema *structural.Schema, path *field.Path, choices ...CheckOption) field.ErrorList {
	if !schema.HasRules() {
		return nil
	}
	checker := NewChecker(choices...)
	var texts, found field.ErrorList
	checkBelow(checker.Root(schema, path), &texts, &found)
	found = append(found, checker.Total(path)...)
	return append(texts, found...)
}

// checkBelow checks the nodes below a place and then the place itself. It returns false where CheckFields found something.
func checkBelow(p *Place, texts, found *field.ErrorList) bool {
	clean := true
	p.Children(func(child *Place) {
		if !checkBelow(child, texts, found) {
			clean = false
		}
	})
	own := CheckFields(p.schema.Rules(), p.schema, p.path)
	*texts = append(*texts, own...)
	if len(own) > 0 || !clean {
		return false
	}
	*found = append(*found, p.Check()...)
	return true
}

// reportedRule is how errors print a rule: under the names of the server's own type.
type reportedRule struct {
	Rule, Message, MessageExpression string
	Reason                           *string
	FieldPath                        string
	OptionalOldSelf                  *bool
}

func reported(r structural.Rule) reportedRule {
	out := reportedRule{
		Rule: r.Rule, Message: r.Message, MessageExpression: r.MessageExpression,
		FieldPath: r.FieldPath, OptionalOldSelf: r.OptionalOldSelf,
	}
	if r.HasReason {
		out.Reason = &r.Reason
	}
	return out
}

// factor tells how far over a limit a cost is (COST-020).
func factor(cost, limit uint64) string {
	ratio := float64(cost) / float64(limit)
	switch {
	case ratio > 100:
		return "more than 100x"
	case ratio < 1.5:
		return fmt.Sprintf("%fx", ratio)
	}
	return fmt.Sprintf("%.1fx", ratio)
}

func overLimit(what string, cost, limit uint64) string {
	return what + " exceeds budget by factor of " + factor(cost, limit) +
		" (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)"
}
