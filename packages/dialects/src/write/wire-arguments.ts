// Core arguments as a row can say them on its wire, for a call that a human changed before it ran.
import type { Json, WireTool } from '../dialect.ts';
import { pathArguments } from '../path-arguments.ts';
import type { PathSpelling } from '../path-spelling.ts';

export function wireArguments(row: WireTool, core: Json, asked: Json, paths: PathSpelling): Json {
  const said: Json = {};
  for (const name of Object.keys(row.input().shape)) {
    const value = core[row.names?.[name] ?? name];
    if (value === undefined) continue;
    said[name] = isPath(name, value) ? paths.like(value, pathIn(asked)) : value;
  }
  return said;
}

function isPath(name: string, value: unknown): value is string {
  return pathArguments.includes(name) && typeof value === 'string';
}

function pathIn(asked: Json): string {
  const path = pathArguments.map((name) => asked[name]).find((value) => typeof value === 'string');
  return typeof path === 'string' ? path : '';
}
