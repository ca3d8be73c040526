/**
 * Bundles the VS Code extension into apps/vscode/dist, unless nothing it is made of has changed since: the entry, which registers things, the rest,
 * which it loads when it is needed, and the page of the chat view.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import type { Rolldown } from 'vite';
import { lazyNodeModules } from './lazy-node-modules.ts';
import { packageFolders } from './package-folders.ts';

const root = join(import.meta.dirname, '..');
const app = join(root, 'apps', 'vscode');
const dist = join(app, 'dist');
const stamp = join(dist, 'build.json');

const sources = [
  'apps/vscode/src/**/*.{ts,tsx,css}',
  'apps/vscode/vite.config.mts',
  'apps/web/src/**/*.{ts,tsx,css}',
  'packages/{protocol,api,dialects,client,runtime}/src/**/*.ts',
  'package-lock.json',
  'scripts/{build-vscode,lazy-node-modules,package-folders}.ts',
];

/** Throws when the sources do not build: esbuild or Vite has then printed where. */
export async function buildVscode(): Promise<void> {
  const hash = hashOf();
  if (existsSync(stamp) && JSON.parse(readFileSync(stamp, 'utf8')).hash === hash) {
    console.log('build: apps/vscode/dist is up to date');
    return;
  }
  const started = performance.now();
  mkdirSync(dist, { recursive: true });
  const used = [...(await bundleHost()), ...(await bundleView())];
  writeFileSync(join(dist, 'packages.json'), `${JSON.stringify(packageFolders(used, root))}\n`);
  writeFileSync(stamp, `${JSON.stringify({ hash })}\n`);
  console.log(`build: apps/vscode/dist, ${Math.round(performance.now() - started)} ms`);
}

/** The entry loads the rest by name, so it becomes a separate file. */
const laterFile: Plugin = {
  name: 'later-file',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/workbench\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './workbench.js', external: true } : undefined,
    );
  },
};

/** How code is bundled that runs in the editor's process for extensions. */
export const hostBundle = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  format: 'cjs',
  platform: 'node',
  target: 'node22',
  // The editor gives the first; the others hold machine code and are found where they are installed, or not.
  external: ['vscode', '@lydell/node-pty', '@vscode/ripgrep'],
  // The editor provides the module `vscode`, which is loaded with `require`.
  supported: { 'dynamic-import': false },
  // A CommonJS file has no `import.meta`: any other use of it would be undefined in the editor alone.
  define: { 'import.meta.dirname': '__dirname' },
  logOverride: { 'empty-import-meta': 'error' },
  plugins: [laterFile, lazyNodeModules],
  logLevel: 'warning',
} satisfies BuildOptions;

async function bundleHost(): Promise<string[]> {
  const entryPoints = ['extension', 'workbench'].map((name) => join(app, 'src', `${name}.ts`));
  const { metafile } = await build({ ...hostBundle, outdir: dist, metafile: true, entryPoints });
  return inputsOf(metafile);
}

function inputsOf({ outputs }: Metafile): string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([name, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [join(root, name)] : [],
    ),
  );
}

async function bundleView(): Promise<string[]> {
  const { build: buildPage } = await import('vite');
  const built = await buildPage({ root: app, logLevel: 'warn' });
  const { output } = [built].flat()[0] as Rolldown.RolldownOutput;
  return output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
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
