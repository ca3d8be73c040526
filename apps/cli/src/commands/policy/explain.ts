// `codelab policy explain`: the verdict on a command line, with every program in it. Nothing runs.
import '../../shared.ts';
import { visibleLine } from '@codelab/protocol';
import { explainCommand } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { commonOptions, composeOptions, defineCommand } from '../../command-line/define-command.ts';
import { writeText } from '../../command-line/process.ts';
import { paintFor } from '../../output/paint.ts';
import { partTree, verdictJson, verdictText } from '../../output/verdict-text.ts';

const { workspace, json, profile, mode } = commonOptions;

export const policyExplain = defineCommand({
  words: '"COMMAND"',
  takes: { min: 1, max: 1 },
  about: `Shows what policy says about a shell line: for each program, whether it is allowed, asked about or denied, and why.
Nothing runs.`,
  options: {
    workspace,
    json,
    profile,
    mode,
    cwd: { type: 'string', value: 'DIR', summary: 'the folder in the workspace to start in' },
  },
  examples: ['codelab policy explain "git log | head && rm -rf build"'],
  async run({ words: [line = ''], options }) {
    await using composed = await compose(composeOptions(options));
    const { cwd, profile } = options;
    const { verdict: found, command, notes } = await explainCommand(composed.host, line, { cwd, profile });
    const { verdict, risk, rule, reason, parts } = found;
    const noteFields = notes.length > 0 ? { notes } : {};
    if (options.json) {
      writeText(1, `${JSON.stringify({ ...verdictJson(found), ...noteFields })}\n`);
      return 0;
    }
    const paint = paintFor(1);
    const depths = command.parts.map(({ depth = 0 }) => depth);
    const tree = partTree(
      parts.map((part, i) => ({ ...part, depth: depths[i] ?? 0 })),
      paint,
    );
    const head = verdictText({ subject: visibleLine(line), verdict, risk, rule, reason, parts: [] }, paint);
    const runs = notes.length > 0 ? `\n${notes.map((note) => `  ${note}\n`).join('')}` : '';
    writeText(1, `${head}\n${tree.join('\n')}\n${runs}`);
    return 0;
  },
});
