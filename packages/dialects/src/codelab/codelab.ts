// Seed 000: the IDE's own protocol.
import { makeDialect } from '../make-dialect.ts';
import { plainPaths } from '../plain-paths.ts';
import { tools } from './tools.ts';
import { writer } from './writer.ts';

export const codelab = makeDialect({ name: 'codelab', tools, paths: plainPaths, writer });
