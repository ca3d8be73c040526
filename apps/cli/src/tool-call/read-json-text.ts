// The JSON of a call: the argument itself, or with `-` all of standard input, bounded and strictly UTF-8.
import { ToolError } from '@codelab/protocol';

export async function readJsonText(
  given: string | undefined,
  maxBytes: number,
  signal: AbortSignal = new AbortController().signal,
): Promise<string> {
  if (given === undefined) return '{}';
  return given === '-' ? await readStandardInput(maxBytes, signal) : given;
}

async function readStandardInput(maxBytes: number, signal: AbortSignal): Promise<string> {
  const { stdin } = process;
  const stop = (): void => void stdin.destroy(signal.reason);
  signal.addEventListener('abort', stop);
  try {
    return decode(await readAll(stdin, maxBytes));
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function readAll(stream: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxBytes)
      throw new ToolError('FILE_TOO_LARGE', `Standard input holds more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ToolError('INVALID_FORMAT', 'Standard input is not UTF-8 text.');
  }
}
