// `codelab chat`, or `codelab` alone: chat with an agent.
import '../shared.ts';
import { randomId } from '@codelab/runtime';
import { findSessions } from '../audit/find-sessions.ts';
import { openLog } from '../audit/open-log.ts';
import { composeOptions, defineCommand, realRoot } from '../command-line/define-command.ts';
import { turnOptions, worktreeOption } from '../run/turn-options.ts';

const { workspace, model, effort, approve, profile, mode } = turnOptions;

export const chat = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `Starts a chat with an agent in this folder. The agent reads files, proposes changes and runs commands; anything risky needs your approval.
Without a terminal, each line of standard input is a turn. Type /help in the chat for its commands.`,
  options: {
    workspace,
    model,
    effort,
    profile,
    mode,
    approve,
    session: {
      type: 'string',
      value: 'ID',
      summary: 'continue this session, or start one with this id (default: a new one)',
    },
    continue: { type: 'boolean', summary: 'continue the latest session of this workspace' },
    worktree: worktreeOption,
  },
  examples: [
    'codelab',
    'codelab --model demo --workspace examples/hello-shop',
    'codelab --continue',
    'codelab chat --worktree=login',
  ],
  async run({ options }) {
    const newWorktree = await beginIfWanted(options);
    const place = newWorktree ?? (await findSession(options));
    // The chat has no place for these notices: `codelab doctor` and `audit verify` show them.
    const onAuditProblem = (): void => undefined;
    const places = {
      ...composeOptions({ ...options, ...place.workspace }),
      isShortLived: false,
      isForPerson: true,
      hasSessionModes: true,
      onAuditProblem,
    };
    const { startChat } = await import('../chat/start-chat.ts');
    return await startChat({
      places,
      session: place.session,
      isNew: newWorktree !== undefined || place.workspace === undefined,
      model: options.model,
      effort: options.effort,
      profile: options.profile,
      approve: options.approve,
    });
  },
});

type Wanted = { session?: string; continue?: boolean; workspace?: string; worktree?: string };
type Found = { session: string; workspace?: { workspace: string } };

async function beginIfWanted(options: Wanted): Promise<Found | undefined> {
  if (options.worktree === undefined) return undefined;
  const { beginInWorktree } = await import('../worktrees/worktrees.ts');
  const started = await beginInWorktree(options, 'codelab chat');
  return started && { session: started.session, workspace: { workspace: started.workspace } };
}

async function findSession(options: Wanted): Promise<Found> {
  if (options.session === undefined && !options.continue) return { session: randomId() };
  await using log = await openLog();
  const [latest] = await findSessions(
    log,
    options.session === undefined ? { root: realRoot(options.workspace) } : { id: options.session },
  );
  if (latest === undefined) return { session: randomId() };
  return { session: latest.id, workspace: { workspace: latest.workspace } };
}
