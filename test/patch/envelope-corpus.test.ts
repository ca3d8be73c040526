/**
 * Patches in the form models write, made from the differences of real releases: whatever Codex's published rules make of them, we
 * make too, byte for byte, or refuse; and nothing is applied that means something else.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diffLines } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { parseEnvelope } from '../../packages/runtime/src/patch/envelope/apply-envelope.ts';
import { applyPatchHunks } from '../../packages/runtime/src/patch/place-hunks.ts';
import { applyAsCodex } from '../support/codex-matching.ts';
import { realPairs, type TextPair } from '../support/real-texts.ts';
import { approveAll, workbench } from '../support/workbench.ts';

/** Spellings in which a model might write the same patch. */
const styles = {
  plain: { context: 3 },
  'little context': { context: 1 },
  'a line of context above as "@@"': { context: 1, anchors: true },
  'signposts of context alone': { context: 2, signposts: true },
  'blank lines without their space': { context: 3, trims: true },
  'no end marker': { context: 3, isCut: true },
} satisfies Record<string, Style>;
type Style = { context: number; anchors?: true; signposts?: true; trims?: true; isCut?: true };

test('patches of real files give the bytes that Codex’s rules give', () => {
  const counts = { patches: 0, accepted: 0, identical: 0, refused: 0 };
  for (const [index, pair] of realPairs().entries()) {
    if (!pair.before.endsWith('\n') || !pair.after.endsWith('\n') || pair.before.includes('\r')) continue;
    const style = Object.values(styles)[index % Object.values(styles).length] ?? styles.plain;
    const patch = write(pair, style);
    const codexResult = applyAsCodex(pair.before, patch);
    const ourResult = apply(pair.before, patch);
    counts.patches++;
    if (ourResult === undefined) counts.refused++;
    else expect(ourResult, `${pair.name}\n${patch.slice(0, 2000)}`).toBe(pair.after);
    if (codexResult !== pair.after) continue;
    counts.accepted++;
    if (ourResult === codexResult) counts.identical++;
  }
  expect(counts.patches).toBeGreaterThan(200);
  expect(counts.accepted).toBeGreaterThan(200);
  expect(counts.identical / counts.accepted, JSON.stringify(counts)).toBeGreaterThanOrEqual(0.98);
});

function apply(before: string, patch: string): string | undefined {
  try {
    const [file] = parseEnvelope(patch, () => before);
    return applyPatchHunks(before, file?.hunks ?? [], { path: 'x' }).text;
  } catch {
    return undefined;
  }
}

function write({ before, after }: TextPair, style: Style): string {
  const oldLines = before.split('\n').slice(0, -1);
  const newLines = after.split('\n').slice(0, -1);
  const hunks = group(diffLines(oldLines, newLines), style.context).flatMap((group): string[] => {
    const first = group[0]?.oldStart ?? 0;
    const end = group.at(-1)?.oldEnd ?? 0;
    const from = Math.max(0, first - style.context);
    const lines: string[] = [];
    let at = from;
    for (const { oldStart, oldEnd, newStart, newEnd } of group) {
      lines.push(...oldLines.slice(at, oldStart).map((line) => ` ${line}`));
      lines.push(...oldLines.slice(oldStart, oldEnd).map((line) => `-${line}`));
      lines.push(...newLines.slice(newStart, newEnd).map((line) => `+${line}`));
      at = oldEnd;
    }
    lines.push(...oldLines.slice(at, end + style.context).map((line) => ` ${line}`));
    return [
      ...lead(oldLines, from, style),
      ...lines.map((line) => (style.trims && line === ' ' ? '' : line)),
    ];
  });
  return [
    '*** Begin Patch',
    '*** Update File: x',
    ...hunks,
    ...(style.isCut ? [] : ['*** End Patch']),
    '',
  ].join('\n');
}

function lead(oldLines: readonly string[], from: number, { anchors, signposts }: Style): string[] {
  const above = oldLines.slice(0, from).findLast((line) => line.trim().length > 3);
  if (above === undefined) return ['@@'];
  if (anchors) return [`@@ ${above}`];
  return signposts ? ['@@', ` ${above}`, '@@'] : ['@@'];
}

type Change = { oldStart: number; oldEnd: number; newStart: number; newEnd: number };

function group(changes: readonly Change[], context: number): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    const end = last?.at(-1)?.oldEnd;
    if (last !== undefined && end !== undefined && change.oldStart - end <= 2 * context) last.push(change);
    else groups.push([change]);
  }
  return groups;
}

test.each([
  ['context that is not ASCII', '-a\n+b', 'a\ncafé …\n', 'b\ncafé …\n'],
  ['a patch that is not ASCII', '-a\n+é', 'a\nb\n', 'é\nb\n'],
  ['context alone first', ' café …\n@@\n-x\n+y', 'x\ncafé …\nx\n', 'x\ncafé …\ny\n'],
])('%s is applied to a file named by its absolute path', async (_, hunk, before, after) => {
  await using bench = await workbench({ files: { 'c.txt': before } });
  bench.human(approveAll);
  const diff = `*** Begin Patch\n*** Update File: ${bench.root}/c.txt\n@@\n${hunk}\n*** End Patch`;
  expect(await bench.call('apply_patch', { diff })).toMatchObject({ status: 'completed' });
  expect(readFileSync(join(bench.root, 'c.txt'), 'utf8')).toBe(after);
});

test('a file that is not UTF-8 is left as it is, and the answer names the way', async () => {
  await using bench = await workbench({ files: {} });
  bench.human(approveAll);
  writeFileSync(join(bench.root, 'l.txt'), Buffer.from('a\n\xe9\n', 'latin1'));
  const diff = '*** Begin Patch\n*** Update File: l.txt\n@@\n-a\n+b\n*** End Patch';
  expect(await bench.call('apply_patch', { diff })).toMatchObject({
    status: 'failed',
    error: { code: 'ENCODING_ERROR', message: expect.stringContaining('unified diff') },
  });
});
