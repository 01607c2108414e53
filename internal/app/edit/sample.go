package edit

import (
	"context"
	"errors"
	"fmt"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/sample"
)

// Skeleton returns the smallest object of a kind that the server admits, as far
// as one is found, as YAML.
func (w *Workspace) Skeleton(ctx context.Context, apiVersion, kind string) (string, error) {
	o, v := w.definitions(ctx).of(apiVersion, kind)
	if v == nil {
		return "", fmt.Errorf("%s %s has no definition", apiVersion, kind)
	}
	object, err := sample.Smallest(ctx, v, func() (map[string]any, error) {
		return w.admitted(o.compiled, v.Name())
	})
	if err != nil {
		return "", err
	}
	return sample.YAML(object), nil
}

// admitted returns an object that Settings.Admitted makes.
func (w *Workspace) admitted(
	def *crdsem.Definition, version string,
) (map[string]any, error) {
	w.mu.Lock()
	find := w.settings.Admitted
	w.mu.Unlock()
	if find == nil {
		return nil, errors.New("the plain object is not admitted")
	}
	return find(def, version)
}

// Whole returns the action that writes the smallest object of a document at a
// line that has nothing but its apiVersion and kind. ok is false elsewhere.
func (w *Workspace) Whole(ctx context.Context, name string, line int) (a Action, ok bool) {
	lines, ok := w.lines(name, Position{line, 0})
	if !ok {
		return Action{}, false
	}
	way := wayTo(lines, line, 0)
	kind := way.value("kind")
	if len(way.keys) != 2 || kind == "" || kind == definitionKind {
		return Action{}, false
	}
	text, err := w.Skeleton(ctx, way.value("apiVersion"), kind)
	if err != nil {
		return Action{}, false
	}
	first, last := bounds(lines, line)
	at := Range{Position{first, 0}, w.lineEnd(lines, last-1)}
	return Action{Title: "write the smallest " + kind, Edits: []Edit{{at, text}}}, true
}
