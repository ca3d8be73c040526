// The `codelab` command as it was built, for tests that start it as a process: its sources take three times as long to load.
import { join } from 'node:path';

export const codelabProgram = join(import.meta.dirname, '..', '..', 'apps', 'cli', 'dist', 'main.mjs');
