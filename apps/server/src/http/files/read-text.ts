// One text file for a screen. A file that is not UTF-8 is returned read-only in an encoding that can read it.
import type { TextFile } from '@codelab/api';
import { ToolError } from '@codelab/protocol';
import { digest, type Host, readUnrecorded } from '@codelab/runtime';

type ReadFile = {
  path: string;
  content: string;
  encoding: 'utf-8' | 'utf-16le' | 'latin1';
  has_bom: boolean;
  size: number;
  modified: string;
};

const otherEncodings = ['utf-16le', 'latin1'] as const;

export async function readFileForPage(host: Host, path: string): Promise<TextFile> {
  const { path: found, content: text, encoding, has_bom, size, modified } = await read(host, path);
  return {
    path: found,
    text,
    size,
    modified,
    fingerprint: printOfText(text, has_bom),
    line_ending: lineEnding(text),
    encoding: encoding !== 'utf-8' ? encoding : has_bom ? 'utf-8-bom' : 'utf-8',
  };
}

async function read(host: Host, path: string): Promise<ReadFile> {
  try {
    return await readAs(host, { path });
  } catch (error) {
    if (!isEncodingError(error)) throw error;
    for (const encoding of otherEncodings) {
      const file = await readAs(host, { path, encoding }).catch(unlessEncoding);
      // Without a byte order mark, any 8-bit text could be read as UTF-16.
      if (file !== undefined && (encoding === 'latin1' || file.has_bom)) return file;
    }
    throw error;
  }
}

async function readAs(host: Host, args: Record<string, unknown>): Promise<ReadFile> {
  return (await readUnrecorded(host, { tool: 'read_file', args })).data as ReadFile;
}

function isEncodingError(error: unknown): boolean {
  return error instanceof ToolError && error.code === 'ENCODING_ERROR';
}

function unlessEncoding(error: unknown): undefined {
  if (!isEncodingError(error)) throw error;
}

/** The print of a UTF-8 file now; throws for any other encoding. */
export async function printOnDisk(host: Host, path: string): Promise<string> {
  const { content, has_bom } = await readAs(host, { path });
  return printOfText(content, has_bom);
}

/** The print of the bytes on the disk, for UTF-8. Other files are never saved, so there it only tells one text from another. */
function printOfText(text: string, hasBom: boolean): string {
  return digest(hasBom ? `\ufeff${text}` : text);
}

function lineEnding(text: string): TextFile['line_ending'] {
  const found = new Set(text.match(/\r\n|\n|\r/g));
  const [first] = found;
  if (first === undefined) return 'none';
  if (found.size > 1) return 'mixed';
  return first === '\n' ? 'lf' : first === '\r\n' ? 'crlf' : 'cr';
}
