// Files that may hold secrets: reading one is asked by a rule, so searching everything must not read them by the way. How often
// they match is not told either: counting matches, a caller could guess a secret letter by letter.
import { builtInRules } from './built-in-rules.ts';
import { compileTrusted, factsOf } from './match-rule.ts';

const secrets = builtInRules.filter(
  ({ effect, access, path }) => effect !== 'allow' && access?.includes('read') && path !== undefined,
);
const compiled = secrets.map(compileTrusted);

const patterns: readonly string[] = secrets.flatMap(({ path }) => path ?? []);

/** Leaves them out where it costs least: ripgrep does not even open them. */
export const protectedArguments: readonly string[] = patterns.map((pattern) => `--iglob=!${pattern}`);

/** Also under the names that some file system takes for the same. */
export function isProtected(path: string): boolean {
  return path.split('/').some(isProtectedName);
}

// The same names come again and again: folders, and files found a moment ago.
const known = new Map<string, boolean>();
const maxKnown = 10_000;

function isProtectedName(name: string): boolean {
  const answer = known.get(name) ?? matchesRule(name);
  if (known.size >= maxKnown) known.clear();
  known.set(name, answer);
  return answer;
}

function matchesRule(path: string): boolean {
  const facts = factsOf({ tool: 'search', kind: 'search', profile: 'build' }, [
    { asked: path, path, access: 'read' },
  ]);
  return compiled.some(({ test }) => test(facts));
}
