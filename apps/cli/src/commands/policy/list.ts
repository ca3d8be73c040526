// `codelab policy list`: every rule in force, the strictest layer first.
import '../../shared.ts';
import { type Rule, type RuleLayer, visibleLine } from '@codelab/protocol';
import { ruleMatches } from '@codelab/runtime';
import { compose, workspaceConfigPath } from '@codelab/server';
import { commonOptions, composeOptions, defineCommand } from '../../command-line/define-command.ts';
import { writeText } from '../../command-line/process.ts';
import { type Paint, paintFor } from '../../output/paint.ts';
import { hangText, screenWidth } from '../../output/text-width.ts';

const { workspace, json, mode } = commonOptions;
const effects = { allow: 'green', ask: 'yellow', deny: 'red' } as const;

export const policyList = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: 'Lists the rules in force. When several rules match a call, the strictest wins.',
  options: { workspace, json, mode },
  async run({ options }) {
    await using composed = await compose(composeOptions(options));
    const rules = composed.host.rules.list();
    const { mode: active, workspace: trust } = composed.config;
    if (options.json) {
      const rows = rules.map(({ layer, rule }) => ({ layer, ...rule }));
      writeText(1, `${JSON.stringify({ mode: active, workspace_config: trust, rules: rows })}\n`);
      return 0;
    }
    writeText(1, listText(rules, { active, trust }, paintFor(1)));
    return 0;
  },
});

function listText(
  rules: readonly { layer: RuleLayer; rule: Rule }[],
  { active, trust }: { active: string; trust: 'none' | 'untrusted' | 'trusted' },
  paint: Paint,
): string {
  const lines = rules.flatMap(({ layer, rule }) => {
    const label = `${paint(effects[rule.effect], rule.effect.padEnd(5))}  `;
    const head = `${paint('bold', visibleLine(rule.id))} ${paint('dim', `(${layer})`)} ${visibleLine(rule.reason)}`;
    return [
      ...hangText(label, head, screenWidth()),
      ...hangText('       ', ruleMatches(rule), screenWidth()).map((line) => paint('dim', line)),
    ];
  });
  const untrusted = `This workspace's ${workspaceConfigPath} is not trusted: its allow rules are ignored. \`codelab policy trust\``;
  return `${[
    ...lines,
    '',
    `When no rule matches, the mode decides: ${paint('bold', active)}.`,
    ...(trust === 'untrusted' ? [paint('yellow', untrusted)] : []),
  ].join('\n')}\n`;
}
