// `codelab policy remove`: deletes a kept rule.
import '../../shared.ts';
import { ToolError } from '@codelab/protocol';
import { compose, defaultHome, dropRule } from '@codelab/server';
import { commonOptions, composeOptions, defineCommand, realRoot } from '../../command-line/define-command.ts';
import { writeText } from '../../command-line/process.ts';

const { workspace, json, scope } = commonOptions;

export const policyRemove = defineCommand({
  words: 'ID',
  takes: { min: 1, max: 1 },
  about:
    'Removes a rule that was added or remembered. Without --scope, the workspace is searched first, then your own rules.',
  options: { scope, workspace, json },
  async run({ words: [id = ''], options }) {
    const root = realRoot(options.workspace);
    const scopes = (['workspace', 'user'] as const).filter((scope) => (options.scope ?? scope) === scope);
    const removed = await removeFrom(scopes, root, id);
    if (removed === undefined) throw await notThere(id, options);
    writeText(
      1,
      options.json ? `${JSON.stringify({ scope: removed, id })}\n` : `Forgotten (${removed}): ${id}\n`,
    );
    return 0;
  },
});

type RuleScope = 'workspace' | 'user';

async function removeFrom(scopes: RuleScope[], root: string, id: string): Promise<RuleScope | undefined> {
  for (const scope of scopes) if (await dropRule(defaultHome(), { scope, root }, id)) return scope;
  return undefined;
}

async function notThere(id: string, options: { workspace?: string }): Promise<ToolError> {
  await using composed = await compose(composeOptions(options));
  const listedRule = composed.host.rules.list().find(({ rule }) => rule.id === id);
  return new ToolError(
    'INVALID_ARGUMENTS',
    listedRule === undefined
      ? `There is no rule ${JSON.stringify(id)}. \`codelab policy list\` lists them.`
      : `The rule ${JSON.stringify(id)} (${listedRule.layer}) can’t be removed here: it is built in, or set in a config.json.`,
  );
}
