// Settings of the gateway: the model, write-only keys, how much runs unasked, and the models that can be named.
import { Confinement } from '@codelab/protocol';
import * as z from 'zod/mini';
import { defineRoute } from '../route.ts';
import { lazily, name, policyMode } from '../shared.ts';

const base = '/api/v1/settings';

const key = () => z.string().check(z.regex(/^[\x21-\x7e]{1,1000}$/));
const address = () => z.string().check(z.maxLength(2000), z.refine(isAddress));
const providerName = () => z.string().check(z.regex(/^[a-z][a-z0-9_-]{0,31}$/));

const modelName = () => z.string().check(z.regex(/^[a-z][a-z0-9_-]{0,31}\/\S{1,160}$/));
/** US dollars per million tokens. */
const price = () => z.number().check(z.nonnegative(), z.maximum(1_000_000));

const SettingsChange = () =>
  z.strictObject({
    model: z.nullish(name()),
    /** The new keys, by provider; null removes one. */
    keys: z.optional(z.record(providerName(), z.nullish(key()))),
    base_urls: z.optional(z.record(providerName(), z.nullish(address()))),
    /** The prices of models, by PROVIDER/NAME; null removes one. */
    prices: z.optional(z.record(modelName(), z.nullish(z.strictObject({ input: price(), output: price() })))),
    mode: z.optional(policyMode()),
    /** The mode of a person's new sessions in this workspace, kept for the next start. */
    workspace_mode: z.nullish(policyMode()),
    /** Whether agents follow the instructions of this workspace (`AGENTS.md`, `CLAUDE.md`). */
    instruction_trust: z.nullish(z.enum(['trusted', 'declined'])),
  });
/** Null removes a setting. */
export type SettingsChange = z.input<ReturnType<typeof SettingsChange>>;

const GatewaySettings = lazily(() =>
  z.strictObject({
    /** Empty when none is chosen. */
    model: z.string(),
    model_label: z.string(),
    is_demo: z.boolean(),
    /** Of the model, in US dollars per million tokens; null when it is neither configured nor published. */
    price: z.nullable(z.strictObject({ input: z.number(), output: z.number(), is_own: z.boolean() })),
    /** Whether there is a key, by provider. */
    keys: z.record(z.string(), z.boolean()),
    base_urls: z.record(z.string(), z.boolean()),
    /** The mode of sessions without a mode of their own. */
    mode: policyMode(),
    /** The mode of a person's new session, unless they choose another one. */
    new_session_mode: z.optional(policyMode()),
    /** The origin of the mode: a flag, variable or configuration; the person's choice for this workspace; or the default. */
    mode_from: z.optional(z.enum(['named', 'chosen', 'default'])),
    limits: z.strictObject({
      approval_seconds: z.number(),
      call_seconds: z.number(),
      parallel: z.number(),
      read_bytes: z.number(),
      write_bytes: z.number(),
    }),
    sandbox: z.extend(Confinement(), { choice: z.string() }),
    workspace: z.string(),
    /** For the operator, where the workspace has instructions for agents. `held`: files that agents do not get. */
    instructions: z.optional(
      z.strictObject({
        trust: z.enum(['trusted', 'declined', 'undecided']),
        files: z.array(z.string()),
        held: z.array(z.string()),
      }),
    ),
    version: z.nullable(z.string()),
    user: z.string(),
    is_operator: z.boolean(),
  }),
);
export type GatewaySettings = z.infer<ReturnType<typeof GatewaySettings>>;

const ModelName = lazily(() => z.strictObject({ name: z.string(), label: z.string() }));
export type ModelName = z.infer<ReturnType<typeof ModelName>>;

const ModelProvider = lazily(() =>
  z.strictObject({
    name: z.string(),
    label: z.string(),
    /** A server that people run on their own machine. */
    is_local: z.boolean(),
    /** The provider has a key or an address, or was found on the gateway's machine. */
    is_ready: z.boolean(),
    needs_address: z.boolean(),
    /** The default address. */
    base_url: z.nullable(z.string()),
    key_page: z.nullable(z.string()),
    models: z.array(z.string()),
    /** Why a provider that is ready offers no models. */
    problem: z.nullable(z.string()),
  }),
);
export type ModelProvider = z.infer<ReturnType<typeof ModelProvider>>;

const ProviderTrial = () =>
  z.strictObject({
    provider: providerName(),
    key: z.optional(key()),
    base_url: z.optional(address()),
  });
export type ProviderTrial = z.input<ReturnType<typeof ProviderTrial>>;

export const settingRoutes = {
  get: defineRoute({
    id: 'getSettings',
    method: 'GET',
    path: base,
    summary: 'The settings; keys only as present or absent',
    answer: GatewaySettings,
  }),
  update: defineRoute({
    id: 'updateSettings',
    method: 'PUT',
    path: base,
    summary: 'Changes settings; null resets one',
    body: SettingsChange,
    answer: GatewaySettings,
  }),
  models: defineRoute({
    id: 'listModels',
    method: 'GET',
    path: '/api/v1/models',
    summary: 'The models that can be named',
    answer: lazily(() => z.strictObject({ models: z.array(ModelName()), current: z.string() })),
  }),
  providers: defineRoute({
    id: 'listProviders',
    method: 'GET',
    path: '/api/v1/models/providers',
    summary: 'The known model providers, and the models of those that answer',
    answer: lazily(() => z.strictObject({ providers: z.array(ModelProvider()) })),
  }),
  tryProvider: defineRoute({
    id: 'tryProvider',
    method: 'POST',
    path: '/api/v1/models/providers/try',
    summary: 'Asks a provider for its models with a key or an address, which are not stored',
    body: ProviderTrial,
    answer: lazily(() => z.strictObject({ models: z.array(z.string()), model: z.nullable(z.string()) })),
  }),
};

/** For Ollama, a host and a port alone are an address. */
function isAddress(text: string): boolean {
  const full = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(full)) return false;
  const { protocol, hostname } = new URL(full);
  return /^https?:$/.test(protocol) && hostname !== '';
}
