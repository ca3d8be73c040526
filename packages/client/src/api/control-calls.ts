// The setup of the gateway: policy, settings, models, usage, and the signed-in user.
import {
  type ProviderTrial,
  policyRoutes,
  type SentBody,
  type SettingsChange,
  settingRoutes,
  usageRoutes,
  webRoutes,
} from '@codelab/api';
import type { Requester } from './requester.ts';

export function policyCalls({ ask }: Requester) {
  return {
    /** With a session, includes the session's own rules. */
    get: (sessionId?: string) => ask(policyRoutes.get, { query: { session_id: sessionId } }),
    /** The verdict on a call or a command line; nothing is run. */
    check: (body: SentBody<typeof policyRoutes.check>) =>
      ask(policyRoutes.check, { body, isRepeatable: true }),
    /** For a rule of one session, `session_id` names the session. */
    addRule: (body: SentBody<typeof policyRoutes.addRule>) => ask(policyRoutes.addRule, { body }),
    removeRule: (rule: string, scope?: 'user' | 'workspace') =>
      ask(policyRoutes.removeRule, { params: { rule }, query: { scope } }),
  };
}

export function settingCalls({ ask }: Requester) {
  return {
    get: () => ask(settingRoutes.get),
    /** Keys can be set but never read; null removes one. */
    update: (body: SettingsChange) => ask(settingRoutes.update, { body }),
    models: () => ask(settingRoutes.models),
    providers: () => ask(settingRoutes.providers),
    tryProvider: (body: ProviderTrial) => ask(settingRoutes.tryProvider, { body }),
  };
}

export function usageCalls({ ask }: Requester) {
  return {
    get: (signal?: AbortSignal) => ask(usageRoutes.get, { signal }),
    ofSession: (session: string, signal?: AbortSignal) =>
      ask(usageRoutes.get, { query: { session }, signal }),
  };
}

/** Checks a token, and opens a web session with it. */
export function loginCall({ ask }: Requester) {
  return (token: string) => ask(webRoutes.signIn, { body: { token } });
}
