// Seed 002: the editor plugin.
import { makeDialect } from '../make-dialect.ts';
import { plainPaths } from '../plain-paths.ts';
import { tools } from './tools.ts';
import { writer } from './writer.ts';

export const plugin = makeDialect({ name: 'plugin', tools, paths: plainPaths, writer });
