// Package facadeoptions has the settings that the options of package crdsem
// change. Packages of this module can write options without a type for what
// they plug in: package apply plugs in the merge of server-side apply, whose
// library the facade does not link.
package facadeoptions

import (
	"context"

	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/structural"
)

// Definition is what an option of crdsem.Parse changes.
type Definition struct {
	// Webhook converts objects, nil without one.
	Webhook conversion.Webhook
	// DefaultsMemory bounds the defaults of an object, in bytes.
	DefaultsMemory int64
	// Stored is set for a definition that a server has stored.
	Stored bool
	// Server is a func(*crdsem.Definition, *crdsem.Version) Merge, nil if
	// nothing merges. It is called once for each version, when it is first
	// needed.
	Server any
}

// option is an option of [For]. The interface, which is nil, makes it one.
type option struct {
	structural.Option
	set func(*Definition)
}

// For returns an option of crdsem.Parse.
func For(set func(*Definition)) structural.Option { return option{set: set} }

// Choose does what options say.
func (d *Definition) Choose(options []structural.Option) {
	for _, o := range options {
		if o, ok := o.(option); ok {
			o.set(d)
		}
	}
}

// Stored reports whether options say that a server has stored the definition.
func Stored(options []structural.Option) bool {
	var d Definition
	d.Choose(options)
	return d.Stored
}

// Merge merges an applied configuration into a live object, or into a new one
// if live is nil. The merged object has the defaults of the schema and
// metadata.managedFields. Neither argument is changed. Conflicts with other
// managers are a *crdsem.StatusError.
type Merge func(ctx context.Context, live, applied map[string]any,
	by Applier) (map[string]any, error)

// Applier says who applies.
type Applier struct {
	// Manager is the name of the field manager, e.g. "kubectl".
	Manager string
	// Subresource is empty or "status".
	Subresource string
	// Force is set if the manager takes over the fields in conflict.
	Force bool
	// Default returns a merged object with the defaults of the schema. The
	// error is a *crdsem.LimitError.
	Default func(object map[string]any) (map[string]any, error)
}
