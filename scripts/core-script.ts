/**
 * The core of the bundle as a script instead of a module: only of a script can a program keep what V8 compiled while it ran
 * (apps/cli/src/run-cached.ts). The module keeps its name, and exports what running the script gives.
 */
import { hash } from 'node:crypto';
import { basename, join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { lazyNodeModules } from './lazy-node-modules.ts';

const runner = join(import.meta.dirname, '..', 'apps', 'cli', 'src', 'run-cached.ts');

export type DistFile = { name: string; contents: string | Uint8Array };

type Output = Metafile['outputs'][string];

/** The bundle with two files in the place of the module that `source` is in. Throws when that can't be a script. */
export async function withCoreScript(
  files: readonly DistFile[],
  { outputs }: Metafile,
  source: string,
): Promise<DistFile[]> {
  const found = Object.entries(outputs).find(([, { inputs }]) => source in inputs);
  if (found === undefined) throw new Error(`${source} is not in the bundle`);
  const name = basename(found[0]);
  const { code, exported } = splitExports(String(files.find((file) => file.name === name)?.contents));
  const contents = asScript(code, found[1], exported);
  const script = { name: `core-${hash('sha256', contents).slice(0, 8)}.js`, contents };
  const module = { name, contents: await asModule(script.name, exported) };
  return [...files.filter((file) => file.name !== name), script, module];
}

/** Exported name to the name inside. */
type Exported = ReadonlyMap<string, string>;

function splitExports(text: string): { code: string; exported: Exported } {
  const at = text.lastIndexOf('\nexport {');
  const list = /^\nexport \{([^}]*)\};\s*$/.exec(text.slice(at))?.[1];
  if (list === undefined) throw new Error('the core does not end with its exports');
  const pairs = list.split(',').map((item) => {
    const [inside = '', outside = inside] = item.trim().split(' as ');
    return [outside, inside] as const;
  });
  return { code: text.slice(0, at), exported: new Map(pairs) };
}

function asScript(code: string, { imports }: Output, exported: Exported): string {
  if (imports.some(({ kind }) => kind === 'import-statement'))
    throw new Error('the core imports another file: name what they share in apps/cli/src/shared.ts');
  const changing = [...exported.values()].find((name) => isAssignedAgain(code, name));
  if (changing) throw new Error(`${changing} is assigned again: other files would see its first value only`);
  const paths = new Set(imports.map(({ path, external }) => (external ? path : `./${basename(path)}`)));
  const script = [...paths]
    .reduce((text, path) => text.replaceAll(`import("${path}")`, `__import("${path}")`), code)
    .replaceAll('import.meta.dirname', '__dirname');
  const importLine = /^.*\bimport(?:\.meta|\(["'`]).*$/m.exec(script)?.[0];
  if (importLine !== undefined) throw new Error(`a script cannot hold this import: ${importLine.trim()}`);
  const values = [...exported].map(([outside, inside]) => `${outside}: ${inside}`);
  return `(function (__import, __dirname) { "use strict";\n${script}\nreturn { ${values.join(', ')} };\n})`;
}

/** Recognized by the spaces that esbuild prints. */
function isAssignedAgain(code: string, name: string): boolean {
  const escaped = name.replaceAll('$', String.raw`\$`);
  const assigned = String.raw`(?<!(?:var|let|const|async|function) )(?<![.\w$-])${escaped}(?: (?:[-+*/%&|^?<>]+)?= |\+\+|--)`;
  return new RegExp(String.raw`${assigned}|(?:\+\+|--)${escaped}[;,)\]]`).test(code);
}

async function asModule(script: string, exported: Exported): Promise<string> {
  const { outputFiles } = await build({
    ...{ entryPoints: [runner], write: false, bundle: true, format: 'iife', globalName: '__runner' },
    ...{ platform: 'node', target: 'node24', plugins: [lazyNodeModules] },
  });
  const file = `import.meta.dirname + ${JSON.stringify(`/${script}`)}`;
  return `${outputFiles[0]?.text}
const __core = __runner.runCached(${file})((path) => import(path), import.meta.dirname);
export const { ${[...exported.keys()].join(', ')} } = __core;
`;
}
