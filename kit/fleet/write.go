package fleet

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	register.DoFn1x2[string, int, string](&shardFn{})
	register.DoFn3x1[context.Context, int, func(*string) bool, error](&writeFn{})
	register.Iter1[string]()
}

// Write writes a collection of strings as the lines of files, e.g. those of
// out/verdicts-00000-of-00016.jsonl. A line belongs to the same shard in every
// run, and a shard is sorted; a shard without lines has no file.
//
// A file is written under another name first, as far as the file system can
// rename. It is complete if it is there.
func Write(s beam.Scope, prefix string, shards int, lines beam.PCollection) {
	s = s.Scope("fleet.Write")
	filesystem.ValidateScheme(prefix)
	keyed := beam.ParDo(s, &shardFn{max(shards, 1)}, lines)
	beam.ParDo0(s, &writeFn{prefix, max(shards, 1)}, beam.GroupByKey(s, keyed))
}

// shardFn puts a line into its shard.
type shardFn struct{ Shards int }

// ProcessElement returns the shard and the line.
func (f *shardFn) ProcessElement(line string) (shard int, same string) {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(line)) // a hash takes everything
	return int(hash.Sum32() % uint32(f.Shards)), line
}

// writeFn writes the lines of a shard.
type writeFn struct {
	Prefix string
	Shards int
}

// ProcessElement writes one file.
func (f *writeFn) ProcessElement(
	ctx context.Context, shard int, next func(*string) bool,
) (err error) {
	var lines []string
	for line := ""; next(&line); {
		lines = append(lines, line)
	}
	slices.Sort(lines)
	name := fmt.Sprintf("%s-%05d-of-%05d.jsonl", f.Prefix, shard, f.Shards)
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	renamer, canRename := files.(filesystem.Renamer)
	if !canRename {
		return writeLines(ctx, files, name, lines)
	}
	if err := writeLines(ctx, files, name+".partial", lines); err != nil {
		return err
	}
	return renamer.Rename(ctx, name+".partial", name)
}

func writeLines(
	ctx context.Context, files filesystem.Interface, name string, lines []string,
) error {
	file, err := files.OpenWrite(ctx, name)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	for _, line := range lines {
		fmt.Fprintln(out, line)
	}
	return errors.Join(out.Flush(), file.Close())
}
