// Inserts a file's name or a quoted text into the message that is being written, from any view.
type Hear = (path: string) => void;

const listeners = new Set<Hear>();
const quoting = new Set<Hear>();

export function mentionFile(path: string): void {
  for (const hear of listeners) hear(path);
}

/** Returns how to stop listening. */
export function onMention(hear: Hear): () => void {
  listeners.add(hear);
  return () => listeners.delete(hear);
}

/** As Markdown quotes: each line behind `>`. */
export function quoteText(text: string): void {
  const quoted = text.trim().replaceAll(/^/gm, '> ');
  for (const hear of quoting) hear(quoted);
}

export function onQuote(hear: Hear): () => void {
  quoting.add(hear);
  return () => quoting.delete(hear);
}
