// Seed 004: the agent protocol.
import { makeDialect } from '../make-dialect.ts';
import { rootedPaths } from './rooted-paths.ts';
import { tools } from './tools.ts';
import { writer } from './writer.ts';

export const agent = makeDialect({ name: 'agent', tools, paths: rootedPaths, writer });
