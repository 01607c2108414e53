package catalog_test

import (
	"strings"
	"testing"

	"github.com/crdsem/crdsem/kit/catalog"
)

// What is read once is replaced by reading it again, and is gone once it is
// removed.
func FuzzRead(f *testing.F) {
	first := crd("a.io", "CronTab", "crontabs") + "---"
	f.Add(first+crd("b.io", "Shirt", "shirts"), "a.io/v1", "CronTab")
	f.Add(first+crd("a.io", "Crontab", "crontabs"), "a.io/v1", "Tab")
	f.Add("kind: List\nitems: [{kind: CustomResourceDefinition}]", "", "")
	f.Fuzz(func(t *testing.T, text, apiVersion, kind string) {
		c := catalog.New()
		if _, err := c.Read("a.yaml", strings.NewReader(text)); err != nil {
			return
		}
		var all []*catalog.Entry
		for _, entry := range c.Kinds().All() {
			all = append(all, entry)
		}
		duplicates, err := c.Read("b.yaml", strings.NewReader(text))
		if err != nil || len(duplicates) < len(all) {
			t.Errorf("read again: %d of %d are replaced: %v", len(duplicates), len(all), err)
		}
		if v, err := c.Version(object(apiVersion, kind)); (v == nil) == (err == nil) {
			t.Errorf("%q %q: %v and %v", apiVersion, kind, v, err)
		}
		for _, entry := range all {
			if !c.Remove(entry.Names().GroupKind) {
				t.Errorf("%v is not there", entry.Names())
			}
		}
		for _, entry := range c.Kinds().All() {
			t.Errorf("%v is left", entry.Names())
		}
	})
}
