package live

import "slices"

// serverOwned lists the fields that the server fills from its clock, its random
// numbers, its counters and its store. They do not follow from the CRD and the
// object, and are therefore not compared. The list is complete.
var serverOwned = []string{
	"metadata.uid",               // random
	"metadata.creationTimestamp", // the clock
	"metadata.resourceVersion",   // the store's counter
	"metadata.managedFields",     // the clock and the client's name; ownership of fields is compared by server-side apply, without the times
	"metadata.selfLink",          // obsolete: validated in a request and then not stored
}

// The run never sends requests whose answer depends on what only the server
// knows:
//
//   - conflicts, except a patch of the resourceVersion: a name that exists
//     already, a precondition on the uid;
//   - the body of a server-side apply as text, syntax and duplicate keys:
//     package merge applies objects;
//   - names that the server makes from metadata.generateName: the generated
//     name is left out (see withoutServerOwned);
//   - objects that are being deleted: deletionTimestamp, and waiting for
//     finalizers;
//   - a name in the body that is not the URL's, except in a patch;
//   - admission plugins, webhooks and policies, quota, authentication and
//     authorization: they are off;
//   - the registry's work on a CRD object's own metadata, which is the same for
//     every built-in kind: times, generation, managed fields, repeated owner
//     references, finalizers of an update.
//
// It sends these, but compares less closely:
//
//   - the order of errors and of warnings, which is random in the server;
//   - how often an error of the object's own metadata is reported: on an update
//     the server checks it twice (see once);
//   - the names of types in CEL's messages, and generated names in others,
//     which have a random end, and messages that print maps, whose order is
//     random (see nominal);
//   - the message of a refusal with several errors, whose order is random, and
//     any message of a refused CRD;
//   - which problems with a merged object are reported, which depends on the
//     order of maps (see tellsSome), and the causes of a conflict;
//   - the manager's version for which a misfit of a merged object is reported
//     (see mergeFaults), and whether removed fields fail to convert for it,
//     which depends on the order of the versions (see dependsOnOrder);
//   - which of several malformed embedded resources is reported, which depends
//     on the order of maps (see faults.go): it must be one of them;
//   - the answer to a patch at which the server panics, because there is no
//     answer: the library must report a panic;
//   - the words before the reason of a 500, and the store's words before the
//     reason why an object cannot be read (see failureFrame);
//   - warnings above the header's limit, which the server cuts and drops (see
//     compareWarnings).

// withoutServerOwned returns a copy of an object without the listed fields. A
// generated name is removed as well.
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

// keepManagers makes the managed fields of two merged objects comparable;
// elsewhere they are left out. Each is without its time, by which the server
// orders them.
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
