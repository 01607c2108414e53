/** The bounds of files in dist, in bytes. */
export const bounds = {
  "npm/crdsem.wasm.gz": 5_600_000,
  "site/crdsem.wasm.gz": 5_600_000,
  "site/crdsem.wasm.gz.br": 3_900_000,
};

/** The most that the page may take until it is ready: the median, in milliseconds. */
export const readyBound = 900;
