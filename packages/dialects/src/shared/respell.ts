// Core arguments and messages in the caller's spelling.
import type { Failure } from '@codelab/protocol';
import type { Json, PathSpelling, WireTool } from '../dialect.ts';
import { pathArguments, pathLists } from './paths.ts';

/** Core arguments as a row can express them on its wire, for a call that a human changed before it ran. */
export function wireArguments(row: WireTool, coreArgs: Json, wireArgs: Json, paths: PathSpelling): Json {
  const core = row.fromCore?.(coreArgs) ?? coreArgs;
  const spelled: Json = {};
  for (const name of Object.keys(row.input().shape)) {
    const value = core[row.names?.[name] ?? name];
    if (value === undefined) continue;
    const like = (path: string): string => paths.like(path, pathIn(wireArgs));
    if (!row.isPathless && isPath(name, value)) spelled[name] = like(value);
    else
      spelled[name] =
        pathLists.includes(name) && Array.isArray(value) ? value.map((path) => like(String(path))) : value;
  }
  return spelled;
}

function isPath(name: string, value: unknown): value is string {
  return pathArguments.includes(name) && typeof value === 'string';
}

function pathIn(wireArgs: Json): string {
  return pathsIn(wireArgs)[0] ?? '';
}

// No message names a long list in full, and a regular expression has its limits.
const maxListed = 100;

function pathsIn(wireArgs: Json): string[] {
  const values = [
    ...pathArguments.map((name) => wireArgs[name]),
    ...pathLists.flatMap((name) => (Array.isArray(wireArgs[name]) ? wireArgs[name].slice(0, maxListed) : [])),
  ];
  return values.filter((value) => typeof value === 'string');
}

// The core never quotes a longer path in full, and a regular expression has its limits.
const maxPath = 4096;

/** Messages of the core quote paths in the core's spelling; this restores the caller's spelling. */
export function respell(message: string, wireArgs: Json, paths: PathSpelling): string {
  const spelled = new Map<string, string>();
  for (const path of pathsIn(wireArgs)) {
    if (path.length > maxPath || paths.toCore(path) === path) continue;
    spelled.set(paths.toCore(path), path);
    spelled.set(quoted(paths.toCore(path)), quoted(path));
  }
  if (spelled.size === 0) return message;
  const longestFirst = [...spelled.keys()].sort((a, b) => b.length - a.length).map(RegExp.escape);
  // Only whole words, and none between backticks: those quote arguments, not paths.
  const words = new RegExp(`(?<=^|[\\s"(])(?:${longestFirst.join('|')})(?=$|[\\s"),;:]|\\.(?:\\s|$))`, 'g');
  return message.replace(words, (word) => spelled.get(word) ?? word);
}

// The path as JSON writes it between quotes.
function quoted(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}

/** A failure of the core with the caller's names of the tool and its arguments. */
export function renameFailure(row: WireTool | undefined, error: Failure): Failure {
  if (row === undefined) return error;
  const renamed = new Map(Object.entries(row.names ?? {}).map(([wire, core]) => [core, wire]));
  const message = renameTool(row, error.message).replace(/`(\w+)`/g, (quoted, name: string) => {
    const wire = renamed.get(name);
    return wire === undefined ? quoted : `\`${wire}\``;
  });
  const { details } = error;
  if (typeof details?.field !== 'string') return { ...error, message };
  const [first = '', ...rest] = details.field.split('.');
  const field = [renamed.get(first) ?? first, ...rest].join('.');
  return { ...error, message, details: { ...details, field } };
}

// The core puts the name of its tool before a fault, or in quotes.
function renameTool({ name, tool }: WireTool, message: string): string {
  if (name === tool) return message;
  const quoted = message.replaceAll(JSON.stringify(tool), JSON.stringify(name));
  for (const end of [': ', ' ']) if (quoted.startsWith(tool + end)) return name + quoted.slice(tool.length);
  return quoted;
}
