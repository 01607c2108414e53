package upgrade

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/base/saturate"
	"github.com/crdsem/crdsem/internal/base/schemapath"
	"github.com/crdsem/crdsem/internal/belowfacade/facadeoptions"
	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// Report is what a change of a definition does.
type Report struct {
	// Changes are the differences: of the definition as a whole, then of each
	// version of both definitions in the order of the old one, then between
	// versions.
	Changes []Change `json:"changes"`
	// Steps is the procedure that the Kubernetes documents ask for.
	Steps []Step `json:"steps,omitempty"`
	// WebhookDecides is set if a conversion webhook, which was not asked,
	// decides what clients of several served versions read and store.
	WebhookDecides bool `json:"webhookDecides,omitempty"`

	old, changed *side
	policy       *Policy
	expressions  expressions
}

// side is one of the two definitions, ready for requests.
type side struct {
	crd   *definition.CRD
	def   *crdsem.Definition
	model *definition.Model

	mutex sync.Mutex
	made  map[string]*generate.Resources // by version
}

// resources returns what makes objects of a version. It fails if they may be
// too large.
func (s *side) resources(version string) (*generate.Resources, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if known := s.made[version]; known != nil {
		return known, nil
	}
	if v := s.model.Version(version); v != nil && isTooLarge(v.Schema()) {
		return nil, errTooLarge
	}
	made, err := generate.NewResources(s.def, version)
	if err == nil {
		s.made[version] = made
	}
	return made, err
}

// DefaultTries is how many objects are judged in the search for one witness
// unless [Tries] says otherwise.
const DefaultTries = 200

// Option is a choice for [Compare]. Of several of one kind the last one counts.
// A nil option chooses nothing. It is an alias of structural.Option, because
// two options of package crdsem are for Compare too:
//
//   - crdsem.Kubernetes says which minor's server has the definitions. Before
//     1.33 a server refuses every write to a status that is invalid now.
//     Without it [Compare] takes the newest minor, and [CompareCRDs] that of
//     the definitions.
//   - crdsem.ConversionWebhook asks a webhook where a definition has the
//     conversion strategy Webhook: that of the new definition, and that of the
//     old one as well. Without it, what depends on a webhook is not judged:
//     [WebhookDecides].
type Option = structural.Option

// option is an option of this package. The interface, which is nil, makes it
// one.
type option struct {
	structural.Option
	set func(*options)
}

func optionOf(set func(*options)) Option { return option{set: set} }

// Tries bounds the search for a witness: the number of objects that are judged
// for each change. Without this option it is [DefaultTries]; 0 searches no
// witnesses. What is decided by logic does not depend on it.
func Tries(n int) Option { return optionOf(func(o *options) { o.tries = n }) }

// ShownTries is like [Tries] for the changes that logic decides: no verdict
// depends on it. Without this option it is that of Tries.
func ShownTries(n int) Option { return optionOf(func(o *options) { o.shown = &n }) }

// Seed seeds the search. The same seed finds the same witnesses. Without this
// option it is 1.
func Seed(seed uint64) Option { return optionOf(func(o *options) { o.seed = seed }) }

// Witnesses says for which changes a witness is searched: those of a severity,
// and more severe ones. Without this option it is [Undecided].
func Witnesses(of Severity) Option {
	return optionOf(func(o *options) { o.witnesses = of })
}

// ByPolicy gives changes and stored objects the severities of a policy. Without
// this option, or with nil, the severities are those of the classes and fates.
func ByPolicy(p *Policy) Option { return optionOf(func(o *options) { o.policy = p }) }

type options struct {
	webhook   conversion.Webhook
	minor     minors.Minor
	tries     int
	shown     *int // of changes that logic decides
	seed      uint64
	witnesses Severity
	policy    *Policy
	budget    *Budget
}

// choose returns what options say.
func choose(with []Option) options {
	o := options{tries: DefaultTries, seed: 1, witnesses: Undecided}
	o.minor, _ = structural.Common(with...)
	var facade facadeoptions.Definition
	facade.Choose(with)
	o.webhook = facade.Webhook
	for _, choice := range with {
		if choice, ok := choice.(option); ok {
			choice.set(&o)
		}
	}
	return o
}

// Compare compares two definitions of one resource, given as JSON or YAML. The
// old one may be the stored definition with its status; without a status it is
// taken as established.
//
// An error is a definition that does not decode, or the context's error.
// Whether the definitions are valid is part of the report: a change of the
// class [DefinitionRefused].
func Compare(ctx context.Context, old, changed []byte, with ...Option) (*Report, error) {
	was, _, err := definition.Parse(old)
	if err != nil {
		return nil, fmt.Errorf("old definition: %w", err)
	}
	is, _, err := definition.Parse(changed)
	if err != nil {
		return nil, fmt.Errorf("new definition: %w", err)
	}
	return CompareCRDs(ctx, was, is, with...)
}

// CompareCRDs is like [Compare] for definitions that are decoded already.
func CompareCRDs(
	ctx context.Context, old, changed *definition.CRD, with ...Option,
) (*Report, error) {
	o := choose(with)
	if o.minor != "" {
		old, changed = old.In(o.minor), changed.In(o.minor)
	}
	cache := &crdsem.Cache{}
	r := &Report{policy: o.policy, expressions: expressions{}}
	var err error
	if r.old, err = newSide(old, cache, o.webhook); err != nil {
		return nil, fmt.Errorf("old definition: %w", err)
	}
	if r.changed, err = newSide(changed, cache, o.webhook); err != nil {
		return nil, fmt.Errorf("new definition: %w", err)
	}
	ctx = o.budget.context(ctx)
	r.Changes = r.compareDefinitions(ctx)
	for i := range r.old.model.Versions() {
		was := &r.old.model.Versions()[i]
		if is := r.changed.model.Version(was.Name); is != nil && was.Served && is.Served {
			r.Changes = append(r.Changes, r.compareVersions(ctx, was, is)...)
		}
	}
	r.Changes = append(r.Changes, r.compareAcross(ctx)...)
	r.WebhookDecides = o.webhook == nil && r.changed.needsWebhook()
	r.Steps = r.steps()
	r.setSeverities()
	if err := r.searchWitnesses(ctx, o); err != nil {
		return nil, err
	}
	r.setSeverities()
	return r, ctx.Err()
}

// setSeverities sets the severities of all changes by what is known of them.
func (r *Report) setSeverities() {
	for i := range r.Changes {
		c := &r.Changes[i]
		c.Severities = severitiesOf(c, r.changed.crd.Kubernetes()).limited(r.policy.limit(c))
		c.Severity, c.Reason = r.policy.severity(r.changed.model.Name(), c)
	}
}

func newSide(
	crd *definition.CRD, cache *crdsem.Cache, webhook conversion.Webhook,
) (*side, error) {
	def, err := crdsem.Compile(crd, crdsem.InCache(cache), crdsem.ConversionWebhook(webhook))
	if err != nil {
		return nil, err
	}
	return &side{
		crd: crd, def: def, model: def.Model(), made: map[string]*generate.Resources{},
	}, nil
}

// needsWebhook reports whether a webhook converts objects of a served version.
func (s *side) needsWebhook() bool {
	return s.model.Conversion().Strategy == conversion.StrategyWebhook &&
		len(s.model.Versions()) > 1 && len(s.writable()) > 0
}

// compareDefinitions returns the changes that concern no single field: the
// server's verdict on the definition, names, scope and versions.
func (r *Report) compareDefinitions(ctx context.Context) []Change {
	found := r.verdict(ctx)
	add := func(path string, old, changed any, class Class) {
		if old != changed {
			found = append(found, Change{
				Path: path, Keyword: path[len("spec."):], Old: old, New: changed, Class: class,
				Decided: true,
			})
		}
	}
	was, is := r.old.model, r.changed.model
	add("spec.group", was.Group(), is.Group(), ChangesServing)
	add("spec.names.plural", was.Names().Plural, is.Names().Plural, ChangesServing)
	add("spec.names.kind", was.Names().Kind, is.Names().Kind, ChangesServing)
	add("spec.names.listKind", was.Names().ListKind, is.Names().ListKind, ChangesServing)
	add("spec.names.singular", was.Names().Singular, is.Names().Singular, Cosmetic)
	add("spec.names.shortNames", fmt.Sprint(was.Names().ShortNames),
		fmt.Sprint(is.Names().ShortNames), Cosmetic)
	add("spec.names.categories", fmt.Sprint(was.Names().Categories),
		fmt.Sprint(is.Names().Categories), Cosmetic)
	add("spec.scope", string(was.Scope()), string(is.Scope()), ChangesServing)
	add("spec.conversion.strategy", string(was.Conversion().Strategy),
		string(is.Conversion().Strategy), ChangesStorage)
	return append(found, r.compareServing()...)
}

// verdict returns the server's errors about the new definition, as an update of
// the old one. Errors that the old definition has as well are no changes.
func (r *Report) verdict(ctx context.Context) []Change {
	refusals := func(changed *definition.CRD) field.ErrorList {
		stored, update := definition.Revise(r.old.crd, changed)
		return validate.Update(ctx, update, stored).Errors
	}
	known := map[string]bool{}
	errs := refusals(r.changed.crd)
	if len(errs) > 0 {
		for _, err := range refusals(r.old.crd) {
			known[err.Error()] = true
		}
	}
	var found []Change
	for _, err := range errs {
		if known[err.Error()] {
			continue
		}
		found = append(found, Change{
			Path: err.Field, Keyword: err.Origin, Class: DefinitionRefused, Decided: true,
			Message: err.Error() + ofTemplate(err),
		})
	}
	return found
}

// ofTemplate says that the value of an error is an unrendered template.
func ofTemplate(err *field.Error) string {
	if strings.Contains(fmt.Sprint(err.BadValue), "{{") {
		return " (the definition is a template: render it first)"
	}
	return ""
}

// judges returns what validates values of the new definition's minor.
func (r *Report) judges(ctx context.Context) *judges {
	return &judges{ctx, r.changed.crd.Kubernetes()}
}

// compareServing returns the changes of the versions that are served and of the
// one that is stored.
func (r *Report) compareServing() []Change {
	var found []Change
	add := func(version, keyword string, old, changed any, class Class) {
		found = append(found, Change{
			Path: "spec.versions[" + version + "]", Keyword: keyword, Old: old, New: changed,
			Class: class, Decided: true,
		})
	}
	for _, was := range r.old.model.Versions() {
		switch is := r.changed.model.Version(was.Name); {
		case is == nil:
			class := ChangesServing
			if !was.Served {
				class = Cosmetic
			}
			add(was.Name, "served", was.Served, nil, class)
		case was.Served && !is.Served:
			add(was.Name, "served", true, false, ChangesServing)
		case was.Served && !was.Deprecated && is.Deprecated:
			add(was.Name, "deprecated", false, true, Cosmetic)
		}
	}
	for _, is := range r.changed.model.Versions() {
		if is.Served && !r.old.serves(is.Name) {
			add(is.Name, "served", nil, true, Looser)
		}
	}
	was, is := r.old.model.StorageVersion(), r.changed.model.StorageVersion()
	if was != nil && is != nil && was.Name != is.Name {
		found = append(found, Change{
			Path: "spec.versions", Keyword: "storage", Old: was.Name, New: is.Name,
			Class: ChangesStorage, Decided: true,
		})
	}
	return found
}

// compareVersions returns the changes of a version that is served before and
// after.
func (r *Report) compareVersions(ctx context.Context, was, is *definition.Version) []Change {
	found := r.compareSchemas(r.judges(ctx), was.Name, was.Schema(), is.Schema(),
		scaledIn(was, is))
	add := func(keyword string, old, changed any, class Class) {
		found = append(found, Change{
			Path: "spec.versions[" + was.Name + "]." + keyword, Keyword: keyword,
			Old: old, New: changed, Class: class, Decided: true,
		})
	}
	if was.HasStatus != is.HasStatus {
		add("subresources.status", was.HasStatus, is.HasStatus, ChangesStorage)
	}
	if a, b := scaleOf(was), scaleOf(is); a != b {
		add("subresources.scale", a, b, ChangesServing)
	}
	if !slices.Equal(was.SelectableFields, is.SelectableFields) {
		class := Looser
		if hasOther(was.SelectableFields, is.SelectableFields) {
			class = Stricter
		}
		add("selectableFields", names(was.SelectableFields), names(is.SelectableFields), class)
	}
	if !slices.Equal(was.PrinterColumns, is.PrinterColumns) {
		add("additionalPrinterColumns", columns(was, is), columns(is, was), Cosmetic)
	}
	return append(found, compareCosts(ctx, was, is)...)
}

func scaleOf(v *definition.Version) any {
	if v.Scale == nil {
		return nil
	}
	return fmt.Sprintf("%s, %s, %s",
		v.Scale.SpecReplicasPath, v.Scale.StatusReplicasPath, v.Scale.LabelSelectorPath)
}

// columns returns the columns of a version that another one lacks.
func columns(v, other *definition.Version) any {
	var list []string
	for _, column := range v.PrinterColumns {
		if !slices.Contains(other.PrinterColumns, column) {
			list = append(list, column.Name+" "+column.JSONPath)
		}
	}
	return names(list)
}

// compareCosts returns a change if rules of both versions are estimated to cost
// more: the sums of their costs, at the rule that grows the most. It looks up
// to where the context ends.
func compareCosts(ctx context.Context, was, is *definition.Version) []Change {
	_, before := ruleCosts(ctx, was.Schema())
	rules, after := ruleCosts(ctx, is.Schema())
	var oldSum, newSum, most uint64
	change := Change{Version: is.Name, Keyword: rulesKeyword, Class: CostsMore, Decided: true}
	grown := 0
	for _, r := range rules {
		old, ok := before[r]
		if !ok || after[r] <= old {
			continue
		}
		grown++
		oldSum, newSum = saturate.Add(oldSum, old), saturate.Add(newSum, after[r])
		if after[r]-old > most {
			most = after[r] - old
			change.Path, change.Message = schemapath.Field(r.path), r.rule
		}
	}
	if grown == 0 {
		return nil
	}
	change.Old, change.New = oldSum, newSum
	change.Message = fmt.Sprintf("%d rules, most of all %s", grown, change.Message)
	return []Change{change}
}

// placedRule is a rule at a schema node, which may have it twice.
type placedRule struct{ path, rule string }

// ruleCosts returns the rules of a schema in order, and what each costs.
func ruleCosts(
	ctx context.Context, schema *structural.Schema,
) (rules []placedRule, total map[placedRule]uint64) {
	total = map[placedRule]uint64{}
	estimates, _ := check.Costs(ctx, schema)
	for i := range estimates {
		r := placedRule{estimates[i].Path, estimates[i].Rule}
		if _, known := total[r]; !known {
			rules = append(rules, r)
		}
		total[r] = saturate.Add(total[r], estimates[i].Total)
	}
	return rules, total
}
