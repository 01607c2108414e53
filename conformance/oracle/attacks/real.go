package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	library "gopkg.in/evanphx/json-patch.v4"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/conformance/oracle/kube"
	"github.com/crdsem/crdsem/internal/test/suite"
)

// realPatch patches with the server's library. The server does more: it decodes
// and validates the result.
func realPatch(stored, patch string, patchType crdsem.PatchType) work {
	library.AccumulatedCopySizeLimit = 3 << 20 // the server's setting
	apply := func() error {
		_, err := library.MergePatch([]byte(stored), []byte(patch))
		return err
	}
	if patchType == crdsem.JSONPatch {
		apply = func() error {
			operations, err := library.DecodePatch([]byte(patch))
			if err != nil {
				return err
			}
			if len(operations) > 10_000 {
				return fmt.Errorf("%d operations", len(operations))
			}
			_, err = operations.Apply([]byte(stored))
			return err
		}
	}
	return func(context.Context) string {
		if err := apply(); err != nil {
			return "refused"
		}
		return "patched"
	}
}

// realApply applies with the server's field manager. It does not validate. A
// live object is first written by an update that has its managed fields.
func realApply(definition, stored, config string) (work, error) {
	steps := []any{map[string]any{
		"version": "v1", "manager": "m", "apply": true, "force": true,
		"object": json.RawMessage(config),
	}}
	if stored != "" {
		steps = slices.Insert(steps, 0, any(map[string]any{
			"version": "v1", "manager": "u", "object": json.RawMessage(stored),
		}))
	}
	input, err := json.Marshal(map[string]any{
		"crd": definition, "steps": steps,
	})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) string {
		asked := &suite.Case{Kind: "managedObject", Input: input}
		if _, err := kube.AnswerCase(ctx, asked); err != nil {
			return fmt.Sprintf("%.60s", err)
		}
		return "applied"
	}, nil
}
