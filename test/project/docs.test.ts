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
  const named = pages
    .filter((page) => page !== 'docs/hooks.md')
    .flatMap((page) =>
      [...read(page).matchAll(/\bnpm (?:run ([a-z][a-z:-]*)|(start|test))\b/g)].map(
        ([, run, short]) => run ?? short ?? '',
      ),
    );
  expect(named).toEqual(expect.arrayContaining(['start', 'test', 'check', 'bench']));
  expect([...new Set(named)].filter((name) => scripts[name] === undefined)).toEqual([]);
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
