/**
 * Bundles the web app into apps/web/dist, unless nothing it is made of has changed since. New files come before the page that names them,
 * old ones go a day later, so a gateway that serves during a build serves either the old page or the new one.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Rolldown } from 'vite';

const root = join(import.meta.dirname, '..');
const web = join(root, 'apps', 'web');
const dist = join(web, 'dist');
const dayMs = 24 * 3600 * 1000;
const stamp = join(dist, 'build.json');

const sources = [
  'apps/web/src/**/*.{ts,tsx,css,svg}',
  'apps/web/{index.html,vite.config.ts,package.json}',
  'packages/{protocol,api,client}/src/**/*.ts',
  'package-lock.json',
  'scripts/build-web.ts',
];

/** False when the sources do not build: Vite has then printed where. */
export async function buildWeb(): Promise<boolean> {
  if (!existsSync(join(web, 'index.html'))) return true;
  const started = performance.now();
  const hash = hashOf();
  if (existsSync(join(dist, 'index.html')) && builtFrom() === hash) {
    console.log('build: apps/web/dist is up to date');
    return true;
  }
  const files = await bundle();
  if (files === undefined) return false;
  publish(files, hash);
  console.log(`build: apps/web/dist, ${describe(files)}, ${Math.round(performance.now() - started)} ms`);
  return true;
}

type WebFile = { name: string; contents: Buffer; isFirst: boolean };

async function bundle(): Promise<WebFile[] | undefined> {
  try {
    const { build } = await import('vite');
    const built = await build({ root: web, logLevel: 'warn', build: { write: false } });
    const { output } = [built].flat()[0] as Rolldown.RolldownOutput;
    const first = firstLoad(output);
    return output.map((part) => ({
      name: part.fileName,
      contents: Buffer.from(part.type === 'chunk' ? part.code : part.source),
      isFirst: first.has(part.fileName),
    }));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return undefined;
  }
}

/** The entry and all that it imports at once: what a browser has to load before anything is shown. */
function firstLoad(output: Rolldown.RolldownOutput['output']): Set<string> {
  const chunks = new Map(output.flatMap((part) => (part.type === 'chunk' ? [[part.fileName, part]] : [])));
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const imported of chunks.get(name)?.imports ?? []) visit(imported);
  };
  for (const { fileName, isEntry } of chunks.values()) if (isEntry) visit(fileName);
  return found;
}

function publish(files: readonly WebFile[], hash: string): void {
  mkdirSync(join(dist, 'assets'), { recursive: true });
  const pageLast = files.toSorted(
    (a, b) => Number(a.name === 'index.html') - Number(b.name === 'index.html'),
  );
  const kept = new Set<string>();
  for (const { name, contents } of pageLast) {
    write(name, contents);
    kept.add(name);
    if (name === 'index.html' || contents.length < 1024) continue;
    // Before the page, as all it names: a server may prefer these.
    write(`${name}.br`, brotliCompressSync(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
    write(`${name}.gz`, gzipSync(contents, { level: 9 }));
    kept.add(`${name}.br`).add(`${name}.gz`);
  }
  const stale = readdirSync(join(dist, 'assets')).filter((name) => !kept.has(`assets/${name}`));
  for (const name of stale) removeOld(join(dist, 'assets', name));
  write('build.json', Buffer.from(`${JSON.stringify({ hash })}\n`));
}

// A page that is open still asks for parts of what it was made of.
function removeOld(file: string): void {
  const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Date.now() - changed > dayMs) rmSync(file, { force: true });
}

function write(name: string, contents: Uint8Array): void {
  const temporary = join(dist, `.${name.replaceAll('/', '-')}.${process.pid}`);
  writeFileSync(temporary, contents);
  renameSync(temporary, join(dist, name));
}

function describe(files: readonly WebFile[]): string {
  const scripts = files.filter(({ name }) => name.endsWith('.js'));
  const first = scripts.filter(({ isFirst }) => isFirst);
  const size = (some: readonly WebFile[]): string =>
    `${Math.round(some.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0) / 1024)} kB`;
  return `${files.length} files, first load ${size(first)} of ${size(scripts)} JavaScript compressed`;
}

function hashOf(): string {
  const hash = createHash('sha256');
  for (const name of globSync(sources, { cwd: root }).toSorted()) {
    if (/\.test\.tsx?$/.test(name)) continue;
    hash
      .update(`${name}\n`)
      .update(readFileSync(join(root, name)))
      .update('\0');
  }
  return hash.digest('hex');
}

function builtFrom(): unknown {
  try {
    return JSON.parse(readFileSync(stamp, 'utf8')).hash;
  } catch {
    return undefined;
  }
}
