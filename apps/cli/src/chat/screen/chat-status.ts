// The content of a chat's status line.
import { estimateTokens } from '@codelab/agent';
import type { AgentStatus } from '@codelab/protocol';
import { tryReadStatus } from '@codelab/runtime';
import { availableSkills } from '@codelab/server/agent';
import type { TerminalChat } from '../chat.ts';
import type { Status } from './status-line.ts';

type Doing = { since: number; status: AgentStatus; sign: string };

const doings: Record<AgentStatus, string> = {
  idle: 'working',
  thinking: 'thinking',
  executing_tool: 'working',
  waiting_approval: 'waits for your decision',
  error: 'working',
};

export function chatStatus(
  { agent, conversation, mode, usage }: TerminalChat,
  tree: TreeFacts,
  doing: Doing | undefined,
): Status {
  const { model, profile } = agent;
  return {
    model: model.name,
    profile: profile.name,
    mode,
    ...tree,
    tokens: usage.inputTokens + usage.outputTokens,
    cost: usage.cost,
    context: Math.min(1, conversation.tokensWith(estimateTokens(profile.prompt)) / model.contextTokens),
    doing: doing === undefined ? '' : doingText(doing),
  };
}

function doingText({ since, status, sign }: Doing): string {
  const seconds = Math.floor((Date.now() - since) / 1000);
  return `${sign} ${doings[status]} ${seconds}s · Esc cancels`;
}

/**
 * Facts shown and completed beside the conversation: git's branch, the changes of the session, the skills. Refreshed when a turn or command
 * has ended, never in between.
 */
type TreeFacts = Pick<Status, 'branch' | 'changes'>;

export type WorktreeStatus = {
  readonly facts: TreeFacts;
  /** Skills by name. */
  readonly skills: readonly string[];
  refresh(chat: TerminalChat): Promise<void>;
};

const patienceMs = 1000;

export function createWorktreeStatus(onChange: () => void): WorktreeStatus {
  let facts: TreeFacts = { branch: undefined, changes: undefined };
  let skills: readonly string[] = [];
  return {
    get facts() {
      return facts;
    },
    get skills() {
      return skills;
    },
    async refresh(chat) {
      const { session, agent, host } = chat;
      facts = await readTree(chat);
      onChange();
      const found = await availableSkills(host, { session, profile: agent.profile.name });
      skills = found.map(({ name }) => name);
    },
  };
}

export async function readTree(chat: TerminalChat): Promise<TreeFacts> {
  const { workspace } = chat.host;
  const state = await tryReadStatus(workspace, AbortSignal.timeout(patienceMs)).catch(() => undefined);
  const changes = chat.conversation.turn === 0 ? undefined : await changesIn(chat);
  return { branch: state?.branch ?? undefined, changes };
}

async function changesIn({ host, session }: TerminalChat): Promise<TreeFacts['changes']> {
  const { reviewSource } = await import('../../review-turn/review-source.ts');
  const { files } = await reviewSource(host, { session, via: 'codelab chat' }).get(null);
  if (files.length === 0) return undefined;
  const { changeTotals } = await import('../../review-turn/review-state.ts');
  return changeTotals(files);
}
