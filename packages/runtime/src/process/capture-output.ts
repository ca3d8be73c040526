// Takes in what a command prints: its two ends in memory, and all of it, in order of arrival, in a file once memory is too small.
import { cleanOutput } from './clean-output.ts';
import { type Ends, keepEnds } from './keep-ends.ts';
import { openSpillFile, type SpillFile } from './spill-file.ts';
import { wholeEnd, wholeStart } from './whole-characters.ts';

export type Stream = 'stdout' | 'stderr';

export type Captured = {
  stdout: string;
  stderr: string;
  stdoutBytes: number;
  stderrBytes: number;
  truncated: boolean;
  outputFile: string | undefined;
};

export type Capture = {
  /** False when nothing more should come until `onDrain` is called. */
  push(stream: Stream, bytes: Buffer): boolean;
  end(): Promise<Captured>;
};

type Options = {
  /** How much the answer may hold. */
  memoryBytes: number;
  fileBytes: number;
  /** Where the whole output goes once it does not fit. */
  file: string;
  /** Called once, when there is more than the file may hold or the disk takes no more. */
  onFull(error: unknown): void;
  onDrain(): void;
};

export function captureOutput(options: Options): Capture {
  const { memoryBytes, fileBytes, file, onDrain } = options;
  const streams = { stdout: keepEnds(memoryBytes), stderr: keepEnds(memoryBytes) };
  // In order of arrival, until it is known whether a file is needed.
  let early: Ends | undefined = keepEnds(2 * memoryBytes);
  let spilled: SpillFile | undefined;
  let written = 0;
  let isFull = false;

  function fill(error: unknown): void {
    if (!isFull) options.onFull(error);
    isFull = true;
  }

  function spill(bytes: Buffer): boolean {
    spilled ??= openSpillFile({ path: file, onDrain, onError: fill });
    const room = Math.min(bytes.length, fileBytes - written);
    written += room;
    const goesOn = spilled.push(bytes.subarray(0, room));
    if (room < bytes.length) fill(undefined);
    return goesOn;
  }

  function keep(bytes: Buffer): boolean {
    if (early !== undefined && early.total + bytes.length <= memoryBytes) {
      early.push(bytes);
      return true;
    }
    try {
      if (early !== undefined) spill(early.take(early.total).head);
      early = undefined;
      return spill(bytes);
    } catch (error) {
      fill(error);
      return true;
    }
  }

  return {
    push(stream, bytes) {
      // The rest is read and forgotten, so that whoever writes can come to its end.
      if (isFull) return true;
      const goesOn = keep(bytes);
      streams[stream].push(bytes);
      return goesOn;
    },
    async end() {
      await spilled?.end();
      const { stdout, stderr } = shares(streams.stdout, streams.stderr, memoryBytes);
      return {
        stdout: textOf(streams.stdout, stdout, file),
        stderr: textOf(streams.stderr, stderr, file),
        stdoutBytes: streams.stdout.total,
        stderrBytes: streams.stderr.total,
        truncated: spilled !== undefined || isFull,
        outputFile: spilled === undefined ? undefined : file,
      };
    },
  };
}

// Neither stream may crowd out the other: what one does not need of its half, the other gets.
function shares(stdout: Ends, stderr: Ends, total: number): { stdout: number; stderr: number } {
  const half = Math.floor(total / 2);
  if (stderr.total <= half) return { stdout: total - stderr.total, stderr: stderr.total };
  if (stdout.total <= half) return { stdout: stdout.total, stderr: total - stdout.total };
  return { stdout: total - half, stderr: half };
}

function textOf(ends: Ends, share: number, file: string): string {
  const { head, tail, leftOut } = ends.take(share);
  if (leftOut === 0) return cleanOutput(Buffer.concat([head, tail]).toString());
  const notice = `\n[… ${leftOut} bytes left out; the whole output is in ${file} …]\n`;
  return cleanOutput(wholeEnd(head).toString()) + notice + cleanOutput(wholeStart(tail).toString());
}
