// Command kubernetes records what the code of Kubernetes itself does to objects
// of its own kinds.
//
//	go run . enforcement    writes kit/builtin/enforcement.txt
//	go run . defaults       writes defaults.jsonl.gz of crdsem-server's tests
//	go run . immutable      writes immutable.txt of crdsem-server
//	go run . -check FILE    fails if a file is not what it would write
//
// It runs in its own folder with GOWORK=off, because k8s.io/kubernetes needs
// replacements. The minor is that of go.mod.
//
// # enforcement
//
// Published schemas say more than a server enforces. For each required field,
// enum, set and list-map of each kind two objects are created by the strategies
// of the registry: one that fits the schema there, and one that does not. If
// the second has no error that the first has not, wherever the model is used,
// the line is recorded.
//
// # immutable
//
// Objects that a server accepts are changed at one place. If the server would
// create the result, and refuses it as an update, wherever it was tried, the
// place is recorded, with the error. Configurations that are marked immutable
// are left out.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"

	"k8s.io/klog/v2"
)

// records are the files, by their names, and what makes them.
var records = map[string]struct {
	path string
	make func() ([]byte, error)
}{
	"enforcement": {"../../../kit/builtin/enforcement.txt", enforcement},
	"immutable":   {"../../../kube/server/internal/builtin/immutable.txt", immutable},
	"defaults":    {"../../../kube/server/internal/builtin/testdata/defaults.jsonl.gz", defaults},
}

func main() {
	check := flag.Bool("check", false, "compare the files instead of writing them")
	flag.Parse()
	klog.LogToStderr(false) // differences between two validations of Kubernetes
	if err := run(flag.Args(), *check); err != nil {
		log.Fatal(err)
	}
}

func run(names []string, check bool) error {
	for _, name := range names {
		record, ok := records[name]
		if !ok {
			return fmt.Errorf("no record %q", name)
		}
		text, err := record.make()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if !check {
			if err := os.WriteFile(record.path, text, 0o644); err != nil {
				return err
			}
			continue
		}
		got, err := os.ReadFile(record.path)
		if err != nil {
			return err
		}
		if !bytes.Equal(got, text) {
			return fmt.Errorf("%s is not what go run . %s writes", record.path, name)
		}
	}
	return nil
}
