// What a demo turn has done so far, read from the messages, and the step it takes next.
import type { ModelMessage } from '../model.ts';

/** The turn that is going on: what the user said last, and what has been done since. */
export type FinishedCall = { tool: string; args: Record<string, unknown>; result: string; isError: boolean };

export type DemoTurn = { text: string; done: FinishedCall[] };

export function readDemoTurn(messages: readonly ModelMessage[]): DemoTurn {
  const start = messages.findLastIndex(({ role }) => role === 'user');
  const asked = messages[start];
  const since = messages.slice(start + 1);
  const calls = since.flatMap((message) => (message.role === 'assistant' ? message.reply.calls : []));
  const done = since.flatMap((message): FinishedCall[] => {
    if (message.role !== 'tool') return [];
    const args = calls.find(({ id }) => id === message.callId)?.args ?? {};
    return [{ tool: message.tool, args, result: withoutNumbers(message.text), isError: message.isError }];
  });
  return { text: asked?.role === 'user' ? withoutFiles(asked.text) : '', done };
}

/** Files that were put before the model come after what was said. */
function withoutFiles(text: string): string {
  const files = text.indexOf('\n\n<file path=');
  return (files === -1 ? text : text.slice(0, files)).trim();
}

/** The lines of a file, without the numbers before them and the remark after them. */
function withoutNumbers(text: string): string {
  if (!/^\d+\t/.test(text)) return text;
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => line.replace(/^\d+\t/, '')).join('\n');
}

/** One reply of the demo model: what it says, and the calls it makes. */
export type DemoStep = { text: string; calls: { tool: string; args: Record<string, unknown> }[] };
