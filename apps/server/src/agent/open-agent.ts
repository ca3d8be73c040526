// An agent for a session of this host, with the conversation its log holds.
import {
  type Agent,
  type AgentProfile,
  type AgentSignal,
  Conversation,
  type Journal,
  type Model,
} from '@codelab/agent';
import type { DialectName, SessionEvent, SessionLog } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import { setAtWork } from './at-work.ts';
import { workspaceTexts } from './context-files.ts';
import { createLocalHost } from './local-host.ts';

export type AgentOptions = {
  host: Host;
  session: string;
  model: Model;
  profile: AgentProfile;
  /** Whose tools the model is offered; our own unless said otherwise. */
  dialect?: DialectName;
  emit(signal: AgentSignal): void;
  /** For sub-agents whose profile wants a model of its own. */
  openModel?(name: string): Promise<Model>;
};

/** `leave` says that it starts no sub-agents any more. */
export type OpenedAgent = { agent: Agent; talk: Conversation; leave(): void };

export async function openAgent(options: AgentOptions): Promise<OpenedAgent> {
  const { host, session, model, profile, dialect, emit, openModel } = options;
  const tools = createLocalHost(host, session, dialect);
  const journal = journalOf(host, session);
  const texts = workspaceTexts(host.workspace);
  const talk = new Conversation((outcome) => tools.tell(outcome));
  for (const event of await journal.read()) talk.apply(event);
  const agent: Agent = { model, profile, host: tools, journal, texts, emit };
  const leave = setAtWork(host, { agent, ...(openModel && { openModel }) });
  return { agent, talk, leave };
}

function journalOf(host: Host, session: string): Journal {
  return {
    session,
    async record(bodies) {
      const live = await host.session(session);
      return await live.commit(() => [...bodies]);
    },
    read: () => readWithOrigin(host.log, session, Number.MAX_SAFE_INTEGER),
  };
}

// What a forked session begins with stands in the one it comes from.
async function readWithOrigin(log: SessionLog, session: string, through: number): Promise<SessionEvent[]> {
  const own = (await log.read(session)).filter(({ seq }) => seq <= through);
  const [first] = own;
  if (first?.body.type !== 'session.opened' || first.body.forkedFrom === undefined) return own;
  const { session: origin, seq } = first.body.forkedFrom;
  const before = await readWithOrigin(log, origin, seq);
  // Sequence numbers go on, so that what was summed up before the fork is not taken for what came after it.
  const last = before.at(-1)?.seq ?? 0;
  return [...before, ...own.map((event) => ({ ...event, seq: event.seq + last }))];
}
