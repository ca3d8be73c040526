// The command as npm installs it from its tarball, with no registry at hand, and a new enough Node beside it as `npm install node` gives it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { programPackage } from '../../scripts/pack/program.ts';
import { makeTarball } from '../../scripts/pack/tarball.ts';
import type { Scratch } from '../scratch.ts';

export type InstalledProgram = { command: string; tarballBytes: number; unpackedBytes: number };

export function installProgram({ folder }: Scratch): InstalledProgram {
  const { files } = programPackage(join(import.meta.dirname, '..', '..'));
  const tarball = makeTarball(files);
  const file = join(folder, 'codelab.tgz');
  writeFileSync(file, tarball);
  const prefix = join(folder, 'installed');
  const options = ['--global', '--prefix', prefix, '--offline', '--ignore-scripts', '--no-audit'];
  const { status, stderr } = spawnSync('npm', ['install', ...options, file], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm install ended with ${status}:\n${stderr}`);
  const bin = join(prefix, 'lib', 'node_modules', 'node', 'bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(process.execPath, join(bin, 'node'));
  return {
    command: join(prefix, 'bin', 'codelab'),
    tarballBytes: tarball.length,
    unpackedBytes: files.reduce((sum, { contents }) => sum + contents.length, 0),
  };
}

/** PATH without what npm puts before it: the Node of the machine, whichever that is. */
export function userPath(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.filter((folder) => !folder.includes('node_modules')).join(delimiter);
}
