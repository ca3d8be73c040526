// The rules in force, their verdict on a call, and keeping and removing rules. Beyond one session only the operator may do that.
import { type ListedRule, policyRoutes } from '@codelab/api';
import { phraseOf, type Rule, type RuleLayer, ToolError } from '@codelab/protocol';
import { conditionPhrases, proveRule, ruleMatches } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import { loadConfig } from '../../config/load-config.ts';
import type { Gateway, Peer } from '../../sessions/gateway.ts';
import { serveRoute } from '../route.ts';
import { judgeTestCall } from '../work/judge-test-call.ts';

export function servePolicy(app: FastifyInstance, gateway: Gateway): void {
  const { host } = gateway;
  const { rules } = host;
  serveRoute(app, policyRoutes.get, async ({ peer, query: { session_id: id } }) => {
    const session = id === undefined ? undefined : await gateway.session(id, peer, { mustExist: true });
    const ofSession = session === undefined ? [] : await sessionRules(gateway, session.id);
    const sessionHost = session?.host ?? host;
    const places = { home: host.home, root: host.settingsRoot, worktree: session?.worktree?.path };
    const { workspace } = await loadConfig({ ...places, mode: rules.mode, env: {} });
    // The rules of the `user` layer are for the operator alone.
    const visible = sessionHost.rules.list().filter(({ layer }) => peer.isOperator || layer !== 'user');
    const rows = [...visible, ...ofSession].map(({ layer, rule, isKept }) => view(layer, rule, isKept));
    return { mode: rules.mode, workspace_config: workspace, rules: rows };
  });

  serveRoute(app, policyRoutes.check, async ({ peer, body: { session_id: id, ...testCall } }) => {
    const session = id === undefined ? undefined : await gateway.session(id, peer, { mustExist: true });
    return await judgeTestCall(session?.worktree === undefined ? host : session.host, testCall, id);
  });

  serveRoute(app, policyRoutes.addRule, async ({ peer, body: { rule, scope, session_id: id } }) => {
    if (scope === 'session') await addToSession(gateway, id, peer, rule);
    else {
      checkOperator(peer);
      await rules.remember(scope, rule);
    }
    return { scope, rule: view(scope, rule, scope !== 'session') };
  });

  serveRoute(app, policyRoutes.removeRule, async ({ peer, params, query: { scope: only } }) => {
    checkOperator(peer);
    for (const scope of ['workspace', 'user'] as const)
      if ((only ?? scope) === scope && (await rules.forget(scope, params.rule)))
        return { scope, id: params.rule };
    throw notKept(gateway, params.rule);
  });
}

async function sessionRules(
  gateway: Gateway,
  id: string,
): Promise<{ layer: RuleLayer; rule: Rule; isKept: boolean }[]> {
  const live = await gateway.host.session(id);
  await live.catchUp();
  return live.rules.map((rule) => ({ layer: 'session', rule, isKept: false }));
}

async function addToSession(gateway: Gateway, id: string | undefined, by: Peer, rule: Rule): Promise<void> {
  if (id === undefined)
    throw new ToolError('INVALID_ARGUMENTS', '`session_id` says for which session.', { field: 'session_id' });
  await gateway.session(id, by, { mustExist: true });
  proveRule(rule);
  const live = await gateway.host.session(id);
  const decided = { who: by.subject, via: by.via };
  await live.commit(() => [{ type: 'rule.remembered', rule, by: decided }], { durable: true });
}

function checkOperator({ isOperator }: Peer): void {
  if (isOperator) return;
  throw new ToolError(
    'PERMISSION_DENIED',
    'Only the operator can add or remove rules for the workspace. Use `scope: "session"`.',
  );
}

function notKept({ host }: Gateway, id: string): ToolError {
  const found = host.rules.list().find(({ rule }) => rule.id === id);
  const name = JSON.stringify(id.slice(0, 100));
  return found === undefined
    ? new ToolError('FILE_NOT_FOUND', `There is no rule ${name}. GET ${policyRoutes.get.path} lists them.`)
    : new ToolError(
        'INVALID_ARGUMENTS',
        `The rule ${name} (${found.layer}) can’t be removed here: it is built in, or set in a config.json.`,
      );
}

function view(layer: RuleLayer, rule: Rule, isKept: boolean): ListedRule {
  const phrases = { text: conditionPhrases(rule), reason: [phraseOf(rule.reason)] };
  return { layer, ...rule, text: ruleMatches(rule), phrases, removable: isKept };
}
