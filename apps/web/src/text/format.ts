// Times, durations and sizes in the present language.
import { useLanguage } from './language.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Such as "5 min. ago": the short form has room beside a title in every language. */
export function relativeTime(time: number, now = Date.now()): string {
  const format = new Intl.RelativeTimeFormat(language(), { numeric: 'auto', style: 'short' });
  const ago = now - time;
  if (ago < minute) return format.format(0, 'second');
  if (ago < hour) return format.format(-Math.round(ago / minute), 'minute');
  if (ago < day) return format.format(-Math.round(ago / hour), 'hour');
  return format.format(-Math.round(ago / day), 'day');
}

/** With seconds, to tell calls apart that follow each other. */
export function exactTime(time: number): string {
  return new Intl.DateTimeFormat(language(), { timeStyle: 'medium' }).format(time);
}

export function shortTime(time: number): string {
  return new Intl.DateTimeFormat(language(), { timeStyle: 'short' }).format(time);
}

export function dateTime(time: number): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(time);
}

/** Such as "320ms", "4.2s", "3m 7s", "1h 5m". */
export function duration(ms: number): string {
  if (ms < second) return unit(Math.round(ms), 'millisecond');
  if (ms < minute) return unit(Math.round(ms / 100) / 10, 'second');
  const [size, name, restSize, restName] =
    ms < hour ? ([minute, 'minute', second, 'second'] as const) : ([hour, 'hour', minute, 'minute'] as const);
  const rest = Math.floor((ms % size) / restSize);
  const whole = unit(Math.floor(ms / size), name);
  return rest === 0 ? whole : `${whole} ${unit(rest, restName)}`;
}

export function bytes(count: number): string {
  if (count < 1024) return spaced(unit(count, 'byte'));
  if (count < 1024 * 1024) return spaced(unit(Math.round(count / 102.4) / 10, 'kilobyte'));
  return spaced(unit(Math.round(count / (1024 * 102.4)) / 10, 'megabyte'));
}

/** The narrow form of sizes has no space in some languages. */
function spaced(size: string): string {
  return size.replace(/^([\d.,]+)\s*/, '$1 ');
}

/** Of a share from 0 to 1: "11%", in Russian "11 %". */
export function percent(share: number): string {
  return new Intl.NumberFormat(language(), { style: 'percent', maximumFractionDigits: 0 }).format(share);
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
