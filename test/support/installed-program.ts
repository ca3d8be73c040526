// The program as npm installs it from its tarball, for another user with an empty home, with no registry to ask.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { makeTarball, type PackedFile } from '../../scripts/pack/tarball.ts';

export type Ended = { code: number | null; stdout: string; stderr: string };

/** The user of the program: root becomes nobody, any other user stays. */
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

export function emptyPlace() {
  const place = mkdtempSync(join(tmpdir(), 'codelab-installed-'));
  const folder = (name: string): string => {
    const newFolder = join(place, name);
    mkdirSync(newFolder);
    if (user.uid !== undefined) chownSync(newFolder, user.uid, user.gid);
    return newFolder;
  };
  chmodSync(place, 0o755);
  const [prefix, home, workspace] = [folder('prefix'), folder('home'), folder('workspace')];
  const env = { HOME: home, PATH: [nodeFolder(place), machinePrograms()].join(delimiter) };
  return {
    prefix,
    home,
    workspace,
    write(name: string, files: readonly PackedFile[]): string {
      const tarball = join(place, name);
      writeFileSync(tarball, makeTarball(files));
      return tarball;
    },
    start(program: string, args: readonly string[]): ChildProcessWithoutNullStreams {
      return spawn(program, args, { cwd: workspace, env, ...user });
    },
    async run(program: string, args: readonly string[], input = ''): Promise<Ended> {
      const child = this.start(program, args);
      const ended: Ended = { code: null, stdout: '', stderr: '' };
      child.stdout.on('data', (data: Buffer) => (ended.stdout += data.toString()));
      child.stderr.on('data', (data: Buffer) => (ended.stderr += data.toString()));
      child.stdin.end(input);
      const [code] = (await once(child, 'close')) as [number | null];
      return { ...ended, code };
    },
    [Symbol.dispose]: () => rmSync(place, { recursive: true, force: true }),
  };
}

/** Only Node, in a folder that any user may enter. */
function nodeFolder(place: string): string {
  const folder = join(place, 'node');
  mkdirSync(folder);
  try {
    linkSync(process.execPath, join(folder, 'node'));
  } catch {
    copyFileSync(process.execPath, join(folder, 'node'));
  }
  return folder;
}

/** npm and the system's programs, but none of this repository's. */
function machinePrograms(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const repository = dirname(dirname(import.meta.dirname));
  return folders.filter((folder) => !folder.startsWith(repository)).join(delimiter);
}

/** Without a registry: only packages in the tarball are available. */
export const offline = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
