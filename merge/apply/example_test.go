package apply_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/merge"
	"github.com/crdsem/crdsem/merge/apply"
)

// Two managers apply fields of one object. A value that the schema does not
// allow is refused.
func Example() {
	crd, err := os.ReadFile("../../examples/crontab/crd.yaml")
	if err != nil {
		log.Fatal(err)
	}
	def, err := crdsem.Parse(crd, apply.Server())
	if err != nil {
		log.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		log.Fatal(err)
	}
	send := func(manager string, stored, spec map[string]any) *crdsem.Result {
		return v.Apply(context.Background(), map[string]any{
			"apiVersion": v.APIVersion(), "kind": "CronTab", "metadata": map[string]any{"name": "my-cron"}, "spec": spec,
		}, stored, crdsem.FieldManager(manager))
	}
	created := send("gitops", nil, map[string]any{"image": "my-image"})
	fmt.Println(created.Stage, created.Object["spec"])
	created.Object["metadata"].(map[string]any)["resourceVersion"] = "1" // as the server stores it
	applied := send("scheduler", created.Object, map[string]any{"cronSpec": "1 1 * * *"})
	fmt.Println(applied.Stage, applied.Object["spec"])
	entries, err := merge.ManagedFields(applied.Object)
	if err != nil {
		log.Fatal(err)
	}
	for _, entry := range entries {
		fmt.Println(entry.Manager, entry.Fields.Paths())
	}
	fmt.Println(send("other", applied.Object, map[string]any{"image": "other-image"}).Err())
	refused := send(
		"gitops",
		created.Object,
		map[string]any{"image": "my-image", "replicas": int64(15)},
	)
	fmt.Println(refused.Stage, refused.Errors)
	// Output:
	// admitted map[cronSpec:5 0 * * * foo:default image:my-image replicas:1]
	// admitted map[cronSpec:1 1 * * * foo:default image:my-image replicas:1]
	// gitops [.spec.image]
	// scheduler [.spec.cronSpec]
	// Apply failed with 1 conflict: conflict with "gitops": .spec.image
	// invalid [spec.replicas: Invalid value: 15: spec.replicas in body should be less than or equal to 10]
}
