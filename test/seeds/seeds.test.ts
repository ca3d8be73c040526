// docs/seeds.md is what the cases prove: every row has a case, every case a row, and every JSON example of the documents is played.
import { expect, test } from 'vitest';
import { examplesOf } from './seed-case.ts';
import { documents, seedCases, seedsDoc, totals } from './table.ts';

const all = documents.flatMap((document) => seedCases[document]);

test(`docs/seeds.md lists exactly the cases: ${totals(all)}`, async () => {
  await expect(seedsDoc()).toMatchFileSnapshot('../../docs/seeds.md');
});

test.each(documents)('every JSON example of seed %s is played', (document) => {
  const played = new Set(seedCases[document].flatMap(({ examples = [] }) => examples));
  const exampleLines = [...examplesOf(document).keys()];
  expect([...played].filter((line) => !exampleLines.includes(line))).toEqual([]);
  expect(exampleLines.filter((line) => !played.has(line))).toEqual([]);
});

test.each(documents)('an item of seed %s is named once and carried by a wire', (document) => {
  const names = seedCases[document].map(({ id }) => id);
  expect(names.filter((id, i) => names.indexOf(id) !== i)).toEqual([]);
  expect(seedCases[document].filter(({ on }) => on.length === 0)).toEqual([]);
});
