// A model that repeats the message word by word, as a real one streams; each process has its own words.
import { setTimeout as pause } from 'node:timers/promises';
import type { Model } from '@codelab/agent';
import { scriptedModel } from './scripted-model.ts';

export function slowEcho(wordMs: number): Model {
  return {
    ...scriptedModel([]),
    async *stream({ messages }, signal) {
      const lastMessage = messages.findLast(({ role }) => role === 'user');
      const text = `${process.pid} answers: ${lastMessage?.role === 'user' ? lastMessage.text : ''}`;
      for (const word of text.split(/(?<= )/)) {
        yield { type: 'text', delta: word };
        await pause(wordMs, undefined, { signal });
      }
      const usage = { inputTokens: 1, outputTokens: 1 };
      yield { type: 'reply', reply: { model: 'scripted', text, calls: [], usage, stop: 'end' } };
    },
  };
}
