// Reading shell lines against real shells and a second grammar, and at its limits.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Language, type Node, Parser } from 'web-tree-sitter';
import { type LineReading, readLine } from '../../packages/runtime/src/policy/shell/read-line.ts';
import { Workspace } from '../../packages/runtime/src/workspace/workspace.ts';
import { readCorpus } from '../support/read-corpus.ts';
import { sampleRepository } from '../support/sample-repository.ts';
import { shellSoup } from '../support/shell-soup.ts';

const scratch = sampleRepository();
const workspace = Workspace.open(scratch.root);
afterAll(() => {
  workspace[Symbol.dispose]();
  scratch[Symbol.dispose]();
});

const read = (line: string): Promise<LineReading> => readLine(line, { workspace, cwd: '' });

async function verdictOf(line: string): Promise<string> {
  const { parts } = await read(line);
  if (parts.some(({ verdict }) => verdict === 'deny')) return 'deny';
  return parts.every(({ verdict }) => verdict === 'allow') ? 'allow' : 'ask';
}

describe('a second grammar', () => {
  let parser: Parser;
  beforeAll(async () => {
    await Parser.init();
    const wasm = createRequire(import.meta.url).resolve('tree-sitter-bash/tree-sitter-bash.wasm');
    parser = new Parser();
    parser.setLanguage(await Language.load(wasm));
  });

  /** Names of commands that stand plainly in the tree. */
  function namesIn(line: string): string[] {
    const names: string[] = [];
    const visit = (node: Node | null): void => {
      if (node === null) return;
      if (node.type === 'command_name' && /^[\w./-]+$/.test(node.text)) names.push(node.text);
      for (const child of node.children) visit(child);
    };
    const tree = parser.parse(line);
    visit(tree?.rootNode ?? null);
    tree?.delete();
    return names;
  }

  async function passedOver(line: string): Promise<string[]> {
    const { parts } = await read(line);
    if (parts.some(({ verdict }) => verdict !== 'allow')) return [];
    const known = new Set(parts.flatMap(({ words }) => words));
    return namesIn(line).filter((name) => !known.has(name));
  }

  test('finds no program in an allowed line that was passed over', async () => {
    const lines = [...readCorpus('everyday.txt'), ...readCorpus('bypass.txt')].map(({ line }) => line);
    for (const line of lines)
      expect({ line, passedOver: await passedOver(line) }).toEqual({ line, passedOver: [] });
    await fc.assert(
      fc.asyncProperty(shellSoup, async (line) => {
        expect(await passedOver(line)).toEqual([]);
      }),
      { numRuns: 1500 },
    );
  });
});

describe('real shells', () => {
  // Reads without running; many lines in one process would end at the first fault.
  const rejects = (shell: string, line: string): boolean => spawnSync(shell, ['-n', '-c', line]).status !== 0;

  test('what they can’t read is never allowed, or harmless as far as it goes', {
    timeout: 60_000,
  }, async () => {
    const allowed: string[] = [];
    for (const line of fc.sample(shellSoup, { numRuns: 4000, seed: 11 }))
      if ((await verdictOf(line)) === 'allow') allowed.push(line);
    const disputed = allowed.filter((line) => rejects('dash', line) && rejects('bash', line));
    expect(disputed).toEqual([]);
    expect(allowed.length).toBeGreaterThan(10);
  });

  test('what both read and the grammar does not is denied', async () => {
    const open = ['echo "', 'ls (', 'ls &&', 'if ls', 'echo $(', 'cat <<E\nx', 'ls \\'];
    for (const line of open) expect([line, await verdictOf(line)]).toEqual([line, 'deny']);
  });
});

describe('limits', () => {
  const hostile: [string, string][] = [
    ['51 programs', Array(51).fill('ls').join('; ')],
    ['500 programs', Array(500).fill('ls').join('; ')],
    ['50 000 programs', 'a;'.repeat(50_000)],
    ['1 MB', `ls ${'a'.repeat(1 << 20)}`],
    ['10 000 arguments', `ls ${'a '.repeat(10_000)}`],
    ['open substitutions', '$('.repeat(10_000)],
    ['nested substitutions', `${'echo $('.repeat(150)}ls${')'.repeat(150)}`],
    ['open quotes', '"$('.repeat(10_000)],
    ['10 000 quotes', `ls ${'"'.repeat(10_000)}`],
    ['open braces', '{a,'.repeat(10_000)],
    ['brackets', '(('.repeat(10_000)],
    ['here-documents', '<<E '.repeat(10_000)],
    ['backticks', '`'.repeat(10_001)],
    ['wrappers', `${'nice '.repeat(1000)}ls`],
    [
      'shells in shells',
      Array(40)
        .fill(0)
        .reduce<string>((line) => `sh -c ${JSON.stringify(line)}`.slice(0, 60_000), 'ls'),
    ],
    ['nested loops', `${'while true; do '.repeat(500)}ls${'; done'.repeat(500)}`],
    ['parameters', `echo ${'${x:-'.repeat(5000)}`],
  ];

  test.each(hostile)('%s: denied, and quickly', async (_name, line) => {
    const times: number[] = [];
    for (let i = 0; i < 3; i++) {
      const begin = performance.now();
      expect(await verdictOf(line)).toBe('deny');
      times.push(performance.now() - begin);
    }
    // The other tests run at the same time.
    expect(Math.min(...times)).toBeLessThan(100);
  });

  test('fifty programs are still read', async () => {
    expect(await verdictOf(Array(50).fill('ls').join('; '))).toBe('allow');
  });

  test('no text at all makes it throw', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(shellSoup, fc.string({ unit: 'binary', maxLength: 60 })), async (line) => {
        expect((await read(line)).parts.length).toBeGreaterThan(0);
      }),
      { numRuns: 1500 },
    );
  });
});

test('a name that looks like another is named', async () => {
  const { parts } = await read('\u0441at README.md');
  expect(parts[0]).toMatchObject({
    verdict: 'ask',
    mustAsk: true,
    reason: "The program's name holds U+0441 (с), so it is not the one it looks like.",
  });
});
