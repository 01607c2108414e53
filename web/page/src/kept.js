// What was typed survives a reload, a crash and the way to the documentation: it is in the session
// storage of this tab. Nothing of it is sent.

const key = "crdsem.typed";

/**
 * Keeps a state, with the fragment of the address that it was typed at. Reports whether there was
 * room: browsers keep about 5 MB.
 *
 * @param {object} state
 */
export function keep(state) {
  try {
    sessionStorage.setItem(key, JSON.stringify({ hash: location.hash, state }));
    return true;
  } catch {
    forget(); // an older text would be mistaken for this one
    return false;
  }
}

/** Returns what was kept, {hash, state}; undefined if there is nothing. */
export function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(key)) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Forgets what was kept. */
export function forget() {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // a browser without storage keeps nothing
  }
}
