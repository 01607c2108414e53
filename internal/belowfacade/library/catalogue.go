package library

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// functionsText has the functions of all libraries. Its head describes the
// form.
//
//go:embed functions.txt
var functionsText string

// declaration is a function, and the first edition of its library that has it.
type declaration struct {
	Function
	edition uint32
}

// catalogue returns the functions by the names of their libraries.
var catalogue = sync.OnceValue(func() map[string][]declaration {
	out := map[string][]declaration{}
	library := ""
	for line := range strings.Lines(functionsText) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			library = strings.Trim(line, "[]")
		case line[0] == '\t':
			f := &out[library][len(out[library])-1]
			f.Overloads = append(f.Overloads, parseOverload(line[1:], f.Name))
		default:
			out[library] = append(out[library], parseFunction(line, library))
		}
	}
	return out
})

// parseFunction reads the line of a function, e.g. "sum; cost traverse: the sum
// of the elements".
func parseFunction(line, library string) declaration {
	head, summary, _ := strings.Cut(line, ": ")
	name, a := parseAttributes(head)
	return declaration{
		Function: Function{Name: name, Library: library, Summary: summary, Cost: a.cost},
		edition:  uint32(a.edition),
	}
}

// parseOverload reads the line of an overload of a function, e.g.
// "quote: strings.quote(string) -> string; cost quote".
func parseOverload(line, function string) Overload {
	id, signature, _ := strings.Cut(line, ": ")
	signature, a := parseAttributes(signature)
	o := Overload{ID: id, Cost: a.cost, Introduced: Version(a.since)}
	call, result, _ := strings.Cut(signature, " -> ")
	o.Result = result
	if member, ok := strings.CutPrefix(call, "<"); ok {
		o.Receiver, call, _ = strings.Cut(member, ">.")
	}
	call = strings.TrimPrefix(call, function+"(")
	o.Params = splitTypes(strings.TrimSuffix(call, ")"))
	return o
}

// splitTypes splits a list of types at the commas that are outside of
// parentheses, e.g. "map(K, V), K".
func splitTypes(list string) []string {
	var out []string
	for part := range strings.SplitSeq(list, ", ") {
		last := len(out) - 1
		if last >= 0 && strings.Count(out[last], "(") > strings.Count(out[last], ")") {
			out[last] += ", " + part
		} else if part != "" {
			out = append(out, part)
		}
	}
	return out
}

// attributes are what a line says in the form "; cost scan".
type attributes struct {
	cost           Cost
	since, edition int
}

// parseAttributes splits a text into what stands before its attributes and
// these.
func parseAttributes(text string) (rest string, a attributes) {
	rest, list, _ := strings.Cut(text, "; ")
	for attribute := range strings.SplitSeq(list, "; ") {
		key, value, _ := strings.Cut(attribute, " ")
		switch key {
		case "cost":
			a.cost = costNamed(value)
		case "since":
			a.since, _ = strconv.Atoi(value)
		case "edition":
			a.edition, _ = strconv.Atoi(value)
		}
	}
	return rest, a
}
