package engine

import (
	"errors"
	"iter"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/kit/manifest"
)

// readOld reads what is stored, and makes the definitions known.
func (e *Engine) readOld(std Streams) error {
	sources := manifest.Find(e.Old, std.In)
	defer closeSources(sources)
	isDefinition := func(o manifest.Object) bool {
		if manifest.IsDefinition(o.Content) {
			return true
		}
		e.oldObjects = append(e.oldObjects, o)
		return false
	}
	return e.store(manifest.Objects(sources), e.panel.StoreDefinition, isDefinition)
}

// storeObjects makes the stored objects known. Those of kinds without a
// definition are named on the standard error, one line for each kind.
func (e *Engine) storeObjects(std Streams) error {
	left := map[string]int{}
	var lines []leftOut
	isKnown := func(o manifest.Object) bool {
		if e.panel.Defines(o.Content) {
			return true
		}
		if manifest.IsDefinition(o.Content) {
			return false
		}
		kind := manifest.TypeOf(o.Content).String()
		if left[kind]++; left[kind] == 1 {
			lines = append(lines, leftOut{o.Start(), kind})
		}
		return false
	}
	if err := e.store(func(yield func(manifest.Object, error) bool) {
		for _, o := range e.oldObjects {
			if !yield(o, nil) {
				return
			}
		}
	}, e.panel.Store, isKnown); err != nil {
		return err
	}
	sources := manifest.Find(e.OldObjects, std.In)
	defer closeSources(sources)
	if err := e.store(manifest.Objects(sources), e.panel.Store, isKnown); err != nil {
		return err
	}
	for _, line := range lines {
		more := ""
		if n := left[line.kind] - 1; n > 0 {
			more = " and more of them"
		}
		visible.Printf(std.Err, "%v: left out of what is stored: no definition of %s was given%s\n",
			line.at, line.kind, visible.Verbatim(more))
	}
	return nil
}

// leftOut is the first stored object of a kind without a definition.
type leftOut struct {
	at   manifest.Position
	kind string
}

// store passes objects on that all functions accept. One that cannot be read or
// stored gets a result of its own, and the others are stored. It stops at the
// error of a whole input, e.g. a file that is not there.
func (e *Engine) store(
	objects iter.Seq2[manifest.Object, error], do func(map[string]any) error,
	accept ...func(manifest.Object) bool,
) error {
	for o, err := range objects {
		malformed, _ := errors.AsType[*manifest.Error](err)
		switch {
		case err != nil && o.Document != nil:
			e.unstored = append(e.unstored, judge.Unreadable(o.Document, err))
		case malformed != nil:
			e.unstored = append(e.unstored, judge.NewUnreadable(malformed.Position.File, err))
		case err != nil:
			return err
		case !accepted(o, accept):
		default:
			if err := do(o.Content); err != nil {
				e.unstored = append(e.unstored, judge.Unreadable(o.Document, err))
			}
		}
	}
	return nil
}

// accepted reports whether all functions accept an object.
func accepted(o manifest.Object, accept []func(manifest.Object) bool) bool {
	for _, is := range accept {
		if !is(o) {
			return false
		}
	}
	return true
}

// printUnstored prints what is wrong with what is stored.
func (e *Engine) printUnstored(printer output.Printer, judged *output.Documents) error {
	for _, r := range e.unstored {
		e.count(r)
		if err := printer.Print(judged.Item(r)); err != nil {
			return err
		}
	}
	return nil
}
