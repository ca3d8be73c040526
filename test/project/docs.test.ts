import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../scripts/config-schema.ts';
import { errorsDoc } from '../../scripts/errors-doc.ts';
import { headlessDoc } from '../../scripts/headless-doc.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test('docs/errors.md lists exactly the codes of the source', () => {
  expect(read('docs/errors.md')).toBe(errorsDoc());
});

test('the JSON Schema of the configuration is the one of the source', () => {
  expect(read('apps/cli/config.schema.json')).toBe(configSchema());
});

test('docs/headless.md has the exit codes and the schema of the source (node scripts/headless-doc.ts writes them)', () => {
  expect(read('docs/headless.md')).toBe(headlessDoc());
});

test('CONTRIBUTING stays short enough to be read', () => {
  expect(read('CONTRIBUTING.md').split('\n').length).toBeLessThanOrEqual(81);
});

test('the README is short enough to be read', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(121);
});

const pages = globSync(
  ['*.md', 'docs/**/*.md', 'packages/*/README.md', 'apps/*/README.md', 'examples/**/*.md'],
  {
    cwd: root,
    exclude: (name) => name === 'node_modules',
  },
);

test('every npm script that a document names exists', () => {
  const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts;
  // The hooks page shows scripts of its reader's own project.
  const scriptNames = pages
    .filter((page) => page !== 'docs/hooks.md')
    .flatMap((page) =>
      [...read(page).matchAll(/\bnpm (?:run ([a-z][a-z:-]*)|(start|test))\b/g)].map(
        ([, run, short]) => run ?? short ?? '',
      ),
    );
  expect(scriptNames).toEqual(expect.arrayContaining(['start', 'test', 'check', 'bench']));
  expect([...new Set(scriptNames)].filter((name) => scripts[name] === undefined)).toEqual([]);
});

test('links between the documents lead to files that exist', () => {
  const broken = pages.flatMap((page) =>
    [...withoutCode(read(page)).matchAll(/\]\(([^)\s#:]+)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(join(root, dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  );
  expect(pages.length).toBeGreaterThan(40);
  expect(broken).toEqual([]);
});

/** A link in code is an example, not a link. */
function withoutCode(text: string): string {
  return text.replaceAll(/`[^`\n]*`/g, '');
}

const tracked = globSync('{packages,apps,scripts,test,bench,examples,fixtures,docs}/**/*', {
  cwd: root,
  exclude: (name) => name === 'node_modules' || name === 'dist',
}).map((file) => `/${file.replaceAll('\\', '/')}`);
/** Docs leave `src` out, and the parts of a path before the folder that they are about. */
const shortened = tracked.map((file) => file.replace('/src/', '/'));

/** Files of the reader's own project in an example. */
const examples = ['src/cart.ts', 'lib/a.ts', 'app/src/a.ts', 'docs/chart.png'];

test('every source file and folder that a document names exists', () => {
  const mentioned = pages
    .filter((page) => page !== 'CHANGELOG.md')
    .flatMap((page) =>
      [...withoutFences(read(page)).matchAll(/`([^`\n]+)`/g)]
        .flatMap(([, code = '']) => code.split(/[\s,()]+/))
        .map((word) => word.replace(/:\d+$/, '').replace(/\/$/, ''))
        .filter((word) => isSourcePath(word) && !examples.includes(word))
        .map((word) => ({ page, word })),
    );
  expect(mentioned.length).toBeGreaterThan(150);
  const missing = mentioned
    .filter(({ page, word }) => !existsSync(join(root, dirname(page), word)))
    .filter(({ word }) => ![...tracked, ...shortened].some((file) => file.endsWith(`/${word}`)))
    .map(({ page, word }) => `${page}: ${word}`);
  expect([...new Set(missing)]).toEqual([]);
});

test('every file on the way of a call in ARCHITECTURE.md exists', () => {
  const [, diagram = ''] = /```\n(cli {2}[\s\S]*?)```/.exec(read('ARCHITECTURE.md')) ?? [];
  const mentioned = diagram.match(/[a-z][a-z-]*(?:\/[a-z-]+)+/g) ?? [];
  expect(mentioned.length).toBeGreaterThan(15);
  const exists = (name: string): boolean =>
    shortened.some((file) => file.endsWith(`/${name}.ts`) || file.endsWith(`/${name}`));
  expect(mentioned.filter((name) => !exists(name))).toEqual([]);
});

/** A TypeScript file by any part of its path, or whatever begins with a folder of the repository. `<name>` and `*` stand for several. */
function isSourcePath(word: string): boolean {
  if (!/^[\w@.-]+(?:\/[\w@.-]+)*$/.test(word)) return false;
  return (
    /\w\.tsx?$/.test(word) || /^(?:packages|apps|scripts|test|bench|examples|fixtures|docs)\/\w/.test(word)
  );
}

function withoutFences(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```/gm, '');
}

test('every name that an example in the docs imports is exported', async () => {
  const imports = pages.flatMap((page) =>
    [...read(page).matchAll(/import \{([^}]+)\} from '(@codelab\/[\w/]+)'/g)].map(
      ([, names = '', from = '']) => ({
        ...{ page, from },
        names: names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '' && !name.startsWith('type ')),
      }),
    ),
  );
  expect(imports.length).toBeGreaterThan(5);
  const missing: string[] = [];
  for (const { page, names, from } of imports) {
    const exported = (await import(from)) as Record<string, unknown>;
    missing.push(...names.filter((name) => !(name in exported)).map((name) => `${page}: ${name} of ${from}`));
  }
  expect(missing).toEqual([]);
});
