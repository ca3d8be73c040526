// Seed 003: the Go coder's function calls.
import { makeDialect } from '../make-dialect.ts';
import { plainPaths } from '../plain-paths.ts';
import { tools } from './tools.ts';
import { writer } from './writer.ts';

export const coder = makeDialect({ name: 'coder', tools, paths: plainPaths, writer });
