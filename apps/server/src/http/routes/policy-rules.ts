// The rules in force, what they say of a call, and keeping and forgetting rules. Beyond one session that is the operator's to do.
import { Rule, type RuleLayer, ToolError } from '@codelab/protocol';
import { proveRule, ruleMatches } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { loadConfig } from '../../config/load-config.ts';
import { readInput } from '../../edge/read-input.ts';
import type { Gateway, Peer } from '../../sessions/gateway.ts';
import { judgeAsked } from '../work/judge-asked.ts';

const base = '/api/v1/policy';

const OfSession = () => z.object({ session_id: z.optional(z.string()) });
const Checked = () =>
  z.strictObject({
    tool: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
    args: z.optional(z.record(z.string(), z.unknown())),
    command: z.optional(z.string().check(z.minLength(1), z.maxLength(100_000))),
    cwd: z.optional(z.string()),
    profile: z.optional(z.string()),
    session_id: z.optional(z.string()),
  });
const Added = () =>
  z.strictObject({
    rule: Rule(),
    scope: z._default(z.enum(['session', 'workspace', 'user']), 'workspace'),
    session_id: z.optional(z.string()),
  });
const Removed = () => z.object({ scope: z.optional(z.enum(['workspace', 'user'])) });

export function policyRoutes(app: FastifyInstance, gateway: Gateway): void {
  const { host } = gateway;

  const listing = { summary: 'Every rule in force, layer by layer, and the mode', query: OfSession };
  app.get(base, { config: { about: listing } }, async ({ peer, query }) => {
    const { session_id: id } = readInput(OfSession(), query);
    const ofSession = id === undefined ? [] : await sessionRules(gateway, id, peer);
    const root = host.workspace.root.real;
    const { workspace } = await loadConfig({ home: host.home, root, mode: host.rules.mode, env: {} });
    // What the operator keeps for themselves in every workspace is not others' to read.
    const shown = host.rules.list().filter(({ layer }) => peer.isOperator || layer !== 'user');
    const rules = [...shown, ...ofSession].map(({ layer, rule, isKept }) => view(layer, rule, isKept));
    return { mode: host.rules.mode, workspace_config: workspace, rules };
  });

  const checking = { summary: 'What policy says of a call or a shell line; nothing runs', body: Checked };
  app.post(`${base}/check`, { config: { about: checking } }, async ({ peer, body }) => {
    const { session_id: id, ...asked } = readInput(Checked(), body);
    if (id !== undefined) await gateway.session(id, peer, { mustExist: true });
    return await judgeAsked(host, asked, id);
  });
  keepingRoutes(app, gateway);
}

function keepingRoutes(app: FastifyInstance, gateway: Gateway): void {
  const { rules } = gateway.host;

  const adding = { summary: 'Keeps a rule, after proving it against its own examples', body: Added };
  app.post(`${base}/rules`, { config: { about: adding } }, async ({ peer, body }, reply) => {
    const { rule, scope, session_id: id } = readInput(Added(), body);
    if (scope === 'session') await addToSession(gateway, id, peer, rule);
    else {
      checkOperator(peer);
      await rules.remember(scope, rule);
    }
    return await reply.code(201).send({ scope, rule: view(scope, rule, scope !== 'session') });
  });

  const removing = { summary: 'Forgets a rule that was kept', query: Removed };
  app.delete<{ Params: { rule: string } }>(
    `${base}/rules/:rule`,
    { config: { about: removing } },
    async ({ peer, params, query }) => {
      checkOperator(peer);
      const { scope: only } = readInput(Removed(), query);
      for (const scope of ['workspace', 'user'] as const)
        if ((only ?? scope) === scope && (await rules.forget(scope, params.rule)))
          return { scope, id: params.rule };
      throw notKept(gateway, params.rule);
    },
  );
}

async function sessionRules(
  gateway: Gateway,
  id: string,
  by: Peer,
): Promise<{ layer: RuleLayer; rule: Rule; isKept: boolean }[]> {
  await gateway.session(id, by, { mustExist: true });
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
    'Rules for the workspace are the operator’s to keep and to forget. `scope: "session"` is yours.',
  );
}

function notKept({ host }: Gateway, id: string): ToolError {
  const found = host.rules.list().find(({ rule }) => rule.id === id);
  const name = JSON.stringify(id.slice(0, 100));
  return found === undefined
    ? new ToolError('FILE_NOT_FOUND', `There is no rule ${name}. GET ${base} lists them.`)
    : new ToolError(
        'INVALID_ARGUMENTS',
        `The rule ${name} (${found.layer}) is not a kept one: it is built in or stands in a config.json.`,
      );
}

function view(layer: RuleLayer, rule: Rule, isKept: boolean): object {
  return { layer, ...rule, text: ruleMatches(rule), removable: isKept };
}
