// Calls that models write into their text: in which forms they are found, and what is only an example.
import { describe, expect, test } from 'vitest';
import { recoverCalls } from '../../packages/agent/src/llm/reply/recover-calls.ts';
import { ask, modelAt, shownText, tools } from '../support/ask-model.ts';
import { chatStream, modelServer } from '../support/model-server.ts';

describe('calls written as text', () => {
  test.each([
    ['Fine.\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tool_call>', 'Fine.'],
    ['<tool_call>{"name":"read_file","arguments":"{\\"path\\":\\"a\\"}"}', ''],
    ['Go: <function=read_file><parameter=path>\na\n</parameter></function> done', 'Go:  done'],
    ['<tool_call>\n<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>', ''],
    [
      'Look.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{"path":"a"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      'Look.',
    ],
    [
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path":"a"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      '',
    ],
    [
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path":"a"}<|tool_call_end|><|tool_calls_section_end|>',
      '',
    ],
    ['<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path":"a"}<|call|>', ''],
    ['{"name": "read_file", "arguments": {"path": "a"}}', ''],
    ['[TOOL_CALLS][{"name": "read_file", "arguments": {"path": "a"}}]', ''],
    ['[TOOL_CALLS]read_file[ARGS]{"path": "a"}', ''],
    ['<|tool_call|>[{"name": "read_file", "arguments": {"path": "a"}}]', ''],
    ['Look.\n<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>', 'Look.'],
    [
      '<function_calls>\n<invoke name="read_file">\n<parameter name="path">a</parameter>\n</invoke>\n</function_calls>',
      '',
    ],
    [
      '<minimax:tool_call>\n<invoke name="read_file">\n<parameter name="path">a</parameter>\n</invoke>\n</minimax:tool_call>',
      '',
    ],
  ])('%s', (text, remainingText) => {
    expect(recoverCalls(text, tools)).toEqual({
      text: remainingText,
      calls: [{ tool: 'read_file', args: { path: 'a' } }],
    });
  });

  test('several of them; numbers become what the schema says', () => {
    const text =
      '<tool_call>{"name":"list_files"}</tool_call>\n<tool_call><function=read_file><parameter=path>7</parameter><parameter=lines>7</parameter></function></tool_call>';
    expect(recoverCalls(text, tools)?.calls).toEqual([
      { tool: 'list_files', args: {} },
      { tool: 'read_file', args: { path: '7', lines: 7 } },
    ]);
  });

  test('broken JSON that names a tool is a call with a problem', () => {
    expect(
      recoverCalls('<tool_call>{"name": "read_file", "arguments": {"path</tool_call>', tools)?.calls,
    ).toMatchObject([{ tool: 'read_file', args: {}, problem: expect.stringContaining("can't be read") }]);
  });

  test.each([
    '<function=read_file>\n<parameter=path>\na',
    '<tool_call><function=read_file><parameter=path>a</parameter>',
    '<invoke name="read_file"><parameter name="path">a',
    '<tool_call>read_file<arg_key>path</arg_key><arg_value>a',
  ])('without its end it is a call, but not when the reply was cut off there: %s', (text) => {
    expect(recoverCalls(text, tools, false)?.calls).toEqual([{ tool: 'read_file', args: { path: 'a' } }]);
    expect(recoverCalls(text, tools, true)?.calls).toEqual([
      { tool: 'read_file', args: {}, problem: expect.stringContaining('cut off') },
    ]);
  });

  test.each([
    'A tool that is not there: <tool_call>{"name":"fly","arguments":{}}</tool_call>',
    'Quoted: `<tool_call>{"name":"list_files","arguments":{}}</tool_call>`',
    '```\n<tool_call>{"name":"list_files","arguments":{}}</tool_call>\n```\nis how it looks.',
    'Indented:\n\n    <tool_call>{"name":"list_files","arguments":{}}</tool_call>\n\nis how it looks.',
    '~~~\n<invoke name="list_files"></invoke>\n~~~\nis how it looks.',
    'An example:\n```json\n{"name": "list_files", "arguments": {}}\n```\nwould list them.',
    'An example at the end:\n```json\n{"name": "list_files", "arguments": {}}\n```',
    '```tool_call\n{"name": "list_files", "arguments": {}}\n```',
    'So: `<|tool_call_begin|>list_files:0<|tool_call_argument_begin|>{}<|tool_call_end|>`',
    '{"name": "hello-shop", "version": "1.0.0"}',
    'a < b and <b>bold</b>',
  ])('is no call: %s', (text) => {
    expect(recoverCalls(text, tools)).toBeUndefined();
  });

  test('nobody is shown the call, and the text goes on after what looked like one', async () => {
    const textStream = (parts: string[]) =>
      chatStream([
        ...parts.map((content) => ({ choices: [{ delta: { content } }] })),
        { choices: [{ delta: {}, finish_reason: 'stop' }] },
      ]);
    const call = ['Let me look. <to', 'ol_call>{"name":"list_', 'files","arguments":{}}</tool', '_call>'];
    const plainParts = ['if a <', ' b then <tool', 'box> and <tool_call>', ' is a tag'];
    await using server = await modelServer([
      { pieces: [textStream(call)] },
      { pieces: [textStream(plainParts)] },
    ]);
    const model = await modelAt(server.url);
    const { reply, events } = await ask(model);
    expect(reply).toMatchObject({
      text: 'Let me look.',
      calls: [{ tool: 'list_files', args: {} }],
      stop: 'calls',
    });
    expect(shownText(events)).toBe('Let me look. ');
    const other = await ask(model);
    expect([other.reply.text, other.reply.calls]).toEqual([plainParts.join(''), []]);
    expect(shownText(other.events)).toBe(plainParts.join(''));
  });
});
