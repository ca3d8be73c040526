import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../scripts/config-schema.ts';
import { errorsDoc } from '../scripts/errors-doc.ts';
import { headlessDoc } from '../scripts/headless-doc.ts';

const root = join(import.meta.dirname, '..');
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

test('the commands of the README exist', () => {
  const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts;
  const named = [...read('README.md').matchAll(/npm (?:run )?(start|test|check|bench|fix|build)\b/g)].map(
    (match) => match[1] ?? '',
  );
  expect(named).toEqual(expect.arrayContaining(['start', 'test', 'check', 'bench']));
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});

test('CONTRIBUTING stays short enough to be read', () => {
  expect(read('CONTRIBUTING.md').split('\n').length).toBeLessThanOrEqual(81);
});
