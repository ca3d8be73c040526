// All profiles: those that come with the program, the user's replacements, and the workspace's changes. A workspace may add roles and narrow existing
// ones; its prompts and models for a known name count only when the user trusts the workspace.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInProfiles } from '@codelab/agent';
import { Kind, ToolError, visibleLine } from '@codelab/protocol';
import {
  buildProfile,
  type Field,
  frontMatterFault,
  type Profile,
  type Role,
  readFrontMatter,
  readWorkspaceText,
} from '@codelab/runtime';

export type ProfilePlaces = { home: string; root: string; isTrusted: boolean };

/** A role to act in, and all profiles that limit it: its own, and those it was narrowed from. */
export type KnownProfile = { role: Role; holding: readonly Profile[] };

/** A file that can't be read makes only its own name unusable. */
export type LoadedProfiles = Map<string, KnownProfile | ToolError>;

const knownFields = [
  'name',
  'description',
  'mode',
  'kinds',
  'tools',
  'writes',
  'may_start',
  'model',
  'steps',
];
const maxSteps = 1000;
const maxSummary = 500;
const workspaceAgents = '.codelab/agents';
const maxAdded = 200;

export function loadProfiles({ home, root, isTrusted }: ProfilePlaces): LoadedProfiles {
  const found: LoadedProfiles = new Map();
  for (const [name, text] of Object.entries(builtInProfiles()))
    found.set(name, alone(readProfile(text, { file: `profiles/${name}.md`, expected: name })));
  const ownFolder = join(home, 'agents');
  for (const name of namesIn(ownFolder, found)) {
    const file = join(ownFolder, `${name}.md`);
    const text = (): string => readFileSync(file, 'utf8').replace(/^\ufeff/, '');
    found.set(
      name,
      attempt(() => alone(readProfile(text(), { file, expected: name }))),
    );
  }
  for (const name of namesIn(join(root, workspaceAgents), found)) {
    const before = found.get(name);
    if (before instanceof ToolError) continue;
    const file = `${workspaceAgents}/${name}.md`;
    const text = (): string => readWorkspaceText(root, file) ?? '';
    found.set(
      name,
      attempt(() => ofWorkspace(readProfile(text(), { file, expected: name }), before, isTrusted)),
    );
  }
  return found;
}

function alone(role: Role): KnownProfile {
  return { role, holding: [role] };
}

function ofWorkspace(role: Role, before: KnownProfile | undefined, isTrusted: boolean): KnownProfile {
  const { model: _, ...withoutModel } = role;
  const usable = isTrusted ? role : withoutModel;
  if (before === undefined) return alone(usable);
  const holding = [...before.holding, role];
  // A narrowed role keeps its mode and its summary.
  const { mode, summary } = before.role;
  return isTrusted ? { role: { ...usable, mode, summary }, holding } : { ...before, holding };
}

function attempt(read: () => KnownProfile): KnownProfile | ToolError {
  try {
    return read();
  } catch (error) {
    if (error instanceof ToolError) return error;
    return new ToolError('IO_ERROR', error instanceof Error ? error.message : String(error));
  }
}

/** All files that change a known profile count; the number of new ones is bounded. */
function namesIn(folder: string, builtIn: ReadonlyMap<string, unknown>): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder)
    .filter((name) => /^[a-z0-9][a-z0-9-]{0,63}\.md$/.test(name))
    .map((name) => name.slice(0, -3))
    .sort();
  const added = names.filter((name) => !builtIn.has(name));
  return [...names.filter((name) => builtIn.has(name)), ...added.slice(0, maxAdded)];
}

/**
 * Reads a profile from its Markdown file: the head says what the role may do, the rest is its prompt. `file` is its name in messages; the profile
 * must have the name of the file, `expected`.
 */
function readProfile(text: string, { file, expected }: { file: string; expected: string }): Role {
  const { fields, body } = readFrontMatter(text, file);
  const read = readerOf(fields, file);
  for (const [key, { line }] of fields)
    if (!knownFields.includes(key))
      throw frontMatterFault(
        file,
        line,
        `has an unknown key \`${key}\`; there are: ${knownFields.join(', ')}`,
      );
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

function withoutUndefined<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
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
        list(key) ?? buildProfile.kinds.filter((kind) => !isHeld || kind !== 'execute');
      if (isHeld && names.includes('execute'))
        throw fault(
          key,
          'must not name execute beside `writes`: what a command writes can’t be held to paths',
        );
      const kinds = new Set<string>(Kind().options);
      const wrong = names.find((name) => !kinds.has(name));
      if (wrong === undefined) return names.filter((name): name is Kind => kinds.has(name));
      throw fault(key, `names ${JSON.stringify(wrong)}; there are: ${[...kinds].join(', ')}`);
    },
  };
}
