package judge

import (
	"context"
	"errors"
	"fmt"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// storageRule is the rule about writing an object to storage.
const storageRule = "PIPE-021"

// webhookHint is the hint on an error of a conversion by a webhook.
const webhookHint = "the error is of the conversion webhook, not of the schema: " +
	"its log may say more"

// write follows an admitted object to storage and back, and fills in what is
// stored, what was lost on the way, and what clients read. An object of the
// storage version is stored as it is, so that there is nothing to find.
func (q *Request) write(ctx context.Context, r *verdict.Result, f *Finder, sent *crdsem.Result) {
	def := q.Version.Definition()
	storage := def.Model().StorageVersion()
	isStorage := storage != nil && storage.Name == q.Version.Name()
	if q.Details == FindingsOnly && isStorage {
		return
	}
	written := q.Version.Write(ctx, sent.Object)
	switch err := written.Stored.Err(); {
	case errors.Is(err, crdsem.ErrNoWebhook):
		r.Webhook = true
		if q.Details >= StoredObjects {
			r.Answer = sent.Object
		}
		return
	case err != nil:
		r.Verdict, r.Refusal = verdict.Refused, err.Error()
		if def.Model().Conversion().Strategy == conversion.StrategyWebhook {
			f.TextHint = func(string) string { return webhookHint }
		}
		r.Findings = append(r.Findings, f.Texts(verdict.Error, ruleOf(err), r.Refusal)...)
		return
	}
	r.Findings = append(r.Findings, q.lost(f, written.Stored, storage.Name)...)
	if q.Details == FindingsOnly {
		return
	}
	r.Object, r.Lost = written.Stored.Object, written.Stored.Provenance
	if n := written.Stored.Omitted.Changes; n > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d more losses are not listed", n))
	}
	if answer := written.Answer; !jsonvalue.Equal(answer.Object, r.Object) {
		r.Answer = answer.Object
	}
	for _, read := range def.ReadServed(ctx, r.Object) {
		isSame := read.Version.Name() == storage.Name && jsonvalue.Equal(read.Object, r.Object)
		if !isSame && read.Version.Name() != q.Version.Name() {
			r.Reads = append(r.Reads, readBy(read)) // with its defaults, if it is stored without
		}
	}
}

// readBy returns what the clients of a version read.
func readBy(read crdsem.VersionRead) verdict.Read {
	out := verdict.Read{Version: read.Version.Name(), Object: read.Object}
	switch err := read.Err(); {
	case errors.Is(err, crdsem.ErrNoWebhook):
		out.Webhook = true
	case err != nil:
		out.Error = err.Error()
	}
	return out
}

// lost returns a warning for each field that the way to storage removed.
func (q *Request) lost(f *Finder, stored *crdsem.Result, storage string) (out []verdict.Finding) {
	for _, path := range stored.Pruned {
		finding := f.at(verdict.Warning, q.Document.Find(path).Key, fmt.Sprintf(
			"%s is not stored: the storage version %s does not have it", path, storage))
		finding.Field, finding.Rule = path, storageRule
		out = append(out, finding)
	}
	return out
}
