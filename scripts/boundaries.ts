/**
 * Proves who may import whom: reads every import below packages/ and apps/ and compares it with `arrows`, and inside a package with its
 * `layers`; and who outside the runtime may touch the machine.
 * Usage: node scripts/boundaries.ts [ROOT]
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type Layers, layers, ownedTexts } from './layers.ts';
import { machineAccess, machineModules } from './machine-access.ts';
import { type Import, readImports } from './read-imports.ts';

interface Arrow {
  /** Names, or beginnings of names followed by `*`. Without `node:*` the package also runs in a browser. */
  allow: string[];
  /** Third-party packages: also those in its package.json, as a dependency of any kind. */
  allowsDependencies?: true;
}

const arrows: Record<string, Arrow> = {
  'packages/protocol': { allow: ['zod/mini'] },
  'packages/api': { allow: ['@codelab/protocol', 'zod/mini'] },
  'packages/dialects': { allow: ['@codelab/protocol', 'zod/mini'] },
  'packages/runtime': { allow: ['@codelab/protocol', 'zod/mini', 'node:*'], allowsDependencies: true },
  'packages/agent': { allow: ['@codelab/protocol', 'zod/mini', 'node:*'], allowsDependencies: true },
  // Code below src/node may touch the machine; the rest runs in a browser. Lint checks both.
  'packages/client': {
    allow: [
      '@codelab/protocol',
      '@codelab/api',
      '@codelab/dialects',
      '@codelab/runtime',
      'zod/mini',
      'node:*',
    ],
    allowsDependencies: true,
  },
  'apps/web': { allow: ['@codelab/protocol', '@codelab/api', '@codelab/client'], allowsDependencies: true },
  // `vscode` is provided by the editor; its sources are those of an extension host, and below src/webview those of a page.
  'apps/vscode': {
    allow: [
      '@codelab/protocol',
      '@codelab/client',
      '@codelab/client/node',
      '@codelab/web',
      '@codelab/web/styles.css',
      'vscode',
      'zod/mini',
      'node:*',
    ],
    allowsDependencies: true,
  },
  'apps/server': {
    allow: [
      '@codelab/protocol',
      '@codelab/api',
      '@codelab/runtime',
      '@codelab/agent',
      '@codelab/dialects',
      'node:*',
    ],
    allowsDependencies: true,
  },
  'apps/cli': {
    allow: [
      '@codelab/protocol',
      '@codelab/runtime',
      '@codelab/agent',
      '@codelab/dialects',
      '@codelab/server',
      '@codelab/server/agent',
      '@codelab/server/gateway',
      '@codelab/server/mcp',
      '@codelab/server/worktrees',
      '@codelab/client',
      '@codelab/client/node',
      'node:*',
    ],
    allowsDependencies: true,
  },
};

const testsMayImport = ['vitest', 'fast-check', 'diff', 'picomatch', 'node:*'];

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));
const known = new Map<string, Import[]>();
const folders = globSync('{packages,apps}/*/src', { cwd: root }).map((src) => slashes(dirname(src)));
const problems = folders.flatMap(problemsOf);

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`boundaries: ${folders.length} packages hold to their arrows`);

function problemsOf(folder: string): string[] {
  const arrow = arrows[folder];
  if (!arrow) return [`${folder}: no arrows yet; say in scripts/boundaries.ts what it may import`];
  const allowed = [...arrow.allow, ...(arrow.allowsDependencies ? dependenciesOf(folder) : [])];
  const sources = globSync(`${folder}/src/**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}`, { cwd: root }).map(slashes);
  const folderLayers = layers[folder];
  return [
    ...sources.flatMap((file) => problemsIn(file, folder, allowed)),
    ...(folderLayers
      ? [
          ...upwardArrows(folder, folderLayers),
          ...sources.flatMap((file) => layerProblems(file, folder, folderLayers)),
        ]
      : []),
    ...sources.flatMap(ownershipProblems),
    ...(folder === 'packages/runtime' ? [] : sources.flatMap(machineProblems)),
  ];
}

/** An arrow to a folder that is not above it in the list could be part of a cycle. */
function upwardArrows(folder: string, folderLayers: Layers): string[] {
  const order = Object.keys(folderLayers);
  return Object.entries(folderLayers).flatMap(([layer, arrows]) =>
    arrows
      .filter((to) => to !== '*' && !(order.indexOf(to) >= 0 && order.indexOf(to) < order.indexOf(layer)))
      .map((to) => `scripts/layers.ts: ${folder}: ${layer} names ${to}, which is not above it in the list`),
  );
}

function layerProblems(file: string, folder: string, folderLayers: Layers): string[] {
  if (isTestFile(file)) return [];
  const from = layerOf(file, folder);
  const allowed = folderLayers[from];
  if (allowed === undefined)
    return [`${file}: the folder ${from} is not in scripts/layers.ts; say there what it may import`];
  return localImports(file).flatMap(({ target, line }) => {
    const to = layerOf(target, folder);
    if (!target.startsWith(`${folder}/src/`)) return [];
    if (to === from || allowed.includes(to) || allowed.includes('*')) return [];
    return `${file}:${line} imports ${target}\n  ${from} may import: ${[from, ...allowed].join(', ')}`;
  });
}

function ownershipProblems(file: string): string[] {
  if (isTestFile(file)) return [];
  return ownedTexts.flatMap(({ subject, text, by }) =>
    !by.includes(file) && text.test(textOf(file)) ? `${file}: ${subject} only in ${by.join(', ')}` : [],
  );
}

/** The runtime accesses the workspace for all packages; other files that access the machine are listed in a table. */
function machineProblems(file: string): string[] {
  const places = Object.values(machineAccess).flat();
  const isListed = places.some((place) => (place.endsWith('/') ? file.startsWith(place) : file === place));
  if (isTestFile(file) || isListed) return [];
  return importsOf(file)
    .filter(({ specifier = '' }) => machineModules.test(specifier))
    .map(
      ({ specifier, line }) =>
        `${file}:${line} imports ${specifier}\n  only files in scripts/machine-access.ts may`,
    );
}

function localImports(file: string): { target: string; line: number }[] {
  return importsOf(file)
    .filter(({ specifier }) => specifier !== undefined && /^\.\.?(\/|$)/.test(specifier))
    .map(({ specifier = '', line }) => ({
      target: slashes(relative(root, resolve(root, dirname(file), specifier))),
      line,
    }));
}

function importsOf(file: string): Import[] {
  const found = known.get(file) ?? readImports(file, textOf(file));
  known.set(file, found);
  return found;
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** The nearest folder of the file in the table: subfolders belong to a layer unless they are listed. */
function layerOf(file: string, folder: string): string {
  const inside = slashes(relative(`${folder}/src`, dirname(file))) || '.';
  const names = inside.split('/');
  const candidates = names.map((_, i) => names.slice(0, names.length - i).join('/'));
  return candidates.find((candidate) => layers[folder]?.[candidate] !== undefined) ?? inside;
}

function isTestFile(file: string): boolean {
  return /\.test\.\w+$/.test(file);
}

function problemsIn(file: string, folder: string, packageMayImport: string[]): string[] {
  const isTest = isTestFile(file);
  const allowed = isTest ? [...packageMayImport, ...testsMayImport] : packageMayImport;
  return importsOf(file)
    .filter(
      ({ specifier }) => !(specifier === undefined ? isTest : isAllowed(specifier, file, folder, allowed)),
    )
    .map(({ specifier = '(computed)', line }) => {
      const list = ['files below itself', ...new Set(allowed)].join(', ');
      return `${file}:${line} imports ${specifier}\n  ${folder} may import: ${list}`;
    });
}

function isAllowed(specifier: string, file: string, folder: string, allowed: string[]): boolean {
  if (/^\.\.?(\/|$)/.test(specifier)) {
    return resolve(root, dirname(file), specifier).startsWith(join(root, folder) + sep);
  }
  return allowed.some((entry) =>
    entry.endsWith('*') ? specifier.startsWith(entry.slice(0, -1)) : specifier === entry,
  );
}

/** `zod` itself is left out: `zod/mini` starts 20 ms faster. Our own packages come from `arrows` alone. */
function dependenciesOf(folder: string): string[] {
  const file = join(root, folder, 'package.json');
  const manifest = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  // A page's dependencies are built into it, so apps/web lists them as devDependencies.
  return Object.keys({
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.devDependencies,
  })
    .filter((name) => !name.startsWith('@codelab/'))
    .flatMap((name) => (name === 'zod' ? ['zod/mini'] : [name, `${name}/*`]));
}

function slashes(path: string): string {
  return path.replaceAll(sep, '/');
}
