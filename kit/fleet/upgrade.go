package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/kit/upgrade"
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
	Limits  Limits          `json:"limits"`
}

// Limits bound what one record takes. A field that is not positive has its
// default.
type Limits struct {
	// Deadline is the time in which a record is judged, by default 10 s.
	Deadline time.Duration `json:"deadline,omitempty"`
	// Bytes is the most of a record, by default 3 MiB, as servers take. The
	// findings of its verdict have as many, without the rest.
	Bytes int `json:"bytes,omitempty"`
}

const (
	defaultDeadline = 10 * time.Second
	defaultBytes    = 3 << 20
	compileTime     = 10 * time.Minute // more than servers have for rules
)

// withDefaults returns the limits that hold.
func (l Limits) withDefaults() Limits {
	if l.Deadline <= 0 {
		l.Deadline = defaultDeadline
	}
	if l.Bytes <= 0 {
		l.Bytes = defaultBytes
	}
	return l
}

// NewUpgrade returns an upgrade of some definitions. Of two changes of one kind
// the later one counts. It fails if a definition does not decode, or if the
// rules take ten minutes to compile.
func NewUpgrade(changes ...Change) (*Upgrade, error) {
	u := &Upgrade{Changes: changes}
	if _, err := u.compile(context.Background()); err != nil {
		return nil, err
	}
	return u, nil
}

// judges are the compiled definitions.
type judges = *manifest.Kinds[*judge]

type judge struct {
	*upgrade.Report
	definition string // its name
}

// compile compiles the definitions. Witnesses are for people, and are not
// looked for.
func (u *Upgrade) compile(ctx context.Context) (judges, error) {
	ctx, cancel := context.WithTimeout(ctx, compileTime)
	defer cancel()
	found := &manifest.Kinds[*judge]{}
	for i, change := range u.Changes {
		report, err := upgrade.Compare(ctx, change.Old, change.New,
			upgrade.Tries(0), upgrade.ByPolicy(u.Policy))
		if err == nil {
			err = report.Prepare(ctx)
		}
		if err != nil {
			return nil, fmt.Errorf("change %d: %w", i, err)
		}
		old, err := crdsem.Decode(change.Old)
		if err != nil {
			return nil, fmt.Errorf("change %d: %w", i, err)
		}
		found.Add(manifest.NamesOf(old), &judge{report, metadataText(old, "name")})
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
