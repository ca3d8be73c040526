// `visible`, for text of people and models: joined emoji stay whole, since their joiners would be shown as marks. Nothing can hide in the
// emoji sequences that Unicode lists.
import { visible } from '@codelab/protocol';

// Created on first use: compiling the expression takes 6 ms of a start.
const emoji = (): RegExp => /(\p{RGI_Emoji})/v;
const joiner = '\u200d';
// The variation selector only asks for colour; terminals differ in how wide they then draw the character.
const drawnInColour = /(?<=\p{Extended_Pictographic}|[0-9#*])\ufe0f/gu;

export function shownText(text: string): string {
  if (!text.includes(joiner)) return visible(text.replace(drawnInColour, ''));
  return text
    .split(emoji())
    .map((part, i) =>
      i % 2 === 1 && part.includes(joiner) ? part : visible(part.replace(drawnInColour, '')),
    )
    .join('');
}

/** The same for one line: newlines and tabs are marked as well. */
export function shownLine(text: string): string {
  return shownText(text).replaceAll('\n', '⏎').replaceAll('\t', '⇥');
}
