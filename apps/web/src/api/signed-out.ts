// Told when the gateway no longer knows who asks, so that the page can offer to sign in again.
const listeners = new Set<() => void>();

export function signedOut(): void {
  for (const listener of listeners) listener();
}

/** Returns how to stop listening. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
