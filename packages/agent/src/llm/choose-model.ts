// Which model when nobody named one: CODELAB_MODEL, else a provider whose key is there, else the demo.
export function chooseModel(env: NodeJS.ProcessEnv): string {
  if (env.CODELAB_MODEL) return env.CODELAB_MODEL;
  if (env.ANTHROPIC_API_KEY) return 'anthropic/claude-sonnet-4-5';
  if (env.OPENAI_API_KEY && !env.OPENAI_BASE_URL) return 'openai/gpt-5';
  return 'demo';
}
