// The one table of names: every edit tool asks about each of them in trusted mode, every reader about each secret.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Outcome } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import {
  isProtectedPath,
  protectedNames,
  secretNames,
} from '../../packages/runtime/src/policy/protected-names.ts';
import { codeOf } from '../support/code-of.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

/** A path that the pattern stands for. */
function pathOf(pattern: string): string {
  const path = pattern
    .replace(/^\*\*\//, 'deep/')
    .replace(/\/\*\*$/, '/file')
    .replaceAll('*', 'x');
  return path;
}

const refusing = (bench: Workbench): { asked: number } => {
  const questions = { asked: 0 };
  bench.human(() => {
    questions.asked++;
    return { kind: 'reject' };
  });
  return questions;
};

function writeText(bench: Workbench, path: string, content: string): void {
  mkdirSync(dirname(join(bench.root, path)), { recursive: true });
  writeFileSync(join(bench.root, path), content);
}

const notebook = JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 });

describe('edit tools in trusted mode', () => {
  const paths = protectedNames.map(pathOf);

  test('there are some three hundred names', () => {
    expect(paths.length).toBeGreaterThan(250);
  });

  test('ask about each name that is made, at any depth', async () => {
    await using bench = await workbench({ mode: 'trusted', files: { 'a.txt': 'a\n' } });
    refusing(bench);
    const outcomesFor = async (path: string): Promise<[string, string][]> => {
      const outcomes: [string, Outcome][] = [
        ['write_file', await bench.call('write_file', { path, content: 'x\n' })],
        ['move_file', await bench.call('move_file', { from: 'a.txt', to: path })],
        ['apply_patch', await bench.call('apply_patch', { diff: creating(path) })],
        ['create_directory', await bench.call('create_directory', { path })],
      ];
      return outcomes.map(([tool, outcome]) => [`${tool} ${path}`, codeOf(outcome)]);
    };
    for (const path of paths) {
      const nested = path.startsWith('.github') || path.includes('/') ? path : `sub/${path}`;
      const answers = await outcomesFor(nested);
      expect(answers).toEqual(answers.map(([label]) => [label, 'REJECTED']));
    }
  }, 240_000);

  test('ask about each name that is changed, moved away or deleted', async () => {
    await using bench = await workbench({ mode: 'trusted', files: { 'a.txt': 'a\n' } });
    refusing(bench);
    const files = paths.filter((path) => !path.endsWith('/file'));
    for (const path of files) writeText(bench, `s/${path}`, 'x\n');
    for (const name of files) {
      const path = `s/${name}`;
      await bench.call('read_file', { path });
      const edit = { old_string: 'x', new_string: 'y' };
      const answers: [string, Outcome][] = [
        ['edit_file', await bench.call('edit_file', { path, ...edit })],
        ['multi_edit', await bench.call('multi_edit', { path, edits: [edit] })],
        ['move_file', await bench.call('move_file', { from: path, to: 'b.txt' })],
        ['delete_file', await bench.call('delete_file', { path })],
      ];
      expect(answers.map(([tool, outcome]) => `${tool} ${path} ${codeOf(outcome)}`)).toEqual(
        answers.map(([tool]) => `${tool} ${path} REJECTED`),
      );
    }
  }, 240_000);

  test('notebooks below such a name are asked about as well', async () => {
    await using bench = await workbench({ mode: 'trusted', files: { '.vscode/n.ipynb': notebook } });
    const questions = refusing(bench);
    const outcome = await bench.call('notebook_edit', {
      path: '.vscode/n.ipynb',
      cell_number: 0,
      new_source: 'x',
      edit_mode: 'insert',
      cell_type: 'code',
    });
    expect([codeOf(outcome), questions.asked]).toEqual(['REJECTED', 1]);
  });

  test.each(['.ENV', '.env.', '.e\u200cnv', '.VSCode/tasks.json', 'PACKAGE.JSON', 'makefile', '.Npmrc '])(
    'ask about %j, which some file system takes for one of them',
    async (path) => {
      await using bench = await workbench({ mode: 'trusted' });
      refusing(bench);
      expect(codeOf(await bench.call('write_file', { path, content: 'x' }))).toBe('REJECTED');
    },
  );

  test('other names are not asked about', async () => {
    await using bench = await workbench({ mode: 'trusted' });
    const questions = refusing(bench);
    for (const path of ['src/a.ts', 'README.md', 'env.ts', 'keys.md', 'docs/package.json.md', '.gitignore'])
      expect(codeOf(await bench.call('write_file', { path, content: 'x' }))).toBe('completed');
    expect(questions.asked).toBe(0);
  });
});

describe('readers in trusted mode', () => {
  const secrets = secretNames.filter((name) => name !== '.git').map(pathOf);
  const folded = ['.ENV', 'ID_RSA', 'Server.KEY', '.e\u200cnv', '.NetRC'];

  test('there are more than forty names', () => {
    expect(secrets.length).toBeGreaterThan(40);
  });

  test('reading one is asked about; searches pass all of them by', async () => {
    await using bench = await workbench({ mode: 'trusted', files: { 'a.txt': 'needle\n' } });
    refusing(bench);
    for (const path of [...secrets, ...folded]) writeText(bench, `s/${path}`, 'needle\n');
    for (const path of [...secrets, ...folded])
      expect([path, codeOf(await bench.call('read_file', { path: `s/${path}` }))]).toEqual([
        path,
        'REJECTED',
      ]);
    const found = await bench.call('search_in_project', { query: 'needle' });
    expect(found).toMatchObject({ data: { matches: [{ file: 'a.txt' }], total: 1 } });
    writeFileSync(join(bench.root, '.ignore'), '!.env\n!*.key\n');
    expect(await bench.call('search_in_project', { query: 'needle' })).toMatchObject({ data: { total: 1 } });
    for (const path of ['s/.env', 's/ID_RSA'])
      expect(await bench.call('search_in_project', { query: 'needle', path })).not.toMatchObject({
        status: 'completed',
        data: { total: 1 },
      });
  }, 120_000);
});

function creating(path: string): string {
  return `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`;
}

test('settings that are code, or name code that a tool loads, are in the table', () => {
  const names = `.pylintrc .flake8 mypy.ini .rspec .nycrc .nycrc.json .taprc .swcrc .simple-git-hooks.cjs simple-git-hooks.json
    .storybook/main.ts nodemon.json phpunit.xml phpunit.xml.dist ansible.cfg tasks.py Thorfile Dangerfile Brewfile Tiltfile Earthfile
    skaffold.yaml skaffold.yml project/plugins.sbt sub/project/plugins.sbt knexfile.ts hardhat.config.js drizzle.config.ts
    ecosystem.config.cjs .direnvrc .docker/config.json sub/.docker/config.json .huskyrc .c8rc.json prisma.config.ts`;
  const missing = names.split(/\s+/).filter((name) => !isProtectedPath(name));
  expect(missing).toEqual([]);
  expect(
    ['src/tasks.ts', 'docs/nodemon.md', 'config.json', 'project/notes.txt'].filter(isProtectedPath),
  ).toEqual([]);
});
