// Money in the present language: small sums need more digits.
import { useLanguage } from '../../text/language.ts';

export function spellCost(usd: number): string {
  const { language } = useLanguage.getState();
  const digits = usd !== 0 && Math.abs(usd) < 1 ? 4 : 2;
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: digits,
  }).format(usd);
}
