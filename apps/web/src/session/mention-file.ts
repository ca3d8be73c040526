// Puts a file's name into the message that is being written, from wherever it is chosen.
type Hear = (path: string) => void;

const listeners = new Set<Hear>();

export function mentionFile(path: string): void {
  for (const hear of listeners) hear(path);
}

/** Returns how to stop listening. */
export function onMention(hear: Hear): () => void {
  listeners.add(hear);
  return () => listeners.delete(hear);
}
