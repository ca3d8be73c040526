// The client's path checks for an unprivileged user, run in a process of that user.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { asNobody } from './calls-in-child.ts';

type Said = { valid: unknown; read: unknown; write: unknown };

const program = `
import { FileSystemExecutor, PathValidator } from '@codelab/client/node';
import { compose } from '@codelab/server';
const [folder, ...paths] = process.argv.slice(2);
const composed = await compose({ workspace: folder + '/work', home: folder + '/home', env: {} });
const validator = new PathValidator(composed.host);
const files = new FileSystemExecutor({ host: composed.host, session: 's1' });
const word = ({ valid, error }) => (valid ? true : error.code);
const said = {};
for (const path of paths)
  said[path] = {
    valid: word(await validator.validatePath(path)),
    read: word(await files.checkPermissions(path)),
    write: word(await files.checkPermissions(path, 'write')),
  };
console.log(JSON.stringify(said));
await composed[Symbol.asyncDispose]();
`;

export function permissionsAsNobody(folder: string, paths: readonly string[]): Record<string, Said> {
  const built = mkdtempSync(join(tmpdir(), 'codelab-permissions-'));
  try {
    chmodSync(built, 0o755);
    chownSync(folder, 65534, 65534);
    const outfile = join(built, 'permissions.mjs');
    const stdin = { contents: program, resolveDir: import.meta.dirname };
    buildSync({ stdin, bundle: true, platform: 'node', format: 'esm', target: 'node24', outfile });
    const [wrapper, ...rest] = asNobody;
    const ended = spawnSync(wrapper, [...rest, process.execPath, outfile, folder, ...paths], {
      encoding: 'utf8',
      timeout: 25_000,
    });
    if (ended.status !== 0) throw new Error(ended.stderr);
    return JSON.parse(ended.stdout) as Record<string, Said>;
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}
