package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/crdsem/crdsem/catalog/kinds"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/upgrade"
)

// Change is a definition before and after a change, each as JSON or YAML.
type Change struct {
	Old []byte `json:"old"`
	New []byte `json:"new"`
}

// Upgrade is a set of changed definitions by which objects are judged.
type Upgrade struct {
	// Policy gives fates their severities; it may be nil.
	Policy  *upgrade.Policy `json:"policy,omitempty"`
	Changes []Change        `json:"changes"`
}

// NewUpgrade returns an upgrade of some definitions. It fails if one of them
// does not decode, or if two are of one kind.
func NewUpgrade(changes ...Change) (*Upgrade, error) {
	u := &Upgrade{Changes: changes}
	if _, err := u.compile(context.Background()); err != nil {
		return nil, err
	}
	return u, nil
}

// judges are the compiled definitions.
type judges = *kinds.Map[*judge]

type judge struct {
	*upgrade.Report
	definition string // its name
}

// compile compiles the definitions. Witnesses are for people, and are not
// looked for.
func (u *Upgrade) compile(ctx context.Context) (judges, error) {
	found := &kinds.Map[*judge]{}
	for i, change := range u.Changes {
		report, err := upgrade.Compare(ctx, change.Old, change.New,
			upgrade.Tries(0), upgrade.ByPolicy(u.Policy))
		if err != nil {
			return nil, fmt.Errorf("change %d: %w", i, err)
		}
		old, _, err := jsonvalue.DecodeObject(change.Old)
		if err != nil {
			return nil, fmt.Errorf("change %d: %w", i, err)
		}
		names := kinds.NamesOf(old)
		_, name := typemeta.Name(old)
		if len(found.Add(names, &judge{report, name})) > 0 {
			return nil, fmt.Errorf("change %d: %v is changed twice", i, names.GroupKind)
		}
	}
	return found, nil
}

// compiled has the definitions of this process. A runner makes many copies of a
// transform; all of them share one compilation.
var compiled sync.Map // by digest, of func() (judges, error)

// shared returns the compiled definitions of this process.
func (u *Upgrade) shared() (judges, error) {
	text, err := json.Marshal(u)
	if err != nil {
		return nil, err
	}
	once, _ := compiled.LoadOrStore(sha256.Sum256(text), sync.OnceValues(
		func() (judges, error) { return u.compile(context.Background()) }))
	return once.(func() (judges, error))()
}
