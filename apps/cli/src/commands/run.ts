// `codelab run`: one turn without a screen.
import '../shared.ts';
import { isatty } from 'node:tty';
import { randomId } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { userName } from '../approval/user-name.ts';
import { fullSessionId } from '../audit/find-sessions.ts';
import { composeOptions } from '../command-line/compose-options.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { turnOptions } from '../run/turn-options.ts';
import { createInterruption } from '../tool-call/interruption.ts';

export const run = defineCommand({
  words: 'PROMPT|-',
  takes: { min: 1, max: 1 },
  about: `One turn of an agent: it reads, proposes, runs and answers; whatever is risky is asked.
With \`-\` the prompt comes from standard input; @path in it shows the model that file.
Exit code 0 when the turn completed, 1 when it failed or, with --approve never, something was refused.`,
  options: {
    ...turnOptions,
    session: { type: 'string', value: 'ID', summary: 'go on with this session (default: a new one)' },
  },
  examples: [
    'codelab run "What does this project do?"',
    'codelab run --approve all "replace foo by bar in a.txt" --model demo',
  ],
  async run({ words: [text = ''], options }) {
    using interruption = createInterruption();
    const prompt = text === '-' ? await readAll() : text;
    await using composed = await compose(composeOptions(options));
    const { runAgent } = await import('../run/run-agent.ts');
    const { chooseOutput } = await import('../run/choose-output.ts');
    const { session: named } = options;
    const session = named === undefined ? randomId() : await fullSessionId(composed.log, named);
    return await runAgent({
      composed,
      session,
      model: options.model,
      profile: options.profile,
      approve: options.approve ?? (isatty(0) ? 'ask' : 'never'),
      interruption,
      said: { text: prompt, by: { who: userName(), via: 'codelab run' } },
      ...chooseOutput(options.output ?? 'text'),
    });
  },
});

async function readAll(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
