// The transport to a server that we start as a program: one JSON message per line, within limits.
import { setTimeout as wait } from 'node:timers/promises';
import { parseBounded } from '@codelab/protocol';
import type { ChildProgram, ChildPrograms } from '@codelab/runtime';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { createLineSplitter, messageLimits } from './message-limits.ts';

type ProgramOrder = {
  argv: readonly string[];
  cwd: string;
  env: Record<string, string>;
  programs: ChildPrograms;
};

const lastWordsMs = 500;
const unreadBytes = 32 * 1024 * 1024;
const stderrChars = 8192;

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  /** The end of its stderr. */
  stderr = '';
  /** Why the connection ended; undefined when we ended it. */
  reason: string | undefined;
  readonly #order: ProgramOrder;
  #program: ChildProgram | undefined;
  #bytes = 0;
  #messages = 0;
  #since = 0;
  #closing: Promise<void> | undefined;

  constructor(order: ProgramOrder) {
    this.#order = order;
  }

  async start(): Promise<void> {
    const { programs, ...order } = this.#order;
    const decoder = new TextDecoder();
    const onStdout = createLineSplitter(
      messageLimits.messageBytes,
      (line) => this.#receive(line),
      () => this.#fail(`It sent a message of more than ${messageLimits.messageBytes} bytes.`),
    );
    const program = await programs.start({
      ...order,
      onBytes: (stream, bytes) => {
        if (this.#closing !== undefined) return;
        if (stream === 'stderr')
          this.stderr = (this.stderr + decoder.decode(bytes, { stream: true })).slice(-stderrChars);
        else if (this.#isWithin(bytes.length)) onStdout(bytes);
      },
    });
    this.#program = program;
    void program.exited.then(async ({ code, signal }) => {
      // The program's last output may still be in the pipe, and a process that it left behind can hold the pipe open.
      await Promise.race([program.silent, wait(lastWordsMs, undefined, { ref: false })]);
      this.#fail(signal === null ? `It ended with exit code ${code}.` : `It was ended by ${signal}.`);
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#program?.stdin;
    if (stdin === undefined || this.#closing !== undefined) throw new Error('The server is gone.');
    if (stdin.writableLength > unreadBytes) throw new Error('The server does not read its input.');
    stdin.write(`${JSON.stringify(message)}\n`);
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  // A flood of output would block everything else, whatever it contains.
  #isWithin(bytes: number): boolean {
    const now = performance.now();
    if (now - this.#since > messageLimits.withinMs) {
      this.#since = now;
      this.#bytes = this.#messages = 0;
    }
    this.#bytes += bytes;
    if (this.#bytes <= messageLimits.streamBytes && this.#messages <= messageLimits.messages) return true;
    this.#fail('It sent too many messages in a short time.');
    return false;
  }

  #receive(line: string): void {
    if (this.#closing !== undefined) return;
    this.#messages++;
    // Some servers print a greeting where only messages belong.
    if (!line.startsWith('{')) return;
    try {
      const { messageBytes: bytes, depth } = messageLimits;
      const message = parseBounded(line, { bytes, depth }) as JSONRPCMessage;
      this.onmessage?.(message);
    } catch (error) {
      this.#fail(
        `It sent a line that is not a JSON-RPC message. ${error instanceof Error ? error.message : error}`,
      );
    }
  }

  #fail(reason: string): void {
    if (this.#closing !== undefined) return;
    this.reason = reason;
    void this.close();
  }

  async #end(): Promise<void> {
    this.onclose?.();
    await this.#program?.end();
  }
}
