package bounded

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// The error that exceeds the memory is replaced by one that says so.
func TestErrors(t *testing.T) {
	long := strings.Repeat("a", Memory-perError)
	for name, c := range map[string]struct {
		path, detail string
		stops        bool
	}{
		"the path fills it":      {long, "", false},
		"the path exceeds it":    {long + "a", "", true},
		"both fill it":           {long[1:], "d", false},
		"the detail exceeds it":  {long, "d", true},
		"an error without texts": {"", "", false},
	} {
		var e Errors
		e.Add(&field.Error{Type: field.ErrorTypeInvalid, Field: c.path, Detail: c.detail})
		stops := Reason(e.List) != nil
		if len(e.List) != 1 || stops != c.stops || e.Full() != c.stops {
			t.Errorf("%s: %d errors, stopped: %t, full: %t", name, len(e.List), stops, e.Full())
		}
		if stops && e.List[0].Field != "<nil>" {
			t.Errorf("%s: the last error has the path %.9s", name, e.List[0].Field)
		}
	}
	var e Errors
	e.Add(&field.Error{Field: long}, &field.Error{Field: "b"}, &field.Error{Field: "c"})
	if len(e.List) != 2 || e.List[1].Detail != errMemory.Error() {
		t.Errorf("%d errors", len(e.List))
	}
}

func TestReason(t *testing.T) {
	ended := errors.New("ended")
	servers := field.InternalError(nil, fmt.Errorf("of a server"))
	for name, c := range map[string]struct {
		errs field.ErrorList
		want error
	}{
		"no errors": {}, "an error of a server": {field.ErrorList{servers}, nil},
		"the last one": {field.ErrorList{servers, Stopped(field.NewPath("a"), ended)}, ended},
	} {
		if got := Reason(c.errs); !errors.Is(got, c.want) || (got == nil) != (c.want == nil) {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := Stopped(field.NewPath("a"), ended).Error(); got != "a: Internal error: ended" {
		t.Error(got)
	}
}
