package coverage_test

import (
	"context"
	"fmt"
	"os"

	"github.com/crdsem/crdsem/internal/app/coverage"
	"github.com/crdsem/crdsem/kit/crdtest"
)

func ExampleMeasure() {
	crds, err := crdtest.ReadCRDs("../../../kit/crdtest/testdata/crontab")
	if err != nil {
		fmt.Println(err)
		return
	}
	object := map[string]any{
		"apiVersion": "stable.example.com/v1", "kind": "CronTab",
		"spec": map[string]any{"cronSpec": "@daily", "replicas": int64(6)},
	}
	refused := crdtest.Step{
		Verb: crdtest.Create, Object: object,
		Want: crdtest.Want{Errors: []string{"replicas exceeds maxReplicas"}},
	}
	suite := &crdtest.Suite{Name: "CronTab", Cases: []crdtest.Case{
		{Name: "too many replicas", Steps: []crdtest.Step{refused}},
	}}
	report, err := coverage.Measure(context.Background(), crds, []*crdtest.Suite{suite})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := report.WriteText(os.Stdout, 6); err != nil {
		fmt.Println(err)
	}
	// Output:
	// ../../../kit/crdtest/testdata/crontab/crd.yaml: crontabs.stable.example.com v1: 30.0% of 40 goals
	//   fields        50.0%  4 of 8; missing: spec.image, spec.policy, status, status.active
	//   constraints   35.7%  5 of 14
	//   enum values    0.0%  0 of 2; missing: spec.policy "Allow", spec.policy "Forbid"
	//   defaults      50.0%  2 of 4; missing: spec.maxReplicas, spec.replicas
	//   rules         25.0%  1 of 4
	//   operands       0.0%  0 of 8
	// ../../../kit/crdtest/testdata/crontab/crd.yaml: crontabs.stable.example.com v1beta1: no case sends an object of this served version
	// ../../../kit/crdtest/testdata/crontab/crd.yaml:18:20: the object: required spec: never failed
	// ../../../kit/crdtest/testdata/crontab/crd.yaml:22:24: spec: required cronSpec: never failed
	// ../../../kit/crdtest/testdata/crontab/crd.yaml:24:15: spec: rule self.replicas <= self.maxReplicas: never passed
	// ../../../kit/crdtest/testdata/crontab/crd.yaml:26:15: spec: rule !has(self.image) || self.image != '' && self.image == oldSelf.image: never evaluated
	// ../../../kit/crdtest/testdata/crontab/crd.yaml:27:17: spec: operand !has(self.image): never evaluated
	// ../../../kit/crdtest/testdata/crontab/crd.yaml:28:17: spec: operand self.image != "" && self.image == oldSelf.image: never evaluated
	// ../../../kit/crdtest/testdata/crontab/crd.yaml:28:17: spec: operand self.image != "": never evaluated
	// ../../../kit/crdtest/testdata/crontab/crd.yaml:28:37: spec: operand self.image == oldSelf.image: never evaluated
	// ../../../kit/crdtest/testdata/crontab/crd.yaml:31:40: spec.cronSpec: maxLength 20: never failed
	// ../../../kit/crdtest/testdata/crontab/crd.yaml:33:41: spec.replicas: minimum 1: never failed
	// ../../../kit/crdtest/testdata/crontab/crd.yaml:34:44: spec.maxReplicas: maximum 10: never failed
	// ../../../kit/crdtest/testdata/crontab/crd.yaml:37:17: spec.policy: enum ["Allow","Forbid"]: never evaluated
	// ../../../kit/crdtest/testdata/crontab/crd.yaml:41:39: status.active: minimum 0: never evaluated
}
