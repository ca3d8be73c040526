// `codelab policy add`: saves a rule after checking it against its own examples.
import '../../shared.ts';
import { parseJson, Rule, ToolError, visible } from '@codelab/protocol';
import { proveRule, ruleMatches } from '@codelab/runtime';
import { defaultHome, keepRule } from '@codelab/server';
import {
  commonOptions,
  defineCommand,
  type ParsedCommandLine,
  realRoot,
  UsageError,
} from '../../command-line/define-command.ts';
import { writeText } from '../../command-line/process.ts';

const { workspace, json, scope } = commonOptions;

const fields = {
  id: { type: 'string', value: 'ID', summary: 'name of the rule' },
  effect: {
    type: 'string',
    value: 'EFFECT',
    choices: ['allow', 'ask', 'deny'],
    summary: 'what happens to matching calls',
  },
  reason: { type: 'string', value: 'TEXT', summary: 'reason, shown when a call is asked about or denied' },
  tool: { type: 'string', value: 'GLOBS', summary: 'match these tools, separated by commas' },
  kind: {
    type: 'string',
    value: 'KINDS',
    summary: 'match these kinds of tools: read, edit, delete, move, …',
  },
  path: { type: 'string', value: 'GLOBS', summary: 'match these workspace paths' },
  access: {
    type: 'string',
    value: 'LIST',
    summary: 'match these kinds of access: read, create, write, delete',
  },
  command: { type: 'string', value: 'GLOBS', summary: 'match these command lines' },
  profile: { type: 'string', value: 'NAMES', summary: 'match these profiles' },
  risk: {
    type: 'string',
    value: 'RISK',
    choices: ['low', 'medium', 'high', 'critical'],
    summary: 'match calls of at least this risk',
  },
} as const;

const options = { ...fields, scope, workspace, json } as const;

export const policyAdd = defineCommand({
  words: '[JSON]',
  takes: { min: 0, max: 1 },
  about: `Adds a rule for this workspace or, with --scope user, for all of them. Pass it as JSON or with options.
A rule may have examples (matches, notMatches); if one fails, the rule is rejected.`,
  options,
  examples: [
    'codelab policy add --id no-secrets --effect deny --path "secrets/**" --reason "Nobody touches these."',
    `codelab policy add '{"id":"docs","effect":"allow","reason":"Docs are free.","tool":"write_file","path":"docs/**"}'`,
  ],
  async run({ words: [text], options: flags }) {
    const rule = readRule(
      text === undefined ? fromFlags(flags) : parseJson(text, { bytes: 100_000, depth: 16 }),
    );
    proveRule(rule);
    const target = {
      scope: flags.scope === 'user' ? 'user' : 'workspace',
      root: realRoot(flags.workspace),
    } as const;
    await keepRule(defaultHome(), target, rule);
    const message = `Added for ${target.scope === 'user' ? 'you, in every workspace' : target.root}:\n  ${rule.effect} ${ruleMatches(rule)}\n`;
    writeText(
      1,
      flags.json
        ? `${JSON.stringify({ scope: target.scope, rule })}\n`
        : `${visible(message)}  ${JSON.stringify(rule)}\n`,
    );
    return 0;
  },
});

function fromFlags(flags: ParsedCommandLine<typeof options>['options']): unknown {
  const { id, effect, reason, risk } = flags;
  if (id === undefined || effect === undefined || reason === undefined)
    throw new UsageError('Give a rule as JSON, or at least --id, --effect and --reason.');
  const lists = (['tool', 'kind', 'path', 'access', 'command', 'profile'] as const).flatMap((name) => {
    const value = flags[name];
    return value === undefined ? [] : [[name, value.split(',').map((item) => item.trim())] as const];
  });
  return { id, effect, reason, ...Object.fromEntries(lists), ...(risk === undefined ? {} : { risk }) };
}

function readRule(value: unknown): Rule {
  const parsed = Rule().safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue?.path.map(String).join('.');
  throw new ToolError('INVALID_ARGUMENTS', `The rule${at ? `'s \`${at}\`` : ''}: ${issue?.message}`);
}
