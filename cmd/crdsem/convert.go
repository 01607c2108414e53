package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/prune"
)

func newConvertCommand() *cobra.Command {
	c := &converter{}
	cmd := &cobra.Command{
		Use:   "convert --to VERSION PATH...",
		Short: "convert objects to another version",
		Long: `Convert reads objects from files, folders, globs, pipes, and for - the standard input. It prints
what a client of the other version reads after they were stored: the object is converted to the
storage version and pruned there, and converted to the other version and pruned. A conversion
rewrites apiVersion or, if the definition's strategy is Webhook, asks the webhook at the URL that is
given. Nothing is validated on this way, and defaults of the version in which an object is stored
are filled in.

What is lost is named on the standard error, and so is what the other version would refuse in the
result as a new object. The exit code is 1 if a result is refused so, or an object cannot be
converted, and 2 if something cannot be read or has no definition. It is 3 if nothing of this is
true, and a webhook decides that was not given.`,
		RunE: runs(c.run),
	}
	crdFlag(cmd, &c.crds)
	flags := cmd.Flags()
	flags.StringVar(&c.to, "to", "", "convert to this `VERSION`, such as v2 or example.com/v2")
	webhookFlags(cmd, &c.webhook)
	outputFlag(cmd, &c.output, "yaml", "json")
	completeByDefinitions(cmd, "to", &c.crds, servedBy)
	return cmd
}

// converter is one run of the command.
type converter struct {
	crds       []string
	to, output string
	webhook    webhookChoice

	std  streams
	out  bytes.Buffer
	code int
}

func (c *converter) run(ctx context.Context, args []string, std streams) (int, error) {
	switch {
	case len(args) == 0:
		return 0, errUsage("no object given")
	case c.to == "":
		return 0, errUsage("no version given: use --to VERSION")
	}
	hook, stop, err := c.webhook.open()
	if err != nil {
		return 0, err
	}
	defer stop()
	c.std = std
	defs, err := readGiven(c.crds, args, std, crdsem.ConversionWebhook(hook))
	if err != nil {
		return 0, err
	}
	objects, isWhole, err := defs.readObjects(args, std)
	if err != nil {
		return 0, err
	}
	if !isWhole {
		c.code = exitFailed
	}
	for _, in := range objects {
		def, err := defs.Definition(in.Content)
		if err != nil {
			c.fail(exitFailed, in.fail("apiVersion", err))
			continue
		}
		if err := c.convert(ctx, def.Definition, in); err != nil {
			return 0, err
		}
	}
	_, err = c.out.WriteTo(std.out)
	return c.code, err
}

// fail prints an error, and remembers the exit code if it is worse than the one
// so far.
func (c *converter) fail(code int, err error) {
	visible.Printf(c.std.err, "%s\n", err)
	order := map[int]int{exitOK: 0, exitNotJudged: 1, exitRefused: 2, exitFailed: 3}
	if order[code] > order[c.code] {
		c.code = code
	}
}

// convert converts an object and prints it. The error is that of the output.
func (c *converter) convert(
	ctx context.Context, def *crdsem.Definition, in inputObject,
) error {
	w, version := c.follow(ctx, def, in.Content)
	switch {
	case errors.Is(w.err, crdsem.ErrNoWebhook):
		c.fail(exitNotJudged, in.fail("apiVersion",
			errors.New("not judged: a conversion webhook decides; --webhook URL asks it")))
		return nil
	case w.err != nil:
		c.fail(exitRefused, fmt.Errorf("%w%s", in.fail("apiVersion", w.err), c.served(def)))
		return nil
	}
	for _, path := range w.lost {
		c.fail(exitOK, fmt.Errorf("%v: warning: %s is lost", in.Find(path).Key, path))
	}
	if version == nil {
		c.fail(exitOK, in.fail("apiVersion", fmt.Errorf(
			"warning: %s is not served: no client reads this", c.target(def))))
		return c.write(w.object)
	}
	created := version.Create(ctx, repository.WithoutServer(w.object))
	for _, err := range created.Errors {
		c.fail(exitRefused, fmt.Errorf("%v: as a new object of %s it is refused: %w",
			in.Locate(err), version.Name(), err))
	}
	if err := created.Err(); err != nil && len(created.Errors) == 0 {
		c.fail(exitRefused, in.fail("", fmt.Errorf("as a new object of %s it is refused: %w",
			version.Name(), err)))
	}
	return c.write(w.object)
}

// follow takes an object on its way: decoded in its own version, stored, and
// read by a client of the other version, which is nil if it has no clients.
func (c *converter) follow(
	ctx context.Context, def *crdsem.Definition, object map[string]any,
) (*way, *crdsem.Version) {
	w := &way{ctx: ctx, object: object}
	name := typemeta.Of(object).Version
	if own, err := def.Version(name); err == nil {
		w.pass(own.Read)
	}
	target := c.target(def)
	_, name = typemeta.Split(target)
	storage := def.Model().StorageVersion()
	version, err := def.Version(name)
	switch {
	case err == nil && def.Model().Group()+"/"+name == target:
		w.pass(def.Store)
		w.pass(version.Read)
	case storage != nil && def.Model().Group()+"/"+storage.Name == target:
		w.pass(def.Store)
	default: // no client reads the version
		w.pass(def.Store)
		w.convert(def, target)
	}
	w.hideGeneration(object)
	return w, version
}

// way is an object that passes the stations of a server.
type way struct {
	ctx    context.Context
	object map[string]any
	lost   []string
	err    error

	filled []string // by defaults, so that nothing of the file is lost with them
}

// pass takes the object through a station, unless an earlier one has failed.
func (w *way) pass(station func(context.Context, map[string]any) *crdsem.Result) {
	if w.err != nil {
		return
	}
	out := station(w.ctx, w.object)
	w.object, w.err = out.Object, out.Err()
	w.filled = append(w.filled, out.Defaulted...)
	w.lose(out.Pruned)
}

// lose notes the fields that a station removed.
func (w *way) lose(paths []string) {
	for _, path := range paths {
		if !slices.Contains(w.filled, path) {
			w.lost = append(w.lost, path)
		}
	}
}

// convert converts the object to a version that is not served, and prunes it
// there.
func (w *way) convert(def *crdsem.Definition, target string) {
	if w.err != nil {
		return
	}
	if w.object, w.err = def.Convert(w.ctx, w.object, target); w.err != nil {
		return
	}
	_, name := typemeta.Split(target)
	if v := def.Model().Version(name); v != nil && v.Schema() != nil {
		w.object = jsonvalue.DeepCopyMap(w.object)
		var paths []string
		for _, change := range prune.Resource(w.object, v.Schema()) {
			paths = append(paths, change.Path)
		}
		w.lose(paths)
	}
}

// hideGeneration removes the generation, which every object of a server has, if
// the object that was given is not from one.
func (w *way) hideGeneration(given map[string]any) {
	metadata, _ := w.object["metadata"].(map[string]any)
	before, _ := given["metadata"].(map[string]any)
	if metadata == nil || before["generation"] != nil || w.err != nil {
		return
	}
	w.object, metadata = maps.Clone(w.object), maps.Clone(metadata)
	delete(metadata, "generation")
	w.object["metadata"] = metadata
}

// served says which versions a definition serves, unless the one to convert to
// is one of them.
func (c *converter) served(def *crdsem.Definition) string {
	_, to := typemeta.Split(c.target(def))
	var names []string
	for _, v := range def.Model().Versions() {
		if v.Name == to {
			return ""
		}
		if v.Served {
			names = append(names, v.Name)
		}
	}
	return " (hint: the definition serves " + strings.Join(names, ", ") + ")"
}

// target is the apiVersion to convert to: the group is the definition's, unless
// the flag names one too.
func (c *converter) target(def *crdsem.Definition) string {
	if strings.Contains(c.to, "/") {
		return c.to
	}
	return def.Model().Group() + "/" + c.to
}

func (c *converter) write(object map[string]any) error {
	if c.output == "json" {
		return output.JSON(&c.out, object)
	}
	if c.out.Len() > 0 {
		c.out.WriteString("---\n")
	}
	text, err := output.YAML(object)
	c.out.Write(text)
	return err
}
