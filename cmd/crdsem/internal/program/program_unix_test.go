//go:build unix

package program_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/program"
)

// A program that does not end, prints without end or fails is an error.
func TestRunIsBounded(t *testing.T) {
	interrupted, interrupt := context.WithCancel(t.Context())
	interrupt()
	for _, c := range []struct {
		ctx          context.Context
		script, want string
	}{
		{script: "echo out; echo err >&2", want: "out\n"},
		{script: "echo $ADDED", want: "x\n"},
		{script: "echo bad >&2; exit 3", want: "sh: exit status 3: bad"},
		{script: `printf 'E1130 04:14:11.814318   21113 run.go:72] "command failed" err="bad \\"a\\""' >&2; exit 1`,
			want: `sh: exit status 1: bad "a"`},
		{script: `echo "Error: accumulating resources: accumulation err='accumulating resources from 'a': ` +
			`none': must build at directory: not a valid directory: none" >&2; exit 1`,
			want: "sh: exit status 1: Error: accumulating resources: 'a': none"},
		{script: "sleep 60", want: "sh: it did not end within 500ms"},
		{script: "sleep 60 & echo out", want: "sh: it did not end within 500ms"},
		{script: "while true; do echo much; done", want: "sh: it prints more than 1000 bytes"},
		{script: "while true; do echo much; done >&2", want: "sh: it prints more than 65536 bytes"},
		{script: "kill -9 $$", want: "sh: signal: killed"},
		{ctx: interrupted, script: "true", want: "sh: context canceled"},
	} {
		if c.ctx == nil {
			c.ctx = t.Context()
		}
		limits := program.Limits{
			Time: time.Second / 2, Output: 1000, Variables: []string{"ADDED=x"},
		}
		if strings.HasPrefix(c.script, "while") {
			limits.Time = time.Minute
		}
		out, err := limits.Run(c.ctx, "sh", "-c", c.script)
		got := string(out)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || len(got) > 4000 {
			t.Errorf("%s: %.200q", c.script, got)
		}
	}
}
