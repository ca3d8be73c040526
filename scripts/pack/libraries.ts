/** The library packages, compiled from their sources into ES modules and declarations. */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { nativePrograms } from './native-programs.ts';
import type { Package } from './program.ts';

const libraries = ['protocol', 'api', 'dialects', 'runtime', 'client'];

type Manifest = {
  name: string;
  version: string;
  description: string;
  license: string;
  exports: Record<string, string>;
  [key: string]: unknown;
};

export function libraryPackages(root: string): Package[] {
  const scratch = mkdtempSync(join(tmpdir(), 'codelab-pack-'));
  try {
    const manifests = libraries.map((folder) => readManifest(root, folder));
    compile(root, scratch, manifests);
    return manifests.map((manifest, index) =>
      onePackage(root, join(scratch, libraries[index] ?? ''), manifest),
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function readManifest(root: string, folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')) as Manifest;
}

/**
 * Compiles all packages together: they import each other's sources by `paths`, since the compiler does not emit files from
 * node_modules.
 */
function compile(root: string, outDir: string, manifests: readonly Manifest[]): void {
  const entries = manifests.flatMap(({ name, exports }, index) =>
    Object.entries(exports).map(([path, entry]) => ({
      module: name + path.slice(1),
      file: join(root, 'packages', libraries[index] ?? '', entry),
    })),
  );
  const config = join(outDir, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    rootDir: join(root, 'packages'),
    outDir,
    paths: Object.fromEntries(entries.map(({ module, file }) => [module, [file]])),
    typeRoots: [join(root, 'node_modules', '@types')],
  };
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions,
      include: [],
      files: entries.map(({ file }) => file),
    }),
  );
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', config], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The libraries do not compile:\n${stdout}${stderr}`);
}

function onePackage(root: string, compiled: string, manifest: Manifest): Package {
  const { private: _private, ...published } = manifest;
  const exports = Object.fromEntries(
    Object.entries(manifest.exports).map(([name, entry]) => {
      const base = entry.replace(/\.ts$/, '');
      return [name, { types: `${base}.d.ts`, default: `${base}.js` }];
    }),
  );
  const texts = {
    'package.json': `${JSON.stringify({ ...published, exports }, null, 2)}\n`,
    'README.md': `# ${manifest.name}\n\n${manifest.description}.\n`,
    LICENSE: readFileSync(join(root, 'LICENSE'), 'utf8'),
  };
  const modules = globSync('src/**/*.{js,d.ts}', { cwd: compiled }).map((name) => {
    const text = readFileSync(join(compiled, name), 'utf8');
    return [name.replaceAll('\\', '/'), name.endsWith('.d.ts') ? nameModules(text) : text] as const;
  });
  checkImports(new Map(modules));
  return {
    name: manifest.name,
    version: manifest.version,
    files: [
      ...[...Object.entries(texts), ...modules].map(([name, text]) => ({
        name,
        contents: Buffer.from(text),
      })),
      ...(manifest.name === '@codelab/runtime' ? nativePrograms(root, 'native/dist') : []),
    ],
  };
}

/** Fails when a module imports a file that the compiler left out. */
function checkImports(modules: ReadonlyMap<string, string>): void {
  for (const [name, text] of modules)
    for (const [, path = ''] of text.matchAll(/(?:\bfrom |\bimport\(|\bimport )['"](\.[^'"\n]+)\.js['"]/g)) {
      const target = posix.join(posix.dirname(name), path) + (name.endsWith('.d.ts') ? '.d.ts' : '.js');
      if (!modules.has(target)) throw new Error(`${name} imports ${path}.js, which was not compiled`);
    }
}

/** The compiler leaves the names of sources in declarations; a published package has no sources. */
function nameModules(declarations: string): string {
  return declarations.replaceAll(/(\bfrom |\bimport\()(['"])(\.[^'"\n]+)\.ts\2/g, '$1$2$3.js$2');
}
