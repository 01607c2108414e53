package server

import (
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

func usedTime(t *testing.T) float64 {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
}

// Definitions of one group take at most by a half longer than definitions of a
// group each.
func TestManyDefinitionsOfAGroup(t *testing.T) {
	const n = 300
	create := func(groupOf func(i int) string) float64 {
		c := newTestCluster(t)
		before := usedTime(t)
		for i := range n {
			text := strings.NewReplacer("as", fmt.Sprint("as", i), `"a"`, fmt.Sprintf(`"a%d"`, i),
				`"A"`, fmt.Sprintf(`"A%d"`, i), "AList", fmt.Sprintf("A%dList", i),
				"g.io", groupOf(i)).Replace(aKinds)
			code, answer := asked(t, c, http.MethodPost, definitionsPath, text)
			if code != http.StatusCreated {
				t.Fatalf("%d: %s", code, answer)
			}
		}
		return usedTime(t) - before
	}
	apart := create(func(i int) string { return fmt.Sprintf("g%d.io", i) })
	together := create(func(int) string { return "g.io" })
	t.Logf("%d definitions in a group each: %.2f s, in one group: %.2f s", n, apart, together)
	if together > 1.5*apart+0.5 { // of 600 at most by a half; here with what a busy machine adds
		t.Errorf("in one group %.2f s, in a group each %.2f s", together, apart)
	}
}
