package check

import (
	"github.com/crdsem/crdsem/internal/belowfacade/ruleoptions"
	"github.com/crdsem/crdsem/structural"
)

// Bounds asks [Costs] for the missing bounds of rules below their limit too. It
// estimates each rule once more. Other functions ignore it.
func Bounds() structural.Option {
	return ruleoptions.ForCompile(func(s *ruleoptions.Compile) { s.Bounds = true })
}
