package engine

import (
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/kit/manifest"
)

// mark is a change of the server, with its place. Sent is the line in the text
// of the request and Stored that in the text of what is stored; 0 for a field
// that one of them does not have.
type mark struct {
	crdsem.Change
	Sent   int `json:"sent,omitempty"`
	Stored int `json:"stored,omitempty"`
	// Lost is set for a field that the storage version does not have.
	Lost bool `json:"lost,omitempty"`
}

// newObject returns a result with the texts of what would be stored, answered
// and read.
func newObject(doc *manifest.Document, r *verdict.Result) *object {
	o := &object{Result: r, Answered: textOf(r.Answer)}
	for _, of := range r.Reads {
		one := read{Version: of.Version, Text: textOf(of.Object), Error: of.Error}
		if of.Webhook {
			one.Error = errWebhookDecides.Error()
		}
		o.Served = append(o.Served, one)
	}
	if r.Object == nil {
		return o
	}
	o.Stored = textOf(r.Object)
	var stored *manifest.Document
	for first, err := range manifest.Read("", strings.NewReader(o.Stored)) {
		if err == nil {
			stored = first
		}
		break
	}
	for i, change := range slices.Concat(r.Changes, r.Lost) {
		m := mark{Lost: i >= len(r.Changes), Change: change, Sent: lineOf(doc, change.Path)}
		if change.Action != crdsem.Pruned && change.Action != crdsem.NullDropped &&
			change.Action != crdsem.MetadataPruned {
			m.Stored = lineOf(stored, change.Path)
		}
		if change.Action == crdsem.Defaulted {
			m.Sent = 0
		}
		o.Marks = append(o.Marks, m)
	}
	return o
}

// textOf returns an object as YAML, empty for nil.
func textOf(object map[string]any) string {
	if object == nil {
		return ""
	}
	text, err := yaml.Marshal(object)
	if err != nil {
		return "" // objects of a verdict are JSON
	}
	return string(text)
}

// lineOf returns the line of a field, 0 if the document does not have it.
func lineOf(doc *manifest.Document, path string) int {
	if doc == nil {
		return 0
	}
	if place := doc.Find(path); place.Missing == "" {
		return place.Key.Line
	}
	return 0
}
