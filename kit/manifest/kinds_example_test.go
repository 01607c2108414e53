package manifest_test

import (
	"fmt"

	"github.com/crdsem/crdsem/kit/manifest"
)

// Kinds finds a value by the kind of an object, and says what was meant.
func ExampleKinds() {
	var owners manifest.Kinds[string]
	owners.Add(manifest.Names{
		GroupKind: manifest.GroupKind{Group: "stable.example.com", Kind: "CronTab"},
		Plural:    "crontabs",
	}, "team cron")
	for _, kind := range []string{"CronTab", "CronTabb"} {
		fmt.Println(owners.Of(map[string]any{
			"apiVersion": "stable.example.com/v1", "kind": kind,
		}))
	}
	// Output:
	// team cron <nil>
	//  no definition of stable.example.com/v1 CronTabb was given; did you mean `CronTab`?
}
