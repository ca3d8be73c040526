// `codelab config`, and what a fault in a configuration file fails.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '@codelab/server';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { codelabProgram } from '../support/codelab-program.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const scratch = scratchFolder({ files: { 'a.txt': 'one\n' } });
const file = join(scratch.home, 'config.json');
const workspaceFile = join(scratch.root, '.codelab', 'config.json');
const readsFile = ['tool', 'read_file', '{"path":"a.txt"}'];

afterAll(() => scratch[Symbol.dispose]());
beforeEach(() => {
  chmodSync(scratch.home, 0o700);
  rmSync(file, { force: true });
  rmSync(join(scratch.root, '.codelab'), { recursive: true, force: true });
});

describe('a fault in config.json', () => {
  test('of an unknown setting names it, the file with its line and the nearest one; nothing runs, and doctor is red', () => {
    writeFileSync(file, '{\n  // mine\n  "polcy": { "mode": "strict" },\n}\n');
    const fault = `${file}:3: There is no setting \`polcy\`. Did you mean \`policy\`?`;
    const refused = codelab(...readsFile);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      error: { code: 'INVALID_ARGUMENTS', message: fault },
    });
    const { code, stdout } = codelab('doctor');
    expect(code).toBe(1);
    expect(stdout).toContain(`✖ configuration`);
    expect(stdout).toContain(fault);
    expect(codelab('config')).toMatchObject({ code: 1, stderr: `codelab: ${fault}\n` });
    for (const other of [['sessions'], ['audit', 'verify'], ['tools']])
      expect(codelab(...other)).toMatchObject({ code: 0, stderr: '' });
  });

  test.each([
    ['{"policy":{"mode":"strct"}}', '1: `policy.mode` must be one of: strict,'],
    [
      '{"limits":{\n"paralel":2}}',
      '2: There is no setting `limits.paralel`. Did you mean `limits.parallel`?',
    ],
    ['{"limits":{"commands":"x"}}', '1: `limits.commands` must be a number.'],
    ['{"limits":{"commands":0}}', '1: `limits.commands` must be more than 0.'],
    ['{"policy":[]}', '1: `policy` must be an object.'],
    ['{"colour":"red"}', '1: There is no setting `colour`. Settings are: model, '],
    ['{\n/*\n*/"policy":}', ':3: Not valid JSON'],
    ['{,}', 'Not valid JSON'],
  ])('%j is told, and fails calls', async (text, message) => {
    writeFileSync(file, text);
    const { home, root } = scratch;
    await expect(loadConfig({ home, root, mode: undefined, env: {} })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
      message: expect.stringContaining(message),
    });
  });

  test('of a setting that calls can do without is told and fails only what needs it', () => {
    writeFileSync(
      file,
      '{\n"mcp":{"servers":{"a":{"command":"x","argz":[]}}},\n"audit":{"anchors":[{"fil":"/x"}]},\n"limits":{"parallel":2}}',
    );
    const { code, stderr } = codelab(...readsFile);
    expect(code).toBe(0);
    expect(stderr).toContain(
      `${file}:2: There is no setting \`mcp.servers.a.argz\`. Did you mean \`mcp.servers.a.args\`? The setting is not used.`,
    );
    expect(stderr).toContain(`${file}:3: There is no setting \`audit.anchors.0.fil\``);
    const { code: red, stdout } = codelab('doctor');
    expect(red).toBe(1);
    expect(stdout).toMatch(/calls at once +2 of each session/);
    expect(codelab('sessions').stderr).toContain('No anchor is used');
  });

  test('in the workspace’s file fails calls there, and only there', () => {
    mkdirSync(join(scratch.root, '.codelab'));
    writeFileSync(workspaceFile, '{"policy":{"ruls":[]}}');
    expect(JSON.parse(codelab(...readsFile).stdout).error.message).toBe(
      '.codelab/config.json:1: There is no setting `policy.ruls`. Did you mean `policy.rules`?',
    );
    expect(codelab('tool', 'list_files', '{}', '--workspace', scratch.folder).code).toBe(0);
  });
});

describe('codelab config', () => {
  test('sets and unsets one setting; comments stay, the file is private, and what is invalid is not written', () => {
    writeFileSync(file, '{\n  // how much runs unasked\n  "policy": { "mode": "strict" }, // mine\n}\n');
    expect(codelab('config', 'set', 'policy.mode', 'balanced').code).toBe(0);
    expect(codelab('config', 'set', 'limits.commands', '4').code).toBe(0);
    const text = readFileSync(file, 'utf8');
    expect(text).toBe(
      '{\n  // how much runs unasked\n  "policy": { "mode": "balanced" },\n  "limits": {\n    "commands": 4\n  }, // mine\n}\n',
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const [key = '', value = '', code, message] of [
      ['policy.mod', 'strict', 2, 'Did you mean `policy.mode`?'],
      ['policy.mode', 'strct', 1, 'Did you mean strict?'],
      ['limits.commands', 'four', 2, 'limits.commands takes JSON (integer)'],
      ['limits.commands', '0', 1, 'must be more than 0'],
    ] as const)
      expect(codelab('config', 'set', key, value)).toMatchObject({
        code,
        stdout: '',
        stderr: expect.stringContaining(message),
      });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(codelab('config', 'get', 'policy.mode').stdout).toBe('balanced\n');
    expect(codelab('config', 'get', 'limits').stdout).toBe('{"commands":4}\n');
    expect(codelab('config', 'unset', 'limits.commands').code).toBe(0);
    expect(codelab('config', 'unset', 'limits.commands').code).toBe(1);
    expect(codelab('config', 'get', 'limits.commands')).toMatchObject({ code: 1, stdout: '' });
  });

  test('lists each setting with where it stands and whether it counts', () => {
    codelab('config', 'set', 'policy.mode', 'balanced');
    codelab('config', 'set', 'limits.parallel', '2');
    for (const [key = '', value = ''] of [
      ['policy.mode', 'strict'],
      ['limits.parallel', '9'],
      ['limits.reads', '9'],
      ['sandbox', 'required'],
    ])
      codelab('config', 'set', key, value, '--scope', 'workspace');
    const rows = () =>
      JSON.parse(codelab('config', 'list', '--json').stdout).settings.map(
        ({ key, value, from, note }: Record<string, unknown>) => [key, value, from, note],
      );
    const overridden = expect.stringMatching(/^overridden by \.codelab\/config\.json:\d+$/);
    expect(rows()).toEqual([
      ['limits.parallel', 9, 'workspace', 'not trusted: it can only tighten policy'],
      ['limits.parallel', 2, 'user', undefined],
      ['limits.reads', 9, 'workspace', 'not used: only your own file can set it'],
      ['policy.mode', 'strict', 'workspace', undefined],
      ['policy.mode', 'balanced', 'user', overridden],
      ['sandbox', 'required', 'workspace', undefined],
    ]);
    expect(codelab('policy', 'trust', '--json').code).toBe(0);
    expect(rows().slice(0, 2)).toEqual([
      ['limits.parallel', 9, 'workspace', undefined],
      ['limits.parallel', 2, 'user', overridden],
    ]);
    expect(codelab('config', 'get', 'limits.parallel').stdout).toBe('9\n');
    expect(codelab('config', 'list', '--all').stdout).toMatch(/^audit\.anchors +not set$/m);
  });

  test('a secret is not shown unless it is asked for', () => {
    const variable = ['$', '{NAME}'].join('');
    const server = JSON.stringify({ command: 'x', env: { TOKEN: 'sk-12345', NAME: variable } });
    const set = codelab('config', 'set', 'mcp.servers.gh', server);
    codelab('config', 'set', 'mcp.servers.web.url', 'https://example.com/mcp?key=sk-12345');
    codelab('config', 'set', 'mcp.servers.web.headers', '{"X-Any":"sk-12345"}');
    const outputs = [set, codelab('config'), codelab('config', '--json'), codelab('config', 'get', 'mcp')];
    for (const { code, stdout, stderr } of outputs) {
      expect(code).toBe(0);
      expect(stdout + stderr).not.toContain('sk-12345');
    }
    expect(codelab('config').stdout).toContain(variable);
    expect(codelab('config', 'get', 'mcp.servers.gh.env.TOKEN', '--show-secrets').stdout).toBe('sk-12345\n');
  });

  test('a linked .codelab folder is not written through', () => {
    spawnSync('ln', ['-s', scratch.home, join(scratch.root, '.codelab')]);
    const { code, stderr } = codelab('config', 'set', 'policy.mode', 'trusted', '--scope', 'workspace');
    expect(code).toBe(1);
    expect(stderr).toContain('.codelab');
    expect(() => readFileSync(file)).toThrow();
  });
});

function codelab(...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const { CODELAB_MODE: _mode, CODELAB_MODEL: _model, ...rest } = process.env;
  const env = { ...rest, CODELAB_HOME: scratch.home, NO_COLOR: '1' };
  const options = { cwd: scratch.root, env, input: '', encoding: 'utf8' as const, timeout: 20_000 };
  const { status, stdout, stderr } = spawnSync(process.execPath, [codelabProgram, ...args], options);
  return { code: status, stdout, stderr };
}
