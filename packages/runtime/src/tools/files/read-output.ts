// A page of an earlier call's output: `output:CALL@BYTE` instead of a path. A result too long for the model's window is shown in part, and
// the rest is read here.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { ToolError } from '@codelab/protocol';
import { cleanOutput, wholeEnd, wholeStart } from '../../process/capture-output.ts';
import type { CallOutput, PlanContext } from '../../tool/define-tool.ts';

const pageBytes = 64 * 1024;

/** The form of `read_file`'s data; `next` is the path of the next page. */
export type OutputPage = {
  path: string;
  content: string;
  encoding: 'utf-8';
  has_bom: false;
  size: number;
  start_byte: number;
  end_byte: number;
  has_more: boolean;
  next?: string;
};

export function outputPath(callId: string, at: number): string {
  return `output:${callId}@${at}`;
}

/** Undefined when no call of this session has the id: then the path may be a file. */
export async function readOutput(
  path: string,
  { output, isDenied }: Pick<PlanContext, 'output' | 'isDenied'>,
): Promise<OutputPage | undefined> {
  const [, callId, at] = /^output:(.+?)(?:@(\d{1,15}))?$/u.exec(path) ?? [];
  const earlierOutput = callId === undefined ? undefined : await output(callId);
  if (callId === undefined || earlierOutput === undefined) return undefined;
  const denied = earlierOutput.seen.find((shownPath) => isDenied(earlierOutput.tool, shownPath));
  if (denied !== undefined)
    throw new ToolError('PERMISSION_DENIED', `A rule denies reading ${denied}, which this output shows.`);
  return pageOf(callId, Number(at ?? 0), earlierOutput);
}

function pageOf(callId: string, from: number, output: CallOutput): OutputPage {
  const { bytes, size } = 'file' in output ? fromFile(output.file, from) : fromText(output.text, from);
  if (from > 0 && from >= size)
    throw new ToolError('INVALID_ARGUMENTS', `This output has ${size} bytes; there is nothing at ${from}.`, {
      field: 'path',
    });
  // No character is torn: the page before or after has those bytes.
  const fromCharacter = from === 0 ? bytes : wholeStart(bytes);
  const wholeCharacters = from + bytes.length < size ? wholeEnd(fromCharacter) : fromCharacter;
  const end = from + bytes.length - (fromCharacter.length - wholeCharacters.length);
  return {
    path: outputPath(callId, from),
    content: cleanOutput(wholeCharacters.toString()),
    encoding: 'utf-8',
    has_bom: false,
    size,
    start_byte: from,
    end_byte: end,
    has_more: end < size,
    ...(end < size && { next: outputPath(callId, end) }),
  };
}

function fromText(text: string, from: number): { bytes: Buffer; size: number } {
  const bytes = Buffer.from(text);
  return { bytes: bytes.subarray(from, from + pageBytes), size: bytes.length };
}

function fromFile(file: string, from: number): { bytes: Buffer; size: number } {
  const fd = openSync(file, 'r');
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(pageBytes);
    return { bytes: bytes.subarray(0, readSync(fd, bytes, 0, pageBytes, from)), size };
  } finally {
    closeSync(fd);
  }
}
