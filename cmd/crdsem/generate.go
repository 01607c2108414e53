package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/sample"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/kit/manifest"
)

func newGenerateCommand() *cobra.Command {
	g := &generator{}
	cmd := &cobra.Command{
		Use:   "generate PATH...",
		Short: "make objects of a definition, admitted or refused",
		Long: `Generate makes objects of a definition that are admitted. With --break each object is refused, and
the command says which keyword it breaks, and where. The same seed makes the same objects.

With --minimal it prints the smallest object that is admitted, with a spec if the definition has
one. With --full it prints every field once, with its type, default and bounds as comments, as a
start for a sample; fields that exclude each other are all there, so it need not be admitted. Where
plain values are refused, e.g. by rules, values that are admitted are searched, and the standard
error says what is left.`,
		Example: `  crdsem generate crd.yaml -n 10
  crdsem generate crd.yaml --minimal > sample.yaml
  crdsem generate crd.yaml --full`,
		RunE: runs(g.run),
	}
	crdFlag(cmd, &g.crds)
	flags := cmd.Flags()
	flags.StringVar(&g.kind, "kind", "",
		"make objects of this `KIND`, such as Pool or Pool.example.com (if there are several)")
	flags.StringVar(&g.version, "version", "",
		"make objects of this `VERSION` instead of the stored one")
	flags.IntVarP(&g.n, "number", "n", 1, "make `N` objects")
	flags.Uint64Var(&g.seed, "seed", 1, "the same `SEED` makes the same objects")
	flags.BoolVar(&g.broken, "break", false,
		"break one keyword of each object, and say which and where")
	flags.BoolVar(&g.minimal, "minimal", false, "print the smallest object that is admitted")
	flags.BoolVar(&g.full, "full", false, "print every field once, with comments")
	cmd.MarkFlagsMutuallyExclusive("break", "minimal", "full")
	outputFlag(cmd, &g.output, "yaml", "json")
	completeByDefinitions(cmd, "kind", &g.crds, kindOf)
	completeByDefinitions(cmd, "version", &g.crds, servedBy)
	return cmd
}

// generator is one run of the command.
type generator struct {
	crds                  []string
	kind, version, output string
	n                     int
	tries                 int // the budget of the run
	seed                  uint64
	broken                bool
	minimal, full         bool

	of     *crdsem.Version
	source *generate.Resources
}

// generated is an object and, with --break, its breakage.
type generated struct {
	Object map[string]any     `json:"object"`
	Broken *generate.Breakage `json:"broken,omitempty"`
}

func (g *generator) run(ctx context.Context, args []string, std streams) (int, error) {
	switch {
	case g.n < 0:
		return 0, errUsage("-n is not negative")
	}
	g.crds = slices.Concat(g.crds, args)
	if err := g.choose(std.in); err != nil {
		return 0, err
	}
	if g.minimal || g.full {
		return exitOK, g.sample(ctx, std)
	}
	g.tries = mostTries + triesEach*g.n
	return g.make(ctx, std)
}

// make prints the objects that are asked for, as many as the budget allows.
func (g *generator) make(ctx context.Context, std streams) (code int, err error) {
	objects, err := g.several(ctx)
	if err != nil {
		return 0, err
	}
	if left := g.n - len(objects); left > 0 {
		code = exitRefused
		fmt.Fprintf(std.err, "left open, because the work of one run is bounded: %d of %d "+
			"objects; make fewer at a time, or with another seed\n", left, g.n)
	}
	if g.output == "json" {
		return code, g.writeJSON(std.out, objects)
	}
	return code, writeDocuments(std.out, objects)
}

// The budget of a run: some objects that are hard to make, and more tries for
// each object than most need.
const (
	mostTries = 30_000
	triesEach = 40
)

// several makes the objects, as many as the budget of one run allows.
func (g *generator) several(ctx context.Context) (objects []generated, err error) {
	budget := generate.NewBudget(g.tries)
	g.source = g.source.Sharing(budget)
	r := generate.NewRand(g.seed)
	objects = []generated{}
	for range g.n {
		made, err := g.one(ctx, r)
		if open, _ := budget.LeftOpen(); open > 0 && err != nil && ctx.Err() == nil {
			return objects, nil
		}
		if err != nil {
			return nil, err
		}
		objects = append(objects, made)
	}
	return objects, nil
}

// choose finds the definition that the flags ask for.
func (g *generator) choose(stdin io.Reader) error {
	if len(g.crds) == 0 {
		return errUsage("no definition given")
	}
	var chosen manifest.Object
	var matching []string
	for o, err := range manifest.Definitions(g.crds, stdin) {
		if err != nil {
			return err
		}
		crd, _, err := definition.FromMap(o.Content)
		if err != nil {
			return fmt.Errorf("%v: %w", o.Start(), err)
		}
		model, err := definition.Compile(crd)
		if err != nil {
			return fmt.Errorf("%v: %w", o.Start(), err)
		}
		kind := model.Names().Kind
		full := manifest.GroupKind{Group: model.Group(), Kind: kind}.String()
		if g.kind == "" || g.kind == kind || g.kind == full {
			chosen, matching = o, append(matching, full)
		}
	}
	switch {
	case len(matching) > 1:
		return errUsage("several definitions given: use --kind with one of " +
			strings.Join(matching, ", "))
	case chosen.Document == nil && g.kind == "":
		return errors.New("no definition was given")
	case chosen.Document == nil:
		return fmt.Errorf("no definition of kind %s was given", g.kind)
	}
	text, err := json.Marshal(chosen.Content)
	if err != nil {
		return err
	}
	if err = g.compile(text); err != nil {
		return fmt.Errorf("%v: %w", chosen.Start(), err)
	}
	return nil
}

// compile compiles the chosen definition, and chooses the version.
func (g *generator) compile(text []byte) error {
	def, err := crdsem.Parse(text)
	if err != nil {
		return err
	}
	if g.source, err = generate.NewResources(def, g.version); err != nil {
		return err
	}
	name := g.version
	if stored := def.Model().StorageVersion(); name == "" && stored != nil {
		name = stored.Name
	}
	g.of, err = def.Version(name)
	return err
}

// sample prints the smallest object, or every field.
func (g *generator) sample(ctx context.Context, std streams) error {
	if g.full {
		return g.everyField(ctx, std)
	}
	r := generate.NewRand(g.seed)
	search := func() (map[string]any, error) { return g.source.Within(ctx).Valid(r) }
	object, err := sample.Smallest(ctx, g.of, search)
	if err != nil {
		return err
	}
	sample.WithSpec(ctx, g.of, object, search)
	if g.output == "json" {
		return output.JSON(std.out, object)
	}
	_, err = io.WriteString(std.out, sample.YAML(object))
	return err
}

// likes is how many objects everyField takes values from at most.
const likes = 12

// everyField prints every field: with plain values, or with those of an object
// that rules admit, if fewer errors are left with these. It says on the
// standard error if some are.
func (g *generator) everyField(ctx context.Context, std streams) error {
	if g.output == "json" {
		return errUsage("--full prints YAML, because JSON has no comments")
	}
	text := sample.Full(g.of, nil)
	left := g.refusals(ctx, text)
	r := generate.NewRand(g.seed)
	for tried := 0; len(left) > 0 && tried < likes && ctx.Err() == nil; tried++ {
		like, err := g.source.Within(ctx).Valid(r)
		if err != nil {
			break
		}
		other := sample.Full(g.of, like)
		if errs := g.refusals(ctx, other); len(errs) < len(left) {
			text, left = other, errs
		}
	}
	if _, err := io.WriteString(std.out, text); err != nil || len(left) == 0 {
		return err
	}
	more := ""
	if n := len(left) - 1; n > 0 {
		more = fmt.Sprintf(", and %d more", n)
	}
	visible.Printf(std.err, "a server refuses the sample as it is, e.g. because fields exclude "+
		"each other: %s%s\n", strings.TrimPrefix(left[0].Error(), pathless), more)
	return nil
}

// pathless begins the error of a server that names its field in the detail.
const pathless = `<nil>: Invalid value: "": `

// refusals returns the errors of a server about an object in YAML.
func (g *generator) refusals(ctx context.Context, text string) []error {
	value, _, err := jsonvalue.DecodeYAML([]byte(text))
	object, _ := value.(map[string]any)
	if err != nil {
		return []error{err}
	}
	result := g.of.Create(ctx, object)
	var errs []error
	for _, e := range result.Errors {
		errs = append(errs, e)
	}
	if err := result.Err(); err != nil && len(errs) == 0 {
		errs = append(errs, err)
	}
	return errs
}

// one makes one object: admitted or, with --break, refused.
func (g *generator) one(ctx context.Context, r *rand.Rand) (made generated, err error) {
	if err := ctx.Err(); err != nil {
		return made, err
	}
	source := g.source.Within(ctx)
	if !g.broken {
		made.Object, err = source.Valid(r)
		return made, err
	}
	var broken generate.Breakage
	made.Object, broken, err = source.Broken(r)
	made.Broken = &broken
	return made, err
}

// writeJSON prints a list of the objects or, with --break, of objects with
// their breakages.
func (g *generator) writeJSON(out io.Writer, objects []generated) error {
	if g.broken {
		return output.JSON(out, objects)
	}
	plain := []map[string]any{}
	for i := range objects {
		plain = append(plain, objects[i].Object)
	}
	return output.JSON(out, plain)
}

// writeDocuments prints YAML documents. A comment says what is broken.
func writeDocuments(out io.Writer, objects []generated) error {
	for i := range objects {
		text, err := output.YAML(objects[i].Object)
		if err != nil {
			return err
		}
		comment := ""
		if b := objects[i].Broken; b != nil {
			comment = fmt.Sprintf("# broken: %s at %q, %s\n", b.Keyword, b.Path, string(b.Type))
			for line := range strings.Lines(b.Rule) {
				comment += "# rule: " + strings.TrimRight(line, "\n") + "\n"
			}
		}
		if _, err := fmt.Fprintf(out, "---\n%s%s", comment, text); err != nil {
			return err
		}
	}
	return nil
}
