// The main sentence of an error, its folded part, and what its code means in each language.
import { errorTable } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { errorMessage, errorText, errorWords } from './error-help.ts';
import type { ErrorWords } from './text/en/errors.ts';
import { ruErrors } from './text/ru/errors.ts';
import { ru } from './text/ru.ts';
import { zhErrors } from './text/zh/errors.ts';
import { zh } from './text/zh.ts';

test.each([
  ['The file is missing.', 'The file is missing.', ''],
  [
    'String to replace not found in file.\nThe nearest text is in line 3:\n3 | a',
    'String to replace not found in file.',
    'The nearest text is in line 3:\n3 | a',
  ],
  ['lib/a.js is no folder. Name a folder.', 'lib/a.js is no folder.', 'Name a folder.'],
  ['Version 1.2 of e.g. node is missing', 'Version 1.2 of e.g. node is missing', ''],
  ['这个文件在工作区里并不存在。请先创建它。', '这个文件在工作区里并不存在。', '请先创建它。'],
  [
    'The server answered: {"error":{"message":"No such tool.\\nKnown: a, b","code":7}}',
    'The server answered: No such tool.',
    'Known: a, b',
  ],
  ['{"detail":"Out of quota"}', 'Out of quota', ''],
  ['{"code":7}', '{"code":7}', ''],
  ['Cannot parse "a":\\n  line 1\\n  line 2', 'Cannot parse "a":', 'line 1\n  line 2'],
  ['C:\\new\\notes.txt is missing.', 'C:\\new\\notes.txt is missing.', ''],
])('%j begins with %j', (message, sentence, detail) => {
  expect(errorText(message)).toEqual({ sentence, detail });
});

test.each([
  ['ru', ruErrors],
  ['zh', zhErrors],
] as const)('every code has a phrase and a next step of its own in %s', (_language, table) => {
  const codes = Object.keys(errorTable);
  expect(codes.filter((code) => !Object.hasOwn(table, code))).toEqual([]);
  const isPlain = ([what, next]: ErrorWords): boolean =>
    /[^\p{ASCII}]/u.test(what) && /[^\p{ASCII}]/u.test(next) && !/[.。]$/.test(what) && /[.。]$/.test(next);
  expect(Object.entries(table).filter(([, words]) => !isPlain(words))).toEqual([]);
});

test('an error is told in the language of the screen, with its own message', () => {
  const refused = Object.assign(new Error('a.txt does not exist.'), { code: 'FILE_NOT_FOUND' });
  expect(errorMessage(refused, ru)).toBe('Файл не найден: a.txt does not exist.');
  expect(errorMessage(refused, zh)).toBe('找不到文件：a.txt does not exist.');
  expect(errorMessage(new Error('Odd.'), ru)).toBe('Odd.');
  expect(errorWords(ru, 'no_key', 'LLM_ERROR')).toEqual([
    'Не задан ключ модели',
    'Введите ключ в настройках.',
  ]);
  expect(errorWords(ru, 'unheard', 'LLM_ERROR')[0]).toBe('Ошибка модели');
});
