// The last lines of what a running command prints.
import { AnsiText } from './ansi-text.tsx';

const shownLines = 8;
const shownCharacters = 2000;

export function LiveOutput({ text }: { text: string }) {
  const tail = text.slice(-shownCharacters).trimEnd().split('\n').slice(-shownLines).join('\n');
  return (
    <pre className="overflow-hidden border-t border-line bg-sunken px-3 py-2 font-mono text-small whitespace-pre-wrap wrap-anywhere text-muted">
      <AnsiText text={tail} />
    </pre>
  );
}
