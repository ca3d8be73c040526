// `codelab chat`, or `codelab` alone: talk with an agent.
import '../shared.ts';
import { randomId } from '@codelab/runtime';
import { findSessions } from '../audit/find-sessions.ts';
import { openLog } from '../audit/open-log.ts';
import { composeOptions, realRoot } from '../command-line/compose-options.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { turnOptions } from '../run/turn-options.ts';

const { workspace, model, effort, approve, profile, mode } = turnOptions;

export const chat = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `Talk with an agent: it reads, proposes, runs and answers; whatever is risky is asked. \`codelab\` alone does the same.
Not at a terminal, every line of standard input is a turn. /help lists what can be typed.`,
  options: {
    workspace,
    model,
    effort,
    profile,
    mode,
    approve,
    session: { type: 'string', value: 'ID', summary: 'go on with this session (default: a new one)' },
    continue: { type: 'boolean', summary: 'go on with the latest session of this workspace' },
  },
  examples: ['codelab', 'codelab --model demo --workspace examples/hello-shop', 'codelab --continue'],
  async run({ options }) {
    const found = await findSession(options);
    // In the middle of a chat there is no place for it: `codelab doctor` and `audit verify` tell.
    const onAuditProblem = (): void => undefined;
    const places = {
      ...composeOptions({ ...options, ...found.workspace }),
      isShortLived: false,
      onAuditProblem,
    };
    const { startChat } = await import('../chat/start-chat.ts');
    return await startChat({
      places,
      session: found.session,
      model: options.model,
      effort: options.effort,
      profile: options.profile,
      approve: options.approve,
    });
  },
});

type Wanted = { session?: string; continue?: boolean; workspace?: string };

async function findSession(wanted: Wanted): Promise<{ session: string; workspace?: { workspace: string } }> {
  if (wanted.session === undefined && !wanted.continue) return { session: randomId() };
  await using log = openLog();
  const [latest] = await findSessions(
    log,
    wanted.session === undefined ? { root: realRoot(wanted.workspace) } : { id: wanted.session },
  );
  if (latest === undefined) return { session: randomId() };
  return { session: latest.id, workspace: { workspace: latest.workspace } };
}
