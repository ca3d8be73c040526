// A profile from its Markdown file: the head says what the role may do, the rest is its prompt.
import { Kind, visibleLine } from '@codelab/protocol';
import {
  build,
  type Field,
  frontMatterFault,
  type Profile,
  type Role,
  readFrontMatter,
} from '@codelab/runtime';

const known = ['name', 'description', 'mode', 'kinds', 'tools', 'writes', 'may_start', 'model', 'steps'];
const maxSteps = 1000;
const maxSummary = 500;

/** `file` is how messages name it; the profile has the name that the file has, `expected`. */
export function readProfile(text: string, { file, expected }: { file: string; expected: string }): Role {
  const { fields, body } = readFrontMatter(text, file);
  const read = readerOf(fields, file);
  for (const [key, { line }] of fields)
    if (!known.includes(key))
      throw frontMatterFault(file, line, `has an unknown key \`${key}\`; there are: ${known.join(', ')}`);
  if ((read.text('name') ?? expected) !== expected)
    throw read.fault('name', `must be the name of the file: ${expected}`);
  const writes = read.list('writes');
  const optional = {
    tools: read.list('tools'),
    writes,
    mayStart: read.list('may_start'),
    model: read.text('model'),
    steps: read.steps('steps'),
  };
  return {
    name: expected,
    summary: visibleLine((read.text('description') ?? '').replace(/\s+/g, ' ')).slice(0, maxSummary),
    mode: read.mode('mode'),
    kinds: read.kinds('kinds', writes !== undefined),
    prompt: body,
    ...withoutUndefined(optional),
  };
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(given: T): Present<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Present<T>;
}

function readerOf(fields: ReadonlyMap<string, Field>, file: string) {
  const fault = (key: string, text: string) =>
    frontMatterFault(file, fields.get(key)?.line ?? 1, `\`${key}\` ${text}`);
  const text = (key: string): string | undefined => {
    const value = fields.get(key)?.value;
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value !== '') return value;
    throw fault(key, 'must be a text; put it in quotation marks');
  };
  const list = (key: string): string[] | undefined => {
    const value = fields.get(key)?.value;
    if (value === undefined) return undefined;
    const items = [value === '' ? [] : value].flat();
    if (items.every((item) => typeof item === 'string')) return items;
    throw fault(key, 'must be a list of texts');
  };
  return {
    fault,
    text,
    list,
    steps(key: string): number | undefined {
      const value = fields.get(key)?.value;
      if (value === undefined) return undefined;
      if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= maxSteps)
        return value;
      throw fault(key, `must be a whole number from 1 to ${maxSteps}`);
    },
    mode(key: string): Profile['mode'] {
      const value = text(key) ?? 'primary';
      if (value === 'primary' || value === 'subagent') return value;
      throw fault(key, 'must be primary or subagent');
    },
    kinds(key: string, isHeld: boolean): Kind[] {
      const names: readonly string[] =
        list(key) ?? build.kinds.filter((kind) => !isHeld || kind !== 'execute');
      if (isHeld && names.includes('execute'))
        throw fault(
          key,
          'must not name execute beside `writes`: what a command writes can’t be held to paths',
        );
      const all = new Set<string>(Kind().options);
      const wrong = names.find((name) => !all.has(name));
      if (wrong === undefined) return names.filter((name): name is Kind => all.has(name));
      throw fault(key, `names ${JSON.stringify(wrong)}; there are: ${[...all].join(', ')}`);
    },
  };
}
