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
import { packageFolders } from './package-folders.ts';

const root = join(import.meta.dirname, '..');
const web = join(root, 'apps', 'web');
const dist = join(web, 'dist');
const dayMs = 24 * 3600 * 1000;
const stamp = join(dist, 'build.json');

const sources = [
  'apps/web/src/**/*.{ts,tsx,css,svg}',
  'apps/web/public/*',
  'apps/web/{index.html,vite.config.ts,package.json}',
  'packages/{protocol,api,client}/src/**/*.ts',
  'package-lock.json',
  'scripts/{build-web,package-folders,page-routes}.ts',
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
  const bundled = await bundle();
  if (bundled === undefined) return false;
  const { files } = bundled;
  publish(bundled, hash);
  console.log(`build: apps/web/dist, ${describe(files)}, ${Math.round(performance.now() - started)} ms`);
  return true;
}

/** Written beside the page: the files of this build, and the folders of the packages that are inside them. */
export type WebBuild = { hash: string; files: StoredFiles; packages: string[] };

/** The ending that each file has on the disk: files that compress well are stored with Brotli, and in no other form. */
type StoredFiles = Record<string, '' | '.br'>;

type WebFile = { name: string; contents: Buffer; isFirst: boolean };
type WebBundle = { files: WebFile[]; packages: string[] };

async function bundle(): Promise<WebBundle | undefined> {
  try {
    const { build } = await import('vite');
    const built = await build({ root: web, logLevel: 'warn', build: { write: false } });
    const { output } = [built].flat()[0] as Rolldown.RolldownOutput;
    const first = firstLoad(output);
    const files = output.map((part) => ({
      name: part.fileName,
      contents: Buffer.from(part.type === 'chunk' ? part.code : part.source),
      isFirst: first.has(part.fileName),
    }));
    const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
    return {
      files: [...files, ...publicFiles()],
      packages: packageFolders([...modules, ...styleSheets()], root),
    };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return undefined;
  }
}

/** Files with their own name at the root: the manifest, its icons and the service worker. */
function publicFiles(): WebFile[] {
  const folder = join(web, 'public');
  return readdirSync(folder).map((name) => ({
    ...{ name, contents: readFileSync(join(folder, name)), isFirst: false },
  }));
}

/** Tailwind writes them, so they are no modules of the bundle. */
function styleSheets(): string[] {
  const imports = globSync('apps/web/src/**/*.css', { cwd: root }).flatMap((name) => [
    ...readFileSync(join(root, name), 'utf8').matchAll(/@import\s+["']([^."'][^"']*)/g),
  ]);
  return imports.map(([, name = '']) => join(root, 'node_modules', name, 'index.css'));
}

/** The entry and its static imports: the browser loads them before anything is shown. */
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

function publish({ files, packages }: WebBundle, hash: string): void {
  mkdirSync(join(dist, 'assets'), { recursive: true });
  const stored: StoredFiles = {};
  for (const { name, contents } of files) {
    if (name === 'index.html') continue;
    const isCompressed = contents.length >= 1024 && !/\.(png|woff2)$/.test(name);
    stored[name] = isCompressed ? '.br' : '';
    write(name + stored[name], isCompressed ? compress(contents) : contents);
  }
  // Before the page, whose files it lists: a gateway serves the listed files and nothing else.
  write('files.json', Buffer.from(`${JSON.stringify({ ...olderFiles(stored), ...stored })}\n`));
  const page = files.find(({ name }) => name === 'index.html');
  if (page) write(page.name, page.contents);
  const build: WebBuild = { hash, files: stored, packages };
  write('build.json', Buffer.from(`${JSON.stringify(build)}\n`));
}

function compress(contents: Buffer): Buffer {
  return brotliCompressSync(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
}

/** Files of earlier builds, which open pages still load. Files older than a day are removed. */
function olderFiles(current: StoredFiles): StoredFiles {
  const older: StoredFiles = {};
  for (const entry of readdirSync(join(dist, 'assets'))) {
    const path = join(dist, 'assets', entry);
    const ending = entry.endsWith('.br') ? '.br' : '';
    const name = `assets/${ending ? entry.slice(0, -ending.length) : entry}`;
    if (current[name] === ending) continue;
    const isKept = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < dayMs;
    if (isKept && !(name in current)) older[name] = ending;
    else rmSync(path, { force: true });
  }
  return older;
}

function write(name: string, contents: Uint8Array): void {
  const temporary = join(dist, `.${name.replaceAll('/', '-')}.${process.pid}`);
  writeFileSync(temporary, contents);
  renameSync(temporary, join(dist, name));
}

function describe(files: readonly WebFile[]): string {
  const scripts = files.filter(({ name }) => name.endsWith('.js'));
  const first = scripts.filter(({ isFirst }) => isFirst);
  const size = (files: readonly WebFile[]): string =>
    `${Math.round(files.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0) / 1024)} kB`;
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
