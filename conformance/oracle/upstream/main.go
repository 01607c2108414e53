// Command upstream counts the results of upstream's integration tests, as
// `go test -json` writes them. See run.sh.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: upstream FILE")
	}
	file, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	passed := 0
	var failed []string
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var event struct{ Action, Test, Output string }
		if json.Unmarshal(lines.Bytes(), &event) != nil {
			continue // a line of the compiler
		}
		switch whole := event.Test != "" && !strings.Contains(event.Test, "/"); {
		case whole && event.Action == "pass":
			passed++
		case whole && (event.Action == "fail" || event.Action == "skip"):
			failed = append(failed, event.Action+" "+event.Test)
		}
	}
	slices.Sort(failed)
	fmt.Printf("%d of %d\n%s\n", passed, passed+len(failed), strings.Join(failed, "\n"))
	return lines.Err()
}
