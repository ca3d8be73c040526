// Times, durations and sizes in the present language.
import { useLanguage } from './language.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Such as "5 minutes ago". */
export function relativeTime(time: number, now = Date.now()): string {
  const format = new Intl.RelativeTimeFormat(language(), { numeric: 'auto' });
  const ago = now - time;
  if (ago < minute) return format.format(0, 'second');
  if (ago < hour) return format.format(-Math.round(ago / minute), 'minute');
  if (ago < day) return format.format(-Math.round(ago / hour), 'hour');
  return format.format(-Math.round(ago / day), 'day');
}

export function shortTime(time: number): string {
  return new Intl.DateTimeFormat(language(), { timeStyle: 'medium' }).format(time);
}

export function dateTime(time: number): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(time);
}

/** Such as "320 ms", "4.2 s", "3:07 min". */
export function duration(ms: number): string {
  if (ms < second) return unit(Math.round(ms), 'millisecond');
  if (ms < minute) return unit(Math.round(ms / 100) / 10, 'second');
  const minutes = Math.floor(ms / minute);
  const rest = Math.floor((ms % minute) / second);
  return `${unit(minutes, 'minute')} ${unit(rest, 'second')}`;
}

export function bytes(count: number): string {
  // The narrow form of bytes alone has no space.
  if (count < 1024) return unit(count, 'byte').replace(/^(\d+)\s*/, '$1 ');
  if (count < 1024 * 1024) return unit(Math.round(count / 102.4) / 10, 'kilobyte');
  return unit(Math.round(count / (1024 * 102.4)) / 10, 'megabyte');
}

export function number(count: number): string {
  return new Intl.NumberFormat(language()).format(count);
}

/** Such as "12.3K". */
export function compactNumber(count: number): string {
  return new Intl.NumberFormat(language(), { notation: 'compact', maximumFractionDigits: 1 }).format(count);
}

/** In US dollars; small sums need more digits. */
export function spellCost(usd: number): string {
  return new Intl.NumberFormat(language(), {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: usd !== 0 && Math.abs(usd) < 0.1 ? 4 : 2,
  }).format(usd);
}

function unit(count: number, name: string): string {
  return new Intl.NumberFormat(language(), { style: 'unit', unit: name, unitDisplay: 'narrow' }).format(
    count,
  );
}

function language(): string {
  return useLanguage.getState().language;
}
