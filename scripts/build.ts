/**
 * Bundles the CLI into apps/cli/dist, and the web app into apps/web/dist. Every file appears by rename, the entry last, and stale files go after that,
 * so a `codelab` started during a build finds either the old program or the new one.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildOptions, build, type OutputFile } from 'esbuild';
import { buildWeb } from './build-web.ts';
import { inlineProfiles } from './inline-profiles.ts';
import { inlineSchemas } from './inline-schemas.ts';
import { lazyNodeModules } from './lazy-node-modules.ts';
import { lazyParts, oneCore } from './one-core.ts';

const root = join(import.meta.dirname, '..');
const cli = join(root, 'apps', 'cli');
const entry = join(cli, 'src', 'main.ts');
const dist = join(cli, 'dist');

const options = {
  entryPoints: [entry],
  absWorkingDir: root,
  outdir: dist,
  write: false,
  bundle: true,
  splitting: true,
  format: 'esm' as const,
  platform: 'node' as const,
  target: 'node24',
  // The first holds machine code beside its own files; the others are loaded by a gateway only, and as they are.
  external: ['@lydell/node-pty', 'fastify', '@fastify/static', 'ws', 'jose', 'pino', '@opentelemetry/*'],
  // Node need not look for the package.json that says what a .js file is.
  outExtension: { '.js': '.mjs' },
  plugins: [lazyNodeModules, inlineProfiles, inlineSchemas],
  logLevel: 'warning' as const,
} satisfies BuildOptions;

if (existsSync(entry)) await buildCli();
else console.log('build: apps/cli/src/main.ts does not exist yet, nothing to build');
if (!(await buildWeb())) process.exitCode = 1;

async function buildCli(): Promise<void> {
  const started = performance.now();
  const bundled = await bundle();
  if (!bundled) {
    process.exitCode = 1;
    return;
  }
  publish([...bundled, { name: 'build.json', contents: `${JSON.stringify({ version: readVersion() })}\n` }]);
  const size = bundled.reduce((sum, { contents }) => sum + contents.length, 0);
  const milliseconds = Math.round(performance.now() - started);
  console.log(
    `build: apps/cli/dist, ${bundled.length} files, ${Math.round(size / 1024)} kB, ${milliseconds} ms`,
  );
}

interface DistFile {
  name: string;
  contents: string | Uint8Array;
}

/** Undefined when the sources do not build: esbuild has then printed where. Minifying was measured: no gain. */
async function bundle(): Promise<DistFile[] | undefined> {
  try {
    const parts = await lazyParts(options);
    const plugins = [oneCore(join(cli, 'src', 'shared.ts'), parts), ...options.plugins];
    const { outputFiles } = await build({ ...options, plugins });
    return outputFiles.map(({ path, contents }: OutputFile) => ({ name: basename(path), contents }));
  } catch {
    return undefined;
  }
}

function publish(files: DistFile[]): void {
  mkdirSync(dist, { recursive: true });
  const entryLast = files.toSorted((a, b) => Number(a.name === 'main.mjs') - Number(b.name === 'main.mjs'));
  for (const { name, contents } of entryLast) {
    const temporary = join(dist, `.${name}.${process.pid}`);
    writeFileSync(temporary, contents);
    renameSync(temporary, join(dist, name));
  }
  const current = new Set(files.map(({ name }) => name));
  const stale = readdirSync(dist).filter((name) => /\.m?js$/.test(name) && !current.has(name));
  for (const name of stale) rmSync(join(dist, name), { force: true });
}

function readVersion(): string {
  return JSON.parse(readFileSync(join(cli, 'package.json'), 'utf8')).version;
}
