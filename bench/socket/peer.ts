// A client at a socket that has a number of messages under way and waits for as many answers.
import { once } from 'node:events';
import { WebSocket } from 'ws';

export type Peer = Disposable & {
  /** The time of each answer, and of all together, in milliseconds. */
  ask(messages: readonly string[], atOnce: number): Promise<{ each: number[]; all: number }>;
};

/** `isAnswer` distinguishes answers from other messages of the server. */
export async function openPeer(url: string, isAnswer: (text: string) => boolean): Promise<Peer> {
  const socket = new WebSocket(url);
  let onAnswer = (): void => undefined;
  let onClose = (_error: Error): void => undefined;
  socket.on('message', (data: Buffer) => {
    const text = data.toString('utf8');
    if (isAnswer(text)) onAnswer();
  });
  socket.once('close', () => onClose(new Error('The socket was closed.')));
  await once(socket, 'open');
  return {
    ask(messages, atOnce) {
      const { promise, resolve, reject } = Promise.withResolvers<{ each: number[]; all: number }>();
      onClose = reject;
      const began = performance.now();
      const sentAt: number[] = [];
      const each: number[] = [];
      const send = (): void => {
        const message = messages[sentAt.length];
        if (message === undefined) return;
        sentAt.push(performance.now());
        socket.send(message);
      };
      // Answers may arrive slightly out of order; only their number counts here.
      onAnswer = () => {
        const now = performance.now();
        each.push(now - (sentAt[each.length] ?? now));
        if (each.length === messages.length) resolve({ each, all: now - began });
        else send();
      };
      for (let i = 0; i < atOnce; i++) send();
      return promise;
    },
    [Symbol.dispose]: () => socket.terminate(),
  };
}
