package check

import (
	"github.com/crdsem/crdsem/internal/chapter/door"
	"github.com/crdsem/crdsem/internal/chapter/profile"
	"github.com/crdsem/crdsem/minors"
)

// Option changes what [Rules] and [Costs] check.
type Option func(*choices)

type choices struct {
	profile *profile.Profile
	bounds  bool
}

func newChoices(options []Option) choices {
	c := choices{profile: profile.Latest()}
	for _, choose := range options {
		if choose != nil {
			choose(&c)
		}
	}
	return c
}

// Kubernetes selects the minor whose server checks the rules. Without this
// option it is the newest one.
func Kubernetes(m minors.Minor) Option {
	return func(c *choices) { c.profile = minors.Internal.Export(door.Key).Profile(m) }
}

// Bounds asks [Costs] for the missing bounds of rules below their limit too. It
// estimates each rule once more.
func Bounds() Option { return func(c *choices) { c.bounds = true } }
