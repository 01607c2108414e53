package upgrade_test

import (
	"context"
	"fmt"

	"github.com/crdsem/crdsem/kit/upgrade"
)

// A shorter name is refused; the witness shows it.
func Example() {
	old := crd(`{"name": {"type": "string", "maxLength": 9}}`)
	changed := crd(`{"name": {"type": "string", "maxLength": 3}}`)
	report, err := upgrade.Compare(context.Background(), old, changed)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range report.Changes {
		change := &report.Changes[i]
		fmt.Println(change.Severities.Most(), change)
		fmt.Println(change.Witness.Object["spec"])
	}
	// Output:
	// breaking v1 spec.name: maxLength 9 -> 3: stricter
	// map[name:aaaa]
}
