package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/kit/manifest"
)

func newAPICommand() *cobra.Command {
	a := &apiLister{}
	cmd := &cobra.Command{
		Use:   "api PATH...",
		Short: "list what a cluster with these definitions serves",
		Long: `Api lists what a cluster with these definitions serves: groups, preferred versions, resources and
short names. The exit code is 1 if names are in conflict, and 2 if a definition cannot be read, which
the standard error names.`,
		RunE: runs(a.run),
	}
	crdFlag(cmd, &a.crds)
	outputFlag(cmd, &a.output, "text", "json")
	return cmd
}

// apiLister is one run of the command.
type apiLister struct {
	crds   []string
	output string
}

func (a *apiLister) run(_ context.Context, args []string, std streams) (int, error) {
	served, unread, err := readAPI(append(a.crds, args...), std)
	if err != nil {
		return 0, err
	}
	code := exitOK
	if len(served.Refused) > 0 {
		code = exitRefused
	}
	for _, err := range unread {
		visible.Printf(std.err, "%s\n", err)
		code = exitFailed
	}
	if a.output == "json" {
		return code, output.JSON(std.out, served)
	}
	return code, served.text(std.out)
}

// servedAPI is the output of api: what is served, and the definitions that are
// not.
type servedAPI struct {
	Groups  []servedGroup `json:"groups"`
	Refused []refusedCRD  `json:"refused,omitempty"`
}

type servedGroup struct {
	Name     string          `json:"name"`
	Versions []servedVersion `json:"versions"` // the preferred one first
}

type servedVersion struct {
	Version   string                   `json:"version"`
	Resources []definition.APIResource `json:"resources"`
}

// refusedCRD is a definition that is not established, and its conditions.
type refusedCRD struct {
	Name       string                 `json:"name"`
	Conditions []definition.Condition `json:"conditions"`
}

// readAPI installs definitions, and warns of those that occur twice: the later
// one counts. unread are the errors of those that cannot be read, if others
// can.
func readAPI(crds []string, std streams) (api *servedAPI, unread []error, err error) {
	if len(crds) == 0 {
		return nil, nil, errUsage("no definition given: use --crd PATH")
	}
	var all []*definition.CRD
	var documents []*manifest.Document
	indexes := map[string]int{}
	for o, err := range manifest.Definitions(crds, std.in) {
		if err != nil {
			unread = append(unread, err)
			continue
		}
		crd, _, err := definition.FromMap(o.Content)
		if err != nil {
			unread = append(unread, fmt.Errorf("%v: %w", o.Start(), err))
			continue
		}
		i, isTwice := indexes[crd.Name()]
		if isTwice {
			std.warnOfDuplicate(crd.Name(), documents[i], o.Document)
			all[i], documents[i] = crd, o.Document
			continue
		}
		indexes[crd.Name()] = len(all)
		all, documents = append(all, crd), append(documents, o.Document)
	}
	if len(all) == 0 {
		return nil, nil, errors.Join(unread...)
	}
	cluster := definition.Install(all...)
	api = &servedAPI{Groups: []servedGroup{}}
	for _, g := range cluster.Groups() {
		group := servedGroup{Name: g.Name}
		for _, v := range g.Versions {
			group.Versions = append(group.Versions, servedVersion{v, cluster.Resources(g.Name, v)})
		}
		api.Groups = append(api.Groups, group)
	}
	for _, crd := range all {
		conditions := cluster.Conditions(crd.Name())
		if conditions[1].Status != "True" {
			api.Refused = append(api.Refused, refusedCRD{crd.Name(), conditions})
		}
	}
	return api, unread, nil
}

// text prints the resources as kubectl api-resources does, with their verbs,
// and the definitions that are not served.
func (api *servedAPI) text(out io.Writer) error {
	w := tabwriter.NewWriter(out, 6, 4, 3, ' ', 0)
	fmt.Fprintln(w, "NAME\tSHORTNAMES\tAPIVERSION\tPREFERRED\tNAMESPACED\tKIND\tVERBS\tCATEGORIES")
	for _, g := range api.Groups {
		for i, v := range g.Versions {
			for _, r := range v.Resources {
				visible.Printf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
					r.Name, strings.Join(r.ShortNames, ","), g.Name+"/"+v.Version,
					strconv.FormatBool(i == 0), strconv.FormatBool(r.Namespaced), r.Kind,
					strings.Join(r.Verbs, ","), strings.Join(r.Categories, ","))
			}
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, crd := range api.Refused {
		for _, c := range crd.Conditions {
			visible.Printf(out, "%s: %s is %s (%s): %s\n",
				crd.Name, c.Type, c.Status, c.Reason, c.Message)
		}
	}
	return nil
}
