// Package repository tells what the files of a repository are: manifests, or
// templates, patches, files of tools; and which values of a manifest are not
// what a server will get, because they are encrypted or replaced later.
//
// It prints nothing and reads no flags, so that a command and an editor can use
// it.
//
// # Terms
//
//   - tool file: an object with apiVersion and kind that a program reads, and
//     that is never sent to a server, e.g. a Kustomization of kustomize.
//   - template: a text that another program makes manifests from.
//   - hidden value: a value that is not known, e.g. one that SOPS encrypted, or
//     ${NAME} where Flux puts a value in, or <path:secret#key> where
//     argocd-vault-plugin does.
//   - owner: a Kustomization of Flux whose path is the folder of a file.
package repository
