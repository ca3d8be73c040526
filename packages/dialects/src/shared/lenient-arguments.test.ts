// Arguments as models send them, and their interpretation; ambiguous ones are refused with a hint.
import { expect, test } from 'vitest';
import { findDialect } from '../dialects.ts';

const codelab = findDialect('codelab');

function read(tool: string, args: Record<string, unknown>): [string, unknown] {
  const { wire } = codelab.ask({ id: 'c', tool, args, isLenient: true });
  return [wire.tool, wire.args];
}

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ['read_file', { file_path: 'a.ts' }, { path: 'a.ts' }],
  [
    'read_file',
    { filePath: 'a.ts', offset: '10', limit: 20 },
    { path: 'a.ts', start_line: 10, max_lines: 20 },
  ],
  ['read_file', { path: 'a.ts', view_range: [3, 9] }, { path: 'a.ts', start_line: 3, end_line: 9 }],
  ['read_file', { path: 'a.ts', view_range: [3, -1] }, { path: 'a.ts', start_line: 3 }],
  ['read_file', { path: 'a.ts', start_line: 0, end_line: null }, { path: 'a.ts', start_line: 1 }],
  ['read_file', { path: ['a.ts'], explanation: 'why' }, { path: 'a.ts' }],
  ['write_file', { path: 'a', file_text: 'x' }, { path: 'a', content: 'x' }],
  [
    'edit_file',
    { target_file: 'a', old_str: 'x', new_str: 'y', replaceAll: 'true' },
    { path: 'a', old_string: 'x', new_string: 'y', replace_all: true },
  ],
  [
    'edit_file',
    { path: 'a', old_string: 'x', new_string: 'y', expected_replacements: 1 },
    { path: 'a', old_string: 'x', new_string: 'y' },
  ],
  [
    'multi_edit',
    { file_path: 'a', edits: '[{"oldText":"x","newText":"y"}]' },
    { path: 'a', edits: [{ old_string: 'x', new_string: 'y' }] },
  ],
  ['run_command', { cmd: 'ls', workdir: 'src', yield_time_ms: 1000 }, { command: 'ls', cwd: 'src' }],
  ['run_command', { command: ['bash', '-lc', 'ls | wc'] }, { command: 'ls | wc' }],
  ['run_command', { command: ['git', 'log', '--format=%h %s'] }, { command: "git log '--format=%h %s'" }],
  ['run_command', { command: 'make', timeout_ms: 120_000 }, { command: 'make', timeout: 120 }],
  ['run_command', { command: 'make', timeout: '30', description: 'Build' }, { command: 'make', timeout: 30 }],
  ['run_command', { command: 'make', run_in_background: false }, { command: 'make' }],
  ['search_in_project', { pattern: 'a+b' }, { query: 'a+b', regex: true }],
  [
    'search_in_project',
    { query: 'a', glob: '*.ts', '-i': true, head_limit: 5 },
    { query: 'a', file_pattern: '*.ts', case_sensitive: false, max_results: 5 },
  ],
  ['apply_patch', { input: '*** Begin Patch' }, { diff: '*** Begin Patch' }],
  ['move_file', { source: 'a', destination: 'b' }, { from: 'a', to: 'b' }],
  ['git.commit', { message: 'm', files: 'a.ts' }, { message: 'm', files: ['a.ts'] }],
  ['prompt_user', { question: 'Go?', options: ['yes', 'no'] }, { message: 'Go?', actions: ['yes', 'no'] }],
])('%s %j is taken for %j', (tool, args, expected) => {
  expect(read(tool, args)).toEqual([tool, expected]);
});

test.each([
  ['readFile', 'read_file'],
  ['functions.read_file', 'read_file'],
  ['read_file<|channel|>commentary', 'read_file'],
])('%s is %s', (requested, tool) => {
  expect(read(requested, { path: 'a' })).toEqual([tool, { path: 'a' }]);
});

test.each<[string, Record<string, unknown>, string]>([
  ['Bash', { command: 'ls' }, 'There is no tool "Bash" here. Use run_command. There are: read_file,'],
  ['read_fle', { path: 'a' }, 'There is no tool "read_fle" here. Use read_file.'],
  [
    'read_file',
    { path: 'a', start_lin: 3 },
    'read_file does not take `start_lin`; it takes: path, start_line, end_line, max_lines. Did you mean `start_line`?',
  ],
  [
    'run_command',
    { command: 'make', timeout: 120_000 },
    'run_command: `timeout` is in seconds; 120000 would be 33 hours. For 120000 milliseconds send 120.',
  ],
  [
    'run_command',
    { command: 'make', run_in_background: true },
    'Start long-running programs with run_persistent, with a `process_id` of your choice.',
  ],
  [
    'edit_file',
    { path: 'a', code_edit: 'x' },
    'edit_file: `old_string` is missing. It does not take `code_edit`; it takes: path, old_string, new_string, replace_all, tolerant. Send the text to replace as `old_string` and its replacement as `new_string`.',
  ],
  ['edit_file', { path: 'a', file_path: 'b', old_string: 'x', new_string: 'y' }, 'does not take `file_path`'],
  ['list_files', { path: 'a', recursive: 'yes' }, 'list_files: `recursive` must be a boolean.'],
  ['git.commit', { message: 'm', files: 'a.ts, b.ts' }, 'git.commit: `files` must be an array.'],
])('%s %j is refused: %s', (tool, args, message) => {
  expect(() => read(tool, args)).toThrow(message);
});

test('a wire keeps its own forms', () => {
  const args = { file_path: 'a', description: 'why' };
  expect(() => codelab.ask({ id: 'c', tool: 'read_file', args })).toThrow(
    'does not take `file_path, description`',
  );
  expect(() => codelab.ask({ id: 'c', tool: 'readFile', args: { path: 'a' } })).toThrow('Use read_file.');
});
