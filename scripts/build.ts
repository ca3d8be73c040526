/**
 * Bundles the CLI into apps/cli/dist, with the program that traces writes, and the web app into apps/web/dist. Every file appears by rename, the entry last, and stale files go after that,
 * so a `codelab` started during a build finds either the old program or the new one.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buildNative } from './build-native.ts';
import { buildWeb } from './build-web.ts';
import { bundleCli } from './bundle-cli.ts';
import type { DistFile } from './core-script.ts';

const root = join(import.meta.dirname, '..');
const cli = join(root, 'apps', 'cli');
const entry = join(cli, 'src', 'main.ts');
const dist = join(cli, 'dist');

if (existsSync(entry)) await buildCli();
else console.log('build: apps/cli/src/main.ts does not exist yet, nothing to build');
if (!(await buildWeb())) process.exitCode = 1;

async function buildCli(): Promise<void> {
  const started = performance.now();
  const bundled = await bundleCli().catch((error: Error & { errors?: unknown }) => {
    // For a build error, esbuild has printed the place.
    if (error.errors === undefined) console.error(`build: ${error.message}`);
    return undefined;
  });
  if (!bundled) {
    process.exitCode = 1;
    return;
  }
  publish(bundled, buildNative);
  linkCommand();
  const size = bundled.reduce((sum, { contents }) => sum + contents.length, 0);
  const milliseconds = Math.round(performance.now() - started);
  console.log(
    `build: apps/cli/dist, ${bundled.length} files, ${Math.round(size / 1024)} kB, ${milliseconds} ms`,
  );
}

/** npm links the command to a file for Node, the only kind that also works on Windows; elsewhere a shell finds the right Node sooner. */
function linkCommand(): void {
  const link = join(root, 'node_modules', '.bin', 'codelab');
  if (process.platform === 'win32' || !lstatSync(link, { throwIfNoEntry: false })) return;
  const temporary = `${link}.${process.pid}`;
  symlinkSync('../../apps/cli/bin/codelab', temporary);
  renameSync(temporary, link);
}

function publish(files: DistFile[], addPrograms: (folder: string) => string[]): void {
  mkdirSync(dist, { recursive: true });
  const programs = addPrograms(dist);
  const entryLast = files.toSorted((a, b) => Number(a.name === 'main.mjs') - Number(b.name === 'main.mjs'));
  for (const { name, contents } of entryLast) {
    const temporary = join(dist, `.${name}.${process.pid}`);
    writeFileSync(temporary, contents);
    renameSync(temporary, join(dist, name));
  }
  const current = new Set([...files.map(({ name }) => name), ...programs]);
  const stale = readdirSync(dist).filter((name) => /\.m?js$|^trace-writes-/.test(name) && !current.has(name));
  for (const name of stale) rmSync(join(dist, name), { force: true });
}
