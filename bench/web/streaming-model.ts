// A model that writes 200 tokens a second until it is stopped: Markdown with code, as models do.
import type { Model } from '@codelab/agent';

const perSecond = 200;
const text = [
  'The bucket **refills** evenly, so a client that waits is served again; see `take` in the code below.\n\n',
  '```js\nconst tokens = Math.min(capacity, bucket.tokens + ((at - bucket.at) / 1000) * perSecond);\n',
  'if (tokens < 1) return { isAllowed: false, retryAfter: Math.ceil((1 - tokens) / perSecond) };\n```\n\n',
  '| client | requests | refused |\n|---|---|---|\n| a | 120 | 14 |\n| b | 80 | 0 |\n\n',
  '- it keeps one number and one time for each client\n- it never blocks\n\n',
].join('');
const tokens = text.match(/\s*\S{1,4}|\s+$/g) ?? [];

export function streamingModel(): Model {
  return {
    name: 'streaming',
    contextTokens: 100_000,
    async *stream(_request, signal) {
      const started = performance.now();
      for (let sentTokens = 0; ; ) {
        const due = Math.floor(((performance.now() - started) / 1000) * perSecond);
        for (; sentTokens < due; sentTokens++) {
          signal.throwIfAborted();
          yield { type: 'text', delta: tokens[sentTokens % tokens.length] ?? ' ' };
        }
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  };
}
