// The output of `/cost` when the price of some replies is unknown.
import { expect, test } from 'vitest';
import { costText } from '../../apps/cli/src/chat/commands/status.ts';

const tokens = { inputTokens: 100, outputTokens: 10, cachedTokens: 0 };
const hint = 'set it: codelab model add acme --price IN/OUT --for team/large';

test.each([
  [{ replies: 3, cost: 0.25, unpriced: 0 }, '$0.25'],
  [{ replies: 3, cost: 0.25, unpriced: 1 }, `$0.25 for 2 of 3 replies; 1 reply has no price · ${hint}`],
  [{ replies: 3, cost: undefined, unpriced: 3 }, `unknown: no price is set for this model · ${hint}`],
])('%o', (counts, text) => {
  const agent = { model: { name: 'acme/team/large' } };
  expect(costText({ usage: { ...tokens, ...counts }, agent })).toBe(text);
});
