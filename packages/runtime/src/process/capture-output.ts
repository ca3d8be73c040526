// Captures what a command prints: beginning and end in memory, and all of it, in order of arrival, in a file once memory is too small.
import { type Ends, keepEnds } from './keep-ends.ts';
import { openSpillFile, type SpillFile } from './spill-file.ts';

export type Stream = 'stdout' | 'stderr';

export type Captured = {
  stdout: string;
  stderr: string;
  stdoutBytes: number;
  stderrBytes: number;
  truncated: boolean;
  outputFile: string | undefined;
};

type Capture = {
  /** False when the caller must send nothing more until `onDrain`. */
  push(stream: Stream, bytes: Buffer): boolean;
  end(): Promise<Captured>;
};

type Options = {
  /** How many bytes the result may hold. */
  memoryBytes: number;
  fileBytes: number;
  /** Path for the whole output once it exceeds the memory limit. */
  file: string;
  /** Called once, when the output exceeds the file limit or the disk is full. */
  onFull(error: unknown): void;
  onDrain(): void;
};

export function captureOutput(options: Options): Capture {
  const { memoryBytes, file } = options;
  const streams = { stdout: keepEnds(memoryBytes), stderr: keepEnds(memoryBytes) };
  const wholeOutput = keepWhole(options);
  return {
    push(stream, bytes) {
      // The rest is read and dropped, so that the program can finish writing.
      if (wholeOutput.isFull) return true;
      const goesOn = wholeOutput.push(bytes);
      streams[stream].push(bytes);
      return goesOn;
    },
    async end() {
      await wholeOutput.end();
      const { stdout, stderr } = shares(streams.stdout, streams.stderr, memoryBytes);
      return {
        stdout: textOf(streams.stdout, stdout, file),
        stderr: textOf(streams.stderr, stderr, file),
        stdoutBytes: streams.stdout.total,
        stderrBytes: streams.stderr.total,
        truncated: wholeOutput.hasFile || wholeOutput.isFull,
        outputFile: wholeOutput.hasFile ? file : undefined,
      };
    },
  };
}

type WholeOutput = {
  readonly isFull: boolean;
  readonly hasFile: boolean;
  /** False when the caller must send nothing more until `onDrain`. */
  push(bytes: Buffer): boolean;
  end(): Promise<void>;
};

/** The whole output in order of arrival: in memory until a file is needed, then in the file. */
function keepWhole({ memoryBytes, fileBytes, file, onFull, onDrain }: Options): WholeOutput {
  let early: Ends | undefined = keepEnds(2 * memoryBytes);
  let spilled: SpillFile | undefined;
  let written = 0;
  let isFull = false;

  function fill(error: unknown): void {
    if (!isFull) onFull(error);
    isFull = true;
  }

  function spill(bytes: Buffer): boolean {
    spilled ??= openSpillFile({ path: file, onDrain, onError: fill });
    const writable = Math.min(bytes.length, fileBytes - written);
    written += writable;
    const goesOn = spilled.push(bytes.subarray(0, writable));
    if (writable < bytes.length) fill(undefined);
    return goesOn;
  }

  return {
    get isFull() {
      return isFull;
    },
    get hasFile() {
      return spilled !== undefined;
    },
    push(bytes) {
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
    },
    end: async () => await spilled?.end(),
  };
}

// Neither stream may crowd out the other: the part of its half that one stream does not need goes to the other.
function shares(stdout: Ends, stderr: Ends, total: number): { stdout: number; stderr: number } {
  const half = Math.floor(total / 2);
  if (stderr.total <= half) return { stdout: total - stderr.total, stderr: stderr.total };
  if (stdout.total <= half) return { stdout: stdout.total, stderr: total - stdout.total };
  return { stdout: total - half, stderr: half };
}

function textOf(ends: Ends, share: number, file: string): string {
  const { head, tail, leftOut } = ends.take(share);
  if (leftOut === 0) return cleanOutput(Buffer.concat([head, tail]).toString());
  // In ASCII: a single wider character doubles the memory of the whole text in V8, and makes writing it as JSON and UTF-8 several times slower.
  const notice = `\n[... ${leftOut} bytes left out; the whole output is in ${file} ...]\n`;
  return cleanOutput(wholeEnd(head).toString()) + notice + cleanOutput(wholeStart(tail).toString());
}

// Cuts bytes and text without splitting a character or an escape sequence.

/** Removes the first bytes of a character whose rest is missing. */
export function wholeEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) return lengthOf(byte) > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** Removes the last bytes of a character whose beginning is missing. */
export function wholeStart(bytes: Buffer): Buffer {
  let at = 0;
  while (at < 3 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return bytes.subarray(at);
}

// Bounded, so that what never ends is not waited for.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const unfinished = /\u001b(?:\[[0-?]{0,32}[ -/]{0,4}|[\]PX^_][^\u0007\u001b\n]{0,200})?$/;

/** The text before an escape sequence that begins at its end and may still continue. */
export function withoutPartialEscape(text: string): string {
  const tail = text.slice(-256);
  const at = tail.search(unfinished);
  return at === -1 ? text : text.slice(0, text.length - tail.length + at);
}

function lengthOf(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}

// Converts what a command printed to plain text: escape sequences are removed, so that nothing can hide, recolour or move text.

// CSI sequences; OSC, DCS and similar up to their end on the same line; any other escape. Of an unterminated sequence only the beginning
// is removed.
const escapes = new RegExp(
  [
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]`,
    String.raw`(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)`,
    String.raw`\u001b[ -/]*[0-~]?`,
  ].join('|'),
  'g',
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** A lone carriage return becomes a line feed, so that the text it would overwrite stays visible. */
export function cleanOutput(text: string): string {
  if (text.search(controls) === -1) return text;
  return text
    .replace(escapes, '')
    .replace(/\r*\n|\r+/g, '\n')
    .replace(controls, '');
}

// Shortens a text to one line of an approval. Long runs of blanks, which would push the rest out of sight, are replaced by their count;
// of a text that is too long, beginning and end are shown.
export function shorten(text: string): string {
  const dense = text.replace(/[^\S\n]{9,}/g, (blanks) => ` ⟨${blanks.length} blanks⟩ `);
  if (dense.length <= 600) return dense;
  const leftOut = dense.length - 500;
  return `${dense.slice(0, 300)} ⟨${leftOut} characters⟩ ${dense.slice(-200)}`;
}
