// Core arguments as a row can say them on its wire, for a call that a human changed before it ran.
import type { Json, WireTool } from '../dialect.ts';
import { pathArguments } from '../path-arguments.ts';
import type { PathSpelling } from '../path-spelling.ts';

export function wireArguments(row: WireTool, core: Json, asked: Json, paths: PathSpelling): Json {
  const said: Json = {};
  for (const name of Object.keys(row.input().shape)) {
    const value = core[row.names?.[name] ?? name];
    if (value === undefined) continue;
    const like = (path: string): string => paths.like(path, pathIn(asked));
    if (isPath(name, value)) said[name] = like(value);
    else
      said[name] = name === 'files' && Array.isArray(value) ? value.map((one) => like(String(one))) : value;
  }
  return said;
}

function isPath(name: string, value: unknown): value is string {
  return pathArguments.includes(name) && typeof value === 'string';
}

function pathIn(asked: Json): string {
  const said = [
    ...pathArguments.map((name) => asked[name]),
    ...(Array.isArray(asked.files) ? asked.files : []),
  ];
  const path = said.find((value) => typeof value === 'string');
  return typeof path === 'string' ? path : '';
}
