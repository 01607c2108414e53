package check

import (
	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/belowfacade/ruleoptions"
)

// Bounds asks [Costs] for the missing bounds of rules below their limit too. It
// estimates each rule once more. Other functions ignore it.
func Bounds() celrules.Option { return func(s *ruleoptions.Compile) { s.Bounds = true } }
