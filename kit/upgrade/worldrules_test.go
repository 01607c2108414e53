package upgrade_test

import (
	"strconv"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

func copied(o object) object { return jsonvalue.DeepCopyMap(o) }

func (w world) rules() (list []string) {
	for range w.IntN(4) {
		list = append(list, w.condition(w.IntN(4)))
	}
	return list
}

// rulesBelow draws rules of the fields.
func (w world) rulesBelow() map[string][]string {
	below := map[string][]string{}
	if w.IntN(2) == 0 {
		return below
	}
	name := w.of("a", "s", "l", "k", "o", "m")
	rules := map[string][]string{
		"a": {"self > 0", "self != 2", "self in [1, 2]", "self >= oldSelf", "self < 3 || self == 7"},
		"s": {"self != ''", "self.startsWith('a')", "self == oldSelf", "self in ['a', 'b', 'x']", "size(self) < 3",
			"self.matches('^[a-z]*$')", "self != 'oldSelf'", "self != 'oldSelf' && oldSelf != 'q'", "self != 'b' || oldSelf == 'b'"},
		"l": {"self.all(x, x != 'b')", "size(self) > 0", "self.exists(x, x == 'a')", "self.all(x, size(x) < 3)",
			"self.all(x, self.exists_one(y, x == y))", "self == oldSelf", "self == ['a', 'b']", "self.size() == oldSelf.size()",
			"oldSelf.all(x, x in self)", "self.map(x, x != 'a', x).size() < 2", "self.map(x, x != 'b', x).size() < 2",
			"self.filter(x, x == 'a').size() < 2", "self.all(x, x in ['a', 'b'])", "oldSelf.all(y, false) || self.size() > 0"},
		"k": {"self.all(x, x.n != 'b')", "self.all(x, has(x.v))", "self.all(x, !has(x.v) || x.v > 0)",
			"self.exists(x, x.n == 'a')", "self.all(x, self.exists_one(y, x.n == y.n))",
			"self.all(x, x.n == 'a' ? has(x.v) : true)", "self.all(x, oldSelf.exists(y, y.n == x.n))"},
		"o": {"has(self.x)", "has(self.x) || has(self.y)", "!has(self.x) || self.x < 2", "has(self.x) != has(self.y)",
			"[has(self.x), has(self.y)].exists_one(b, b)", "self.x > 0 || true", "!has(self.y) || self.y in ['a', self.y]",
			"has(oldSelf.x) == has(self.x)"},
		"m": {"self.all(k, k != 'b')", "self.all(k, size(k) < 2)", "self.all(k, self[k] != 'b')", "'a' in self",
			"!('a' in self) || self['a'] == 'a'", "self.all(k, k in ['a', 'b', 'x'])", "self.exists(k, k == 'a')",
			"size(self) < 2", "self.all(k, k.startsWith('a'))"},
	}[name]
	for range 1 + w.IntN(2) {
		below[name] = append(below[name], rules[w.IntN(len(rules))])
	}
	return below
}

// self is the object of an expression: at times the old one.
func (w world) self() string {
	if w.IntN(12) == 0 {
		return "oldSelf"
	}
	return "self"
}

func (w world) num() string { return strconv.Itoa(w.IntN(4)) }

func (w world) text() string { return w.of("''", "'a'", "'b'", "'x'", "'ab'") }

func (w world) integer() string {
	switch w.IntN(9) {
	case 0:
		return w.self() + ".b"
	case 1:
		return "size(" + w.self() + "." + w.of("s", "l", "m", "k", "t") + ")"
	case 2:
		return w.self() + ".o.x"
	case 3:
		return w.num()
	case 4:
		return w.self() + ".a " + w.of("+", "-") + " " + w.self() + ".b"
	case 5:
		return w.self() + ".a % 2"
	case 6:
		return "(" + w.condition(0) + " ? 1 : 0) + (" + w.condition(0) + " ? 1 : 0)"
	case 7:
		return w.self() + ".n"
	}
	return w.self() + ".a"
}

func (w world) string() string {
	switch w.IntN(8) {
	case 0:
		return w.self() + ".t"
	case 1:
		return w.self() + ".o.y"
	case 2:
		return w.text()
	case 3:
		return "string(" + w.self() + ".a)"
	case 4:
		return w.self() + ".q"
	case 5:
		return w.self() + ".m['a']"
	}
	return w.self() + ".s"
}

func (w world) place() string {
	return w.self() + "." + w.of("a", "b", "s", "t", "f", "q", "p", "l", "k", "m", "o", "n",
		"u", "o.x", "o.y", "o.z", "a", "b",
		"s", "t", "u.w.x", "u.w.new", "m.a")
}

// condition draws a bool.
func (w world) condition(depth int) string {
	if depth <= 0 {
		return w.atom()
	}
	in := func() string { return w.condition(depth - 1) }
	switch w.IntN(9) {
	case 0:
		return "!(" + in() + ")"
	case 1, 2:
		return "(" + in() + ") && (" + in() + ")"
	case 3, 4:
		return "(" + in() + ") || (" + in() + ")"
	case 5:
		return "(" + in() + ") ? (" + in() + ") : (" + in() + ")"
	case 6:
		place := w.place()
		return "!has(" + place + ") || (" + in() + ")"
	case 7:
		place := w.place()
		return "has(" + place + ") && (" + in() + ")"
	}
	return in()
}

func (w world) atom() string {
	compare := w.of("<", "<=", ">", ">=", "==", "!=")
	self := w.self()
	switch w.IntN(31) {
	case 0, 1, 2, 3:
		return "has(" + w.place() + ")"
	case 4, 5:
		return w.integer() + " " + compare + " " + w.num()
	case 6:
		return w.integer() + " " + compare + " " + w.integer()
	case 7, 8:
		return w.string() + " " + w.of("==", "!=") + " " + w.text()
	case 9:
		return w.string() + " " + w.of("==", "!=", "<") + " " + w.string()
	case 10:
		return w.string() + " in [" + w.text() + ", " + w.string() + "]"
	case 11:
		return w.string() + "." + w.of("startsWith", "endsWith", "contains", "matches") + "(" +
			w.of("'a'", "'b'", "''", "'ab'") + ")"
	case 12:
		return w.of(self+".f", self+".f == true", self+".f == false", "true", "false",
			"("+w.condition(0)+") == "+self+".f")
	case 13:
		return "type(" + self + ".p) == " + w.of("string", "int")
	case 14:
		return self + ".p " + w.of("==", "!=") + " " + w.of("1", "'a'", "true", "false", "2")
	case 15:
		return "quantity(" + w.string() + ")." + w.of("isLessThan", "isGreaterThan") +
			"(quantity('" + w.of("1", "2", "1Gi") + "'))"
	case 16:
		return "quantity(" + w.string() + ").compareTo(quantity('" + w.of("1", "2", "1Gi") +
			"')) " + compare + " 0"
	case 17:
		return "duration(" + w.string() + ") " + compare + " duration('" + w.of("1h", "90m",
			"1m") + "')"
	case 18:
		return w.of("isQuantity", "isURL", "isIP") + "(" + w.string() + ")"
	case 19:
		return self + ".l." + w.of("all", "exists", "exists_one") + "(x, x " + w.of("==",
			"!=") + " " + w.text() + ")"
	case 20:
		return w.text() + " in " + self + "." + w.of("l", "m")
	case 21:
		return self + ".l " + w.of("==", "!=") + " " + w.of("[]", "['a']", "['a', 'b']",
			"['y), string(z']", "['y', 'z']")
	case 22:
		return self + ".k." + w.of("all", "exists") + "(x, " + w.of("x.n == 'a'", "has(x.v)",
			"!has(x.v) || x.v > 0", "x.v < 2",
			"x.n in "+self+".l", "x.n in ['a', 'b']", "x.n != "+self+".s",
			self+".l.exists(y, y == x.n)") + ")"
	case 23:
		return self + ".m." + w.of("all", "exists") + "(x, " + w.of("x == 'a'", "x != 'b'",
			"size(x) < 2", "x.startsWith('a')",
			self+".m[x] == 'a'", self+".m[x].startsWith('a')") + ")"
	case 24:
		return "[" + w.condition(0) + ", " + w.condition(0) + ", " + w.condition(0) + "]." +
			w.of("exists_one(b, b)",
				"filter(b, b).size() <= 1", "filter(b, b).size() == 2",
				"filter(b, b == true).size() > 0")
	case 25:
		return self + ".l.map(x, x != " + w.text() + ", x).size() " + compare + " " + w.num()
	case 26:
		return "[" + w.of("", "?") + self + ".?s].size() " + compare + " " + w.num()
	case 27:
		return self + "." + w.of("?a.orValue(1) > 1", "?s.orValue('a') == 'a'",
			"?o.?x.hasValue()", "?s.hasValue()", "?s == optional.of('a')")
	case 28:
		return self + ".o" + w.of(" == self.o", " == oldSelf.o", " != oldSelf.o",
			".z.all(i, i > 0)", ".z == []", ".z[0] == 1")
	case 29:
		return self + "." + w.of("l", "s", "a", "m", "k", "p", "n") + w.of(" == ", " != ") +
			"oldSelf." + w.of("l", "s", "a", "m", "k", "p", "n")
	}
	return self + ".n " + w.of("== null", "!= null", "== 1", "< 2", "!= 2")
}

// variant draws a rule that is like another one.
func (w world) variant(rule string) string {
	exchange := [][2]string{{"1", "2"}, {"2", "1"}, {"0", "1"}, {"3", "2"}, {"'a'", "'b'"},
		{"'b'", "'a'"}, {" < ", " <= "}, {" <= ", " < "},
		{" > ", " >= "}, {" >= ", " > "}, {"&&", "||"}, {"||", "&&"}, {" == ", " != "}, {"all(", "exists("}, {"self.a", "self.b"},
		{"startsWith", "contains"}, {"!has", "has"}, {" == ", " <= "}, {"self.s", "self.t"}, {"[?", "["}, {"['", "['y', '"}}
	switch w.IntN(6) {
	case 0:
		return "(" + rule + ") || (" + w.condition(1) + ")"
	case 1:
		return "!has(" + w.place() + ") || (" + rule + ")"
	case 2:
		return "!(!(" + rule + "))"
	case 3:
		return "(" + rule + ") == true"
	}
	e := exchange[w.IntN(len(exchange))]
	return strings.Replace(rule, e[0], e[1], 1+w.IntN(2))
}
