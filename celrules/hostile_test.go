package celrules_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/allocs"
	"github.com/crdsem/crdsem/internal/test/requests"
)

// attack is a rule that a server dies of, or that keeps it busy.
type attack struct {
	name, rule     string
	letters, items int
	// finds is part of the finding; empty if the rule holds.
	finds string
}

const (
	overMemory = "operation cancelled: values exceed 67108864 bytes evaluating rule"
	overCost   = "call cost exceeds limit for rule"
	overBudget = "running out of cost budget"
)

// doubled is the list or string self.x after so many doublings.
func doubled(of string, times int, how string) string {
	for i := range times {
		name := fmt.Sprintf("v%d", i)
		of = fmt.Sprintf("[%s].map(%s, %s)[0]", of, name, strings.ReplaceAll(how, "v", name))
	}
	return of
}

func attacks() []attack {
	return []attack{
		{"replace", "self.a.replace('x', self.a).size() >= 0", 1_000_000, 0, overMemory},
		{
			"replace under or",
			"self.a.replace('x', self.a).size() >= 0 || true",
			1_000_000,
			0,
			overMemory,
		},
		{
			"replace with limit",
			"self.a.replace('x', self.a, 200).size() >= 0",
			1_000_000,
			0,
			overMemory,
		},
		{
			"replace in cel-go",
			"optional.of(self.a.replace('x', self.a)).hasValue()",
			1_000_000,
			0,
			overMemory,
		},
		{"join", "self.l.join(self.a).size() >= 0", 100_000, 3000, overMemory},
		{"join of maps", "self.l.map(x, self.a).join().size() > 0", 100_000, 3000, overMemory},
		{"format", "'%s'.format([self.l.map(x, self.a)]).size() > 0", 100_000, 3000, overMemory},
		{
			"format of strings",
			"'%s%s%s%s%s'.format([self.a, self.a, self.a, self.a, self.a]).size() > 0",
			8_000_000,
			0,
			overMemory,
		},
		{"format, precision", "'%.90000000f %.90000000f'.format([1.5, 1.5]).size() > 0", 0, 0, ""},
		{
			"format of a tree",
			"'%s'.format([" + doubled("self.l", 40, "[v, v]") + "]).size() > 0",
			0,
			3,
			overMemory,
		},
		{
			"equal trees",
			doubled("['x']", 40, "[v, v]") + " == " + doubled("['x']", 40, "[v, v]"),
			0,
			3,
			overMemory,
		},
		{
			"unequal trees",
			doubled("['x']", 40, "[v, v]") + " != " + doubled("['y']", 40, "[v, v]"),
			0,
			3,
			overMemory,
		},
		{
			"tree in trees",
			doubled("['x']", 40, "[v, v]") + " in [" + doubled("['y']", 40, "[v, v]") + "]",
			0,
			3,
			overMemory,
		},
		{"tree in cel-go", "optional.of(" + doubled("['x']", 40, "[v, v]") + ") == optional.of(" +
			doubled("['x']", 40, "[v, v]") + ")", 0, 3, overMemory},
		{
			"distinct trees",
			"[" + doubled(
				"['x']",
				40,
				"[v, v]",
			) + "," + doubled(
				"['x']",
				40,
				"[v, v]",
			) + "].distinct().size() == 1",
			0,
			3,
			overMemory,
		},
		{
			"flatten of a tree",
			doubled("['x']", 40, "[v, v]") + ".flatten(41).size() > 0",
			0,
			3,
			overMemory,
		},
		{"flatten of sharing", "self.l.map(x, self.l).flatten().size() > 0", 0, 10_000, overMemory},
		{"lists doubled", doubled("self.l", 40, "v + v") + ".size() > 0", 0, 3, overMemory},
		{
			"lists doubled and equal",
			doubled("self.l", 20, "v + v") + " == " + doubled("self.l", 20, "v + v"),
			0,
			3,
			overMemory,
		},
		{"strings doubled", doubled("self.a", 40, "v + v") + ".size() > 0", 100, 0, overCost},
		{
			"strings replaced twice",
			doubled("self.a", 5, "v.replace('x', 'xxxxxxxxxxxxxxxxxxxxxxxx')") + ".size() > 0",
			100,
			0,
			overMemory,
		},
		{"findAll", "self.l.map(x, self.a.findAll('')).size() > 0", 1_000_000, 1000, overMemory},
		{
			"findAll, dynamic",
			"self.l.map(x, self.a.findAll(dyn(''))).size() > 0",
			1_000_000,
			1000,
			overMemory,
		},
		{
			"split",
			"self.l.map(x, self.a.split('x', 1000000)).size() > 0",
			1_000_000,
			1000,
			overMemory,
		},
		{
			"unwrapped optionals",
			"[self.l.map(x, optional.of(x))].all(o, self.l.map(x, o.unwrapOpt()).size() > 0)",
			0,
			2100,
			overMemory,
		},
		{
			"queries",
			"[url('https://x/?' + self.a.replace('x', 'a&'))].all(u, self.l.map(x, u.getQuery()).size() > 0)",
			1_000_000,
			1000,
			overMemory,
		},
		{
			"escaped paths",
			"[url('https://x/' + self.a.replace('x', 'é'))].all(u, self.l.map(x, u.getEscapedPath()).size() > 0)",
			1_000_000,
			1000,
			overMemory,
		},
		{"lists.range", "lists.range(1000000).size() > 0", 0, 0, overCost},
		{"quote", "self.l.map(x, strings.quote(self.a)).size() > 0", 300_000, 300, overCost},
		{
			"200 additions",
			"(self.a" + strings.Repeat(" + self.a", 200) + ").size() > 0",
			1_000_000,
			0,
			overCost,
		},
		{
			"200 contains",
			"self.a.contains('y')" + strings.Repeat(" || self.a.contains('y')", 200),
			1_000_000,
			0,
			overCost,
		},
		{"distinct", "self.l.distinct().size() > 0", 0, 100_000, overBudget},
		{"sort", "self.l.sort().size() > 0", 0, 100_000, overBudget},
		{"sortBy", "self.l.sortBy(x, x).size() > 0", 0, 5000, overBudget},
		{"sets", "sets.contains(self.l, self.l.map(x, x + 'y'))", 0, 20_000, overBudget},
		{"indexOf", "self.a.indexOf(self.a.substring(500000) + 'y') < 0", 1_000_000, 0, ""},
		{"lastIndexOf", "self.a.lastIndexOf('y' + self.a.substring(500000)) < 0", 1_000_000, 0, ""},
		{"dynamic pattern", "'x'.matches(self.a)", 3_000_000, 0, overMemory},
		{"dynamic repeats", "'x'.matches(self.l.join('{1000}'))", 0, 3000, overMemory},
	}
}

// Every attack ends within a few seconds and a bounded heap, with its finding.
// A server runs out of memory at those with overMemory, or never ends. A short
// run tries every third one.
func TestHostileRules(t *testing.T) {
	for i, a := range attacks() {
		if testing.Short() && i%3 != 0 {
			continue
		}
		v := requests.RuleVersion(t, a.rule)
		object := requests.RuleObject(a.letters, a.items)
		if err := v.Prepare(context.Background()); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		r := v.Create(context.Background(), object)
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		made := (after.TotalAlloc - before.TotalAlloc) >> 20
		t.Logf("%-24s %10v %6d MB", a.name, took.Round(time.Millisecond), made)
		if made > 2048 && !allocs.Detecting {
			t.Errorf("%s: allocated %d MB", a.name, made)
		}
		var found string
		if len(r.Errors) > 0 {
			found = r.Errors[0].Detail
		}
		if a.finds == "" && !r.Admitted() || !strings.Contains(found, a.finds) {
			t.Errorf("%s: %s %.200s", a.name, r.Stage, found)
		}
	}
}

// A deadline ends every attack soon, and is no verdict. A short run tries every
// third one.
func TestHostileRulesUnderDeadline(t *testing.T) {
	rules := append(
		attacks(),
		attack{"loops", "self.l.all(i, self.l.all(j, self.l.all(k, i == j)))", 0, 3000, ""},
		attack{"sizes", "self.l.all(i, self.l.all(j, self.a.size() > 0))", 3_000_000, 300, ""},
		attack{
			"characters",
			"self.l.all(i, self.a.charAt(i.size()) == 'x')",
			3_000_000,
			10_000,
			"",
		},
		attack{"list sums", "self.l.all(i, (self.l + self.l).size() > 0)", 0, 100_000, ""},
		attack{"quantities", "self.l.all(i, isQuantity(self.a + i) || true)", 300_000, 10_000, ""},
	)
	for i, a := range rules {
		if testing.Short() && i%3 != 0 {
			continue
		}
		v := requests.RuleVersion(t, a.rule)
		object := requests.RuleObject(a.letters, a.items)
		if err := v.Prepare(context.Background()); err != nil {
			t.Fatal(err)
		}
		const deadline = 50 * time.Millisecond
		ctx, cancel := context.WithTimeout(context.Background(), deadline)
		start := time.Now()
		r := v.Create(ctx, object)
		took := time.Since(start)
		cancel()
		if errors.Is(r.Err(), context.DeadlineExceeded) &&
			(r.Stage != crdsem.StageDecode || r.Errors != nil || r.Object != nil) {
			t.Errorf("%s: a deadline is a verdict: %s, %v", a.name, r.Stage, r.Errors)
		}
		t.Logf("%-24s %10v %s", a.name, took.Round(time.Millisecond), r.Stage)
	}
}

// The bound of memory is an option.
func TestRuleMemory(t *testing.T) {
	const rule = "self.a.replace('x', 'xx').size() > 0"
	object := requests.RuleObject(1000, 0)
	r := requests.RuleVersion(t, rule, crdsem.RuleMemory(2000)).Create(context.Background(), object)
	if !r.Admitted() {
		t.Errorf("2000 bytes are not enough: %v", r.Errors)
	}
	r = requests.RuleVersion(t, rule, crdsem.RuleMemory(1999)).Create(context.Background(), object)
	const want = "values exceed 1999 bytes evaluating rule: " + rule
	if r.Admitted() || !strings.Contains(r.Errors[0].Detail, want) {
		t.Errorf("1999 bytes are enough: %v", r.Errors)
	}
}
