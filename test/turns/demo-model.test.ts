// The demo model by itself: what it understands, what it says about itself, and that it depends on the conversation only.
import { type ModelRequest, openModel } from '@codelab/agent';
import { expect, test } from 'vitest';
import { parseRequest } from '../../packages/agent/src/demo/demo-requests.ts';
import { ask, shownText } from '../support/ask-model.ts';

const names = [
  'read_file',
  'list_files',
  'search_in_project',
  'edit_file',
  'multi_edit',
  'run_command',
  'undo',
];

function request(text: string, tools = names): ModelRequest {
  return {
    system: '',
    messages: [{ role: 'user', text }],
    tools: tools.map((name) => ({ name, summary: '', input: {} })),
  };
}

test.each([
  ['read src/a.js', 'read_file', { path: 'src/a.js' }],
  ['list', 'list_files', { path: '.', recursive: true }],
  ['list src', 'list_files', { path: 'src' }],
  ['find "two words" in src', 'search_in_project', { query: 'two words', path: 'src' }],
  ['search for total', 'search_in_project', { query: 'total' }],
  [
    'replace a by b in f.txt',
    'edit_file',
    { path: 'f.txt', old_string: 'a', new_string: 'b', replace_all: true },
  ],
  [
    'replace `x by y` with "z in w" in f.txt',
    'edit_file',
    { path: 'f.txt', old_string: 'x by y', new_string: 'z in w', replace_all: true },
  ],
  ['write a.txt: hello', 'write_file', { path: 'a.txt', content: 'hello\n' }],
  ['delete a.txt', 'delete_file', { path: 'a.txt' }],
  ['run npm test -- -x', 'run_command', { command: 'npm test -- -x' }],
  ['run the tests', 'run_command', { command: 'npm test' }],
  ['list all the files', 'list_files', { path: '.', recursive: true }],
  ['Undo!', 'undo', {}],
  ['call git_log {"limit": 2}', 'git_log', { limit: 2 }],
])('%s', (text, tool, args) => {
  expect(parseRequest(text)).toEqual({ kind: 'call', tool, args });
});

test('anything else is the tour; a call without arguments that can be read is asked for again', () => {
  expect(parseRequest('Make it better')).toEqual({ kind: 'tour' });
  expect(parseRequest('help')).toEqual({ kind: 'help' });
  expect(parseRequest('call x {')).toMatchObject({ kind: 'unclear' });
});

test('its first words say what it is, and the same conversation gets the same answer', async () => {
  const model = await openModel('demo', { env: {} });
  const first = await ask(model, request('demo'));
  expect(first.reply.text).toMatch(/^I am the demo model: a script, no AI/);
  expect(shownText(first.events)).toBe(first.reply.text);
  expect(await ask(model, request('demo'))).toEqual(first);
});

test('a tool that is not offered is not called', async () => {
  const model = await openModel('demo', { env: {} });
  const { reply } = await ask(model, request('run ls', ['read_file']));
  expect(reply).toMatchObject({
    calls: [],
    text: expect.stringContaining('`run_command`, but there is none here'),
  });
});
