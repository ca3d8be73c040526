// The main sentence of an error, and its folded part.
import { expect, test } from 'vitest';
import { errorText } from './error-help.ts';

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
