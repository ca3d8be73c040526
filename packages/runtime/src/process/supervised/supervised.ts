// One supervised process: its output in a ring buffer, its input, and its end, after which none of its processes is left.
import { ToolError } from '@codelab/protocol';
import { cleanOutput, wholeEnd, wholeStart, withoutPartialEscape } from '../capture-output.ts';
import type { Children } from '../children.ts';
import { clearUp, endFamily, killAtOnce } from '../family/family.ts';
import { excessError, limitFamily } from '../family/limit-family.ts';
import {
  type Child,
  type ChildTerminal,
  type Exit,
  type Launch,
  spawnChild,
  spawnTerminal,
} from '../spawn-child.ts';
import { createRing } from '../spill-file.ts';

export type Supervised = {
  pid: number;
  startedAt: string;
  /** Undefined while the process runs. */
  readonly exit: Exit | undefined;
  /** Settles when the process and all its descendants have ended. */
  ended: Promise<Exit>;
  /** Escape sequences are removed, unless a terminal will show the output. */
  read(
    cursor: number,
    mostBytes: number,
    options?: { isRaw: boolean },
  ): { output: string; cursor: number; dropped: number };
  /** Calls back with everything printed from now on; returns how to stop that. */
  follow(onText: (text: string) => void): () => void;
  write(text: string): Promise<number>;
  end(options: { graceMs: number; first?: NodeJS.Signals }): Promise<Exit>;
};

export type SupervisedOrder = Launch & {
  children: Children;
  keptBytes: number;
  pty: boolean;
  /** Called when all its processes have ended. */
  onEnded?: (() => void) | undefined;
};

const survivorGraceMs = 1000;

export async function startSupervised(order: SupervisedOrder): Promise<Supervised> {
  const ring = createRing(order.keptBytes);
  const followers = new Set<(bytes: Buffer) => void>();
  const onBytes = (bytes: Buffer): void => {
    ring.push(bytes);
    for (const follower of followers) follower(bytes);
  };
  const child = await spawn(order, onBytes);
  const guard = order.children.guard(child);
  const limits = limitChild(child, order, onBytes);
  let exit: Exit | undefined;
  const ended = child.exited.then(async (exitResult) => {
    exit = exitResult;
    limits?.[Symbol.dispose]();
    await clearUp(child, survivorGraceMs);
    order.onEnded?.();
    guard[Symbol.dispose]();
    return exitResult;
  });
  return {
    pid: child.pid,
    startedAt: new Date().toISOString(),
    get exit() {
      return exit;
    },
    ended,
    read(cursor, mostBytes, { isRaw } = { isRaw: false }) {
      const { bytes, from } = ring.read(cursor, mostBytes);
      const dropped = Math.max(0, from - cursor);
      const isLast = exit !== undefined && from + bytes.length === ring.total;
      const { text, size } = wholeOf(bytes, { isCut: dropped > 0, isLast });
      return { output: isRaw ? text : cleanOutput(text), cursor: from + size, dropped };
    },
    follow(onText) {
      const decoder = new TextDecoder();
      const follower = (bytes: Buffer): void => onText(decoder.decode(bytes, { stream: true }));
      followers.add(follower);
      return () => void followers.delete(follower);
    },
    write: (text) => write(child, exit, text),
    async end(options) {
      // After the exit the pid may belong to another process.
      if (exit === undefined) await endFamily(child, options);
      return await ended;
    },
  };
}

/** A supervised process may run for days, so its processor time is not limited. */
function limitChild(
  child: Child | ChildTerminal,
  order: SupervisedOrder,
  onBytes: (bytes: Buffer) => void,
): Disposable | undefined {
  const limits = order.limits && { ...order.limits, cpuMs: Number.POSITIVE_INFINITY };
  return (
    limits &&
    limitFamily(child, limits, (excess) => {
      onBytes(Buffer.from(`\n${excessError(excess, limits).message}\n`));
      killAtOnce(child);
    })
  );
}

async function spawn(
  { pty, children, onEnded: _, ...launched }: SupervisedOrder,
  onBytes: (bytes: Buffer) => void,
): Promise<Child | ChildTerminal> {
  if (pty) return await spawnTerminal({ ...launched, onBytes });
  const { pipes } = children;
  const take = (_: unknown, bytes: Buffer): boolean => {
    onBytes(bytes);
    return true;
  };
  return await spawnChild({ ...launched, pipes, takesInput: true, onBytes: take });
}

// While output is still arriving, only complete characters are returned; the rest comes with the next read.
function wholeOf(
  bytes: Buffer,
  { isCut, isLast }: { isCut: boolean; isLast: boolean },
): { text: string; size: number } {
  const start = isCut ? wholeStart(bytes) : bytes;
  if (isLast) return { text: start.toString(), size: bytes.length };
  const wholeCharacters = wholeEnd(start);
  const text = wholeCharacters.toString();
  const complete = withoutPartialEscape(text);
  // A reader whose limit is smaller than one character or escape sequence must still advance.
  if (complete === '' && bytes.length > 0) return { text: start.toString(), size: bytes.length };
  const heldBytes = start.length - wholeCharacters.length + Buffer.byteLength(text.slice(complete.length));
  return { text: complete, size: bytes.length - heldBytes };
}

async function write(child: Child | ChildTerminal, exit: Exit | undefined, text: string): Promise<number> {
  if (exit !== undefined)
    throw new ToolError('EXECUTION_FAILED', 'The process has ended and takes no input.');
  if ('write' in child) child.write(text);
  else await writeTo(child, text);
  return Buffer.byteLength(text);
}

function writeTo({ stdin }: Child, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const refused = (): void =>
      reject(new ToolError('EXECUTION_FAILED', 'The process no longer reads its input.'));
    if (stdin === undefined || !stdin.writable) return refused();
    stdin.once('error', refused);
    stdin.write(text, (error) => {
      stdin.off('error', refused);
      if (error) refused();
      else resolve();
    });
  });
}
