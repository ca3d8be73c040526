// Settings of the gateway: the model, keys that go in and never out, how much runs unasked, and the models that can be named.
import { Confinement } from '@codelab/protocol';
import * as z from 'zod/mini';
import { route } from './route.ts';
import { lazily, name, PolicyMode } from './shared.ts';

const base = '/api/v1/settings';

export const policyModes = ['strict', 'balanced', 'trusted'] as const;
export const keyProviders = ['anthropic', 'openai'] as const;
export const addressProviders = ['anthropic', 'openai', 'ollama'] as const;
export type AddressProvider = (typeof addressProviders)[number];

const key = () => z.nullish(z.string().check(z.regex(/^[\x21-\x7e]{1,1000}$/)));
const address = () => z.nullish(z.string().check(z.maxLength(2000), z.refine(isAddress)));

const SettingsChange = () =>
  z.strictObject({
    model: z.nullish(name()),
    keys: z.optional(z.strictObject({ openai: key(), anthropic: key() })),
    base_urls: z.optional(z.strictObject({ openai: address(), anthropic: address(), ollama: address() })),
    mode: z.optional(PolicyMode()),
  });
/** Null takes back what was set. */
export type SettingsChange = z.input<ReturnType<typeof SettingsChange>>;

const Settings = lazily(() =>
  z.strictObject({
    model: z.string(),
    model_label: z.string(),
    is_demo: z.boolean(),
    /** Whether there is one. */
    keys: z.strictObject({ openai: z.boolean(), anthropic: z.boolean() }),
    base_urls: z.strictObject({ openai: z.boolean(), anthropic: z.boolean(), ollama: z.boolean() }),
    mode: PolicyMode(),
    limits: z.strictObject({
      approval_seconds: z.number(),
      call_seconds: z.number(),
      parallel: z.number(),
      read_bytes: z.number(),
      write_bytes: z.number(),
    }),
    sandbox: z.extend(Confinement(), { choice: z.string() }),
    workspace: z.string(),
    version: z.nullable(z.string()),
    user: z.string(),
    is_operator: z.boolean(),
  }),
);
export type Settings = z.infer<ReturnType<typeof Settings>>;

const ModelName = lazily(() => z.strictObject({ name: z.string(), label: z.string() }));
export type ModelName = z.infer<ReturnType<typeof ModelName>>;

export const settingRoutes = {
  get: route({
    id: 'getSettings',
    method: 'GET',
    path: base,
    summary: 'The settings; of keys only whether there are any',
    answer: Settings,
  }),
  update: route({
    id: 'updateSettings',
    method: 'PUT',
    path: base,
    summary: 'Changes settings; null takes one back',
    body: SettingsChange,
    answer: Settings,
  }),
  models: route({
    id: 'listModels',
    method: 'GET',
    path: '/api/v1/models',
    summary: 'The models that can be named',
    answer: lazily(() => z.strictObject({ models: z.array(ModelName()), current: z.string() })),
  }),
};

// Ollama's may be a host and a port alone.
function isAddress(text: string): boolean {
  const full = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(full)) return false;
  const { protocol, hostname } = new URL(full);
  return /^https?:$/.test(protocol) && hostname !== '';
}
