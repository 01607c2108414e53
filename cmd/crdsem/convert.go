package main

import (
	"bytes"
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/conversion/webhook"
	"github.com/crdsem/crdsem/internal/kit/visible"
)

func newConvertCommand() *cobra.Command {
	c := &converter{}
	cmd := &cobra.Command{
		Use:   "convert --crd PATH --to VERSION PATH...",
		Short: "convert objects to another version",
		Long: `Convert reads objects from files, folders, globs, pipes, and for - the standard input. It rewrites
apiVersion or, if the definition's strategy is Webhook, asks the webhook at the URL
that is given. What cannot be converted is named on the standard error; the exit code is 1 then, and 2
if something cannot be read or has no definition.`,
		RunE: runs(c.run),
	}
	crdFlag(cmd, &c.crds)
	flags := cmd.Flags()
	flags.StringVar(&c.to, "to", "", "convert to this `VERSION`, such as v2 or example.com/v2")
	flags.StringVar(&c.url, "webhook", "",
		"ask the converter at this https `URL` where the definition's strategy is Webhook")
	flags.StringVar(&c.caFile, "ca", "",
		"trust the PEM certificates of this `FILE` at the webhook, not the system's")
	outputFlag(cmd, &c.output, "yaml", "json")
	return cmd
}

// converter is one run of the command.
type converter struct {
	crds                    []string
	to, url, caFile, output string
}

func (c *converter) run(ctx context.Context, args []string, std streams) (int, error) {
	switch {
	case len(args) == 0:
		return 0, errUsage("no object given")
	case c.to == "":
		return 0, errUsage("no version given: use --to VERSION")
	case c.caFile != "" && c.url == "":
		return 0, errUsage("--ca needs --webhook")
	}
	options, stop, err := c.options()
	if err != nil {
		return 0, err
	}
	defer stop()
	defs, err := readDefinitions(c.crds, std, options...)
	if err != nil {
		return 0, err
	}
	objects, isWhole, err := defs.readObjects(args, std)
	if err != nil {
		return 0, err
	}
	var out bytes.Buffer
	code := exitOK
	if !isWhole {
		code = exitFailed
	}
	for _, in := range objects {
		def, err := defs.Definition(in.Content)
		if err != nil {
			visible.Printf(std.err, "%s\n", in.fail("apiVersion", err))
			code = exitFailed
			continue
		}
		converted, err := def.Convert(ctx, in.Content, c.target(def.Definition))
		if err != nil {
			visible.Printf(std.err, "%s\n", in.fail("apiVersion", err))
			code = max(code, exitRefused)
			continue
		}
		if err := c.write(&out, converted); err != nil {
			return 0, err
		}
	}
	_, err = out.WriteTo(std.out)
	return code, err
}

// target is the apiVersion to convert to: the group is the definition's, unless
// the flag names one too.
func (c *converter) target(def *crdsem.Definition) string {
	if strings.Contains(c.to, "/") {
		return c.to
	}
	return def.Model().Group() + "/" + c.to
}

// options makes the webhook client, if one is asked for; stop closes it.
func (c *converter) options() (options []crdsem.DefinitionOption, stop func(), err error) {
	if c.url == "" {
		return nil, func() {}, nil
	}
	config := conversion.ClientConfig{URL: c.url}
	if c.caFile != "" {
		if config.CABundle, err = os.ReadFile(c.caFile); err != nil {
			return nil, nil, err
		}
	}
	client, err := webhook.New(conversion.Spec{CRD: strings.Join(c.crds, ","), Client: config},
		webhook.AllowHTTP()) // http in a URL is meant
	if err != nil {
		return nil, nil, err
	}
	return []crdsem.DefinitionOption{crdsem.ConversionWebhook(client)}, client.Close, nil
}

func (c *converter) write(out *bytes.Buffer, object map[string]any) error {
	if c.output == "json" {
		return output.JSON(out, object)
	}
	if out.Len() > 0 {
		out.WriteString("---\n")
	}
	text, err := output.YAML(object)
	out.Write(text)
	return err
}
