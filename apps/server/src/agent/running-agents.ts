// The agents at work in the sessions of a host. A sub-agent is started by a call, and a call knows only its session.
import type { Agent, Conversation, Model } from '@codelab/agent';
import type { Hooks } from '../config/hooks.ts';

type RunningAgent = {
  agent: Agent;
  talk: Conversation;
  /** Opens a model for a profile that names one. */
  openModel(name?: string): Promise<Model>;
};

/** The agents at work in the sessions of a host: the session's own, and the sub-agents it started. */
export type RunningAgents = {
  /** What is run before and after their calls; undefined when nothing is. */
  readonly hooks: Hooks | undefined;
  /** `id` is the call that started a sub-agent. */
  find(session: string, id?: string): RunningAgent | undefined;
  /** Registers an agent until the result is disposed of. */
  add(one: RunningAgent): Disposable;
};

/** `config.hooks` is read when an agent begins to work. */
export function createRunningAgents(config: { readonly hooks: Hooks | undefined }): RunningAgents {
  const running = new Map<string, RunningAgent>();
  const keyOf = (session: string, id?: string): string => JSON.stringify([session, id ?? null]);
  return {
    get hooks() {
      return config.hooks;
    },
    find: (session, id) => running.get(keyOf(session, id)),
    add(agent) {
      const key = keyOf(agent.agent.log.session, agent.agent.id);
      running.set(key, agent);
      return {
        [Symbol.dispose]() {
          if (running.get(key) === agent) running.delete(key);
        },
      };
    },
  };
}
