/** The package of the program: the bundle, the web IDE, the sample workspaces and the documentation, as they were built. */
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { WebBuild } from '../build-web.ts';
import type { PackedFile } from './tarball.ts';
import { readComponents, writeNotices, writeSbom } from './third-party.ts';

type Runtime = { optionalDependencies: Record<string, string> };

export type Package = { name: string; version: string; files: PackedFile[] };

/**
 * Differences between systems. The command is a shell script, which finds the right Node without starting another one first. npm for
 * Windows starts a command with the program of its first line, which has to be Node there.
 */
export const variants = {
  posix: { name: 'codelab', bin: 'cli/bin/codelab', os: ['!win32'] },
  windows: { name: 'codelab-windows', bin: 'cli/bin/codelab.js', os: ['win32'] },
};

export function programPackage(root: string, { name, bin, os } = variants.posix): Package {
  const { version, license } = readJson<{ version: string; license: string }>(root, 'apps/cli/package.json');
  // Machine code, which npm installs beside the program where it can; the program does without.
  const { optionalDependencies } = readJson<Runtime>(root, 'packages/runtime/package.json');
  const web = readJson<WebBuild>(root, 'apps/web/dist/build.json');
  const manifest = {
    name,
    version,
    description: 'Hands that people can trust for an AI coding agent',
    license,
    type: 'module',
    bin: { codelab: bin },
    os,
    engines: { node: '>=24' },
    optionalDependencies,
  };
  const components = [
    ...readComponents(
      root,
      [...readJson<string[]>(root, 'apps/cli/dist/packages.json'), ...web.packages],
      true,
    ),
    ...readComponents(
      root,
      Object.keys(optionalDependencies).map((dependency) => `node_modules/${dependency}`),
      false,
    ),
  ];
  const generatedFiles = {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'THIRD-PARTY-NOTICES.txt': writeNotices(name, components),
    'sbom.cdx.json': writeSbom({ name, version, license }, components),
    'web/dist/files.json': `${JSON.stringify(web.files)}\n`,
  };
  return {
    name,
    version,
    files: [
      ...Object.entries(generatedFiles).map(([name, text]) => ({ name, contents: Buffer.from(text) })),
      ...copies(root, ['README.md', 'CHANGELOG.md', 'LICENSE', 'docs/**/*.{md,py}', 'examples/*/**/*']),
      ...copies(join(root, 'apps'), [
        ...['cli/bin/*', 'cli/dist/*.{js,mjs}', 'cli/dist/build.json'],
        // Machine code for Linux alone; a package that was made where there is no compiler does without.
        ...(os.includes('win32') ? [] : ['cli/dist/trace-writes-{x64,arm64}']),
      ]),
      ...copies(join(root, 'apps'), webFiles(web)),
    ],
  };
}

/** Only the files of this build; the folder may still have files of earlier ones. */
function webFiles({ files }: WebBuild): string[] {
  const names = Object.entries(files).map(([name, ending]) => name + ending);
  return ['index.html', ...names].map((name) => `web/dist/${name}`);
}

// Of the examples only the sample workspaces: the others are sources for a checkout.
const exclude = ['**/node_modules/**', 'examples/programs/**', 'examples/cluster/**'];

function copies(folder: string, patterns: readonly string[]): PackedFile[] {
  const names = globSync(patterns, { cwd: folder, exclude });
  return names.flatMap((name) => {
    const stat = statSync(join(folder, name));
    if (!stat.isFile()) return [];
    return [
      {
        name: name.replaceAll('\\', '/'),
        contents: readFileSync(join(folder, name)),
        isExecutable: /^cli\/(bin\/|dist\/trace-writes-)/.test(name),
      },
    ];
  });
}

function readJson<T>(root: string, path: string): T {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as T;
}
