package spec_test

import (
	"fmt"

	"github.com/crdsem/crdsem/conformance/spec"
)

// A tool says what the rule of a finding is.
func ExampleFind() {
	rule, ok := spec.Find("VAL-043")
	fmt.Println(ok, rule.Title)
	// Output:
	// true A pattern that does not compile
}
