// Resolves the model name of a proxy client: ours by the full name, a provider's by the bare one.
import { findProvider, isReady, type ModelSources, readModelName } from '@codelab/agent';

/** Providers that are found even when they are not configured, so that the error can say what is missing. */
const always = ['openai', 'anthropic', 'ollama'];

export function findModel(name: string, sources: ModelSources): string {
  if (name === 'demo') return name;
  const read = readModelName(name, sources);
  if (read && (always.includes(read.provider.name) || isReady(read.provider, sources))) return name;
  const anthropic = findProvider('anthropic', sources);
  if (/^claude[-.\d]/.test(name) && anthropic && isReady(anthropic, sources)) return `anthropic/${name}`;
  // The name may contain a slash, as at a server that offers many providers' models.
  return `openai/${name}`;
}
