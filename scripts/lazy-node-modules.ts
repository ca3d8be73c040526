/**
 * esbuild plugin: a bundled `node:` module loads when one of its exports is first used, not when it is imported.
 * A plain `import 'node:http'` reads every export, lazy ones too, and so loads undici: 35 ms at start-up.
 */
import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

export const lazyNodeModules: Plugin = {
  name: 'lazy-node-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /.*/ }, ({ path }) =>
      isBuiltin(path)
        ? { path: path.replace(/^(node:)?/, 'node:'), namespace, sideEffects: false }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: standIn(path) }));
  },
};

const namespace = 'lazy-node-modules';

function standIn(name: string): string {
  if (name === 'node:process') return 'module.exports = process';
  const load = `process.getBuiltinModule(${JSON.stringify(name)})`;
  const original = process.getBuiltinModule(name);
  // `node:events`, `node:stream` and `node:assert` are themselves functions: classes extend them, code calls them.
  if (typeof original !== 'object') return `module.exports = ${load}`;
  const getters = Object.keys(original).map((key) => `get ${key}() { return load().${key} }`);
  return `let loaded; const load = () => (loaded ??= ${load}); module.exports = { ${getters.join(', ')} }`;
}
