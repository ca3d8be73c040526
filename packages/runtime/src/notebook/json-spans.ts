// Objects and arrays of a JSON text by their offsets, so that a change touches only its own bytes.

import { ToolError } from '@codelab/protocol';
import { invalidJson, notebookFault, skipBlanks, skipString, skipValue } from './scan-json.ts';

/** The top-level object of a notebook; also checks that the whole text is JSON. */
export function readDocument(source: string): JsonObject {
  const open = skipBlanks(source, 0);
  const isObject = source[open] === '{';
  const top = isObject ? readJsonObject(source, open) : null;
  const end = skipBlanks(source, top === null ? skipValue(source, open) : top.close + 1);
  if (end !== source.length) throw invalidJson(source, end);
  if (top === null) throw notebookFault('Notebook is not valid: its top level is not an object.');
  return top;
}

/** The members of a JSON object by their offsets; a repeated key is listed twice. */

/** `lead` is the offset after the preceding bracket or comma. */
export type JsonMember = {
  key: string;
  lead: number;
  keyStart: number;
  keyEnd: number;
  valueStart: number;
  valueEnd: number;
};

/** `open` and `close` are the offsets of the braces. */
export type JsonObject = { open: number; close: number; members: JsonMember[] };

export function readJsonObject(source: string, open: number): JsonObject {
  const members: JsonMember[] = [];
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

function readMember(source: string, lead: number): JsonMember {
  const keyStart = skipBlanks(source, lead);
  const keyEnd = skipString(source, keyStart);
  const colon = skipBlanks(source, keyEnd);
  if (source[colon] !== ':') throw invalidJson(source, colon);
  const valueStart = skipBlanks(source, colon + 1);
  const valueEnd = skipValue(source, valueStart);
  const key = String(JSON.parse(source.slice(keyStart, keyEnd)));
  return { key, lead, keyStart, keyEnd, valueStart, valueEnd };
}

/** The elements of a JSON array by their offsets. */

/** `lead` is the offset after the preceding bracket or comma. */
type Element = { lead: number; start: number; end: number };

/** `open` and `close` are the offsets of the brackets. */
export type JsonArray = { open: number; close: number; elements: Element[] };

export function readJsonArray(source: string, open: number): JsonArray {
  const elements: Element[] = [];
  let lead = open + 1;
  let at = skipBlanks(source, lead);
  if (source[at] === ']') return { open, close: at, elements };
  for (;;) {
    const start = skipBlanks(source, lead);
    const end = skipValue(source, start);
    elements.push({ lead, start, end });
    at = skipBlanks(source, end);
    if (source[at] === ']') return { open, close: at, elements };
    if (source[at] !== ',') throw invalidJson(source, at);
    lead = at + 1;
  }
}

/** The member that readers see under a key: of several, the last. */
export function memberOf(object: JsonObject | null, key: string): JsonMember | undefined {
  return object?.members.findLast((member) => member.key === key);
}

/** The value of a member if it is a string. */
export function stringValueOf(source: string, member: JsonMember | undefined): string | undefined {
  if (member === undefined || source[member.valueStart] !== '"') return undefined;
  return String(JSON.parse(source.slice(member.valueStart, member.valueEnd)));
}

/** Whether a text is still a notebook: JSON, not nested too deeply, an object with cells. */

/** Before nbformat 4, cells were in worksheets; such a file may be edited as text. */
export function isNotebookText(text: string): boolean {
  try {
    const top = readDocument(text);
    const cells = memberOf(top, 'cells') ?? memberOf(top, 'worksheets');
    return cells !== undefined && text[cells.valueStart] === '[';
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}
