// A dialect of your own: the same tools under other names, with other shapes, on a wire that you define. Both directions are pure functions.
import {
  type DialectMessage,
  type Json,
  type MessageWriter,
  makeDialect,
  plainPaths,
  refuse,
  type WireTool,
} from '@codelab/dialects';
import { ToolError } from '@codelab/protocol';
import { runCall } from '@codelab/runtime';
import { compose } from '@codelab/server';
import * as z from 'zod/mini';
import { temporaryWorkspace } from './temporary-workspace.ts';

// A row per tool: its name and input on the wire, how that becomes the core's input, and how the core's data becomes the wire's result.
const save: WireTool = {
  name: 'save',
  tool: 'write_file',
  input: () => z.strictObject({ file: z.string(), text: z.string() }),
  names: { file: 'path', text: 'content' },
  toCore: ({ file, text }) => ({ path: file, content: text }),
  toWire: ({ bytes_written }, { file }) => ({ file, bytes: bytes_written }),
};

// The form of each message.
const writer: MessageWriter = {
  call: ({ id, wire }) => ({ type: 'tool_call', call_id: id, tool_name: wire.tool, args: wire.args }),
  approval: ({ id, wire }, { plan }) => ({ ask: id, tool: wire.tool, what: plan.summary }),
  decision: (callId, { kind }) => ({ type: 'decision', call_id: callId, decision: kind }),
  completed: ({ id }, { result }) => ({ done: id, result }),
  endedBadly: ({ id }, { error }) => ({ failed: id, code: error.code, why: error.message }),
};

const dialect = makeDialect({ name: 'codelab', tools: [save], paths: plainPaths, writer });

using place = temporaryWorkspace();
await using composed = await compose({ ...place, mode: 'review', env: {} });
await answer({
  type: 'tool_call',
  call_id: '1',
  tool_name: 'save',
  args: { file: 'a.txt', text: 'hello\n' },
});
await answer({ type: 'tool_call', call_id: '2', tool_name: 'save', args: { file: '../a.txt', text: '' } });
await answer({ type: 'tool_call', call_id: '3', tool_name: 'save', args: { path: 'a.txt' } });

async function answer(message: Json): Promise<void> {
  const asked = { id: String(message.call_id), wire: { tool: String(message.tool_name), args: {} } };
  try {
    const decoded = dialect.decode(message);
    if (decoded.type !== 'call') return;
    const { id, tool, args } = decoded.call;
    const outcome = await runCall(composed.host, { id, session: 'example', dialect: 'codelab', tool, args });
    print({ type: 'result', asked: decoded.call, outcome });
  } catch (error) {
    // An unreadable message is answered in the same form, with the caller's id.
    if (!(error instanceof ToolError)) throw error;
    print(refuse(asked, error));
  }
}

function print(message: DialectMessage): void {
  console.log(JSON.stringify(dialect.encode(message)));
}
