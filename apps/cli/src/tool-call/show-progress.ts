// What a running call has come to, shown while it runs: as messages of the dialect when they are wanted, else to a person who watches.
import { isatty } from 'node:tty';
import type { AskedCall, Dialect, Message } from '@codelab/dialects';
import { type ToolCall, visible } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import { writeText } from '../output/write-text.ts';

type Options = {
  host: Host;
  call: ToolCall;
  asked: AskedCall;
  dialect: Dialect;
  isStreaming: boolean;
  print(message: Message): void;
};

export function showProgress({ host, call, asked, dialect, isStreaming, print }: Options): Disposable {
  const stop = host.progress.watch(call.session, (told, data) => {
    if (told.id !== call.id) return;
    if (isStreaming && dialect.streams) print({ type: 'progress', asked, data });
    else if (isatty(2)) writeText(2, shown(data));
  });
  return { [Symbol.dispose]: stop };
}

function shown(data: Record<string, unknown>): string {
  return [data.stdout, data.stderr].map((text) => (typeof text === 'string' ? visible(text) : '')).join('');
}
