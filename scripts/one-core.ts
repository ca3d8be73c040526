/**
 * esbuild plugin: puts code that every command needs, and that a run always loads, into one file. esbuild makes a file for every set of
 * lazily loaded parts that share a module, and each costs half a millisecond at start-up. So every such part imports the core, which is
 * loaded anyway; and code in the core is not loaded again where the sources load it on demand.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

type Inputs = Metafile['inputs'];

/** `roots` are sources; everything they import belongs to the core. */
export async function oneCore(options: BuildOptions, roots: readonly string[]): Promise<Plugin> {
  const folder = options.absWorkingDir ?? '';
  const { metafile } = await build({ ...options, metafile: true });
  const { inputs = {}, outputs = {} } = metafile ?? {};
  const core = closureOf(inputs, roots);
  const entries = Object.values(outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  // CommonJS can't import the core.
  const parts = new Set(entries.filter((entry) => !core.has(entry) && inputs[entry]?.format === 'esm'));
  const imports = roots.map((root) => `import ${JSON.stringify(join(folder, root))};`).join(' ');
  return {
    name: 'one-core',
    setup({ onLoad }) {
      for (const [name, { imports: imported }] of Object.entries(inputs)) {
        const present = imported.filter(({ path, kind }) => kind === 'dynamic-import' && core.has(path));
        if (present.length === 0 && !parts.has(name)) continue;
        const file = join(folder, name);
        onLoad({ filter: exactly(file) }, () => {
          const source = importAtOnce(readFileSync(file, 'utf8'), present);
          const contents = parts.has(name) ? `${imports}\n${source}` : source;
          return { contents, loader: file.endsWith('.ts') ? 'ts' : 'js' };
        });
      }
    },
  };
}

function closureOf(inputs: Inputs, roots: readonly string[]): ReadonlySet<string> {
  const found = new Set(roots);
  // Grows while it is walked.
  for (const name of found)
    for (const { path, kind } of inputs[name]?.imports ?? [])
      if (kind === 'import-statement') found.add(path);
  return found;
}

/** Last among its imports, so that their dependencies come first. */
function importAtOnce(source: string, imported: readonly { original?: string }[]): string {
  const names = new Set(imported.flatMap(({ original }) => original ?? []));
  return [...names].reduce((text, name, i) => {
    const replaced = text.replaceAll(`import('${name}')`, `Promise.resolve(__present${i})`);
    return `${replaced}\nimport * as __present${i} from ${JSON.stringify(name)};\n`;
  }, source);
}

function exactly(file: string): RegExp {
  return new RegExp(`^${RegExp.escape(file)}$`);
}
