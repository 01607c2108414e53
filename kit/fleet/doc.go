// Package fleet judges the stored objects of many clusters by a change of
// definitions, as package upgrade does for one object. It is a transform of
// Apache Beam, so that objects may outgrow one machine.
//
// It is for many machines. On one machine take crdsem upgrade, which judges
// 10,000 objects a second and core in 35 MB. This package on Prism, the runner
// of one process, judges 5,800 in 3.1 GB, because Prism keeps all records in
// memory. Flink, Spark and Dataflow keep them on their disks.
//
//	u, err := fleet.NewUpgrade(fleet.Change{Old: before, New: after})
//	...
//	p, s := beam.NewPipelineWithRoot()
//	results := u.Judge(s, textio.Read(s, "gs://dump/*.jsonl"))
//	fleet.Write(s, "gs://out/verdicts", 16, results.Verdicts)
//	err = beamx.Run(ctx, p)
//
// The command crdsem-fleet in cmd/crdsem-fleet is such a program. Its runner is
// Prism, which is in the program; Beam's flags choose another one, e.g.
// --runner=flink --endpoint=HOST:PORT.
//
// # Records
//
// A record is a line of JSON: an object as a server stores it, or
// {"cluster": NAME, "object": OBJECT}. Each record is counted once, or it is
// malformed:
//
//   - verdict: what happens to an object that is affected, see [Verdict].
//   - count: how many objects have a fate, by cluster, definition and version,
//     and how many break a rule, see [Count].
//   - malformed record: a line that is no object, see [Malformed].
//   - failure: a record that is over its [Limits], see [Failure]. It is counted
//     with the fate [Failed], and the job goes on.
//
// # Repetition
//
// The outputs depend on the set of records only: not on their order, the
// bundles of the runner or the number of workers. Only which records are over
// [Limits.Deadline] depends on the machine. A run that was killed leaves
// no output of [Write] that is cut off, and a repeated run writes the same
// files.
//
// # Costs
//
// A worker compiles the definitions once, and fails if that takes ten minutes.
// It judges one record at a time, within its limits. Write
// groups the lines of a shard: Prism holds all of them in memory, and other
// runners use their disks.
package fleet
