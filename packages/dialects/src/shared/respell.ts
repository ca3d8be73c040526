// Core arguments and messages in the caller's spelling.
import type { Failure } from '@codelab/protocol';
import type { Json, PathSpelling, WireTool } from '../dialect.ts';
import { pathArguments, pathLists } from './paths.ts';

/** Core arguments as a row can say them on its wire, for a call that a human changed before it ran. */
export function wireArguments(row: WireTool, given: Json, asked: Json, paths: PathSpelling): Json {
  const core = row.fromCore?.(given) ?? given;
  const said: Json = {};
  for (const name of Object.keys(row.input().shape)) {
    const value = core[row.names?.[name] ?? name];
    if (value === undefined) continue;
    const like = (path: string): string => paths.like(path, pathIn(asked));
    if (!row.isPathless && isPath(name, value)) said[name] = like(value);
    else
      said[name] =
        pathLists.includes(name) && Array.isArray(value) ? value.map((one) => like(String(one))) : value;
  }
  return said;
}

function isPath(name: string, value: unknown): value is string {
  return pathArguments.includes(name) && typeof value === 'string';
}

function pathIn(asked: Json): string {
  return pathsIn(asked)[0] ?? '';
}

// A long list is not named whole in any message, and an expression has its limits.
const maxListed = 100;

function pathsIn(asked: Json): string[] {
  const said = [
    ...pathArguments.map((name) => asked[name]),
    ...pathLists.flatMap((name) => (Array.isArray(asked[name]) ? asked[name].slice(0, maxListed) : [])),
  ];
  return said.filter((value) => typeof value === 'string');
}

// The core never quotes a longer one whole, and an expression has its limits.
const maxPath = 4096;

/** A message of the core quotes paths as the core spells them; here they get back the caller's spelling. */
export function respell(message: string, asked: Json, paths: PathSpelling): string {
  const spelled = new Map<string, string>();
  for (const path of pathsIn(asked)) {
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

// As JSON writes it inside its quotes.
function quoted(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}

/** A failure of the core in the words of the wire: the tool and its arguments as the caller names them. */
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

// The core names its tool in front of a fault, or in quotes.
function renameTool({ name, tool }: WireTool, message: string): string {
  if (name === tool) return message;
  const quoted = message.replaceAll(JSON.stringify(tool), JSON.stringify(name));
  for (const end of [': ', ' ']) if (quoted.startsWith(tool + end)) return name + quoted.slice(tool.length);
  return quoted;
}
