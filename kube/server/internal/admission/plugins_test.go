package admission

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// scripted is a plugin that writes down what it is asked.
type scripted struct {
	name    string
	active  bool
	changes bool // whether it changes the object, each time
	err     error
	log     *[]string
}

func (s *scripted) Active() bool { return s.active }

func (s *scripted) Mutate(_ context.Context, w *Write) error {
	*s.log = append(*s.log, fmt.Sprintf("mutate %s %t", s.name, w.second))
	if s.changes {
		w.turnOf(s).changes()
	}
	return s.err
}

func (s *scripted) Validate(context.Context, *Write) error {
	*s.log = append(*s.log, "validate "+s.name)
	return s.err
}

// Plugins are asked in their order up to the first error, and all once more
// after a change.
func TestPlugins(t *testing.T) {
	errA, errB := errors.New("a"), errors.New("b")
	for _, test := range []struct {
		a, b       scripted
		active     bool
		want       string
		err, valid error
	}{
		{scripted{}, scripted{}, false,
			"mutate a false, mutate b false, validate a, validate b", nil, nil},
		{scripted{active: true}, scripted{}, true,
			"mutate a false, mutate b false, validate a, validate b", nil, nil},
		{scripted{}, scripted{active: true, changes: true}, true, "mutate a false, mutate b false, " +
			"mutate a true, mutate b true, validate a, validate b", nil, nil},
		{scripted{changes: true}, scripted{changes: true}, false, "mutate a false, mutate b false, " +
			"mutate a true, mutate b true, validate a, validate b", nil, nil},
		{scripted{err: errA}, scripted{err: errB}, false, "mutate a false, validate a", errA, errA},
		{scripted{changes: true}, scripted{err: errB}, false,
			"mutate a false, mutate b false, validate a, validate b", errB, errB},
	} {
		var log []string
		test.a.name, test.a.log, test.b.name, test.b.log = "a", &log, "b", &log
		all, w := Plugins{&test.a, &test.b}, &Write{}
		err, valid := all.Mutate(t.Context(), w), all.Validate(t.Context(), w)
		if got := strings.Join(log, ", "); got != test.want || err != test.err ||
			valid != test.valid || all.Active() != test.active {
			t.Errorf("%s (%v, %v, active: %t), want %s", got, err, valid, all.Active(), test.want)
		}
	}
	if none := (Plugins{}); none.Active() || none.Validate(t.Context(), &Write{}) != nil {
		t.Error("no plugins decide")
	}
}

// Those who want it are asked again after a change by others, once.
func TestTurns(t *testing.T) {
	var log []string
	a, b := &scripted{name: "a", log: &log}, &scripted{name: "b", log: &log}
	w := &Write{Object: map[string]any{"v": 1}}
	due := func(turn *turn) string { return fmt.Sprint(turn.due("x"), turn.due("y")) }
	turn := w.turnOf(a)
	if got := due(turn); got != "true true" {
		t.Errorf("first: %s", got)
	}
	turn.remember("x")
	turn.end()
	other := w.turnOf(b)
	other.end()
	w.second = true
	if turn = w.turnOf(a); due(turn) != "false false" || w.changed {
		t.Error("asked again without a change")
	}
	turn.end()
	w.Object = map[string]any{"v": 2}
	if turn = w.turnOf(a); due(turn) != "true false" || w.changed {
		t.Errorf("after a change of another: %s", due(turn))
	}
	if other = w.turnOf(b); due(other) != "false false" {
		t.Errorf("of another plugin: %s", due(other))
	}
	other.remember("y")
	other.changes()
	if due(other) != "false true" || !w.changed || len(other.asked) != 0 {
		t.Errorf("after its own change: %s", due(other))
	}
}
