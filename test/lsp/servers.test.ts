// The tools about code against real language servers: TypeScript's own, bash-language-server, pylsp and pyright.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LspBench, lspBench, realServers } from '../support/lsp-bench.ts';
import { approveAll } from '../support/workbench.ts';

const files = {
  'tsconfig.json': '{"compilerOptions":{"strict":true,"module":"nodenext"}}\n',
  'src/greet.ts':
    '/** Says hello. */\nexport function greet(name: string): string {\n  return "hi 😀 " + nam;\n}\n',
  'src/übung eins/main file.ts':
    'import { greet } from "../greet.js";\r\n\r\nconst a = "😀😀"; const b: number = greet("x");\r\nexport default [a, b, greet];\r\n',
  'deploy.sh': '#!/bin/bash\nsource ./lib.sh\nif [ ; then\n  hello\nfi\n',
  'lib.sh': '# Prints a greeting.\nhello() {\n  echo hi\n}\n',
  'app/main.py': 'from app.tools import area\n\nprint(area(2), undefined_name)\n',
  'app/tools.py': 'def area(width: int) -> int:\n    """The area of a square."""\n    return width * width\n',
  'app/__init__.py': '',
};

type Diagnostic = {
  severity: string;
  message: string;
  range: { start: { line: number; character: number } };
};

let bench: LspBench;
beforeAll(async () => {
  const { ts, sh } = realServers;
  bench = await lspBench({ files, lsp: { servers: { ts, sh, py: { command: 'pylsp' } } }, mode: 'review' });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  expect(bench.processes()).toBe(0);
});

async function errorsIn(path: string, lsp: LspBench = bench): Promise<string[]> {
  const data = await lsp.ask('lsp_diagnostics', { path });
  expect(data).toMatchObject({ ok: true, server_status: 'active' });
  const all = data.diagnostics as Diagnostic[];
  return all
    .filter(({ severity }) => severity === 'error')
    .map((diagnostic) => `${diagnostic.range.start.line}: ${diagnostic.message}`);
}

const main = 'src/übung eins/main file.ts';

test('TypeScript: an error is found, fixed by an edit, and gone; another file is seen to be in order, too', async () => {
  expect(await errorsIn('src/greet.ts')).toEqual(["2: Cannot find name 'nam'. Did you mean 'name'?"]);
  await bench.ask('edit_file', { path: 'src/greet.ts', old_string: 'nam;', new_string: 'name;' });
  expect(await errorsIn('src/greet.ts')).toEqual([]);
  expect(await errorsIn(main)).toEqual(["2: Type 'string' is not assignable to type 'number'."]);
  // The change comes from an editor, not from a call.
  writeFileSync(
    join(bench.root, 'src/greet.ts'),
    files['src/greet.ts'].replace(': string {', ': number {').replace('"hi 😀 " + nam', '1'),
  );
  expect(await errorsIn(main)).toEqual([]);
  writeFileSync(join(bench.root, 'src/greet.ts'), files['src/greet.ts'].replace('nam;', 'name;'));
  expect(await errorsIn(main)).toHaveLength(1);
});

test('TypeScript: hover and definition across files, behind emoji, in a path with blanks and umlauts and CRLF', async () => {
  const line = files[main].split('\r\n')[2] ?? '';
  const place = { path: main, line: 2, character: line.indexOf('greet') };
  expect(await bench.ask('lsp_hover', place)).toMatchObject({
    ok: true,
    contents: expect.stringMatching(/function greet\(name: string\): string[\s\S]*Says hello\./),
  });
  expect(await bench.ask('lsp_definition', place)).toMatchObject({
    ok: true,
    location: {
      path: 'src/greet.ts',
      text: 'export function greet(name: string): string {',
      range: { start: { line: 1, character: 16 }, end: { line: 1, character: 21 } },
    },
  });
  const found = await bench.ask('lsp_references', { path: 'src/greet.ts', line: 1, symbol: 'greet' });
  expect((found.references as { path: string }[]).map(({ path }) => path).sort()).toEqual([
    'src/greet.ts',
    main,
    main,
    main,
  ]);
  const symbols = await bench.ask('lsp_symbols', { path: main });
  expect(symbols.symbols).toContainEqual({
    ...{ name: 'b', kind: 'variable', path: main },
    range: { start: { line: 2, character: 24 }, end: { line: 2, character: 25 } },
  });
});

test('TypeScript: what a definition in the compiler’s own library has is an address, not its content', async () => {
  const data = await bench.ask('lsp_definition', { path: main, line: 2, symbol: 'number' }).catch(() => ({}));
  expect(JSON.stringify(data)).not.toContain('interface Number');
  const text = readFileSync(join(bench.root, main), 'utf8').replace(
    'export default',
    'console.log(a.trim());\r\nexport default',
  );
  writeFileSync(join(bench.root, main), text);
  const { location } = (await bench.ask('lsp_definition', { path: main, line: 3, symbol: 'trim' })) as {
    location: { uri: string; path?: string; text?: string };
  };
  expect(location.uri).toMatch(/lib\..*\.d\.ts$/);
  expect([location.path, location.text]).toEqual([undefined, undefined]);
  writeFileSync(join(bench.root, main), files[main]);
});

test('a shell script: the error of shellcheck goes with an edit, and a function is found in the file it is sourced from', async () => {
  expect(await errorsIn('deploy.sh')).toContain(
    "2: Couldn't parse this test expression. Fix to allow more checks.",
  );
  await bench.ask('edit_file', { path: 'deploy.sh', old_string: '[ ; then', new_string: 'true; then' });
  expect(await errorsIn('deploy.sh')).toEqual([]);
  expect(await bench.ask('lsp_definition', { path: 'deploy.sh', line: 3, symbol: 'hello' })).toMatchObject({
    location: { path: 'lib.sh', range: { start: { line: 1 } } },
  });
  const hover = await bench.ask('lsp_hover', { path: 'deploy.sh', line: 3, symbol: 'hello' });
  expect(hover.contents).toContain('Prints a greeting.');
});

test('Python with pylsp: an error is found, fixed by an edit, and gone; definition and hover reach the other file', async () => {
  expect(await errorsIn('app/main.py')).toEqual(["2: undefined name 'undefined_name'"]);
  await bench.ask('edit_file', { path: 'app/main.py', old_string: ', undefined_name', new_string: '' });
  expect(await errorsIn('app/main.py')).toEqual([]);
  expect(await bench.ask('lsp_definition', { path: 'app/main.py', line: 2, symbol: 'area' })).toMatchObject({
    location: { path: 'app/tools.py', range: { start: { line: 0, character: 4 } } },
  });
  const hover = await bench.ask('lsp_hover', { path: 'app/main.py', line: 2, symbol: 'area' });
  expect(hover.contents).toContain('The area of a square.');
});

describe('a rename across files', () => {
  const old = { ...files, 'src/greet.ts': files['src/greet.ts'].replace('nam;', 'name;') };
  const rename = { path: 'src/greet.ts', line: 1, symbol: 'greet', new_name: 'welcome' };

  test('is asked, taken by hunk, made in the files alone that were taken, and undone byte for byte', async () => {
    await using strict = await lspBench({
      files: old,
      lsp: { servers: { ts: realServers.ts } },
      mode: 'strict',
    });
    const diffs: string[] = [];
    strict.human((approval) => {
      diffs.push(approval.plan.diff?.text ?? '');
      return diffs.length > 1 ? { kind: 'approve' } : { kind: 'hunks', take: [1] };
    });
    const data = await strict.ask('lsp_rename', rename);
    expect(diffs[0]).toContain('+import { welcome } from "../greet.js";');
    expect(data).toMatchObject({
      ok: true,
      count: 1,
      files: [{ path: 'src/greet.ts', additions: 1, deletions: 1 }],
    });
    expect(readFileSync(join(strict.root, 'src/greet.ts'), 'utf8')).toContain('function welcome(');
    expect(readFileSync(join(strict.root, main), 'utf8')).toBe(files[main]);
    await strict.ask('undo', {});
    expect(readFileSync(join(strict.root, 'src/greet.ts'), 'utf8')).toBe(old['src/greet.ts']);
  });

  test('runs unasked in review mode, keeps CRLF, and is undone as one', async () => {
    writeFileSync(join(bench.root, 'src/greet.ts'), old['src/greet.ts']);
    const data = await bench.ask('lsp_rename', rename);
    expect(data).toMatchObject({ ok: true, count: 2 });
    const text = readFileSync(join(bench.root, main), 'utf8');
    expect(text).toBe(files[main].replaceAll('greet', 'welcome').replace('../welcome.js', '../greet.js'));
    bench.human(approveAll);
    await bench.ask('undo', {});
    expect(readFileSync(join(bench.root, main), 'utf8')).toBe(files[main]);
    expect(readFileSync(join(bench.root, 'src/greet.ts'), 'utf8')).toBe(old['src/greet.ts']);
  });
});

test('a rename takes as many files as use the name, more than a patch of an agent may have', async () => {
  const uses = Array.from({ length: 60 }, (_, i) => `src/use${i}.ts`);
  for (const [i, path] of uses.entries())
    writeFileSync(join(bench.root, path), `import { far } from "./far.js";\nexport const a${i} = far;\n`);
  writeFileSync(join(bench.root, 'src/far.ts'), 'export const far = 1;\n');
  const rename = { path: 'src/far.ts', line: 0, symbol: 'far', new_name: 'near' };
  expect(await bench.ask('lsp_rename', rename)).toMatchObject({ ok: true, count: 61 });
  expect(readFileSync(join(bench.root, 'src/use59.ts'), 'utf8')).toContain('export const a59 = near;');
});

test('Python with pyright: error, edit, definition, hover and a rename across files', async () => {
  const servers = { py: realServers.pyright };
  await using python = await lspBench({ files, lsp: { servers }, mode: 'review' });
  expect(await errorsIn('app/main.py', python)).toEqual(['2: "undefined_name" is not defined']);
  await python.ask('edit_file', { path: 'app/main.py', old_string: ', undefined_name', new_string: '' });
  expect(await errorsIn('app/main.py', python)).toEqual([]);
  const place = { path: 'app/main.py', line: 2, symbol: 'area' };
  expect(await python.ask('lsp_definition', place)).toMatchObject({ location: { path: 'app/tools.py' } });
  expect((await python.ask('lsp_hover', place)).contents).toContain('(width: int) -> int');
  expect(await python.ask('lsp_rename', { ...place, new_name: 'surface' })).toMatchObject({
    ok: true,
    count: 2,
  });
  expect(readFileSync(join(python.root, 'app/tools.py'), 'utf8')).toContain('def surface(');
});
