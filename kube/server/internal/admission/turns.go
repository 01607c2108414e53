package admission

import "reflect"

// turn is what a plugin remembers of a write that it may be asked about twice:
// those who want that are asked again if a later one changes the object.
type turn struct {
	*Write
	asked, again map[any]bool
	last         map[string]any // the object after the plugin
	applied      bool           // whether a mutation could be done
}

// turnOf returns the turn of a plugin.
func (w *Write) turnOf(p Plugin) *turn {
	t := w.turns[p]
	switch {
	case w.turns == nil:
		w.turns = map[Plugin]*turn{}
		fallthrough
	case t == nil:
		t = &turn{Write: w, asked: map[any]bool{}, again: map[any]bool{}}
		w.turns[p] = t
	case !reflect.DeepEqual(t.last, w.Object):
		t.askAgain()
	}
	return t
}

// due reports whether someone is asked.
func (t *turn) due(key any) bool { return !t.second || t.again[key] }

// changes records that the object was changed.
func (t *turn) changes() {
	t.askAgain()
	t.changed = true
}

// remember records that someone wants to be asked again.
func (t *turn) remember(key any) { t.asked[key] = true }

func (t *turn) askAgain() {
	for key := range t.asked {
		t.again[key] = true
	}
	clear(t.asked)
}

// end records what the plugin leaves.
func (t *turn) end() { t.last = t.Object }
