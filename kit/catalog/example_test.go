package catalog_test

import (
	"context"
	"fmt"
	"log"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kit/catalog"
	"github.com/crdsem/crdsem/kit/manifest"
)

// A tool judges the objects in a folder by the definitions in another.
func Example() {
	crds := catalog.New()
	if _, err := crds.ReadFiles("../../examples/crontab/crd.yaml"); err != nil {
		log.Fatal(err)
	}
	for o, err := range manifest.Objects(manifest.Find([]string{"testdata/objects"}, nil)) {
		if err != nil {
			log.Fatal(err)
		}
		version, err := crds.Version(o.Content)
		if err == nil {
			request := crdsem.Request{Object: o.Content, Decoded: true}
			err = version.Do(context.Background(), request).Err()
		}
		fmt.Printf("%v: %v\n", o.Document, err)
	}
	// Output:
	// testdata/objects/list.yaml items[0]: CronTab.stable.example.com "inner" is invalid: spec.replicas: Invalid value: 12: spec.replicas in body should be less than or equal to 10
	// testdata/objects/list.yaml items[1]: <nil>
	// testdata/objects/other.yaml: no definition of stable.example.com/v1 CronTabb was given; did you mean `CronTab`?
	// testdata/objects/other.yaml:5: crontabs.stable.example.com does not serve version "v3"
}
