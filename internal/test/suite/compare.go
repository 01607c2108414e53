package suite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/app/protocol"
)

// Members of answers with comparison rules of their own. Errors and warnings
// are compared as sets, because the real code returns them in random order and
// may repeat one. Ratcheted errors, and the rules of errors, are information
// only.
var (
	setMembers     = []string{"errors", "warnings"}
	ignoredMembers = []string{"id", "ratcheted"}
)

// ruleMember is the member of an error, or of the answer to a refused write,
// that names the rule that was broken.
const ruleMember = "rule"

// Canonical returns an answer in the form in which answers are compared:
// without id and informative members, with sets sorted and free of duplicates.
// Numbers keep their kind: 1 and 1.0 differ.
func Canonical(answer []byte) ([]byte, error) {
	object, err := canonical(answer)
	if err != nil {
		return nil, err
	}
	return []byte(text(object)), nil
}

func canonical(answer []byte) (map[string]any, error) {
	v, err := parse(answer)
	if err != nil {
		return nil, err
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the answer is not an object")
	}
	canonicalMembers(object)
	delete(object, ruleMember)
	canonicalRefusal(object)
	return object, nil
}

// canonicalRefusal makes the errors of an invalid write a set. The text that
// joins several has their order, and is left out.
func canonicalRefusal(object map[string]any) {
	causes, _ := object["causes"].([]any)
	if _, isWrite := object["warnings"]; !isWrite || text(object["code"]) != "422" {
		return
	}
	set := sortedSet(causes)
	if len(set) > 1 {
		delete(object, "message")
	}
	if len(set) > 0 {
		object["causes"] = set
	}
}

func canonicalMembers(object map[string]any) {
	for _, name := range ignoredMembers {
		delete(object, name)
	}
	for _, name := range setMembers {
		if list, ok := object[name].([]any); ok {
			dropRules(list)
			object[name] = sortedSet(list)
		}
	}
	rules, _ := object["rules"].([]any)
	for _, rule := range rules {
		if members, ok := rule.(map[string]any); ok {
			canonicalMembers(members)
		}
	}
}

// dropRules removes the rules of errors.
func dropRules(errs []any) {
	for _, err := range errs {
		if members, ok := err.(map[string]any); ok {
			delete(members, ruleMember)
		}
	}
}

// sortedSet sorts a list by the JSON form of its elements and drops duplicates.
func sortedSet(list []any) []any {
	byText := map[string]any{}
	for _, v := range list {
		byText[text(v)] = v
	}
	set := make([]any, 0, len(byText))
	for _, key := range slices.Sorted(maps.Keys(byText)) {
		set = append(set, byText[key])
	}
	return set
}

// Difference compares an answer with the one wanted. It returns "" if they
// agree, otherwise a line for each difference.
func Difference(want, got []byte) (string, error) {
	wanted, err := canonical(want)
	if err != nil {
		return "", fmt.Errorf("wanted answer: %w", err)
	}
	answered, err := canonical(got)
	if err != nil {
		return "", fmt.Errorf("answer: %w", err)
	}
	var out strings.Builder
	difference(&out, "", wanted, answered)
	return out.String(), nil
}

// difference writes a line for each place where two values differ.
func difference(out *strings.Builder, at string, want, got any) {
	switch w := want.(type) {
	case map[string]any:
		if g, ok := got.(map[string]any); ok {
			differentMembers(out, at, w, g)
			return
		}
	case []any:
		if g, ok := got.([]any); ok {
			differentElements(out, at, w, g)
			return
		}
	}
	if a, b := text(want), text(got); a != b {
		fmt.Fprintf(out, "%s: got %s, want %s\n", at, b, a)
	}
}

func differentMembers(out *strings.Builder, at string, want, got map[string]any) {
	names := map[string]bool{}
	for name := range want {
		names[name] = true
	}
	for name := range got {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		w, wanted := want[name]
		g, given := got[name]
		switch {
		case !wanted:
			fmt.Fprintf(out, "%s.%s: got %s, want none\n", at, name, text(g))
		case !given:
			fmt.Fprintf(out, "%s.%s: got none, want %s\n", at, name, text(w))
		default:
			difference(out, at+"."+name, w, g)
		}
	}
}

// differentElements reports the elements that only one of the lists has.
func differentElements(out *strings.Builder, at string, want, got []any) {
	if text(want) == text(got) {
		return
	}
	missing, extra := listMinus(want, got), listMinus(got, want)
	if len(missing) == 0 && len(extra) == 0 {
		fmt.Fprintf(out, "%s: the order differs: got %s, want %s\n", at, text(got), text(want))
		return
	}
	for _, v := range missing {
		fmt.Fprintf(out, "%s: missing %s\n", at, text(v))
	}
	for _, v := range extra {
		fmt.Fprintf(out, "%s: extra %s\n", at, text(v))
	}
}

func listMinus(a, b []any) []any {
	left := map[string]int{}
	for _, v := range b {
		left[text(v)]++
	}
	var rest []any
	for _, v := range a {
		key := text(v)
		if left[key] > 0 {
			left[key]--
			continue
		}
		rest = append(rest, v)
	}
	return rest
}

// parse reads JSON. Integers become literals as they are written; other numbers
// become literals in the protocol's form.
func parse(doc []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(doc))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	return literals(v)
}

func literals(v any) (any, error) {
	var err error
	switch v := v.(type) {
	case json.Number:
		return literal(v)
	case []any:
		for i := range v {
			if v[i], err = literals(v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for name := range v {
			if v[name], err = literals(v[name]); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

func literal(n json.Number) (json.Number, error) {
	if !strings.ContainsAny(string(n), ".eE") {
		return n, nil
	}
	f, err := n.Float64()
	if err != nil {
		return "", err
	}
	doc, err := protocol.AppendValue(nil, f)
	return json.Number(doc), err
}

// text returns the JSON form of a value that parse returned.
func text(v any) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSuffix(out.String(), "\n")
}
