// Mistakes that models really make: accepted when the meaning is clear, or refused with a message that leads to the right next call, which
// is then made.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findDialect } from '@codelab/dialects';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ModelCalls, modelCalls } from '../support/model-calls.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

type Call = { tool: string; args: Record<string, unknown> };
type Mistake = Call & {
  name: string;
  seen: string;
  /** The model's result when the call runs, or when it does not. */
  applied?: string;
  refused?: string;
  /** A right next call. */
  next?: Call;
};

const table = join(import.meta.dirname, '../../fixtures/model-mistakes/mistakes.json');
const mistakes = JSON.parse(readFileSync(table, 'utf8')) as Mistake[];

const long = Array.from({ length: 300 }, (_, i) => `export const value${i + 1} = ${i + 1};\n`);
const files = {
  'README.md': '# Shop\n\nA small shop.\n',
  'src/calc.py': 'def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n',
  'src/app.ts': "import { format } from './utils/format.ts';\n\nconsole.log(format(1));\n",
  'src/utils/format.ts': 'export function format(price: number): string {\n  return `$${price}`;\n}\n',
  'src/long.ts': long.join(''),
  'docs/guide.md': '# Guide\n',
};

const toolList = findDialect('codelab')
  .tools.map(({ name }) => name.replace('.', '_'))
  .join(', ');

let bench: Workbench;
let model: ModelCalls;

beforeAll(async () => {
  bench = await workbench({ files, mode: 'trusted' });
  bench.human(approveAll);
  symlinkSync('work', join(bench.folder, 'link'));
  execFileSync('git', ['init', '-q', '-b', 'main', bench.root]);
  model = await modelCalls(bench);
});
afterAll(async () => await bench[Symbol.asyncDispose]());

function reset(): void {
  for (const name of ['src', 'docs', 'new', 'README.md', 'a.txt', 'a.json', 'note.txt'])
    rmSync(join(bench.root, name), { recursive: true, force: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(bench.root, path)), { recursive: true });
    writeFileSync(join(bench.root, path), content);
  }
}

function filledIn({ tool, args }: Call): Call {
  const found = long.slice(99, 260).join('');
  const expected = found.replace('value250 = 250', 'value250 = 251');
  const text = JSON.stringify(args)
    .replaceAll('$ROOT', bench.root)
    .replaceAll('$LINK', join(bench.folder, 'link'))
    .replaceAll('"$LONG"', JSON.stringify(expected))
    .replaceAll('"$FOUND"', JSON.stringify(found));
  return { tool, args: JSON.parse(text) };
}

async function play(call: Call): Promise<{ status: string; told: string }> {
  const { tool, args } = filledIn(call);
  const { outcome, toolText } = await model.call(tool, args);
  return { status: outcome.status, told: toolText.replaceAll(bench.root, '$ROOT') };
}

test.each(mistakes)('$name', async (mistake) => {
  reset();
  const { status, told } = await play(mistake);
  const { applied, refused } = mistake;
  expect({ status, told }).toEqual({
    status: refused === undefined ? 'completed' : 'failed',
    told: refused?.replace('$TOOLS', toolList) ?? applied,
  });
  if (mistake.next !== undefined) expect(await play(mistake.next)).toMatchObject({ status: 'completed' });
});

test('there are at least sixty, and each is told whole', () => {
  expect(mistakes.length).toBeGreaterThanOrEqual(60);
  for (const { name, applied, refused } of mistakes)
    expect([name, applied ?? refused]).not.toEqual([name, undefined]);
});
