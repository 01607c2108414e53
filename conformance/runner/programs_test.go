package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/crdsem/crdsem/internal/app/evaluator/whole"
	"github.com/crdsem/crdsem/internal/app/protocol"
)

// actAs names the environment variable that makes the test binary an
// implementation, right or faulty.
const actAs = "RUNNER_TEST_PROGRAM"

func TestMain(m *testing.M) {
	kind := os.Getenv(actAs)
	if kind == "" {
		os.Exit(m.Run())
	}
	act, ok := programs()[kind]
	if !ok {
		fmt.Fprintf(os.Stderr, "no program %q\n", kind)
		os.Exit(2)
	}
	act()
}

// programs are the implementations by name. Each faulty one has one fault.
func programs() map[string]func() {
	return map[string]func(){
		"good":       func() { answerAll(nil) },
		"good hello": func() { hello(protocol.Ops()...); answerAll(nil) },
		"no ops": func() {
			fmt.Println(`{"protocol":1,"name":"terse"}`)
			answerAll(nil)
		},
		"silent op":   func() { hello("prune", "sort"); answerAll(nil) },
		"wrong":       func() { answerAll(replaced(`"spec":{}`, `"spec":{"wrong":1.0}`)) },
		"wrong error": func() { answerAll(replaced("greater than", "bigger than")) },
		"faults":      func() { answerAll(func(line []byte, _ int) []byte { return faulted(line) }) },
		"garbage":     func() { answerAll(at(3, func([]byte) []byte { return []byte("panic: oops") })) },
		"foreign id":  func() { answerAll(replaced(`{"id":"`, `{"id":"x`)) },
		"no object":   func() { answerAll(at(2, func([]byte) []byte { return []byte("[1]") })) },
		"hangs":       func() { answerAll(at(3, sleep)) },
		"dies":        func() { answerAll(at(3, func([]byte) []byte { os.Exit(7); return nil })) },
		"fails late":  func() { answerAll(nil); os.Exit(3) },
		"never exits": func() { answerAll(nil); time.Sleep(time.Hour) },
		"hangs first": func() { time.Sleep(time.Hour) },
		"dies first":  func() { os.Exit(4) },
		"other protocol": func() {
			fmt.Println(`{"protocol":9,"name":"other"}`)
			answerAll(nil)
		},
		"out of order": outOfOrder,
		"endless line": endlessLine,
	}
}

// answerAll answers with this library and changes each line. The runner's probe
// does not count.
func answerAll(change func(line []byte, n int) []byte) {
	lines := bufio.NewReader(os.Stdin)
	handler := whole.New()
	n := 0
	for {
		request, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		request = bytes.TrimSuffix(request, []byte("\n"))
		answer := protocol.AnswerLine(context.Background(), request, handler)
		line := answer.AppendJSON(nil)
		if change != nil && !bytes.HasPrefix(line, []byte(`{"id":"probe"`)) {
			n++
			line = change(line, n)
		}
		fmt.Printf("%s\n", line)
	}
}

// sleep answers nothing for longer than any test waits.
func sleep([]byte) []byte {
	time.Sleep(time.Hour)
	return nil
}

// at changes the n-th answer.
func at(n int, change func([]byte) []byte) func([]byte, int) []byte {
	return func(line []byte, i int) []byte {
		if i == n {
			return change(line)
		}
		return line
	}
}

func replaced(text, by string) func([]byte, int) []byte {
	return func(line []byte, _ int) []byte {
		return bytes.ReplaceAll(line, []byte(text), []byte(by))
	}
}

func faulted(line []byte) []byte {
	var head struct{ ID string }
	_ = json.Unmarshal(line, &head) // answerAll has made the line
	return []byte(fmt.Sprintf(`{"id":%q,"fault":"not today"}`, head.ID))
}

func hello(ops ...string) {
	fmt.Printf(`{"protocol":1,"name":"toy","version":"0","kubernetes":["1.37"],"ops":["%s"]}`+"\n", strings.Join(ops, `","`))
}

// outOfOrder answers the second request before the first.
func outOfOrder() {
	var held []byte
	answerAll(func(line []byte, n int) []byte {
		switch n {
		case 1:
			held = line
			return nil
		case 2:
			return append(append(line, '\n'), held...)
		}
		return line
	})
}

func endlessLine() {
	answerAll(at(1, func([]byte) []byte {
		for {
			if _, err := os.Stdout.WriteString(strings.Repeat("x", 1<<16)); err != nil {
				os.Exit(5)
			}
		}
	}))
}
