// Reduces a screenshot to 256 colours: the most frequent ones stay, the edges of letters take the nearest.
import { constants, crc32, deflateSync, inflateSync } from 'node:zlib';

const maxColors = 256;
const mostUsed = 160;
const candidates = 3000;
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Takes what Chromium writes: 8 bits a channel, RGB or RGBA, not interlaced. Anything else comes back unchanged. */
export function shrinkPng(png: Buffer): Buffer {
  const chunks = readChunks(png);
  const header = chunks.find(({ type }) => type === 'IHDR')?.data;
  if (header === undefined) return png;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = ({ 2: 3, 6: 4 } as Record<number, number>)[header[9] ?? 0];
  if (header[8] !== 8 || header[12] !== 0 || channels === undefined) return png;
  const packed = Buffer.concat(chunks.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : [])));
  const colors = readPixels(inflateSync(packed), { width, height, channels });
  const palette = popular(colors);
  const lines = indexLines(colors, palette, width);
  const small = Buffer.from(header);
  small[9] = 3;
  const data = deflateSync(lines, { level: 9, memLevel: 9, strategy: constants.Z_DEFAULT_STRATEGY });
  const table = Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]));
  const parts: [string, Buffer][] = [
    ['IHDR', small],
    ['PLTE', table],
    ['IDAT', data],
    ['IEND', Buffer.alloc(0)],
  ];
  const written = Buffer.concat([signature, ...parts.map(([type, body]) => chunk(type, body))]);
  return written.length < png.length ? written : png;
}

type Chunk = { type: string; data: Buffer };

function readChunks(png: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = signature.length; at + 8 <= png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    });
    at += length + 12;
  }
  return chunks;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

type Size = { width: number; height: number; channels: number };

/** Takes the filters of the lines back, each pixel as 0xRRGGBB. */
function readPixels(raw: Buffer, { width, height, channels }: Size): Uint32Array {
  const stride = width * channels;
  const lines = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x >= channels ? (lines[at - channels] ?? 0) : 0;
      const up = y > 0 ? (lines[at - stride] ?? 0) : 0;
      const corner = x >= channels && y > 0 ? (lines[at - stride - channels] ?? 0) : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      lines[at] = (raw[y * (stride + 1) + 1 + x] ?? 0) + guess;
    }
  }
  return Uint32Array.from({ length: width * height }, (_, i) => lines.readUIntBE(i * channels, 3));
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(guess - value)) as [
    number,
    number,
    number,
  ];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** The most used colours, and of the others those that are least like any of them: a small red sign stays red. */
function popular(colors: Uint32Array): number[] {
  const counts = new Map<number, number>();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const inOrder = [...counts].sort(([, a], [, b]) => b - a).map(([color]) => color);
  const palette = inOrder.slice(0, mostUsed);
  let rest = inOrder.slice(mostUsed, mostUsed + candidates).map((color) => {
    return { color, far: Math.min(...palette.map((other) => distance(color, other))) };
  });
  while (palette.length < maxColors && rest.length > 0) {
    const { color } = rest.reduce((a, b) => (b.far > a.far ? b : a));
    palette.push(color);
    rest = rest
      .filter((candidate) => candidate.color !== color)
      .map((candidate) => ({ ...candidate, far: Math.min(candidate.far, distance(candidate.color, color)) }));
  }
  return palette;
}

/** Lines of palette indices, each with filter 0 before it. */
function indexLines(colors: Uint32Array, palette: readonly number[], width: number): Buffer {
  const known = new Map(palette.map((color, i) => [color, i]));
  const lines = Buffer.alloc(colors.length + colors.length / width);
  for (const [i, color] of colors.entries()) {
    const at = known.get(color) ?? nearest(color, palette);
    known.set(color, at);
    lines[i + Math.floor(i / width) + 1] = at;
  }
  return lines;
}

function nearest(color: number, palette: readonly number[]): number {
  let best = 0;
  for (const [i, other] of palette.entries())
    if (distance(color, other) < distance(color, palette[best] ?? 0)) best = i;
  return best;
}

function distance(first: number, second: number): number {
  const red = (first >> 16) - (second >> 16);
  const green = ((first >> 8) & 255) - ((second >> 8) & 255);
  const blue = (first & 255) - (second & 255);
  return red * red + green * green + blue * blue;
}
