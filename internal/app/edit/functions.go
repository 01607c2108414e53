package edit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/kit/celsyntax"
	"github.com/crdsem/crdsem/minors"
)

// function is an overload of a function of CEL.
type function struct{ name, library, receiver, result, signature, text string }

// globalReceiver is what global functions are called on.
const globalReceiver = "()"

// standard are the functions and macros of CEL itself, and the macros of
// libraries, which @ names.
const standard = `
all: <list(A)>.all(x, test) -> bool; whether a test is true of all elements or keys
exists: <list(A)>.exists(x, test) -> bool; whether a test is true of one of them
exists_one: <list(A)>.exists_one(x, test) -> bool; whether a test is true of exactly one of them
filter: <list(A)>.filter(x, test) -> list(A); the elements of which a test is true
map: <list(A)>.map(x, value) -> list(B); a value for each element
sortBy@cel.lib.ext.lists: <list(A)>.sortBy(x, key) -> list(A); the elements in the order of their keys
transformList@cel.lib.ext.comprev2: <list(A)>.transformList(i, x, value) -> list(B); a value for each index and element
transformMap@cel.lib.ext.comprev2: <map(A, B)>.transformMap(k, x, value) -> map(A, C); a map with other values
optMap@cel.lib.optional: <optional_type(A)>.optMap(x, value) -> optional_type(B); a value of what is there
optFlatMap@cel.lib.optional: <optional_type(A)>.optFlatMap(x, value) -> optional_type(B); an optional of what is there
contains: <string>.contains(string) -> bool; whether a string has a part; cost ⌈0.1n⌉·⌈0.1m⌉
startsWith: <string>.startsWith(string) -> bool; whether a string starts so; cost ⌈0.1m⌉
endsWith: <string>.endsWith(string) -> bool; whether a string ends so; cost ⌈0.1m⌉
matches: <string>.matches(string) -> bool; whether a regular expression (RE2) matches a part; cost ⌈0.1(n+1)⌉·⌈0.25m⌉
size: <string>.size() -> int; the number of characters
size: <list(A)>.size() -> int; the number of elements
size: size(dyn) -> int; the number of characters, elements or keys
has: has(self.field) -> bool; whether a field is there
int: int(dyn) -> int; an integer of a number, a string or a timestamp
double: double(dyn) -> double; a number of an integer or a string
string: string(dyn) -> string; the text of a value
bool: bool(string) -> bool; true or false of a string
bytes: bytes(string) -> bytes; the UTF-8 of a string
duration: duration(string) -> duration; e.g. of "1h30m"
timestamp: timestamp(string) -> timestamp; of RFC 3339
type: type(dyn) -> type; the type of a value
dyn: dyn(A) -> dyn; a value without its type
getFullYear: <timestamp>.getFullYear(string) -> int; the year, in a time zone
getMonth: <timestamp>.getMonth(string) -> int; the month from 0, in a time zone
getDate: <timestamp>.getDate(string) -> int; the day of the month from 1, in a time zone
getDayOfWeek: <timestamp>.getDayOfWeek(string) -> int; the day of the week, 0 is Sunday
getHours: <timestamp>.getHours(string) -> int; the hour, in a time zone
getHours: <duration>.getHours() -> int; the duration in hours
getMinutes: <timestamp>.getMinutes(string) -> int; the minute, in a time zone
getMinutes: <duration>.getMinutes() -> int; the duration in minutes
getSeconds: <timestamp>.getSeconds(string) -> int; the second, in a time zone
getSeconds: <duration>.getSeconds() -> int; the duration in seconds
`

var declaration = regexp.MustCompile(`(?m)^(\w+)(?:@(\S+))?: ((?:<(.+?)>\.)?.*?\) -> (\S+|map\(.*\))); (.*)$`)

var standardFunctions = sync.OnceValue(func() (all []function) {
	for _, m := range declaration.FindAllStringSubmatch(standard, -1) {
		receiver := m[4]
		if receiver == "" {
			receiver = globalReceiver
		}
		all = append(all, function{m[1], m[2], receiver, m[5], m[3], m[6]})
	}
	return all
})

// functionsOf returns the functions that new rules of a minor can call.
func functionsOf(minor minors.Minor) []function {
	version := library.Latest
	for v := library.Version(1); v < library.Latest; v++ {
		if v.String() == string(minor) {
			version = v
		}
	}
	known := map[string]bool{"": true}
	for _, l := range library.Libraries() {
		known[l.Name] = l.In(version, library.NewExpressions)
	}
	var all []function
	for _, f := range standardFunctions() {
		if known[f.library] {
			all = append(all, f)
		}
	}
	for _, f := range library.Functions(version, library.NewExpressions) {
		for _, o := range f.Overloads {
			receiver := o.Receiver
			if receiver == "" {
				receiver = globalReceiver
			}
			cost := o.Cost
			if cost == library.CostDefault {
				cost = f.Cost
			}
			text := f.Summary
			if cost != library.CostDefault {
				text = fmt.Sprintf("%s; cost %s", text, cost.Runtime())
			}
			all = append(all, function{
				f.Name, f.Library, receiver, o.Result, o.Signature(f.Name), text,
			})
		}
	}
	return all
}

// newestFunctions are those of the newest minor.
var newestFunctions = sync.OnceValue(func() []function { return functionsOf("") })

// takes reports whether a function can be called on a value of a type.
func (f *function) takes(t celType) bool {
	if (f.receiver == globalReceiver) != (t.name == globalReceiver) {
		return false
	}
	base, rest, _ := strings.Cut(f.receiver, "(")
	elem, _, _ := strings.Cut(rest, ")")
	switch {
	case t.name == "" || t.name == globalReceiver || len(base) == 1 || base == "dyn":
		return true
	case t.name == "map" && base == "list" && slices.Contains(macros, f.name) && f.name != "sortBy":
		return true
	case base == "list" && t.name == "list" && len(elem) > 1 && elem != "dyn":
		return t.element().name == elem || t.element().name == ""
	case t.name == "object":
		return false
	}
	return base == t.name
}

// resultOf returns the type of a call.
func resultOf(name string, receiver celType) celType {
	for _, f := range newestFunctions() {
		if f.name != name || !f.takes(receiver) {
			continue
		}
		base, rest, isGeneric := strings.Cut(f.result, "(")
		t := celType{name: base}
		if elem := strings.TrimSuffix(rest, ")"); isGeneric {
			switch {
			case name == "filter" || len(elem) == 1 && name != "map":
				t.elem = receiver.elem
			case len(elem) > 1 && elem != "dyn":
				t.elem = &celType{name: elem}
			}
		}
		if len(base) == 1 && receiver.name == optionalType {
			return receiver.element() // value and orValue
		}
		if len(base) == 1 || base == "dyn" {
			return celType{}
		}
		return t
	}
	return celType{}
}

// expression offers what continues a rule: fields and functions behind a dot,
// and else variables and global functions.
func (c *completer) expression(lines []string, line, offset int) {
	schema := newSchemaText(c.way)
	key, ok := schema.keys[c.steps[len(c.steps)-1].id]
	if !ok {
		return
	}
	e := newExpression(lines, schema, key, line, offset)
	n := len(e.tokens)
	typed := 0
	if n > 0 && e.tokens[n-1].kind == 'i' && e.tokens[n-1].end == offset {
		n--
		typed = offset - e.tokens[n].start
	}
	if n > 0 && e.tokens[n-1].kind == 's' && e.tokens[n-1].end == offset {
		return // within a string, or right behind it
	}
	text := lines[line]
	c.over, c.way.typed = c.w.span(text, line, offset-typed, offset), text[offset-typed:offset]
	switch {
	case e.is(n-1, "?") && e.is(n-2, "."):
		c.fieldsOf(schema, e.typeOf(e.operand(n-2), n-2))
	case e.is(n-1, "."):
		t := e.typeOf(e.operand(n-1), n-1)
		c.fieldsOf(schema, t)
		c.functions(t)
	default:
		e.variables(n, func(name string, of celType) {
			c.add(name, name, Completion{Kind: VariableCompletion, Detail: of.String()})
		})
		self := schema.typeAt(e.self).String()
		c.add("self", "self", Completion{Kind: VariableCompletion, Detail: self})
		c.add("oldSelf", "oldSelf", Completion{Kind: VariableCompletion, Detail: self,
			Text: "The value before an update: the rule then runs on updates only (CEL-100)."})
		c.functions(celType{name: globalReceiver})
	}
}

// fieldsOf offers the fields of an object, or of an optional one.
func (c *completer) fieldsOf(s *schemaText, t celType) {
	if t = t.held(); t.name != "object" {
		return
	}
	properties, _ := s.child(t.node, "properties")
	for _, k := range s.children[properties.id] {
		if properties.id != 0 {
			name := celsyntax.Name(k.key)
			c.add(k.key, name, Completion{
				Kind: FieldCompletion, Filter: name, Detail: s.typeAt(k.id).String(),
				Text: s.word(k.id, "description"),
			})
		}
	}
}

// functions offers the functions that can be called on a value, each name once.
func (c *completer) functions(t celType) {
	seen := map[string]int{}
	for _, f := range functionsOf(c.w.oldest()) {
		if !f.takes(t) || strings.ContainsAny(f.name, "_[@") && f.name != "exists_one" {
			continue
		}
		if i, twice := seen[f.name]; twice {
			c.found[i].Text += "\n" + f.signature
			continue
		}
		seen[f.name] = len(c.found)
		text := f.name + "("
		if strings.Contains(f.signature, f.name+"()") {
			text += ")"
		}
		c.add(f.name, text, Completion{
			Kind: FunctionCompletion, Detail: f.signature, Text: f.text,
		})
	}
}

// oldest returns the oldest minor that the workspace judges for, empty for the
// newest that is known.
func (w *Workspace) oldest() minors.Minor {
	w.mu.Lock()
	defer w.mu.Unlock()
	if in := w.settings.Kubernetes; len(in) > 0 {
		return in[0]
	}
	return ""
}
