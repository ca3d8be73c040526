// Sentences as keys with parameters, and the English that is made of them.
import { describe, expect, test } from 'vitest';
import { because, englishPhrases, englishText, fillPhrases, phrase, phraseOf, spellTexts } from './phrase.ts';

describe('a phrase', () => {
  test('is spelled with its parameters, whatever they hold', () => {
    expect(englishText(phrase('place.outside', { word: '{path} $& #' }))).toBe(
      '{path} $& # leads out of the workspace.',
    );
  });

  test('takes the form of a number', () => {
    expect(englishText(phrase('plan.undo', { calls: 1, files: 3 }))).toBe('Undo 1 call: 3 files');
    expect(englishText(phrase('plan.discard', { hunks: 2, files: 1 }))).toBe('Discard 2 hunks in 1 file');
  });

  test('of several sentences is one text', () => {
    expect(because([phrase('mode.strict'), phrase('program.onlyReads')])).toEqual({
      reason: 'Every command is asked in strict mode. Only reads.',
      phrases: [{ key: 'mode.strict' }, { key: 'program.onlyReads' }],
    });
  });

  test('with a key that a table lacks has no text in that language', () => {
    const language = { table: { known: 'Known.' }, formOf: () => 0, between: ' ' };
    expect(fillPhrases([{ key: 'known' }, { key: 'toString' }], language)).toBeUndefined();
  });
});

describe('an English text', () => {
  test('without parameters is found again by its key', () => {
    expect(phraseOf('You allowed this before.')).toEqual({ key: 'rule.allowedBefore' });
  });

  test('of a person stays theirs, even one that looks like a template', () => {
    expect(phraseOf('Read {path}')).toEqual({ key: 'text', params: { text: 'Read {path}' } });
    expect(englishText(phraseOf('Ours to keep.'))).toBe('Ours to keep.');
  });
});

test('no two keys without parameters have the same text, so that a text has one key', () => {
  const fixedTexts = Object.values(englishPhrases).filter((template) => !template.includes('{'));
  expect(fixedTexts.filter((template, at) => fixedTexts.indexOf(template) !== at)).toEqual([]);
});

test('the texts of a plan are in English, with the phrases they were made from', () => {
  const { summary, riskReason, notes, phrases } = spellTexts({
    summary: phrase('plan.read', { path: 'a.txt' }),
    riskReason: phrase('risk.onlyReads'),
    notes: ['Written by others.', phrase('note.unsavedRead')],
  });
  expect([summary, riskReason, notes]).toEqual([
    'Read a.txt',
    'It only reads.',
    ['Written by others.', 'The unsaved text of the editor is read, not the file.'],
  ]);
  expect(phrases?.notes).toEqual([null, [{ key: 'note.unsavedRead' }]]);
});
