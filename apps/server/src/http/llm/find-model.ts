// Which model a client of the proxy means: ours by its full name, a provider's by its bare one, `default` for the configured one.

const providers = ['openai/', 'anthropic/', 'ollama/'];

export function findModel(
  name: string,
  { env, configured }: { env: NodeJS.ProcessEnv; configured: string },
): string {
  if (name === 'default') return configured;
  if (name === 'demo' || providers.some((provider) => name.startsWith(provider))) return name;
  if (/^claude[-.\d]/.test(name) && env.ANTHROPIC_API_KEY) return `anthropic/${name}`;
  // Names with a slash as well: a server that speaks for many providers has such.
  return `openai/${name}`;
}
