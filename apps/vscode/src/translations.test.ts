// Every language says everything: the words of the manifest, and those of the sources.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const app = join(import.meta.dirname, '..');
const read = (name: string): Record<string, string> => JSON.parse(readFileSync(join(app, name), 'utf8'));
const holes = (text: string): string[] =>
  (text.match(/\{\d\}|\(command:[\w.]+\)|`#?[\w.]+#?`/g) ?? []).toSorted();

test.each(['ru', 'zh-cn'])('the manifest speaks %s', (language) => {
  const [english, other] = [read('package.nls.json'), read(`package.nls.${language}.json`)];
  expect(Object.keys(other)).toEqual(Object.keys(english));
  for (const [key, text] of Object.entries(english))
    expect([key, holes(other[key] ?? '')]).toEqual([key, holes(text)]);
});

test('the manifest uses every word, and has one for each it uses', () => {
  const used = [...readFileSync(join(app, 'package.json'), 'utf8').matchAll(/%([\w.]+)%/g)].map(
    ([, key]) => key,
  );
  expect([...new Set(used)].toSorted()).toEqual(Object.keys(read('package.nls.json')).toSorted());
});

test.each(['ru', 'zh-cn'])('the extension speaks %s', (language) => {
  const sources = globSync('src/**/*.ts', { cwd: app }).map((name) => readFileSync(join(app, name), 'utf8'));
  const texts = sources.flatMap((text) =>
    [...text.matchAll(/l10n\.t\(\s*'([^']+)'/g)].map(([, word = '']) => word),
  );
  const other = read(`l10n/bundle.l10n.${language}.json`);
  expect(Object.keys(other).toSorted()).toEqual([...new Set(texts)].toSorted());
  for (const word of texts) expect([word, holes(other[word] ?? '')]).toEqual([word, holes(word)]);
});

test.each(['ru', 'zh-cn'])(
  'the pages of the walkthrough speak %s, and name the same commands',
  (language) => {
    const words = read(`package.nls.${language}.json`);
    const page = (name: string): string => readFileSync(join(app, 'walkthrough', name), 'utf8');
    const names = globSync('*.md', { cwd: join(app, 'walkthrough') }).filter(
      (name) => !name.includes('.nls.'),
    );
    for (const name of names) {
      const other = page(name.replace('.md', `.nls.${language}.md`));
      expect([name, holes(other)]).toEqual([name, holes(page(name))]);
    }
    expect(page(`decide.nls.${language}.md`)).toContain(`**${words['command.undoLastTurn']}**`);
    expect(page(`gateway.nls.${language}.md`)).toContain(`**CodeLab: ${words['command.setToken']}**`);
  },
);
