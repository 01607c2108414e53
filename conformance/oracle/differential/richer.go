package differential

import (
	"math/rand/v2"
	"sync"

	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/crdsem/crdsem/conformance/oracle/celfunctions"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// writer writes rules of every function.
var writer = sync.OnceValue(func() *celfunctions.Random {
	env := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	return celfunctions.NewRandom(env.StoredExpressionsEnv())
})

// limits are the keywords whose value is the limit of a count.
var limits = []string{
	"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties",
}

// enrich changes a generated schema: half of its rules are about any function,
// or about self as a whole, and a few nodes have a negative limit.
func enrich(r *rand.Rand, node any) {
	object, ok := node.(map[string]any)
	if !ok {
		return
	}
	rules, _ := object["x-kubernetes-validations"].([]any)
	for _, rule := range rules {
		if rule, ok := rule.(map[string]any); ok && r.IntN(2) == 0 {
			text, message := writer().Rule(r)
			rule["rule"] = text
			if r.IntN(3) == 0 {
				rule["messageExpression"] = message
			}
			if r.IntN(4) == 0 {
				rule["optionalOldSelf"] = true
			}
		}
	}
	if r.IntN(200) == 0 {
		object[limits[r.IntN(len(limits))]] = int64(-1 - r.IntN(2))
	}
	enrich(r, object["items"])
	enrich(r, object["additionalProperties"])
	properties, _ := object["properties"].(map[string]any)
	for _, name := range jsonvalue.SortedKeys(properties) {
		enrich(r, properties[name])
	}
}
