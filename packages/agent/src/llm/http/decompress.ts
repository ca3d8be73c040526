// Decompresses an answer and passes on each piece as soon as it can be read, so that a stream stays a stream.
import { Readable } from 'node:stream';
import { constants, createBrotliDecompress, createUnzip, createZstdDecompress } from 'node:zlib';
import { ModelFailure } from '../model-failure.ts';

export async function* decompress(encoding: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = decoderOf(encoding.trim().toLowerCase());
  const source = Readable.from(bytes, { objectMode: false });
  source.on('error', (error) => decoder.destroy(error));
  try {
    for await (const chunk of source.pipe(decoder)) yield chunk as Buffer;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))) throw error;
    throw new ModelFailure('The compressed answer is broken.', { mayPass: true, reason: 'cut' });
  } finally {
    source.destroy();
  }
}

function decoderOf(encoding: string) {
  if (encoding === 'br') return createBrotliDecompress();
  if (encoding === 'zstd') return createZstdDecompress();
  if (/^(?:x-)?gzip$|^deflate$/.test(encoding)) return createUnzip({ finishFlush: constants.Z_SYNC_FLUSH });
  throw new ModelFailure(`The answer is compressed with \`${encoding}\`, which is not understood.`, {
    mayPass: false,
  });
}
