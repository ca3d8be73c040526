// The tools for a model: those usable now, fewer for a small window, with schemas reduced to what every provider accepts.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HostTool } from '@codelab/agent';
import type { Outcome } from '@codelab/protocol';
import { type Host, hasServer, listSkills } from '@codelab/runtime';

/** Up to here the window has no room for more than what the work cannot do without. */
const smallWindow = 16_384;

const essential: readonly string[] = [
  ...['read_file', 'edit_file', 'write_file', 'list_files', 'search_in_project', 'run_command'],
];

type Fitting = { name: 'all' | 'essential'; test(tool: HostTool): boolean };

/** The tools that fit into a window; all of them for an unknown window. */
export function toolsFor(window: number | undefined): Fitting {
  if (window === undefined || window > smallWindow) return { name: 'all', test: () => true };
  // Tools of MCP servers stay, because the user connected them.
  return { name: 'essential', test: ({ name }) => essential.includes(name) || name.startsWith('mcp:') };
}

/** Tools that need an earlier call of another tool: they are offered after that call, and the list changes once. */
const needs: Readonly<Record<string, string>> = {
  read_process: 'run_persistent',
  write_process: 'run_persistent',
  list_processes: 'run_persistent',
  kill_process: 'run_persistent',
  redo: 'undo',
  todoread: 'todowrite',
  restore_held_back: 'held back',
};

export type UsableTools = {
  /** Records the effect of a call on the usable tools. */
  note(outcome: Outcome): void;
  /** Changes when more tools can be used. */
  version(): string;
  isUsable(tool: string): boolean;
};

/** `host` is undefined where a client has the files, which are unknown here. */
export function usableTools(host: Host | undefined): UsableTools {
  const happened = new Set<string>();
  const gits = host === undefined ? [] : gitPlaces(host.workspace.root.real);
  let isRepository = false;
  let hasSkills: boolean | undefined;
  let hasServers: boolean | undefined;
  const checkRepository = (): void => {
    if (host === undefined) return;
    isRepository ||= gits.some((place) => existsSync(place));
    hasSkills ??= listSkills(host).skills.length > 0;
    hasServers ??= hasServer(host.lsp.settings, host.workspace.root.real);
  };
  return {
    note(outcome) {
      if (outcome.status !== 'completed') return;
      happened.add(outcome.tool);
      if (outcome.data.held_back !== undefined) happened.add('held back');
    },
    version() {
      checkRepository();
      const metNeeds = new Set(Object.values(needs).filter((need) => happened.has(need)));
      return [...metNeeds, ...(isRepository ? ['git'] : [])].join();
    },
    isUsable(tool) {
      checkRepository();
      if (host !== undefined && tool === 'skill') return hasSkills === true;
      if (host !== undefined && tool.startsWith('git.')) return isRepository;
      // Servers run beside the files; where a client has those, it is not known to have any.
      if (tool.startsWith('lsp_')) return hasServers === true;
      const need = Object.hasOwn(needs, tool) ? needs[tool] : undefined;
      return need === undefined || happened.has(need);
    },
  };
}

/** The places where git would look for the repository of a folder. */
function gitPlaces(folder: string): string[] {
  const places: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    places.push(join(at, '.git'));
    if (dirname(at) === at) return places;
  }
}

/** Arguments that a model can do without: another session's, or what the command line says as well. */
const unsaid: Readonly<Record<string, readonly string[]>> = {
  run_command: ['env'],
  run_persistent: ['env', 'ready_timeout'],
  undo: ['session'],
  redo: ['session'],
  restore_held_back: ['session'],
  create_directory: ['recursive'],
  read_process: ['max_bytes'],
};

type Schema = Readonly<Record<string, unknown>>;

export function modelSchema(name: string, schema: unknown): unknown {
  const omitted = Object.hasOwn(unsaid, name) ? unsaid[name] : undefined;
  const { definitions, $defs = definitions } = asSchema(schema);
  const simplified = plainSchema(schema, asSchema($defs), 0);
  if (omitted === undefined) return simplified;
  const properties = Object.entries(asSchema(simplified.properties)).filter(
    ([field]) => !omitted.includes(field),
  );
  return { ...simplified, properties: Object.fromEntries(properties) };
}

const maxDepth = 12;

/**
 * Gemini takes only a part of OpenAPI's schemas and refuses a whole request for one keyword more; `type`, `description`, `properties`,
 * `required`, `items`, `enum` and `anyOf` are taken by all. The runtime checks the rest of a schema when it runs the call.
 */
function plainSchema(value: unknown, defs: Schema, depth: number): Schema {
  const schema = resolved(asSchema(value), defs);
  if (depth > maxDepth) return { type: 'object' };
  const { description, required, items, anyOf, oneOf } = schema;
  const inner = (schema: unknown): Schema => plainSchema(schema, defs, depth + 1);
  const choices = (Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [])
    .map(inner)
    .filter(({ type }) => type !== 'null');
  const [only] = choices;
  if (only !== undefined && choices.length === 1)
    return { ...only, ...(description !== undefined && { description }) };
  const type = typeOf(schema);
  const names = Object.entries(asSchema(schema.properties));
  return {
    ...(choices.length > 0 ? { anyOf: choices } : { type }),
    ...(description !== undefined && { description }),
    ...enumOf(schema),
    ...(type === 'object' && {
      properties: Object.fromEntries(names.map(([name, field]) => [name, inner(field)])),
    }),
    ...(type === 'object' && Array.isArray(required) && required.length > 0 && { required }),
    ...(type === 'array' && { items: inner(items ?? { type: 'string' }) }),
  };
}

function resolved(schema: Schema, defs: Schema): Schema {
  const { $ref, allOf, ...rest } = schema;
  const referenced =
    typeof $ref === 'string' ? asSchema(defs[$ref.replace(/^#\/(\$defs|definitions)\//, '')]) : {};
  const parts = Array.isArray(allOf) ? allOf.map((schema) => resolved(asSchema(schema), defs)) : [];
  return Object.assign({}, ...parts, referenced, rest);
}

function typeOf({ type, properties, items }: Schema): unknown {
  const typeName = Array.isArray(type) ? type.find((name) => name !== 'null') : type;
  if (typeName !== undefined) return typeName;
  return properties !== undefined ? 'object' : items !== undefined ? 'array' : 'string';
}

function enumOf(schema: Schema): { enum?: readonly string[] } {
  const values = Array.isArray(schema.enum) ? schema.enum : schema.const === undefined ? [] : [schema.const];
  const isText = values.length > 0 && values.every((value) => typeof value === 'string' && value !== '');
  return isText ? { enum: values as string[] } : {};
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}
