package normalize

import (
	"errors"
	"unicode/utf8"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// ErrNoRoom is the error of an object whose defaults take more than their room.
var ErrNoRoom = errors.New("the defaults take too much memory")

// Copy is like InPlace for an object that is not to be changed. The result
// shares with the object whatever is the same in both. If everything is, the
// result is the object. The error is also ErrNoRoom, if the defaults take more
// than the room.
func (r Room) Copy(
	object map[string]any, schema *structural.Schema, steps Steps,
) (map[string]any, Changes, error) {
	w := walk{room: r}
	out := w.root(object, schema, steps).(map[string]any)
	return w.finishWithin(out)
}

// InPlace is like the function InPlace. The error is ErrNoRoom, if the defaults
// take more than the room; the value is then changed in part.
func (r Room) InPlace(
	value any, schema *structural.Schema, steps Steps,
) (changes Changes, err error) {
	w := walk{inPlace: true, room: r}
	w.root(value, schema, steps)
	_, changes, err = w.finishWithin(nil)
	return changes, err
}

// finishWithin is finish for a walk in limited room.
func (w *walk) finishWithin(out map[string]any) (map[string]any, Changes, error) {
	if w.ended() {
		return nil, Changes{}, ErrNoRoom
	}
	changes, err := w.finish()
	if err != nil {
		return nil, Changes{}, err
	}
	return out, changes, nil
}

// CopyUnchecked is like Copy for an object that may hold any Go value. The walk
// checks the values on its way, so that an object that is JSON is gone through
// once. With ResourceRoot, apiVersion, kind and metadata of the object must
// have been checked before (see metadata.NormalRoot). The error is also that of
// [jsonvalue.Check], if a value is not JSON or nested too deep.
func (r Room) CopyUnchecked(
	object map[string]any, schema *structural.Schema, steps Steps,
) (map[string]any, Changes, error) {
	w := walk{room: r}
	out := w.rootOf(object, schema, duty{steps: steps, pruning: pruningAt(steps)}).(map[string]any)
	if w.foreign {
		return nil, Changes{}, jsonvalue.Check(object)
	}
	return w.finishWithin(out)
}

// check checks a value below the current object or list that is not walked.
func (w *walk) check(value any, d duty) {
	if !d.checked && !jsonvalue.IsPlain(value, w.depth+1) {
		w.refuse()
	}
}

// refuse ends the walk, because the value is not JSON.
func (w *walk) refuse() { w.foreign, w.room = true, -1 }

// checkText checks a string or a key.
func (w *walk) checkText(text string, d duty) {
	if !d.checked && !utf8.ValidString(text) {
		w.refuse()
	}
}

// enter goes down to an object or list with a number of entries, unless they
// are nested too deep. To leave it is w.depth--.
func (w *walk) enter(entries int, d duty) bool {
	if !d.checked && entries > 0 && w.depth+1 >= jsonvalue.MaxDepth {
		w.refuse()
		return false
	}
	w.depth++
	return true
}
