// Bytes to text and back without loss. What is not UTF-8 text is refused, never repaired; to be read only, it may have another encoding.
import { isUtf8 } from 'node:buffer';
import { ToolError } from '@codelab/protocol';

export type Text = { text: string; hasBom: boolean };

/** What a file can be read with when it is not UTF-8. It can't be edited then. */
export const otherEncodings = ['utf-16le', 'latin1'] as const;
export type OtherEncoding = (typeof otherEncodings)[number];

/** A part of a file that does not begin with its first byte has no byte order mark, whatever it begins with. */
export function decodeText(bytes: Buffer, asked: string, part: 'whole' | 'later' = 'whole'): Text {
  if (isUtf16(bytes)) throw encodingError(asked, 'is UTF-16 text');
  if (bytes.includes(0)) throw encodingError(asked, 'is a binary file (it holds a NUL byte)');
  if (!isUtf8(bytes)) throw encodingError(asked, 'is not valid UTF-8');
  const hasBom = part === 'whole' && startsWithBom(bytes);
  return { text: bytes.toString('utf8', hasBom ? 3 : 0), hasBom };
}

/** A whole file in the encoding that its reader names. */
export function decodeAs(encoding: OtherEncoding, bytes: Buffer, asked: string): Text {
  if (encoding === 'latin1') {
    if (bytes.includes(0)) throw encodingError(asked, 'is a binary file (it holds a NUL byte)');
    return { text: bytes.toString('latin1'), hasBom: false };
  }
  const hasBom = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = bytes.toString('utf16le', hasBom ? 2 : 0);
  if (bytes.length % 2 !== 0 || !text.isWellFormed()) throw encodingError(asked, 'is not valid UTF-16LE');
  if (text.includes('\0')) throw encodingError(asked, 'is a binary file (it holds a NUL character)');
  return { text, hasBom };
}

export function encodeText({ text, hasBom }: Text): Buffer {
  return Buffer.from(hasBom ? `\ufeff${text}` : text, 'utf8');
}

export function startsWithBom(bytes: Buffer): boolean {
  return bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function isUtf16(bytes: Buffer): boolean {
  return (
    bytes.length >= 2 &&
    ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
  );
}

function encodingError(asked: string, fault: string): ToolError {
  return new ToolError('ENCODING_ERROR', `${asked} ${fault}; it was left as it is.`);
}
