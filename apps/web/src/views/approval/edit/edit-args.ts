// Converts between a call's arguments and the fields of a form. An untouched field keeps its value exactly.
export type CallArguments = Readonly<Record<string, unknown>>;
export type Schema = Readonly<Record<string, unknown>>;

export type ArgField = {
  name: string;
  kind: 'text' | 'lines' | 'number' | 'switch' | 'choice' | 'list' | 'json';
  isRequired: boolean;
  hint: string;
  choices: readonly string[];
  /** As the field shows it; empty for an optional argument that is not given. */
  text: string;
};

const longLine = 60;

/** A field for each argument of the schema, and for those that are given beyond it. */
export function fieldsOf(schema: Schema | undefined, args: CallArguments): ArgField[] {
  const properties = asRecord(schema?.properties);
  const required = Array.isArray(schema?.required) ? schema.required : [];
  const names = [...new Set([...Object.keys(properties), ...Object.keys(args)])];
  return names.map((name) => {
    const shape = asRecord(properties[name]);
    const kind = kindOf(shape, args[name]);
    return {
      name,
      kind,
      isRequired: required.includes(name),
      hint: typeof shape.description === 'string' ? shape.description : '',
      choices: Array.isArray(shape.enum) ? shape.enum.map(String) : [],
      text: spell(kind, args[name]),
    };
  });
}

/** The value a field's text stands for; an Error says what is wrong with it. */
function readField(field: ArgField, text: string, before: unknown): unknown {
  if (text === field.text) return before;
  if (text === '' && !field.isRequired && field.kind !== 'text' && field.kind !== 'lines') return undefined;
  switch (field.kind) {
    case 'text':
    case 'choice':
      return text;
    case 'lines':
      // A field knows only line feeds; what had CR LF gets it back.
      return typeof before === 'string' && before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
    case 'number': {
      const value = Number(text);
      return text.trim() === '' || !Number.isFinite(value) ? new Error('number') : value;
    }
    case 'switch':
      return text === 'true';
    case 'list':
      return text === '' ? [] : text.split('\n');
    case 'json':
      return parseJsonText(text);
  }
}

/** The arguments as the texts of the form give them, and the fields that can't be read. */
export function readArgFields(
  fields: readonly ArgField[],
  texts: Readonly<Record<string, string>>,
  before: CallArguments,
): { args: CallArguments; problems: Readonly<Record<string, Error>> } {
  const args: Record<string, unknown> = { ...before };
  const problems: Record<string, Error> = {};
  for (const field of fields) {
    const value = readField(field, texts[field.name] ?? field.text, before[field.name]);
    if (value instanceof Error) problems[field.name] = value;
    else if (value === undefined) delete args[field.name];
    else args[field.name] = value;
  }
  return { args, problems };
}

export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function kindOf(shape: Record<string, unknown>, value: unknown): ArgField['kind'] {
  if (Array.isArray(shape.enum) && shape.enum.every((choice) => typeof choice === 'string'))
    return value === undefined || typeof value === 'string' ? 'choice' : 'json';
  const type = typeof shape.type === 'string' ? shape.type : typeOf(value);
  if (value !== undefined && type !== typeOf(value) && !(type === 'integer' && typeOf(value) === 'number'))
    return 'json';
  switch (type) {
    case 'string':
      return textKind(typeof value === 'string' ? value : '');
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'switch';
    case 'array':
      return isListOfLines(shape, value) ? 'list' : 'json';
    default:
      return 'json';
  }
}

// A field makes one kind of line end of all; a text with several, or with a lone CR, is shown escaped instead.
function textKind(value: string): ArgField['kind'] {
  const ends = new Set(value.match(/\r\n|\n|\r/g));
  if (ends.has('\r') || ends.size > 1) return 'json';
  return ends.size > 0 || value.length > longLine ? 'lines' : 'text';
}

function isListOfLines(shape: Record<string, unknown>, value: unknown): boolean {
  const isOfStrings = asRecord(shape.items).type === 'string';
  const items = Array.isArray(value) ? value : [];
  const isPlain = items.every((item) => typeof item === 'string' && !/[\r\n]/.test(item));
  return isOfStrings && isPlain && !(items.length === 1 && items[0] === '');
}

function spell(kind: ArgField['kind'], value: unknown): string {
  if (value === undefined) return '';
  if (kind === 'json') return JSON.stringify(value, null, 2);
  if (kind === 'list' && Array.isArray(value)) return value.join('\n');
  return String(value).replaceAll('\r\n', '\n');
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
