package definition_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/conformance/oracle/kube"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/structural"
)

var real = kube.New()

// verdict is the result of one side: the type and the whole text of each error,
// sorted, and the warnings.
type verdict struct {
	errors, warnings []string
}

func (v verdict) String() string {
	return "errors:\n  " + strings.Join(v.errors, "\n  ") + "\nwarnings:\n  " + strings.Join(
		v.warnings,
		"\n  ",
	)
}

func (v verdict) equal(other verdict) bool {
	return slices.Equal(v.errors, other.errors) && slices.Equal(v.warnings, other.warnings)
}

// panicked is the verdict of code that panics.
const panicked = "Panic"

func (v verdict) isPanic() bool { return len(v.errors) == 1 && v.errors[0] == panicked }

func ask(req *protocol.Request) (out verdict) {
	defer func() {
		if recover() != nil {
			out = verdict{errors: []string{panicked}}
		}
	}()
	result, err := real(context.Background(), req)
	if err != nil {
		return verdict{errors: []string{"fault: " + err.Error()}}
	}
	var found []protocol.FieldError
	switch result := result.(type) {
	case protocol.Definition:
		found, out.warnings = result.Errors, slices.Clone(result.Warnings)
	case protocol.Errors:
		found = result.Errors
	}
	for _, e := range found {
		out.errors = append(out.errors, e.Type+" "+e.Text)
	}
	slices.Sort(out.errors)
	slices.Sort(out.warnings)
	return out
}

// sameDefinition is sameSchema for a definition.
func sameDefinition(crd, old string) bool {
	got := ourDefinition(crd, old)
	for range 100 {
		want := realDefinition(crd, old)
		if want.equal(got) || want.isPanic() {
			return true
		}
		if !slices.ContainsFunc(want.errors, func(e string) bool { return strings.Contains(e, `"": OpenAPIV3Schema '`) }) {
			return false
		}
	}
	return false
}

// realDefinition asks the real code for its verdict on a definition. It is an
// update of old unless old is empty.
func realDefinition(crd, old string) verdict {
	req := &protocol.Request{Op: protocol.OpCRD, CRD: protocol.TextInput(crd)}
	if old != "" {
		req.Old = protocol.TextInput(old)
	}
	return ask(req)
}

func texts(errs field.ErrorList) (out []string) {
	for _, err := range errs {
		out = append(out, string(err.Type)+" "+err.Error())
	}
	slices.Sort(out)
	return out
}

func ourDefinition(crd, old string) verdict {
	decoded, strict, err := definition.Parse([]byte(crd))
	if err != nil {
		return verdict{errors: []string{"DecodeError " + err.Error()}}
	}
	var result validate.Result
	if old == "" {
		result = validate.Create(context.Background(), decoded.ForCreate())
	} else {
		was, _, err := definition.Parse([]byte(old))
		if err != nil {
			return verdict{errors: []string{"fault: old does not decode: " + err.Error()}}
		}
		result = validate.Update(context.Background(), decoded.ForUpdate(was), was)
	}
	out := verdict{errors: texts(result.Errors)}
	for _, err := range strict {
		out.warnings = appendOnce(out.warnings, err.Error())
	}
	if len(result.Errors) == 0 {
		for _, text := range result.Warnings {
			out.warnings = appendOnce(out.warnings, text)
		}
	}
	slices.Sort(out.warnings)
	return out
}

// appendOnce adds a warning as a server does: each text once.
func appendOnce(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

func realSchema(schema string) verdict {
	return ask(&protocol.Request{Op: protocol.OpStructural, Schema: protocol.TextInput(schema)})
}

// sameSchema compares both sides. Of several conversion errors the real code
// reports a random one, ours always the same (STR-020).
func sameSchema(schema string) bool {
	got := ourSchema(schema)
	for range 100 {
		want := realSchema(schema)
		if want.equal(got) {
			return true
		}
		if len(want.errors) != 1 || !strings.HasPrefix(want.errors[0], "ConversionError") {
			return false
		}
	}
	return false
}

func ourSchema(schema string) verdict {
	s, err := structural.Parse([]byte(schema))
	var conversion *structural.ConversionError
	switch {
	case errors.As(err, &conversion):
		return verdict{errors: []string{"ConversionError " + err.Error()}}
	case err != nil:
		return verdict{errors: []string{"DecodeError " + err.Error()}}
	}
	return verdict{errors: texts(structural.Validate(s, field.NewPath("openAPIV3Schema")))}
}

// number returns the number in an environment variable, or a default.
func number(t testing.TB, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func report(want, got verdict, inputs ...string) string {
	return fmt.Sprintf("input %s\nreal %v\nours %v", strings.Join(inputs, "\nold "), want, got)
}
