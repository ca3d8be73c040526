// Content addresses: how effects, fingerprints and approvals name bytes.
import { sha256 } from './sha256.ts';

export function digest(data: string | Uint8Array): string {
  return `sha256:${sha256(data)}`;
}

/** JSON with sorted keys, so that equal values have equal digests. */
export function digestJson(value: unknown): string {
  return digest(canonicalJson(value));
}

export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, sortKeys) ?? 'null';
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
