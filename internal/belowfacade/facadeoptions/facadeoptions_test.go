package facadeoptions_test

import (
	"errors"
	"testing"

	"github.com/crdsem/crdsem/internal/belowfacade/facadeoptions"
)

func TestStored(t *testing.T) {
	type option func(*facadeoptions.Definition) error
	memory := func(d *facadeoptions.Definition) error {
		d.DefaultsMemory = 1
		return nil
	}
	stored := func(d *facadeoptions.Definition) error {
		d.Stored = true
		return errors.New("reported when the definition is compiled")
	}
	for name, c := range map[string]struct {
		options []option
		want    bool
	}{
		"no options": {nil, false}, "another": {[]option{memory}, false},
		"between others": {[]option{memory, nil, stored, memory}, true},
	} {
		if got := facadeoptions.Stored(c.options); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
