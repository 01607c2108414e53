package definition

import (
	"github.com/crdsem/crdsem/internal/chapter/door"
	"github.com/crdsem/crdsem/structural"
)

// Internal is for the packages of this module only; it is outside of the
// compatibility promise.
var Internal exporter

type exporter struct{}

// Export returns what other packages of this module need of this one.
func (exporter) Export(*door.NotForPublicUse) export { return export{} }

type export struct{}

// Compile is like the function [Compile], but shares schema nodes with all
// definitions that were compiled with the same cache.
func (export) Compile(crd *CRD, cache *structural.Cache) (*Model, error) {
	return compile(crd, cache)
}
