// `codelab init`: an agent reads the project and writes an AGENTS.md.
import '../shared.ts';
import { randomId } from '@codelab/runtime';
import { composeOptions, defineCommand } from '../command-line/define-command.ts';
import { headlessOptions } from '../run/headless-options.ts';
import { turnOptions } from '../run/turn-options.ts';

export const init = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `Has an agent study the project and write AGENTS.md: the commands, layout and conventions that agents read at the start of every
session. You approve the file before it is written. \`/init\` in the chat does the same.`,
  options: { ...turnOptions, ...headlessOptions },
  examples: ['codelab init', 'codelab init --approve all --model openai/gpt-5'],
  async run({ options }) {
    const { startRun } = await import('../run/start-run.ts');
    const { initPrompt } = await import('@codelab/server/agent');
    return await startRun(options, async ({ compose, messageOf, run }) => {
      await using composed = await compose(composeOptions(options));
      return await run({ composed, session: randomId(), message: messageOf(initPrompt, 'codelab init') });
    });
  },
});
