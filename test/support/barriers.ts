// Accessibility barriers of a page, as axe finds them: everything serious or critical, by rule and element.
import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

type Asked = {
  /** Checks only colours: another theme differs in nothing else. */
  onlyColours?: boolean;
  /** A selector that limits the check. */
  within?: string;
};

// Contrast is measured when no transition runs. The end of one may start the next, where a child inherits what its parent changed.
const transitionsEnd = `(async () => {
  const running = () => document.getAnimations().filter((animation) => animation instanceof CSSTransition);
  while (running().length > 0) await Promise.allSettled(running().map(({ finished }) => finished));
})()`;

export async function barriers(page: Page, { onlyColours = false, within }: Asked = {}): Promise<string[]> {
  await page.evaluate(transitionsEnd);
  const isThere = await page.evaluate('typeof axe === "object"');
  // Our pages have no frames of other origins, so no second page is needed to collect their results.
  const axe = new AxeBuilder({ page, ...(isThere === true && { axeSource: ';' }) }).setLegacyMode();
  axe.options({
    preload: false,
    resultTypes: ['violations'],
    ...(onlyColours && { runOnly: { type: 'rule', values: ['color-contrast'] } }),
  });
  if (within !== undefined) axe.include(within);
  const { violations } = await axe.analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
