/**
 * esbuild plugin: a bundled `node:` module loads when one of its exports is first used, not when it is imported.
 * A plain `import 'node:http'` reads every export, lazy ones too, and so loads undici: 35 ms at start-up.
 */
import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

export const lazyNodeModules: Plugin = {
  name: 'lazy-node-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /.*/ }, ({ path, kind, importer }) => {
      if (!isBuiltin(path)) return undefined;
      const name = path.replace(/^(node:)?/, 'node:');
      // Already lazy; a stand-in would give it only a default export.
      if (kind === 'dynamic-import') return { path: name, external: true };
      // Packages load on demand, and some use exports that are costly to read; ours are read when the program starts.
      if (kind === 'require-call' || /[\\/]node_modules[\\/]/.test(importer))
        return { path: name, namespace: required, sideEffects: false };
      return { path: name, namespace, sideEffects: false };
    });
    const used = usedExports();
    onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: standIn(path, used.get(path)) }));
    onLoad({ filter: /.*/, namespace: required }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }));
  },
};

const namespace = 'lazy-node-modules';
const required = 'required-node-modules';

// Loaded by Node before any program starts: reading the few functions that are used is all they cost.
const present = new Set([
  'node:fs',
  'node:path',
  'node:os',
  'node:util',
  'node:url',
  'node:buffer',
  'node:timers',
  'node:sqlite',
]);

/** By module, the names that our sources import: each importer gets a copy of the stand-in with only those. */
function usedExports(): Map<string, Set<string>> {
  const root = join(import.meta.dirname, '..');
  const used = new Map<string, Set<string>>();
  for (const file of globSync(['apps/*/src/**/*.ts', 'packages/*/src/**/*.ts'], { cwd: root })) {
    const source = readFileSync(join(root, file), 'utf8');
    const [, moduleName] = /^import (?!type )(?:\* as )?\w+.* from '(node:[^']+)'/m.exec(source) ?? [];
    if (moduleName !== undefined && !present.has(moduleName))
      throw new Error(`${file}: import from ${moduleName} by name`);
    for (const [, list = '', name = ''] of source.matchAll(/import\s*\{([^}]*)\}\s*from\s*'(node:[^']+)'/g)) {
      const names = list.split(',').map((item) =>
        item
          .trim()
          .replace(/^type\s+/, '')
          .replace(/\s+as\s.*$/, ''),
      );
      used.set(name, (used.get(name) ?? new Set()).union(new Set(names)));
    }
  }
  return used;
}

function standIn(name: string, used: ReadonlySet<string> | undefined): string {
  if (name === 'node:process') return 'module.exports = process';
  const load = `process.getBuiltinModule(${JSON.stringify(name)})`;
  const original = process.getBuiltinModule(name);
  // `node:events`, `node:stream` and `node:assert` are themselves functions: classes extend them, code calls them.
  if (typeof original !== 'object') return `module.exports = ${load}`;
  const keys = Object.keys(original).filter((key) => key !== 'default');
  if (present.has(name)) return presentModule(load, keys);
  const getters = keys
    .filter((key) => used?.has(key) ?? true)
    .map((key) => `get ${key}() { return load().${key} }`);
  return `let loaded; const load = () => (loaded ??= ${load}); module.exports = { ${getters.join(', ')} }`;
}

// As a real ES module, so that unused parts are left out; a stand-in object would be copied key by key.
function presentModule(load: string, keys: string[]): string {
  const reader = `const exportOf = /* @__NO_SIDE_EFFECTS__ */ (key) => ${load}[key];`;
  const exports = keys.map(
    (key) => `export const ${key} = /* @__PURE__ */ exportOf(${JSON.stringify(key)});`,
  );
  return [reader, ...exports, `export default /* @__PURE__ */ ${load};`].join('\n');
}
