import { byId } from "./dom.js";

const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

/**
 * Shows how much of the program is loaded, as long as it grows.
 *
 * @param {{loaded: number, total?: number, onProgress?: () => void} | undefined} progress undefined
 *   when there is nothing to wait for; the total is not known if the server compresses
 */
export function loading(progress) {
  byId("loading").hidden = !progress;
  if (!progress) return;
  const show = () => {
    const { loaded, total } = progress;
    const bar = byId("loaded");
    if (total) {
      bar.max = total;
      bar.value = loaded;
    }
    const size = total ? `${megabytes(loaded)} of ${megabytes(total)}` : megabytes(loaded);
    const isWhole = total > 0 && loaded >= total;
    byId("loaded-text").textContent = isWhole
      ? "Starting the server’s code…"
      : `Loading the server’s code: ${size} MB`;
  };
  progress.onProgress = show;
  show();
}
