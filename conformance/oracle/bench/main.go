// Command bench measures this library beside the real code and beside floors that neither can beat (copying an object,
// decoding its JSON), in one process and one run, and prints one table. Times are the least of several passes over all
// of the workload; compare the ratios, not the times.
//
//	go run ./bench [-corpus FOLDER] [-passes N] [-only PATTERN]
//	go run ./bench -check FILE     compare ours with the floor only, and fail where a ratio is worse by a half than recorded
//	go run ./bench -record FILE    record those ratios
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
)

func main() {
	runtime.GOMAXPROCS(1)
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	corpus := flag.String("corpus", defaultCorpus(), "the `folder` of definitions and objects")
	passes := flag.Int("passes", 5, "measure everything `N` times")
	only := flag.String("only", "", "measure the rows that match this `pattern`")
	check := flag.String("check", "", "compare the ratios to the floors with those of this `file`")
	record := flag.String("record", "", "write the ratios to the floors to this `file`")
	flag.Parse()
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	w, err := loadWorkload(ctx, *corpus)
	if err != nil {
		return err
	}
	fmt.Printf("%d definitions, %d objects, %.1f MB of their JSON\n\n", len(w.definitions), len(w.objects), float64(w.bytes)/1e6)
	debug.SetGCPercent(200)
	rows := rowsOf(w)
	alone := *check != "" || *record != ""
	var measured []measurement
	for _, r := range rows {
		if !pattern.MatchString(r.name) || alone && r.floor == nil {
			continue
		}
		measured = append(measured, r.measure(ctx, *passes, alone))
	}
	switch {
	case *record != "":
		return recordRatios(*record, measured)
	case *check != "":
		return checkRatios(*check, measured)
	}
	printTable(os.Stdout, measured)
	return printMemory(os.Stdout, w)
}

func defaultCorpus() string {
	if folder := os.Getenv("CRDSEM_CORPUS"); folder != "" {
		return folder
	}
	return "../../../shared/corpus"
}
