/** Bundles the CLI, with everything it needs but machine code, into files that are not yet written anywhere. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildOptions, build, type OutputFile } from 'esbuild';
import { type DistFile, withCoreScript } from './core-script.ts';
import { inlineProfiles } from './inline-profiles.ts';
import { inlineSchemas } from './inline-schemas.ts';
import { lazyNodeModules } from './lazy-node-modules.ts';
import { oneCore } from './one-core.ts';
import { packageFolders } from './package-folders.ts';

const root = join(import.meta.dirname, '..');
const cli = join(root, 'apps', 'cli');

/** Code that the commands share, and code that `codelab run` always loads although its sources load it on demand. */
const core = [
  'apps/cli/src/shared.ts',
  'apps/cli/src/run-command.ts',
  'apps/cli/src/commands/run.ts',
  'apps/cli/src/run/start-run.ts',
  'apps/cli/src/run/read-prompt.ts',
  'apps/cli/src/run/choose-session.ts',
  'apps/server/src/agent/load-profiles.ts',
  'packages/agent/src/llm/wires/anthropic.ts',
  'packages/agent/src/llm/wires/openai.ts',
  'packages/agent/src/llm/wires/responses.ts',
];

const options = {
  entryPoints: [join(cli, 'src', 'main.ts')],
  absWorkingDir: root,
  outdir: join(cli, 'dist'),
  write: false,
  bundle: true,
  splitting: true,
  format: 'esm' as const,
  platform: 'node' as const,
  target: 'node24',
  // Each of these packages has machine code beside its JavaScript files.
  external: ['@lydell/node-pty', '@vscode/ripgrep'],
  // Node need not look for the package.json that says what a .js file is.
  outExtension: { '.js': '.mjs' },
  plugins: [lazyNodeModules, inlineProfiles, inlineSchemas],
  logLevel: 'warning' as const,
  metafile: true,
} satisfies BuildOptions;

/** `packages.json` among them has the folders of the packages inside. Throws when the sources do not build: esbuild has then printed where. Minifying was measured: no gain. */
export async function bundleCli(): Promise<DistFile[]> {
  const plugins = [await oneCore(options, core), ...options.plugins];
  const { outputFiles, metafile } = await build({ ...options, plugins });
  const files: DistFile[] = outputFiles.map(({ path, text }: OutputFile) => ({
    name: basename(path),
    contents: toAscii(text),
  }));
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([name, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [join(root, name)] : [],
    ),
  );
  return [
    ...(await withCoreScript(files, metafile, 'apps/cli/src/run-command.ts')),
    { name: 'packages.json', contents: `${JSON.stringify(packageFolders(used, root))}\n` },
    { name: 'build.json', contents: `${JSON.stringify({ version: readVersion() })}\n` },
  ];
}

/** V8 reads pure ASCII text twice as fast. esbuild escapes strings, but not regular expressions and comments. */
function toAscii(code: string): string {
  return code.replaceAll(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function readVersion(): string {
  return JSON.parse(readFileSync(join(cli, 'package.json'), 'utf8')).version;
}
