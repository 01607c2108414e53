package crdtest_test

import (
	"context"
	"fmt"

	"github.com/crdsem/crdsem/kit/crdtest"
)

func ExampleExecute() {
	suites, err := crdtest.ReadSuites("testdata/crontab")
	if err != nil {
		fmt.Println(err)
		return
	}
	results, err := crdtest.Execute(context.Background(), nil, suites)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range results {
		fmt.Println(r.Name(), r.Err == nil)
	}
	// Output:
	// CronTab/defaults and the cost of rules true
	// CronTab/replicas are bounded by maxReplicas true
	// CronTab/a refused update leaves the object true
	// CronTab/status updates leave the spec true
	// CronTab/a stored object that is not valid any more can be changed elsewhere true
	// CronTab/conversion, and the warning of a deprecated version true
}
