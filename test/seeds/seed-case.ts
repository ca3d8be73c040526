// One row of docs/seeds.md: what a document says, the wires that carry it, and the play that proves it on each of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { openStage, type Stage } from './stage.ts';

export type Json = Record<string, unknown>;
export type SeedDocument = '000' | '001' | '002' | '003' | '004';
type Wire = keyof typeof wires;

/** The name of each wire in the table. */
export const wires = {
  tool: '`codelab tool`',
  socket: 'WebSocket',
  executor: 'WebSocket, a client has the files',
  connect: '`codelab connect`',
  sse: 'event stream',
  ndjson: 'lines of JSON',
  rest: 'HTTP',
  service: "Kode's service",
  run: '`codelab run`',
  proxy: 'model proxy',
  client: 'client library',
};

/** The place where a case is played. */
export type At = { stage: Stage; wire: Wire };

export type SeedCase = {
  /** Unique within its document. */
  id: string;
  item: string;
  on: readonly Wire[];
  /** The JSON examples it plays, as `line` or `line.number` where a block holds several; given to `play` in this order. */
  examples?: readonly string[];
  /** Why the product differs from the document's words; the play proves what the product does instead. */
  differs?: string;
  /** The document's part that is not built; the play proves that it is refused. */
  notBuilt?: string;
  play(at: At, ...examples: Json[]): Promise<void>;
};

type Example = { line: number; under: string; message: Json };

const cache = new Map<SeedDocument, Map<string, Json>>();

/** The JSON examples of a document by their line. */
export function examplesOf(document: SeedDocument): ReadonlyMap<string, Json> {
  const known = cache.get(document);
  if (known !== undefined) return known;
  const all = new Map<string, Json>();
  // Seeds 002 and 003 have no JSON in them: they give lists of fields.
  if (document !== '002' && document !== '003') {
    const file = join(import.meta.dirname, '..', '..', 'fixtures', 'wire', `seed-${document}.json`);
    const examples = JSON.parse(readFileSync(file, 'utf8')) as Example[];
    for (const { line, message } of examples) {
      const same = examples.filter((example) => example.line === line);
      const number = same.findIndex((example) => example.message === message) + 1;
      all.set(same.length === 1 ? String(line) : `${line}.${number}`, message);
    }
  }
  cache.set(document, all);
  return all;
}

/** Plays the cases of a document on every wire they name, one after the other at one gateway. */
export function playSeed(document: SeedDocument, cases: readonly SeedCase[]): void {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
  });
  describe(`seed ${document}`, () => {
    for (const seedCase of cases)
      for (const wire of seedCase.on)
        test(`${seedCase.id}: ${seedCase.item} (${wires[wire]})`, async ({ expect }) => {
          stage.lay();
          await seedCase.play({ stage, wire }, ...messagesOf(document, seedCase));
          expect(stage.gateway.faults).toEqual([]);
        });
  });
}

function messagesOf(document: SeedDocument, { examples = [] }: SeedCase): Json[] {
  return examples.map((line) => {
    const message = examplesOf(document).get(line);
    if (message === undefined) throw new Error(`Seed ${document} has no example at ${line}.`);
    return structuredClone(message);
  });
}
