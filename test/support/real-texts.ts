// Real texts that `npm install` brings: files of two releases of a package, and files to make changes in.

import { isUtf8 } from 'node:buffer';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type TextPair = { name: string; before: string; after: string };

const modules = join(import.meta.dirname, '..', '..', 'node_modules');
const MAX_LENGTH = 60_000;

/** Every text that two releases of a package have in common and that differs. */
export function realPairs(): TextPair[] {
  return ['zod', 'diff', 'unbash'].flatMap((name) =>
    globSync('**/*.{js,cjs,mjs,ts,cts,mts,json,md}', { cwd: join(modules, `${name}-before`) })
      .sort()
      .map((path) => ({
        name: `${name}/${path}`,
        before: textOf(`${name}-before/${path}`),
        after: textOf(`${name}/${path}`),
      }))
      .filter(({ before, after }) => before !== '' && after !== '' && before !== after),
  );
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
