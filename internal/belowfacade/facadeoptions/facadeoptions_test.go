package facadeoptions_test

import (
	"testing"

	"github.com/crdsem/crdsem/internal/belowfacade/facadeoptions"
	"github.com/crdsem/crdsem/structural"
)

func TestStored(t *testing.T) {
	memory := facadeoptions.For(func(d *facadeoptions.Definition) { d.DefaultsMemory = 1 })
	stored := facadeoptions.For(func(d *facadeoptions.Definition) { d.Stored = true })
	for name, c := range map[string]struct {
		options []structural.Option
		want    bool
	}{
		"no options":     {nil, false},
		"another":        {[]structural.Option{memory}, false},
		"between others": {[]structural.Option{memory, nil, stored, structural.Kubernetes("1.30")}, true},
	} {
		if got := facadeoptions.Stored(c.options); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
