// The steps of a demo turn so far, read from the messages, and the next step.
import type { ModelMessage } from '../model.ts';

/** The current turn: the user's last message, and the calls since. */
export type FinishedCall = { tool: string; args: Record<string, unknown>; result: string; isError: boolean };

export type DemoTurn = { text: string; finishedCalls: FinishedCall[] };

export function readDemoTurn(messages: readonly ModelMessage[]): DemoTurn {
  const start = messages.findLastIndex(({ role }) => role === 'user');
  const request = messages[start];
  const since = messages.slice(start + 1);
  const calls = since.flatMap((message) => (message.role === 'assistant' ? message.reply.calls : []));
  const finishedCalls = since.flatMap((message): FinishedCall[] => {
    if (message.role !== 'tool') return [];
    const args = calls.find(({ id }) => id === message.callId)?.args ?? {};
    return [{ tool: message.tool, args, result: withoutNumbers(message.text), isError: message.isError }];
  });
  return { text: request?.role === 'user' ? withoutFiles(request.text) : '', finishedCalls };
}

/** Attached files follow the user's text in a message. */
function withoutFiles(text: string): string {
  const files = text.indexOf('\n\n<file path=');
  return (files === -1 ? text : text.slice(0, files)).trim();
}

/** The lines of a file, without line numbers and without the note after them. */
function withoutNumbers(text: string): string {
  if (!/^\d+\t/.test(text)) return text;
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => line.replace(/^\d+\t/, '')).join('\n');
}

/** One reply of the demo model: its text and its calls. */
export type DemoStep = { text: string; calls: { tool: string; args: Record<string, unknown> }[] };
