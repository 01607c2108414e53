package main

import (
	"context"
	"slices"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/minors"
)

// olderMinors are the minors whose admission is compared with that of the
// newest one.
func olderMinors() []minors.Minor {
	newest := minors.Newest()
	return slices.DeleteFunc(minors.All(), func(m minors.Minor) bool { return m == newest })
}

// admittedAs names the row of a minor.
func admittedAs(m minors.Minor) string { return "admit from JSON as " + m.String() }

// minorRow measures requests as on an older minor, compared with those as on
// the newest one. It parses the definitions for the minor.
func minorRow(ctx context.Context, w *workload, m minors.Minor) row {
	newest, older := admittedIn(ctx, w, m.String())
	return row{
		name:      admittedAs(m),
		floorName: "as " + minors.Newest().String(),
		floor:     creating(newest),
		ours:      creating(older),
		target:    target{ofFloor, 1.2},
	}
}

// creation is a request that is admitted.
type creation struct {
	version *crdsem.Version
	body    []byte
}

func creating(all []creation) func(context.Context) {
	return func(ctx context.Context) {
		for i := range all {
			json := crdsem.Format(crdsem.JSON)
			fine(all[i].version.CreateBytes(ctx, all[i].body, json).Admitted())
		}
	}
}

// admittedIn returns the creations that an older minor admits, too: as on the
// newest minor, and as on the older one.
func admittedIn(ctx context.Context, w *workload, minor string) (newest, older []creation) {
	parsed := map[*definition]*crdsem.Definition{}
	for _, o := range w.objects {
		if _, ok := parsed[o.of]; !ok {
			// nil: the older minor cannot serve it.
			parsed[o.of], _ = crdsem.Parse([]byte(o.of.text),
				crdsem.Kubernetes(minors.Minor(minor)))
		}
		if parsed[o.of] == nil {
			continue
		}
		version, err := parsed[o.of].Version(o.name)
		if err == nil && version.CreateBytes(ctx, o.json, crdsem.Format(crdsem.JSON)).Admitted() {
			newest = append(newest, creation{o.version, o.json})
			older = append(older, creation{version, o.json})
		}
	}
	return newest, older
}
