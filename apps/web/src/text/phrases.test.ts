// The core's sentences in Russian and Chinese: every key, with the same parameters, and the right plural forms.
import { englishPhrases, fillPhrases, type PhraseLanguage, phrase } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { en } from './en.ts';
import { withAdded } from './load-texts.ts';
import { planTexts, reasonText } from './phrases.ts';
import { ru as ruFirst } from './ru.ts';
import { ruViews } from './ru-views.ts';
import { zh as zhFirst } from './zh.ts';
import { zhViews } from './zh-views.ts';

const ru = withAdded(ruFirst, ruViews);
const zh = withAdded(zhFirst, zhViews);

const paramsOf = (template: string): string[] =>
  [...new Set([...template.matchAll(/\{(\w+)(?::[^}]*)?\}/g)].map(([, name = '']) => name))].toSorted();

describe.each([
  ['Russian', ru, 3],
  ['Chinese', zh, 1],
] as const)('%s', (name, { phrases }, forms) => {
  const { table } = phrases as PhraseLanguage;

  test('has a sentence for every key, and no other', () => {
    expect(Object.keys(table).toSorted()).toEqual(Object.keys(englishPhrases).toSorted());
  });

  test('names in each sentence the parameters that the English one names', () => {
    const named = (all: Readonly<Record<string, string>>): [string, string[]][] =>
      Object.keys(englishPhrases).map((key) => [key, paramsOf(all[key] ?? '')]);
    expect(named(table)).toEqual(named(englishPhrases));
  });

  test('has a form for each kind of number that it counts', () => {
    const counted = Object.values(table).flatMap((template) => template.match(/\{\w+:[^}]*\}/g) ?? []);
    expect(counted.filter((form) => form.split('|').length !== forms)).toEqual([]);
  });

  test('has words of its own: only what people and programs write is the same as in English', () => {
    const same = Object.entries(englishPhrases).filter(([key, template]) => table[key] === template);
    expect(same.map(([key]) => key)).toEqual(name === 'Russian' ? ['text', 'note.runs'] : ['text']);
  });
});

test('Russian counts one, few and many', () => {
  const lines = (count: number): string | undefined =>
    fillPhrases([phrase('risk.editFile', { lines: count })], ru.phrases as PhraseLanguage);
  expect([1, 3, 11, 22].map(lines)).toEqual([
    'Меняет 1 строку в файле; это можно отменить.',
    'Меняет 3 строки в файле; это можно отменить.',
    'Меняет 11 строк в файле; это можно отменить.',
    'Меняет 22 строки в файле; это можно отменить.',
  ]);
});

describe('a screen', () => {
  const reason = { reason: 'Only reads.', phrases: [phrase('mode.strict'), phrase('program.onlyReads')] };

  test('says a reason in its language, sentence after sentence', () => {
    expect([en, ru, zh].map((texts) => reasonText(reason, texts))).toEqual([
      'Only reads.',
      'В режиме «Строго» каждая команда требует разрешения. Только читает.',
      '在“严格”模式下，每条命令都需要询问。只读取。',
    ]);
  });

  test('calls a mode as its settings do', () => {
    const verdict = {
      reason: 'Every change to files is asked in balanced mode.',
      phrases: [phrase('mode.editsAsk', { mode: 'balanced' })],
    };
    expect([en, ru, zh].map((texts) => reasonText(verdict, texts))).toEqual([
      'Every change to files is asked in the mode “Ask each time”.',
      'В режиме «Спрашивать каждый раз» каждое изменение файлов требует разрешения.',
      '在“每次询问”模式下，对文件的每次更改都需要询问。',
    ]);
  });

  test('says it in English where an older log has no key, or a newer gateway sends an unknown one', () => {
    expect(reasonText({ reason: 'Only reads.' }, ru)).toBe('Only reads.');
    expect(reasonText({ reason: 'A new one.', phrases: [{ key: 'new.one' }] }, zh)).toBe('A new one.');
  });

  test('leaves a note of others as it is, between its own', () => {
    const plan = { summary: 'Ask', risk: 'low', riskReason: '', touches: [], basis: [] } as const;
    const noted = {
      ...plan,
      ...{ touches: [], basis: [] },
      notes: ['The skill.', 'sets A=1'],
      phrases: { notes: [null, [phrase('note.sets', { name: 'A', value: 1 })]] },
    };
    expect(planTexts(noted, ru).notes).toEqual(['The skill.', 'задаёт A=1']);
  });
});
