/**
 * esbuild plugin: keeps what every command needs in one file. esbuild makes a file for every set of lazily loaded parts that share a
 * module, and each costs half a millisecond at start-up; so every such part is made to import the common core, as it has been loaded anyway.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';

/** The sources that the program starts with or loads by `import()`, told by a first build. CommonJS can't import the core. */
export async function lazyParts(options: BuildOptions): Promise<Set<string>> {
  const { metafile } = await build({ ...options, metafile: true });
  const entries = Object.values(metafile?.outputs ?? {}).flatMap(({ entryPoint }) => entryPoint ?? []);
  const modules = entries.filter((entry) => metafile?.inputs[entry]?.format === 'esm');
  return new Set(modules.map((entry) => join(options.absWorkingDir ?? '', entry)));
}

export function oneCore(core: string, parts: ReadonlySet<string>): Plugin {
  return {
    name: 'one-core',
    setup({ onLoad }) {
      onLoad({ filter: /\.(ts|m?js)$/ }, ({ path }) => {
        if (!parts.has(path)) return undefined;
        const source = readFileSync(path, 'utf8');
        return {
          contents: `import ${JSON.stringify(core)};\n${source}`,
          loader: path.endsWith('.ts') ? 'ts' : 'js',
        };
      });
    },
  };
}
