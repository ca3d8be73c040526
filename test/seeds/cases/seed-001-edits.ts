// Seed 001: the raw data of the tools that change text.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { inStageRoot, use, uuid } from '../kode.ts';
import type { Json, SeedCase } from '../seed-case.ts';

type Hunk = { oldStart: number; oldLines: number; newStart: number; newLines: number; lines: string[] };

const hello = "def hello():\n    print('Hello, World!')\n";
const utils = `import os\n\n\n\ndef process():\n    pass\n`;

/** The new text by the hunks alone. */
function applied(text: string, hunks: Hunk[]): string {
  const lines = text.split('\n');
  let shift = 0;
  for (const { oldStart, oldLines, newStart, newLines, lines: changed } of hunks) {
    const newPart = changed.filter((line) => !line.startsWith('-'));
    const oldPart = changed.filter((line) => !line.startsWith('+'));
    expect([newPart.length, oldPart.length]).toEqual([newLines, oldLines]);
    expect(newStart).toBe(oldStart + shift);
    lines.splice(oldStart - 1 + shift, oldLines, ...newPart.map((line) => line.slice(1)));
    shift += newLines - oldLines;
  }
  return lines.join('\n');
}

export const edits001: readonly SeedCase[] = [
  {
    id: 'Replace: create',
    item: 'The example: absolute `filePath`, the whole `content`, no hunks',
    on: ['tool', 'service', 'run'],
    examples: ['38'],
    async play(at, example = {}) {
      const message = inStageRoot(at, example);
      const { filePath, content } = message.data as Json;
      const { answer } = await use(
        at,
        'Replace',
        { file_path: filePath, content },
        String(message.tool_use_id),
      );
      expect(answer).toMatchObject({ ...message, uuid });
      expect(readFileSync(String(filePath), 'utf8')).toBe(content);
    },
  },
  {
    id: 'Replace: update',
    item: 'The example, hunk for hunk',
    on: ['tool', 'service', 'run'],
    examples: ['63'],
    async play(at, example = {}) {
      at.stage.lay({ 'existing_file.py': hello });
      const message = inStageRoot(at, example);
      const { filePath, content } = message.data as Json;
      const { answer } = await use(
        at,
        'Replace',
        { file_path: filePath, content },
        String(message.tool_use_id),
      );
      expect(answer).toMatchObject({ ...message, uuid });
    },
  },
  {
    id: 'filePath',
    item: '`filePath` is absolute, however the call spelled it',
    on: ['tool', 'service'],
    async play(at) {
      at.stage.lay({ 'a.py': 'x = 1\n' });
      const filePath = join(at.stage.root, 'a.py');
      const calls: [string, Json][] = [
        ['Replace', { file_path: 'a.py', content: 'x = 2\n' }],
        ['Edit', { file_path: 'a.py', old_string: 'x = 2', new_string: 'x = 3' }],
        ['MultiEdit', { file_path: 'a.py', edits: [{ old_string: 'x = 3', new_string: 'x = 4' }] }],
      ];
      for (const [i, [tool, input]] of calls.entries())
        expect((await use(at, tool, input, `toolu_${i}`)).answer.data).toMatchObject({ filePath });
    },
  },
  {
    id: 'content',
    item: '`content` is the text of the file after the update, byte for byte',
    on: ['tool'],
    async play(at) {
      at.stage.lay({ 'a.py': 'x = 1\r\n' });
      const { answer } = await use(at, 'Replace', { file_path: 'a.py', content: 'x = 2\n' });
      expect(answer.data).toMatchObject({ content: at.stage.text('a.py') });
    },
  },
  {
    id: 'Edit',
    item: 'The fields of the example',
    on: ['tool', 'service', 'run'],
    examples: ['108'],
    differs: 'a hunk has three lines of context, as in the other examples; this one shows none',
    async play(at, example = {}) {
      const message = inStageRoot(at, example);
      const { filePath, oldString, newString, originalFile, structuredPatch } = message.data as {
        [key: string]: string;
      } & { structuredPatch: Hunk[] };
      at.stage.lay({ 'config.py': originalFile ?? '' });
      const input = { file_path: filePath, old_string: oldString, new_string: newString };
      const { answer } = await use(at, 'Edit', input, String(message.tool_use_id));
      const { structuredPatch: hunks, ...rest } = answer.data as Json & { structuredPatch: Hunk[] };
      expect({ ...answer, data: rest }).toMatchObject({
        ...message,
        uuid,
        data: { filePath, oldString, newString, originalFile },
      });
      expect(hunks[0]?.lines).toEqual([
        ' # Configuration',
        ...(structuredPatch[0]?.lines ?? []),
        ' PORT = 8000',
      ]);
    },
  },
  {
    id: 'MultiEdit: success',
    item: 'The fields of the example: `editIndex` from 1, snake case within, `summary`',
    on: ['tool', 'service', 'run'],
    examples: ['166'],
    differs: 'near changes share a hunk and its context; the example splits them and shows none',
    async play(at, example = {}) {
      at.stage.lay({ 'utils.py': utils });
      const message = inStageRoot(at, example);
      const data = message.data as { filePath: string; editsApplied: Json[] };
      const edits = data.editsApplied.map(({ old_string, new_string }) => ({ old_string, new_string }));
      const { answer } = await use(
        at,
        'MultiEdit',
        { file_path: data.filePath, edits },
        String(message.tool_use_id),
      );
      const { structuredPatch, ...rest } = answer.data as Json & { structuredPatch: Hunk[] };
      expect({ ...message, uuid, data: { ...data, structuredPatch: undefined } }).toMatchObject({
        data: { ...rest, structuredPatch: undefined },
      });
      expect(applied(utils, structuredPatch)).toBe(at.stage.text('utils.py'));
    },
  },
  {
    id: 'MultiEdit: failure',
    item: '`data` is the text of the error, word for word; the file stays as it was',
    on: ['tool', 'service', 'run'],
    examples: ['223'],
    async play(at, message = {}) {
      at.stage.lay({ 'utils.py': 'import os\n' });
      const edits = [
        { old_string: 'import os', new_string: 'import sys' },
        { old_string: 'def process()', new_string: 'def process_data()' },
      ];
      const { answer } = await use(
        at,
        'MultiEdit',
        { file_path: 'utils.py', edits },
        String(message.tool_use_id),
      );
      expect(answer).toMatchObject({ ...message, uuid });
      expect(at.stage.text('utils.py')).toBe('import os\n');
    },
  },
  {
    id: 'MultiEdit: 100 characters',
    item: 'Long strings are cut after 100 characters',
    on: ['tool'],
    async play(at) {
      at.stage.lay({ 'a.py': 'x'.repeat(150) });
      const edits = [{ old_string: 'x'.repeat(150), new_string: 'y'.repeat(150) }];
      const { answer } = await use(at, 'MultiEdit', { file_path: 'a.py', edits });
      expect(answer.data).toMatchObject({
        editsApplied: [{ old_string: 'x'.repeat(100), new_string: 'y'.repeat(100), occurrences: 1 }],
      });
    },
  },
  {
    id: 'Hunk',
    item: 'Counts fit the lines, and the hunks turn the old text into the new one',
    on: ['tool'],
    examples: ['335'],
    async play(at, example = {}) {
      const hunk = example as unknown as Hunk;
      const old = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`);
      old.splice(9, 3, ...hunk.lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1)));
      const text = `${old.join('\n')}\n`;
      at.stage.lay({ 'a.py': text });
      const content = text
        .replace('    return x * 2', '    # Updated calculation\n    return x * 3')
        .replace('line 30', 'end');
      const { answer } = await use(at, 'Replace', { file_path: 'a.py', content });
      const { structuredPatch } = answer.data as { structuredPatch: Hunk[] };
      expect(structuredPatch.flatMap(({ lines }) => lines)).toEqual(
        expect.arrayContaining(hunk.lines.slice(0, 4)),
      );
      expect(applied(text, structuredPatch)).toBe(content);
    },
  },
  {
    id: 'Hunk: lines',
    item: 'Every line begins with a blank, `-` or `+`',
    on: ['tool'],
    differs:
      'a file without a last line feed has the line `\\ No newline at end of file` too, as unified diffs have',
    async play(at) {
      at.stage.lay({ 'a.py': 'x = 1' });
      const { answer } = await use(at, 'Replace', { file_path: 'a.py', content: 'x = 2\n' });
      const { structuredPatch } = answer.data as { structuredPatch: Hunk[] };
      expect(structuredPatch[0]?.lines).toEqual(['-x = 1', '\\ No newline at end of file', '+x = 2']);
    },
  },
  {
    id: 'Edit: replace_all',
    item: "Kode's own arguments beside those of the document",
    on: ['tool'],
    async play(at) {
      at.stage.lay({ 'a.py': 'x x\n' });
      const input = { file_path: 'a.py', old_string: 'x', new_string: 'y', replace_all: true };
      expect((await use(at, 'Edit', input)).answer.data).toMatchObject({ originalFile: 'x x\n' });
      expect(at.stage.text('a.py')).toBe('y y\n');
    },
  },
];
