// A message of the core quotes paths as the core spells them; here they get back the caller's spelling.
import type { Json } from '../dialect.ts';
import { pathArguments } from '../path-arguments.ts';
import type { PathSpelling } from '../path-spelling.ts';

// The core never quotes a longer one whole, and an expression has its limits.
const maxPath = 4096;

export function respell(message: string, asked: Json, paths: PathSpelling): string {
  const spelled = new Map<string, string>();
  for (const name of pathArguments) {
    const path = asked[name];
    if (typeof path !== 'string' || path.length > maxPath || paths.toCore(path) === path) continue;
    spelled.set(paths.toCore(path), path);
    spelled.set(quoted(paths.toCore(path)), quoted(path));
  }
  if (spelled.size === 0) return message;
  const longestFirst = [...spelled.keys()].sort((a, b) => b.length - a.length).map(RegExp.escape);
  // Only whole words, and none between backticks: those quote arguments, not paths.
  const words = new RegExp(`(?<=^|[\\s"(])(?:${longestFirst.join('|')})(?=$|[\\s"),;:]|\\.(?:\\s|$))`, 'g');
  return message.replace(words, (word) => spelled.get(word) ?? word);
}

// As JSON writes it inside its quotes.
function quoted(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}
