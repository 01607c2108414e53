/** The bounds of files in dist, in bytes. */
export const bounds = {
  "npm/crdsem.wasm.gz": 6_700_000,
  "site/crdsem.wasm.gz": 6_700_000,
  "site/crdsem.wasm.gz.br": 4_850_000,
};

/** The most that the page may take until it is ready: the median, in milliseconds. */
export const readyBound = 900;

/**
 * The most that the next verdict may take in a definition of 1.4 MB with a misspelt type, in
 * milliseconds.
 */
export const nextVerdictBound = 3000;

/** The most that many objects may take, as a multiple of the command's processor time. */
export const commandBound = 8;
