/** Reads what an edit needs of a notebook: cells, format and language. Only nbformat 4 is accepted. */
import {
  type JsonArray,
  type JsonObject,
  memberOf,
  readDocument,
  readJsonArray,
  readJsonObject,
  stringValueOf,
} from './json-spans.ts';
import { notebookFault } from './scan-json.ts';

export type Notebook = {
  source: string;
  top: JsonObject;
  cells: JsonArray;
  /** Since nbformat 4.5 every cell has an id. */
  hasCellIds: boolean;
  language: string;
};

export function openNotebook(source: string): Notebook {
  const top = readDocument(source);
  checkFormat(source, top);
  const cells = memberOf(top, 'cells');
  if (cells === undefined) throw notebookFault('Notebook is not valid: it has no cells.');
  if (source[cells.valueStart] !== '[')
    throw notebookFault('Notebook is not valid: `cells` is not an array.');
  return {
    source,
    top,
    cells: readJsonArray(source, cells.valueStart),
    hasCellIds: numberOf(source, top, 'nbformat_minor') >= 5,
    language: languageOf(source, top),
  };
}

/** A notebook without a format is taken as an early nbformat 4 if it has cells. */
function checkFormat(source: string, top: JsonObject): void {
  const stated = numberOf(source, top, 'nbformat');
  const isOld = Number.isNaN(stated) && memberOf(top, 'worksheets') !== undefined;
  const format = isOld ? 3 : stated;
  if (Number.isNaN(format) || format === 4) return;
  throw notebookFault(
    `Notebook has nbformat ${format}; only nbformat 4 can be edited. Convert it first, e.g. with \`jupyter nbconvert --to notebook\`.`,
    { nbformat: format },
  );
}

function numberOf(source: string, top: JsonObject, key: string): number {
  const member = memberOf(top, key);
  return member === undefined ? Number.NaN : Number(source.slice(member.valueStart, member.valueEnd));
}

function languageOf(source: string, top: JsonObject): string {
  const metadata = objectIn(source, top, 'metadata');
  const info = objectIn(source, metadata, 'language_info');
  const kernel = objectIn(source, metadata, 'kernelspec');
  return (
    stringValueOf(source, memberOf(info, 'name')) ??
    stringValueOf(source, memberOf(kernel, 'language')) ??
    'python'
  );
}

function objectIn(source: string, object: JsonObject | null, key: string): JsonObject | null {
  const member = memberOf(object, key);
  if (member === undefined || source[member.valueStart] !== '{') return null;
  return readJsonObject(source, member.valueStart);
}

/** One cell of a notebook: its members, type and id. */
export type CellType = 'code' | 'markdown' | 'raw';

/** `type` is undefined when the cell names no type of nbformat 4. */
export type Cell = JsonObject & { type: CellType | undefined; id: string | undefined };

/** Null when there is no cell of that number, or the cell is not an object. */
export function readCell({ source, cells }: Notebook, index: number): Cell | null {
  const element = cells.elements[index];
  if (element === undefined || source[element.start] !== '{') return null;
  const object = readJsonObject(source, element.start);
  const type = stringValueOf(source, memberOf(object, 'cell_type'));
  const isKnown = type === 'code' || type === 'markdown' || type === 'raw';
  return { ...object, type: isKnown ? type : undefined, id: stringValueOf(source, memberOf(object, 'id')) };
}
