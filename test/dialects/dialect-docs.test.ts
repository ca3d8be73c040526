// The dialect docs are true: every JSON block is a message its dialect reads, results have the shape it writes, tables name every tool.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Dialect, dialectNames, findDialect, type Json, type WireCall } from '@codelab/dialects';
import type { Outcome } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';

const page = { start_line: 1, end_line: 1, has_more: false };
const file = { name: 'a', path: 'a', type: 'file', size: 1, modified: 'm' };
const directory = { name: 'b', path: 'b', type: 'directory', modified: 'm' };

const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-a', '+b'] };
const counts = { additions: 1, deletions: 1 };

/** Sample results of the core tools: a file and a directory in every listing. */
const samples: Record<string, Json> = {
  read_file: { path: 'a', content: 'a', encoding: 'utf-8', has_bom: false, size: 1, modified: 'm' },
  write_file: {
    path: 'a',
    operation: 'updated',
    bytes_written: 1,
    additions: 1,
    deletions: 0,
    diff: '',
    original: 'a',
    structured_patch: [hunk],
  },
  edit_file: edited([1]),
  multi_edit: edited([1, 1]),
  notebook_edit: {
    path: 'a',
    cell_number: 0,
    cell_type: 'code',
    language: 'python',
    edit_mode: 'replace',
    diff: '',
    structured_patch: [hunk],
  },
  apply_patch: {
    files: [{ path: 'a', operation: 'update', ...counts, offsets: [0], tolerant: [], bytes: 1 }],
    applied: true,
  },
  apply_patch_review: { filtered_diff: '', action: 'apply', chunks_selected: [1], chunks_total: 2 },
  undo: { taken_back: [{ session: 's', call_id: 'c', paths: ['a'] }], refused: [] },
  restore_held_back: { call_id: 'c', restored: ['a'] },
  list_files: { path: '.', entries: [file, directory], total: 2, truncated: false },
  search_in_project: {
    query: 'a',
    path: '.',
    matches: [{ file: 'a', line: 1, column: 1, text: 'a', match: 'a' }],
    files: [{ path: 'a', modified: 'm' }],
    total: 1,
    truncated: false,
    duration_ms: 1,
  },
  find_files: { pattern: 'a', path: '.', files: ['a'], total: 1, truncated: false, duration_ms: 1 },
  prompt_user: { action: 'yes' },
};

describe.each(dialectNames.map((name) => findDialect(name)))('the doc of $name', (dialect) => {
  const text = readFileSync(
    join(import.meta.dirname, '../..', 'docs', 'dialects', `${dialect.name}.md`),
    'utf8',
  );
  const blocks = [...text.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(
    ([, json = '']) => JSON.parse(json) as Json,
  );

  test('is short and has examples', () => {
    expect(text.split('\n').length).toBeLessThanOrEqual(165);
    expect(blocks.length, `docs/dialects/${dialect.name}.md needs at least six JSON blocks`).toBeGreaterThan(
      5,
    );
  });

  test('names every tool and argument', () => {
    const named = dialect.name === 'agent' ? `${text}\n${codelabDoc()}` : text;
    for (const row of dialect.tools) {
      for (const name of [row.name, ...Object.keys(row.input().shape)])
        expect(named, `Add \`${name}\` to the table of tools in docs/dialects/${dialect.name}.md`).toMatch(
          new RegExp(`\`${name}[\`?]`),
        );
    }
  });

  test('shows messages that the dialect reads, each belonging to a call above it', () => {
    const calls: WireCall[] = [];
    for (const block of blocks) {
      const message = dialect.decode(block);
      if (message.type === 'call') calls.push(message.call);
      else
        expect(calls.map(({ id }) => id)).toContain(
          message.type === 'decision' ? message.callId : idOf(message.asked.id, calls),
        );
    }
  });

  test('shows results in the form that the dialect writes', () => {
    const calls: WireCall[] = [];
    for (const block of blocks) {
      const message = dialect.decode(block);
      if (message.type === 'call') calls.push(message.call);
      if (message.type !== 'result') continue;
      const call = calls.findLast(({ id }) => id === idOf(message.asked.id, calls));
      if (call !== undefined)
        expect(
          shapeOf(block),
          `An example of ${call.wire.tool} in docs/dialects/${dialect.name}.md has another shape than its data at the top of this test`,
        ).toEqual(shapeOf(written(dialect, call, message.outcome, block)));
    }
  });
});

function edited(occurrences: number[]): Json {
  const facts = { path: 'a', operation: 'updated', replacements: 1, occurrences, tolerant: [] };
  return { ...facts, ...counts, diff: '', structured_patch: [hunk], original: 'a' };
}

// An answer without an id belongs to the call before it.
function idOf(id: string, calls: WireCall[]): string {
  return id === '' ? (calls.at(-1)?.id ?? '') : id;
}

function written(dialect: Dialect, call: WireCall, outcome: Outcome, block: Json): Json {
  if (outcome.status !== 'completed') {
    // Kode says by the form alone that the tool was not reached.
    const error = block.is_error === true ? { ...outcome.error, code: 'REJECTED' as const } : outcome.error;
    return dialect.encode({ type: 'result', asked: call, outcome: { ...outcome, error } });
  }
  const sample = samples[call.tool] ?? {};
  const data = 'start_line' in (call.args as Json) ? { ...sample, ...page } : sample;
  const changedBy = 'changed_by' in block ? { changedBy: { kind: 'edit' as const, args: call.args } } : {};
  return dialect.encode({ type: 'result', asked: call, outcome: { ...outcome, data, ...changedBy } });
}

/** The value with every leaf replaced by its type, so that only names and structure remain; a list by the shapes in it. */
function shapeOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value;
  if (Array.isArray(value))
    return value
      .map(shapeOf)
      .map((shape) => JSON.stringify(shape))
      .sort();
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, shapeOf((value as Json)[key])]));
}

function codelabDoc(): string {
  return readFileSync(join(import.meta.dirname, '../..', 'docs', 'dialects', 'codelab.md'), 'utf8');
}
