package profile

import (
	"errors"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/gosyntax"
)

// Show makes errors show their values as those of the minor do. Values that
// show otherwise than in the newest minor become values of [fmt.Stringer]. It
// changes the errors and returns the list.
func (t *Texts) Show(errs field.ErrorList) field.ErrorList {
	if t.JSONValues {
		return errs
	}
	for _, err := range errs {
		switch err.Type {
		case field.ErrorTypeInvalid, field.ErrorTypeTypeInvalid, field.ErrorTypeNotSupported,
			field.ErrorTypeNotFound, field.ErrorTypeDuplicate, field.ErrorTypeTooMany:
			err.BadValue = formerly(err.BadValue)
		}
	}
	return errs
}

// formerly returns a value as errors showed it before Kubernetes 1.34.
func formerly(value any) any {
	v := reflect.ValueOf(value)
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		value = v.Elem().Interface()
	} else if !v.IsValid() || v.Kind() == reflect.Pointer {
		value = "null"
	}
	switch value := value.(type) {
	case int64, int32, float64, float32, bool, string, field.OmitValueType, inGo:
		return value
	}
	return inGo{value}
}

// inGo is a value that errors show in the syntax of Go, or by its method
// String. Package field asks for JSON first.
type inGo struct{ value any }

// printer prints definitions and metadata as the server's types.
var printer = gosyntax.Printer{Packages: map[string]string{
	"github.com/crdsem/crdsem/internal/belowstructural/crd":      "apiextensions",
	"github.com/crdsem/crdsem/internal/belowstructural/metadata": "v1",
}}

// String returns the text.
func (v inGo) String() string {
	if s, ok := v.value.(fmt.Stringer); ok {
		return s.String()
	}
	return printer.Text(v.value)
}

var errNoJSON = errors.New("the value is shown in the syntax of Go")

// MarshalJSON returns an error.
func (inGo) MarshalJSON() ([]byte, error) { return nil, errNoJSON }
