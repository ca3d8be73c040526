// Real texts that `npm install` brings: pairs of files that differ as two releases do, and files to make changes in.

import { isUtf8 } from 'node:buffer';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type TextPair = { name: string; before: string; after: string };

const modules = join(import.meta.dirname, '..', '..', 'node_modules');
const MAX_LENGTH = 60_000;

/** The same module for two loaders, in two languages, for two platforms, and in two releases. */
export function realPairs(): TextPair[] {
  const names = globSync(['zod/v*/**/*.js', 'yaml/dist/**/*.js'], { cwd: modules }).sort();
  const locales = names.filter((name) => name.startsWith('zod/v4/locales/'));
  const pairs = [
    ...names.map((name) => [name, name.replace(/\.js$/, '.cjs')]),
    ...names.map((name) => [name, name.replace('/classic/', '/mini/')]),
    ...names.map((name) => [name, name.replace('yaml/dist/', 'yaml/browser/dist/')]),
    ...locales.map((name, index) => [name, locales[index + 1] ?? name]),
    ['@oxc-project/types/types.d.ts', 'rolldown/node_modules/@oxc-project/types/types.d.ts'],
    ['zod/package.json', 'yaml/package.json'],
  ];
  return pairs
    .map(([name = '', other = '']) => ({ name, before: textOf(name), after: textOf(other) }))
    .filter(({ before, after }) => before !== '' && after !== '' && before !== after);
}

/** Texts of some length, with repeated lines, long lines and characters beyond ASCII among them. */
export function realTexts(): string[] {
  const names = globSync(['zod/**/*.{ts,js,md}', 'yaml/dist/**/*.js', '@types/node/*.d.ts'], {
    cwd: modules,
  });
  return names
    .sort()
    .map(textOf)
    .filter((text) => text.split('\n').length > 20);
}

function textOf(name: string): string {
  const path = join(modules, name);
  if (!existsSync(path)) return '';
  const bytes = readFileSync(path);
  return bytes.length <= MAX_LENGTH && isUtf8(bytes) ? bytes.toString() : '';
}
