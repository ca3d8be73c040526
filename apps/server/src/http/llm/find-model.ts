// Which model a client of the proxy means: ours by its full name, a provider's by its bare one.
import { findProvider, isReady, type ModelSources, readModelName } from '@codelab/agent';

/** Meant whether they are set up or not, so that what is missing is told. */
const always = ['openai', 'anthropic', 'ollama'];

export function findModel(name: string, sources: ModelSources): string {
  if (name === 'demo') return name;
  const read = readModelName(name, sources);
  if (read && (always.includes(read.provider.name) || isReady(read.provider, sources))) return name;
  const anthropic = findProvider('anthropic', sources);
  if (/^claude[-.\d]/.test(name) && anthropic && isReady(anthropic, sources)) return `anthropic/${name}`;
  // Names with a slash as well: a server that speaks for many providers has such.
  return `openai/${name}`;
}
