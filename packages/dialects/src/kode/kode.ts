// Seed 001: Kode in its service mode.
import type { Dialect } from '../dialect.ts';
import { makeDialect } from '../make-dialect.ts';
import { plainPaths } from '../plain-paths.ts';
import { makeTools } from './tools.ts';
import { workspacePaths } from './workspace-paths.ts';
import { makeWriter } from './writer.ts';

type Options = { root?: string; newUuid?: () => string };

export function makeKode({ root, newUuid = () => crypto.randomUUID() }: Options = {}): Dialect {
  const paths = root === undefined ? plainPaths : workspacePaths(root);
  return {
    ...makeDialect({ name: 'kode', tools: makeTools(paths), paths, writer: makeWriter(newUuid) }),
    at: (place) => makeKode({ root: place, newUuid }),
  };
}

export const kode = makeKode();
