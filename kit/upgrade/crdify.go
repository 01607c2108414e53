package upgrade

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// crdifyConfig is the configuration of the program crdify:
// https://github.com/kubernetes-sigs/crdify/blob/main/docs/configuration.md.
type crdifyConfig struct {
	Validations          []crdifyValidation `json:"validations"`
	UnhandledEnforcement string             `json:"unhandledEnforcement"`
	Conversion           string             `json:"conversion"`
}

type crdifyValidation struct {
	Name          string            `json:"name"`
	Enforcement   string            `json:"enforcement"`
	Configuration map[string]string `json:"configuration"`
}

// enforcements are the severities of crdify's enforcements.
var enforcements = map[string]Severity{
	"": Breaking, "Error": Breaking, "Warn": Notable, "None": Fine,
}

// limitation is a validation of crdify for a keyword that limits values: what
// admits more is compatible.
func limitation(keyword string) []PolicyRule {
	return []PolicyRule{{Keywords: []string{keyword}, Class: Stricter}}
}

// crdifyRules are the changes that each validation of crdify is about.
// Descriptions are no changes here.
var crdifyRules = map[string][]PolicyRule{
	"scope":                {{Path: "spec.scope"}},
	"existingFieldRemoval": {{Keywords: []string{"properties"}, Edit: Removed}},
	"storedVersionRemoval": {{Keywords: []string{"CRD-110"}}},
	"default":              {{Keywords: []string{"default"}}},
	"description":          nil,
	"enum": {
		{Keywords: []string{"enum"}, Class: Stricter},
		{Keywords: []string{"enum"}, Class: Looser, Edit: Added},
		{Keywords: []string{"enum"}, Class: Looser, Edit: Modified},
	},
	"maximum":       limitation("maximum"),
	"maxItems":      limitation("maxItems"),
	"maxLength":     limitation("maxLength"),
	"maxProperties": limitation("maxProperties"),
	"minimum":       limitation("minimum"),
	"minItems":      limitation("minItems"),
	"minLength":     limitation("minLength"),
	"minProperties": limitation("minProperties"),
	"required":      limitation("required"),
	"type":          {{Keywords: []string{"type"}}},
	"pattern":       {{Keywords: []string{"pattern"}}},
	"nullable":      {{Keywords: []string{"nullable"}}},
}

// allowances are the rules of what a validation allows by configuration.
var allowances = map[[2]string]PolicyRule{
	{"enum", "additionPolicy"}:     {Keywords: []string{"enum"}, Class: Looser},
	{"pattern", "removalPolicy"}:   {Keywords: []string{"pattern"}, Edit: Removed},
	{"nullable", "additionPolicy"}: {Keywords: []string{"nullable"}, Edit: Added},
	{"nullable", "removalPolicy"}:  {Keywords: []string{"nullable"}, Edit: Removed},
}

// parseCrdify returns the policy of a configuration of crdify. As there, what a
// validation does not list is compatible, and a change of another keyword has
// the enforcement of unhandled changes.
func parseCrdify(text []byte) (*Policy, error) {
	var config crdifyConfig
	if err := unmarshalStrict(text, &config); err != nil {
		return nil, err
	}
	configured := map[string]crdifyValidation{}
	var errs []error
	for i, v := range config.Validations {
		at := fmt.Sprintf("validations[%d]", i)
		if _, ok := crdifyRules[v.Name]; !ok {
			errs = append(errs, fmt.Errorf("%s.name: there is no validation %q", at, v.Name))
		}
		errs = append(errs, enforcement(at+".enforcement", v.Enforcement))
		configured[v.Name] = v
	}
	errs = append(errs, enforcement("unhandledEnforcement", config.UnhandledEnforcement))
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	p := &Policy{}
	for _, name := range slices.Sorted(maps.Keys(crdifyRules)) {
		p.Rules = append(p.Rules, configured[name].rules(name)...)
	}
	handled := slices.Sorted(maps.Keys(crdifyRules))
	p.Rules = append(p.Rules,
		PolicyRule{Keywords: append(handled, "properties"), Severity: Fine, ofSchema: true},
		PolicyRule{Class: Cosmetic, Severity: Fine, ofSchema: true},
		PolicyRule{
			Severity: enforcements[config.UnhandledEnforcement], Reason: "crdify: unhandled",
			ofSchema: true,
		})
	return p, nil
}

func enforcement(path, value string) error {
	if _, ok := enforcements[value]; ok {
		return nil
	}
	return fmt.Errorf("%s: %q is none of Error, Warn, None", path, value)
}

// rules returns the rules of a validation, first what it allows.
func (v crdifyValidation) rules(name string) []PolicyRule {
	var rules []PolicyRule
	for _, option := range slices.Sorted(maps.Keys(v.Configuration)) {
		rule, ok := allowances[[2]string{name, option}]
		if ok && strings.EqualFold(v.Configuration[option], "Allow") {
			rule.Severity, rule.Reason = Fine, "crdify: "+name+", "+option
			rules = append(rules, rule)
		}
	}
	for _, rule := range crdifyRules[name] {
		rule.Severity, rule.Reason = enforcements[v.Enforcement], "crdify: "+name
		rules = append(rules, rule)
	}
	return rules
}
