package crdsem

import "context"

// Written says what a server does with an admitted object after it was
// validated: what it writes to storage, and what it answers.
type Written struct {
	// Stored is the object as it is written to storage, in the storage version.
	// Its Provenance lists what the way there changed, e.g. the fields that the
	// storage version does not have: they are lost. If its [Result.Err] is not
	// nil, the object cannot be stored; the error is the server's answer to the
	// request, or wraps [ErrNoWebhook].
	Stored *Result
	// Answer is what the client of the request gets: the stored object, read in
	// the version of the request. It is nil if nothing was stored.
	Answer *Result
}

// Err returns why the object is not stored or cannot be answered, or nil.
func (w *Written) Err() error {
	if err := w.Stored.Err(); err != nil {
		return err
	}
	return w.Answer.Err()
}

// Write says what becomes of an object that a request to this version admitted,
// i.e. of [Result.Object]: it is converted to the storage version, pruned by
// its schema and stored ([Definition.Store]), and read again in this version
// for the answer ([Version.Read]). [Definition.ReadServed] says what clients of
// other versions read. The object is not changed.
func (v *Version) Write(ctx context.Context, admitted map[string]any) *Written {
	w := &Written{Stored: v.def.Store(ctx, admitted)}
	if w.Stored.Err() == nil {
		w.Answer = v.Read(ctx, w.Stored.Object)
	}
	return w
}

// VersionRead is what the clients of one version read.
type VersionRead struct {
	Version *Version
	*Result
}

// ReadServed says what a client of each served version reads of a stored
// object, in the order of the definition; see [Version.Read].
func (d *Definition) ReadServed(ctx context.Context, stored map[string]any) []VersionRead {
	var reads []VersionRead
	for _, v := range d.versions {
		if v.model.Served {
			reads = append(reads, VersionRead{v, v.Read(ctx, stored)})
		}
	}
	return reads
}
