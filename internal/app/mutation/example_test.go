package mutation_test

import (
	"context"
	"fmt"

	"github.com/crdsem/crdsem/internal/app/mutation"
	"github.com/crdsem/crdsem/kit/crdtest"
)

func ExampleRun() {
	crds, err := crdtest.ReadCRDs("../../../kit/crdtest/testdata/crontab")
	if err != nil {
		fmt.Println(err)
		return
	}
	suites, err := crdtest.ReadSuites("../../../kit/crdtest/testdata/crontab")
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := mutation.Run(context.Background(), crds, suites)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Score())
	for _, mutant := range report.Survivors() {
		fmt.Printf("%d: %s\n", mutant.Line, mutant.Change)
	}
	// Output:
	// 100.0% of 17 goals
}
