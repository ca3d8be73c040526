// An agent for a session of this host, with the conversation its log holds.
import { type Agent, type AgentProfile, Conversation, type Model } from '@codelab/agent';
import type { AgentSignal, DialectName } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import { setAtWork } from './at-work.ts';
import { workspaceTexts } from './context-files.ts';
import { openJournal } from './journal.ts';
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
  const { journal, events } = await openJournal(host, session);
  const texts = workspaceTexts(host, session);
  const talk = new Conversation((outcome) => tools.tell(outcome));
  for (const event of events) talk.apply(event);
  const agent: Agent = { model, profile, host: tools, journal, texts, emit };
  const leave = setAtWork(host, { agent, talk, ...(openModel && { openModel }) });
  return { agent, talk, leave };
}
