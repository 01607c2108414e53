package live

import "slices"

// What the server decides by itself, from its clock, its random numbers, its counters and its store, and what only
// concurrent requests can show. None of it follows from the CRD and the object, so it is left out of the comparison.
// These are all the fields that are left out.
var serverOwned = []string{
	"metadata.uid",               // random
	"metadata.creationTimestamp", // the clock
	"metadata.resourceVersion",   // the store's counter
	"metadata.managedFields",     // the clock and the client's name; who set a field is server-side apply's affair, and compared there, less the times
	"metadata.selfLink",          // long dead: what a client sends is validated and then not stored
}

// What the run never asks, for the answer depends on what the server alone knows:
//
//   - conflicts but for a patch of the resourceVersion: a name that exists already, a precondition on the uid;
//   - the body of a server-side apply as text, syntax and duplicate keys: package merge applies objects;
//   - names that the server makes from metadata.generateName: the made name is left out (see withoutServerOwned);
//   - objects that are being deleted: deletionTimestamp, and waiting for finalizers;
//   - a name in the body that is not the URL's, but in a patch;
//   - admission plugins, webhooks and policies, quota, authentication and authorization: they are off;
//   - of a CRD object's own metadata, what the registry around its validation does, as for every built-in kind: times,
//     generation, managed fields, repeated owner references, finalizers of an update.
//
// What it asks and compares less closely:
//
//   - the order of errors and of warnings, which is random in the server;
//   - how often an error of the object's own metadata is told: on an update the server checks it twice (see once);
//   - the names of types in CEL's messages, and generated names in others, which end in what is random (see nominal);
//   - the message of a refusal with several errors, whose order is random, and any message of a refused CRD;
//   - which problems with an object that is merged are told, which depends on the order of maps (see tellsSome), and the causes of a conflict;
//   - in which of its managers' versions it is told that a merged object does not fit (see mergeFaults);
//   - which of several embedded resources that do not decode is told, which depends on the order of maps (see faults.go); it must be one of them;
//   - the answer to a patch at which the server panics, for there is none: the library must know;
//   - the words before the reason of a 500, and the store's before the reason why an object cannot be read (see failureFrame);
//   - warnings above the header's limit, which the server cuts and drops (see compareWarnings).

// withoutServerOwned returns a copy of an object less the fields of the list. The name goes where it was generated.
func withoutServerOwned(object map[string]any) map[string]any {
	object = copyValue(object).(map[string]any)
	metadata := child(object, "metadata")
	for _, path := range serverOwned {
		delete(metadata, path[len("metadata."):])
	}
	if text(metadata, "generateName") != "" {
		delete(metadata, "name")
	}
	return object
}

// keepManagers makes the managers of two objects that were merged comparable, which are left out elsewhere: each without its time, by which the
// server orders them.
func keepManagers(verdicts ...*verdict) {
	for _, v := range verdicts {
		if v == nil || v.stage != stageAdmitted || v.returned == nil {
			continue
		}
		object := plain(v.returned).(map[string]any)
		entries, _ := child(object, "metadata")["managedFields"].([]any)
		var managers []string
		for _, entry := range entries {
			if entry, ok := entry.(map[string]any); ok {
				delete(entry, "time")
			}
			managers = append(managers, string(encode(entry)))
		}
		slices.Sort(managers)
		object["managers"] = managers
		v.returned = object
	}
}
