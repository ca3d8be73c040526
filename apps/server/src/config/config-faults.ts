// Faults of a configuration in words: the setting, the file and line, and what was probably meant.
import { nearestName } from '@codelab/protocol';
import * as z from 'zod/mini';
import { Config } from './config.ts';
import { type JsonPath, lineOf } from './jsonc-text.ts';

export type ConfigFault = {
  /** The top-level setting with the fault; empty when the fault concerns the whole file, or cannot be placed. */
  section: string;
  file: string;
  line: number | undefined;
  message: string;
};

type Issue = z.core.$ZodIssue;

/** `text` is the file's, which is valid JSON. */
export function faultsIn(
  issues: readonly Issue[],
  { file, text }: { file: string; text: string },
): ConfigFault[] {
  return issues.flatMap(flat).flatMap((issue) =>
    describeFault(issue).map(({ path, message }) => {
      const line = lineOf(text, path);
      return { section: sectionOf(path, issue), file, line, message: `${file}:${line}: ${message}` };
    }),
  );
}

// For a union, the issues of the closest form.
function flat(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const [closest] = issue.errors.toSorted((a, b) => a.length - b.length);
  if (closest === undefined || closest.length === 0) return [issue];
  return closest.flatMap((inner) => flat({ ...inner, path: [...issue.path, ...inner.path] } as Issue));
}

/** An unknown setting is assigned to a section only when its name is close to a known one. */
function sectionOf(path: JsonPath, issue: Issue): string {
  const [first = ''] = path;
  if (issue.path.length > 0 || issue.code !== 'unrecognized_keys') return String(first);
  return nearestName(String(first), keysAt([])) ?? '';
}

function describeFault(issue: Issue): { path: JsonPath; message: string }[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], message: unknownSetting([...path, key]) }));
  return [{ path, message: `\`${path.join('.')}\` ${expectation(issue)}` }];
}

/** The message about an unknown setting, also for a key that was typed. */
export function unknownSetting(path: JsonPath): string {
  const parent = path.slice(0, -1);
  const key = String(path.at(-1));
  const names = keysAt(parent);
  const nearest = nearestName(key, names);
  const hint = nearest === undefined ? '' : ` Did you mean \`${[...parent, nearest].join('.')}\`?`;
  const label = parent.length === 0 ? 'Settings' : `Settings in \`${parent.join('.')}\``;
  const namesNote = nearest !== undefined || names.length === 0 ? '' : ` ${label} are: ${names.join(', ')}.`;
  return `There is no setting \`${path.join('.')}\`.${hint}${namesNote}`;
}

function expectation(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_value': {
      const values = issue.values.map(String);
      const nearest = typeof issue.input === 'string' ? nearestName(issue.input, values) : undefined;
      return `must be one of: ${values.join(', ')}.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`;
    }
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? issue.expected}.`;
    case 'too_small':
      return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}.`;
    case 'too_big':
      return `must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}.`;
    case 'invalid_key':
      return 'has a name that is not allowed.';
    default:
      return 'has a form that is not allowed: docs/configuration.md';
  }
}

const typeNames: Record<string, string> = {
  string: 'text in quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** The JSON Schema of a setting, as far as it has one. */
export type SettingSchema = {
  type?: string;
  enum?: readonly unknown[];
  items?: SettingSchema;
  properties?: Record<string, SettingSchema>;
  additionalProperties?: SettingSchema | boolean;
  anyOf?: readonly SettingSchema[];
};

/** Undefined when there is no such setting. For a union, all the forms that have it. */
export function schemaAt(path: JsonPath): SettingSchema | undefined {
  let schemas: SettingSchema[] = [z.toJSONSchema(Config(), { io: 'input' }) as SettingSchema];
  for (const step of path) {
    schemas = schemas.flatMap(formsOf).flatMap((form) => {
      const property = Object.hasOwn(form.properties ?? {}, step) ? form.properties?.[step] : undefined;
      const other = typeof form.additionalProperties === 'object' ? form.additionalProperties : undefined;
      const next = typeof step === 'number' ? form.items : (property ?? other);
      return next === undefined ? [] : [next];
    });
  }
  return schemas.length > 1 ? { anyOf: schemas } : schemas[0];
}

function formsOf(schema: SettingSchema): SettingSchema[] {
  return (schema.anyOf ?? []).length > 0 ? (schema.anyOf ?? []).flatMap(formsOf) : [schema];
}

/** The names of the settings below a path. */
function keysAt(path: JsonPath): string[] {
  const schema = schemaAt(path);
  const names =
    schema === undefined ? [] : formsOf(schema).flatMap((form) => Object.keys(form.properties ?? {}));
  return [...new Set(names)].filter((name) => name !== '$schema');
}

/** Every named setting, in the order of the schema. */
export function configKeys(path: readonly string[] = []): string[] {
  const names = keysAt(path);
  if (names.length === 0) return path.length === 0 ? [] : [path.join('.')];
  return names.flatMap((name) => configKeys([...path, name]));
}
