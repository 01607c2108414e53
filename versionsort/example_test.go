package versionsort_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/versionsort"
)

// The versions of a CRD in the order of the Kubernetes documentation.
func ExampleSort() {
	names := strings.Fields("v3beta1 foo10 v1 v11alpha2 v10 foo1 v12alpha1 v2 v10beta3 v11beta2")
	versionsort.Sort(names)
	fmt.Println(strings.Join(names, "\n"))
	// Output:
	// v10
	// v2
	// v1
	// v11beta2
	// v10beta3
	// v3beta1
	// v12alpha1
	// v11alpha2
	// foo1
	// foo10
}

func ExampleCompare() {
	served := []string{"v1alpha1", "v1", "v2beta1"}
	slices.SortFunc(served, versionsort.Compare)
	fmt.Println(served)
	// Output: [v1 v2beta1 v1alpha1]
}

func ExamplePreferred() {
	name, _ := versionsort.Preferred([]string{"v1beta1", "v1", "v2alpha1"})
	fmt.Println(name)
	// Output: v1
}

func ExampleSuccessor() {
	if name, ok := versionsort.Successor("v1beta1", []string{"v1", "v2alpha1"}); ok {
		fmt.Printf("example.com/v1beta1 CronTab is deprecated; use example.com/%s CronTab\n", name)
	}
	// Output: example.com/v1beta1 CronTab is deprecated; use example.com/v1 CronTab
}
