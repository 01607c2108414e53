/** The bounds of files in dist, in bytes. */
export const bounds = {
  "npm/crdsem.wasm.gz": 6_500_000,
  "site/crdsem.wasm.gz": 6_500_000,
  "site/crdsem.wasm.gz.br": 4_500_000,
};

/** The most that the page may take until it is ready: the median, in milliseconds. */
export const readyBound = 900;
