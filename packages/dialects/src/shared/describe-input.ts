// What a row takes, as a JSON Schema with a word on every field that its name does not tell: for models and for people.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import { fieldNotes } from './field-notes.ts';

// Made once for each row: a gateway offers the same tools in every turn of every session.
const made = new WeakMap<WireTool, unknown>();

export function describeInput(row: WireTool): unknown {
  const before = made.get(row);
  if (before !== undefined) return before;
  const schema = describe(row);
  made.set(row, schema);
  return schema;
}

function describe(row: WireTool): unknown {
  const { $schema: _, ...schema } = z.toJSONSchema(row.input(), { io: 'input' });
  const notes = fieldNotes[row.name];
  if (notes === undefined || schema.properties === undefined) return schema;
  const properties = Object.entries(schema.properties).map(([name, field]) => {
    const description = notes[name];
    return [name, description === undefined || typeof field !== 'object' ? field : { ...field, description }];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}
