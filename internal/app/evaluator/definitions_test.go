package evaluator

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/minors"
)

// A definition that a request repeats is the same one, in as many requests as
// there is room for.
func TestDefinitionsAreKept(t *testing.T) {
	d := newDefinitions()
	text := func(i int) protocol.Input {
		return protocol.TextInput(fmt.Sprintf(`{"kind":"CustomResourceDefinition","metadata":{"name":"n%d"}}`, i))
	}
	first := d.of(text(0), minors.Newest())
	if d.of(text(0), minors.Newest()) != first {
		t.Error("the same text is another definition")
	}
	crd, _, err := first.decoded()
	if again, _, _ := first.decoded(); err != nil || again != crd || crd.Name() != "n0" {
		t.Errorf("%v: decoded twice", err)
	}
	def, err := first.compiled()
	if again, _ := first.compiled(); err != nil || again != def {
		t.Errorf("%v: compiled twice", err)
	}
	for i := range maxKept / leastKept {
		d.of(text(i+1), minors.Newest())
	}
	if d.of(text(0), minors.Newest()) == first {
		t.Error("the first definition is still there")
	}
	if n := d.kept.Len(); n != maxKept/leastKept {
		t.Errorf("%d definitions are kept", n)
	}
	large := protocol.TextInput(`{"kind":"` + strings.Repeat("x", maxKept) + `"}`)
	d.of(large, minors.Newest())
	if n := d.kept.Len(); n != 1 {
		t.Errorf("%d definitions next to a large one", n)
	}
}

// Errors are kept, too.
func TestDefinitionThatDoesNotDecode(t *testing.T) {
	k := newDefinitions().of(protocol.TextInput("{"), minors.Newest())
	for range 2 {
		_, _, decoding := k.decoded()
		_, modeling := k.model()
		_, compiling := k.compiled()
		if decoding == nil || modeling == nil || compiling == nil {
			t.Error(decoding, modeling, compiling)
		}
	}
}
