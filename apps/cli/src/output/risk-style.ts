// The colour of a risk, the same on every screen.
import type { Risk } from '@codelab/protocol';
import type { Style } from './paint.ts';

const styles: Record<Risk, Style> = { low: 'green', medium: 'yellow', high: 'red', critical: 'magenta' };

export function riskStyle(risk: Risk): Style {
  return styles[risk];
}
