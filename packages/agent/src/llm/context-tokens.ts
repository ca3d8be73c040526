// How many tokens a model takes at once. What is not known is guessed low; CODELAB_CONTEXT_TOKENS says it better.
const known: readonly [RegExp, number][] = [
  // 400,000 in all, of which 272,000 may be input.
  [/^gpt-5/, 272_000],
  [/^gpt-4\.1/, 1_000_000],
  [/^gpt-4o/, 128_000],
  [/^o[134]/, 200_000],
  [/^claude-/, 200_000],
];

export function contextTokens(id: string, otherwise: number, env: NodeJS.ProcessEnv): number {
  const told = Number(env.CODELAB_CONTEXT_TOKENS);
  if (Number.isSafeInteger(told) && told > 0) return told;
  // `openai/gpt-5` on OpenRouter is the same model.
  const name = id.slice(id.lastIndexOf('/') + 1);
  return known.find(([pattern]) => pattern.test(name))?.[1] ?? otherwise;
}
