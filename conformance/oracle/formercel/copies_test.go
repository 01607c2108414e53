// Package formercel_test checks the copies of test packages that link cel-go
// by its former path.
package formercel_test

import (
	"os"
	"strings"
	"testing"
)

// The copies differ from the packages of the main module only in the path of
// cel-go.
func TestCopies(t *testing.T) {
	for _, file := range []string{"celcases/cases.go", "mutations/mutations.go"} {
		original, err := os.ReadFile("../../../internal/test/" + file)
		if err != nil {
			t.Fatal(err)
		}
		copied, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := strings.ReplaceAll(string(original), `"cel.dev/`, `"github.com/google/`)
		if string(copied) != want {
			t.Errorf("%s is not the file of internal/test with the former path", file)
		}
	}
}
