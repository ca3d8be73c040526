// The gateway's settings over the API. Keys and addresses go in; what comes out says only whether there are any.
import { request } from './request.ts';

export const policyModes = ['strict', 'balanced', 'trusted'] as const;
export type PolicyMode = (typeof policyModes)[number];
export const keyProviders = ['anthropic', 'openai'] as const;
export const addressProviders = ['anthropic', 'openai', 'ollama'] as const;
type KeyProvider = (typeof keyProviders)[number];
export type AddressProvider = (typeof addressProviders)[number];

export type Settings = {
  model: string;
  model_label: string;
  is_demo: boolean;
  keys: Record<KeyProvider, boolean>;
  base_urls: Record<AddressProvider, boolean>;
  mode: PolicyMode;
  limits: {
    approval_seconds: number;
    call_seconds: number;
    parallel: number;
    read_bytes: number;
    write_bytes: number;
  };
  sandbox: { choice: string; sandbox: string; network: string; why?: string };
  workspace: string;
  version: string | null;
  user: string;
  is_operator: boolean;
};

/** Null takes back what was set. */
export type SettingsChange = {
  model?: string | null;
  keys?: Partial<Record<KeyProvider, string | null>>;
  base_urls?: Partial<Record<AddressProvider, string | null>>;
  mode?: PolicyMode;
};

export const settingsApi = {
  read: () => request<Settings>('GET', '/settings'),
  change: (body: SettingsChange) => request<Settings>('PUT', '/settings', { body }),
};
