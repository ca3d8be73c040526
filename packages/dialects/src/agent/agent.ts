// Seed 004: the agent protocol.
import type { Dialect } from '../dialect.ts';
import { makeDialect } from '../make-dialect.ts';
import type { PathSpelling } from '../path-spelling.ts';
import { rootedPaths, rootedPathsAt } from './rooted-paths.ts';
import { makeTools } from './tools.ts';
import { writer } from './writer.ts';

function makeAgent(paths: PathSpelling): Dialect {
  return {
    ...makeDialect({ name: 'agent', tools: makeTools(paths), paths, writer }),
    at: (root) => makeAgent(rootedPathsAt(root)),
  };
}

export const agent = makeAgent(rootedPaths);
