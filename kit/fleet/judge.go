package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/kit/upgrade"
)

func init() {
	register.DoFn6x1[
		context.Context, string, func(string), func(string, int64), func(string), func(string),
		error,
	](&judgeFn{})
	register.Emitter1[string]()
	register.Emitter2[string, int64]()
	register.Function2x2(countLine)
}

// Verdict is what happens to a stored object that is affected.
type Verdict struct {
	Cluster    string            `json:"cluster,omitempty"`
	Definition string            `json:"definition"`
	Namespace  string            `json:"namespace,omitempty"`
	Name       string            `json:"name"`
	Version    string            `json:"version,omitempty"`
	Fate       upgrade.Fate      `json:"fate"`
	Before     upgrade.Fate      `json:"before"`
	Severity   upgrade.Severity  `json:"severity"`
	Findings   []upgrade.Finding `json:"findings,omitempty"`
	More       int               `json:"more,omitempty"` // findings that are left out
}

// NotJudged is the fate in counts of objects whose kind is not changed. Their
// Definition is empty.
const NotJudged upgrade.Fate = "not judged"

// Failed is the fate in counts of records that are over their limits.
const Failed upgrade.Fate = "failed"

// Count is a number of objects. With a Rule it counts those that break the
// rule; these are among those without a Rule.
type Count struct {
	Cluster    string       `json:"cluster,omitempty"`
	Definition string       `json:"definition,omitempty"`
	Version    string       `json:"version,omitempty"`
	Fate       upgrade.Fate `json:"fate"`
	Rule       string       `json:"rule,omitempty"`
	Objects    int64        `json:"objects,omitempty"`
}

// Malformed is a line that is no record.
type Malformed struct {
	Error string `json:"error"`
	Line  string `json:"line"`
}

// Failure is a record that is over its [Limits], or that panics.
type Failure struct {
	Cluster    string `json:"cluster,omitempty"`
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name,omitempty"`
	Error      string `json:"error"`
}

// Results are the outputs of [Upgrade.Judge]: collections of strings, each a
// line of JSON.
type Results struct {
	Verdicts  beam.PCollection // of Verdict
	Counts    beam.PCollection // of Count
	Malformed beam.PCollection // of Malformed
	Failures  beam.PCollection // of Failure
}

// Judge judges records, a collection of strings. Objects that are not affected
// are only counted.
func (u *Upgrade) Judge(s beam.Scope, records beam.PCollection) Results {
	s = s.Scope("fleet.Judge")
	verdicts, counts, malformed, failures := beam.ParDo4(s, &judgeFn{Upgrade: u}, records)
	counts = beam.ParDo(s, countLine, stats.SumPerKey(s, counts))
	return Results{verdicts, counts, malformed, failures}
}

// judgeFn judges one record after the other.
type judgeFn struct {
	Upgrade *Upgrade `json:"upgrade"`

	judges judges
}

// Setup compiles the definitions, if this process has not.
func (f *judgeFn) Setup() (err error) {
	f.judges, err = f.Upgrade.shared()
	return err
}

// ProcessElement judges a record. Its error is that of the job.
func (f *judgeFn) ProcessElement(
	ctx context.Context, line string,
	verdict func(string), count func(string, int64), malformed, failure func(string),
) error {
	counting := func(text string) { count(text, 1) }
	fail := func(reason any) error {
		failed := newFailure(line, reason)
		return errors.Join(emit(failure, failed),
			emit(counting, Count{Cluster: failed.Cluster, Fate: Failed}))
	}
	limits := f.Upgrade.Limits.withDefaults()
	if len(line) > limits.Bytes {
		return fail(fmt.Sprintf("%d bytes, at most %d", len(line), limits.Bytes))
	}
	cluster, object, err := parse(line)
	if err != nil {
		return emit(malformed, Malformed{err.Error(), line})
	}
	judge, known := f.judges.Kind(manifest.TypeOf(object).GroupKind)
	if !known {
		return emit(counting, Count{Cluster: cluster, Fate: NotJudged})
	}
	judgement, err := judge.within(ctx, limits.Deadline, object)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fail(err)
	}
	v := newVerdict(cluster, judge.definition, object, judgement)
	rules := v.rules()
	v.shorten(limits.Bytes)
	if v.Fate != upgrade.Unaffected {
		err = emit(verdict, v)
	}
	c := Count{Cluster: cluster, Definition: v.Definition, Version: v.Version, Fate: v.Fate}
	for _, c.Rule = range append([]string{""}, rules...) {
		err = errors.Join(err, emit(counting, c))
	}
	return err
}

// within judges an object. A panic is an error of the object.
func (j *judge) within(
	ctx context.Context, deadline time.Duration, object map[string]any,
) (judgement *upgrade.Judgement, err error) {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	return j.Judge(ctx, object)
}

// newFailure names the record as far as it can be read.
func newFailure(line string, reason any) Failure {
	type identity struct {
		APIVersion, Kind string
		Metadata         struct{ Namespace, Name string }
	}
	var record struct {
		identity

		Cluster string
		Object  *identity
	}
	_ = json.Unmarshal([]byte(line), &record) // names that are there
	of := &record.identity
	if record.Object != nil && of.Kind == "" {
		of = record.Object
	}
	return Failure{
		Cluster: record.Cluster, APIVersion: of.APIVersion, Kind: of.Kind,
		Namespace: of.Metadata.Namespace, Name: of.Metadata.Name, Error: fmt.Sprint(reason),
	}
}

// shorten leaves out the findings after a number of bytes.
func (v *Verdict) shorten(most int) {
	const names = 64 // of the members of a finding
	for i, f := range v.Findings {
		if most -= names + len(f.Path) + len(f.Text); most < 0 {
			v.Findings, v.More = v.Findings[:i], len(v.Findings)-i
			return
		}
	}
}

// emit emits a value as a line of JSON.
func emit(to func(string), value any) error {
	text, err := json.Marshal(value)
	if err == nil {
		to(string(text))
	}
	return err
}

// parse returns the cluster and the object of a record.
func parse(line string) (cluster string, object map[string]any, err error) {
	record, _, err := crdsem.JSON.Decode([]byte(line))
	if err != nil {
		return "", nil, err
	}
	object = record
	if inner, ok := record["object"].(map[string]any); ok && record["kind"] == nil {
		cluster, _ = record["cluster"].(string)
		object = inner
	}
	for _, name := range []string{"apiVersion", "kind"} {
		if text, _ := object[name].(string); text == "" {
			return "", nil, errors.New(name + ": expected a string that is not empty")
		}
	}
	return cluster, object, nil
}

func newVerdict(
	cluster, definition string, object map[string]any, j *upgrade.Judgement,
) *Verdict {
	v := &Verdict{
		Cluster: cluster, Definition: definition, Version: j.Version, Fate: j.Fate,
		Before: j.Before, Severity: j.Severity, Findings: j.Findings(),
	}
	v.Namespace, v.Name = metadataText(object, "namespace"), metadataText(object, "name")
	return v
}

// metadataText returns a string of an object's metadata, empty if it is absent.
func metadataText(object map[string]any, key string) string {
	metadata, _ := object["metadata"].(map[string]any)
	text, _ := metadata[key].(string)
	return text
}

// rules returns the rules that an object breaks, each once.
func (v *Verdict) rules() []string {
	rules := map[string]bool{}
	for i := range v.Findings {
		rules[v.Findings[i].Rule] = true
	}
	delete(rules, "")
	return slices.Sorted(maps.Keys(rules))
}

// countLine completes a count, whose key is the count without a number.
func countLine(key string, objects int64) (string, error) {
	var c Count
	if err := json.Unmarshal([]byte(key), &c); err != nil {
		return "", err
	}
	c.Objects = objects
	text, err := json.Marshal(c)
	return string(text), err
}
