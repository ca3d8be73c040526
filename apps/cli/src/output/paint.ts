// Colours on a terminal, unless NO_COLOR is set or the terminal is dumb; FORCE_COLOR insists.
import { isatty } from 'node:tty';
import { styleText } from 'node:util';
import type { Risk, RuleEffect } from '@codelab/protocol';

export type Style = Parameters<typeof styleText>[0];
export type Paint = (style: Style, text: string) => string;

export function paintFor(fd: number): Paint {
  return wantsColour(fd)
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_style, text) => text;
}

function wantsColour(fd: number): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return !NO_COLOR && TERM !== 'dumb' && isatty(fd);
}

/** The colour of a risk, the same on every screen. */
const styles: Record<Risk, Style> = { low: 'green', medium: 'yellow', high: 'red', critical: 'magenta' };

export function riskStyle(risk: Risk): Style {
  return styles[risk];
}

/** The colour of a verdict, the same on every screen. */
export const verdictStyle: Record<RuleEffect, Style> = {
  allow: ['bold', 'green'],
  ask: ['bold', 'yellow'],
  deny: ['bold', 'red'],
};
