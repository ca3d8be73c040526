// `codelab policy explain`: the verdict on a command line. No tool runs commands yet, so every one would have to be asked.
import '../shared.ts';
import type { Verdict } from '@codelab/protocol';
import { visibleLine } from '@codelab/protocol';
import { commonOptions } from '../command-line/common-options.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { paintFor } from '../output/paint.ts';
import { verdictText } from '../output/verdict-text.ts';
import { writeText } from '../output/write-text.ts';

const { workspace, json } = commonOptions;

const unparsed: Omit<Verdict, 'layer' | 'parts'> = {
  verdict: 'ask',
  risk: 'high',
  rule: 'default:execute',
  reason: 'Every command is asked. No tool runs commands yet, so this one was not parsed and cannot be run.',
};

export const policyExplain = defineCommand({
  words: '"COMMAND"',
  takes: { min: 1, max: 1 },
  about: `Says what policy makes of a command line. Tools that run commands come later: until then nothing is parsed,
and the answer is that every command is asked.`,
  options: { workspace, json },
  run({ words: [command = ''], options }) {
    const { verdict, reason } = unparsed;
    const parts = [{ text: command, verdict, reason }];
    const shown = { ...unparsed, parts };
    writeText(
      1,
      options.json
        ? `${JSON.stringify(shown)}\n`
        : verdictText({ what: visibleLine(command), ...shown }, paintFor(1)),
    );
    return 0;
  },
});
