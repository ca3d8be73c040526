// The result of a row as a JSON Schema. A row picks, renames and leaves out fields of the core tool's result, so its schema is found by
// having it translate samples of the core's schema: a value that comes out unchanged keeps its schema.
import * as z from 'zod/mini';
import type { Json, WireTool } from '../dialect.ts';
import { plainNumber } from './describe-input.ts';

type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
};

/** `full` has every field, `bare` only required ones, `empty` has also no list items. */
type Amount = 'full' | 'bare' | 'empty';

const amounts: readonly Amount[] = ['full', 'bare', 'empty'];
const schemas = new WeakMap<WireTool, Schema>();

/** `output` is the schema of the core tool's result. */
export function describeOutput(row: WireTool, output: z.ZodMiniType): unknown {
  const before = schemas.get(row);
  if (before !== undefined) return before;
  const { $schema: _, ...core } = z.toJSONSchema(output, { override: plainNumber }) as Schema & {
    $schema?: string;
  };
  const variants = core.anyOf ?? core.oneOf ?? [core];
  const schema = variants
    .flatMap((variant) => amounts.map((amount) => translate(row, variant, amount)))
    .reduce(merge);
  schemas.set(row, schema);
  return schema;
}

function translate(row: WireTool, core: Schema, amount: Amount): Schema {
  const marks = new Map<unknown, Schema>();
  const wireResult = row.toWire(sample(core, amount, marks) as Json, { path: 'a', from: 'a', to: 'b' });
  return infer(typeof wireResult === 'string' ? { result: wireResult } : wireResult, marks);
}

/** A valid value in which each part is unique, so that it can be recognised. */
function sample(schema: Schema, amount: Amount, marks: Map<unknown, Schema>): unknown {
  const options = optionsOf(schema);
  if (options !== undefined) {
    const isNull = amount !== 'full' && options.some(({ type }) => type === 'null');
    const [first = {}] = options.filter(({ type }) => (type === 'null') === isNull);
    return mark(sample(first, amount, marks), schema, marks);
  }
  switch (schema.type) {
    case 'object': {
      const names = amount === 'full' ? Object.keys(schema.properties ?? {}) : (schema.required ?? []);
      const fields = names.map((name) => [name, sample(schema.properties?.[name] ?? {}, amount, marks)]);
      return mark(Object.fromEntries(fields), schema, marks);
    }
    case 'array':
      return mark(amount === 'empty' ? [] : [sample(schema.items ?? {}, amount, marks)], schema, marks);
    case 'integer':
    case 'number':
      return mark(1_000_000 + marks.size, schema, marks);
    case 'boolean':
      return amount === 'full';
    case 'null':
      return null;
    default:
      return mark(`sample ${marks.size}`, schema, marks);
  }
}

function optionsOf({ type, anyOf, oneOf }: Schema): Schema[] | undefined {
  return anyOf ?? oneOf ?? (Array.isArray(type) ? type.map((typeName) => ({ type: typeName })) : undefined);
}

function mark(value: unknown, schema: Schema, marks: Map<unknown, Schema>): unknown {
  // Booleans and null are not unique, so they can't serve as marks.
  if (typeof value !== 'boolean' && value !== null) marks.set(value, schema);
  return value;
}

function infer(value: unknown, marks: ReadonlyMap<unknown, Schema>): Schema {
  const source = marks.get(value);
  if (source !== undefined) return source;
  if (Array.isArray(value))
    return { type: 'array', ...(value.length > 0 && { items: infer(value[0], marks) }) };
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, field]): [string, Schema] => [
      name,
      infer(field, marks),
    ]);
    return { type: 'object', properties: Object.fromEntries(fields), required: fields.map(([name]) => name) };
  }
  return value === null ? {} : { type: typeof value };
}

/** A schema that accepts both. */
function merge(a: Schema, other: Schema): Schema {
  // A nullable value was null in the other sample.
  if (Object.keys(other).length === 0) return a;
  if (a.type === 'array' && other.type === 'array') {
    const items = a.items && other.items ? merge(a.items, other.items) : (a.items ?? other.items);
    return { ...a, ...(items && { items }) };
  }
  if (a.type !== 'object' || other.type !== 'object' || !a.properties || !other.properties) return a;
  const properties = { ...other.properties, ...a.properties };
  for (const [name, schema] of Object.entries(other.properties)) {
    const before = a.properties[name];
    if (before !== undefined) properties[name] = merge(before, schema);
  }
  const required = (a.required ?? []).filter((name) => other.required?.includes(name));
  return { ...a, properties, required };
}
