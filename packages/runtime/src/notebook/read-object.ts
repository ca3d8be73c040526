/** The members of a JSON object by their places in the text; a key that comes twice is there twice. */
import { invalidJson } from './invalid-json.ts';
import { skipBlanks } from './skip-blanks.ts';
import { skipString } from './skip-string.ts';
import { skipValue } from './skip-value.ts';

/** `lead` is the place behind the bracket or comma in front. */
export type Member = {
  key: string;
  lead: number;
  keyStart: number;
  keyEnd: number;
  valueStart: number;
  valueEnd: number;
};

/** `open` and `close` are the places of the braces. */
export type JsonObject = { open: number; close: number; members: Member[] };

export function readObject(source: string, open: number): JsonObject {
  const members: Member[] = [];
  let lead = open + 1;
  let at = skipBlanks(source, lead);
  if (source[at] === '}') return { open, close: at, members };
  for (;;) {
    const member = readMember(source, lead);
    members.push(member);
    at = skipBlanks(source, member.valueEnd);
    if (source[at] === '}') return { open, close: at, members };
    if (source[at] !== ',') throw invalidJson(source, at);
    lead = at + 1;
  }
}

function readMember(source: string, lead: number): Member {
  const keyStart = skipBlanks(source, lead);
  const keyEnd = skipString(source, keyStart);
  const colon = skipBlanks(source, keyEnd);
  if (source[colon] !== ':') throw invalidJson(source, colon);
  const valueStart = skipBlanks(source, colon + 1);
  const valueEnd = skipValue(source, valueStart);
  const key = String(JSON.parse(source.slice(keyStart, keyEnd)));
  return { key, lead, keyStart, keyEnd, valueStart, valueEnd };
}
