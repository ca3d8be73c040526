// The results of the reading tools: diagnostics, definition, hover, references and symbols, each with the state of the server.
import { visible } from '@codelab/protocol';
import { type AnswerDiagnostic, type AnswerKind, type Capabilities, readServerAnswer } from './answers.ts';
import { type LspRange, rangeFrom } from './places.ts';
import {
  askServer,
  describePlaces,
  type FoundPlace,
  isUnanswered,
  type NamedPlace,
  positionFor,
  type QuestionContext,
} from './questions.ts';
import { linesIn, type OpenDocument } from './server/documents.ts';
import type { LiveServer } from './server/live-server.ts';
import { lacks, serving, type UnservedAnswer, unserved } from './standing.ts';

export type FoundDiagnostic = {
  range: LspRange;
  severity: 'error' | 'warning' | 'information' | 'hint';
  message: string;
  code?: string;
  source?: string;
};

const diagnosticsMs = 12_000;
const mostListed = 200;
const mostText = 16_000;
const mostRead = 4 * mostText;
/** Some servers put icons into their Markdown. */
const pictures = /\(data:image\/[^()\s]*\)/g;
const pictureStart = '(data:image/';
const severities = ['error', 'error', 'warning', 'information', 'hint'] as const;

export async function diagnosticsOf(path: string, context: QuestionContext) {
  const answer = await askServer(path, context, async ({ server, document }) => {
    const answer = await server.diagnostics.of(document, { signal: context.signal, mostMs: diagnosticsMs });
    return { found: answer, server, document };
  });
  if (isUnanswered(answer))
    return unserved(answer, 'Search for suspicious places with grep, or run the project’s own checks.');
  const { found, server, document } = answer;
  const diagnostics = found.items.map((item) => describeDiagnostic(item, document, server)).sort(byPlace);
  return {
    ...serving(server),
    diagnostics: diagnostics.slice(0, mostListed),
    count: diagnostics.length,
    ...(diagnostics.length > mostListed && { truncated: true }),
    ...(!found.isComplete && {
      complete: false,
      message: 'The server has not finished with this file; ask again in a moment for the rest.',
    }),
  };
}

export function describeDiagnostic(
  { range, severity = 1, message, code, source }: AnswerDiagnostic,
  { text }: OpenDocument,
  { encoding }: LiveServer,
): FoundDiagnostic {
  const raw = typeof message === 'string' ? message : message.value;
  return {
    range: rangeFrom(range, linesIn(text), encoding),
    severity: severities[severity] ?? 'error',
    message: visible(raw.slice(0, 2000)),
    ...(code !== undefined && code !== null && { code: visible(String(code).slice(0, 100)) }),
    ...(source && { source: visible(source.slice(0, 100)) }),
  };
}

function byPlace({ range: { start: a } }: FoundDiagnostic, { range: { start: b } }: FoundDiagnostic): number {
  return a.line - b.line || a.character - b.character;
}

export async function hoverAt(path: string, place: NamedPlace, context: QuestionContext) {
  const answer = await askAt(path, {
    place,
    context,
    answer: 'hover',
    method: 'textDocument/hover',
    ability: 'hoverProvider',
  });
  if (isUnanswered(answer)) return unserved(answer, 'Read the source around this place.');
  const { contents = [] } = answer.result ?? {};
  const text = (
    Array.isArray(contents) ? contents.map(textOfPart).join('\n\n') : textOfPart(contents)
  ).trim();
  const read = text.slice(0, mostRead);
  return {
    ...serving(answer.server),
    contents: visible(
      (read.includes(pictureStart) ? read.replaceAll(pictures, '') : read).slice(0, mostText),
    ),
    ...(text === '' && { message: 'The server knows nothing about this place.' }),
  };
}

function textOfPart(part: string | { value: string }): string {
  return typeof part === 'string' ? part : part.value;
}

export async function definitionAt(path: string, place: NamedPlace, context: QuestionContext) {
  const places = await placesAt(
    path,
    { place, context, answer: 'locations', method: 'textDocument/definition', ability: 'definitionProvider' },
    'lsp_definition',
  );
  if ('server_status' in places) return { ...places, fallback: 'Search for the symbol with grep.' };
  const [location, ...others] = places.places;
  return {
    ...serving(places.server),
    ...(location === undefined
      ? { message: 'The server found no definition at this place.' }
      : { location, ...(others.length > 0 && { others: others.slice(0, 20) }) }),
  };
}

export async function referencesAt(
  path: string,
  place: NamedPlace & { include_declaration: boolean },
  questionContext: QuestionContext,
) {
  const context = { includeDeclaration: place.include_declaration };
  const order = {
    place,
    context: questionContext,
    answer: 'locations',
    method: 'textDocument/references',
    ability: 'referencesProvider',
    extraParams: { context },
  } as const;
  const references = await placesAt(path, order, 'lsp_references');
  if ('server_status' in references) return { ...references, fallback: 'Search for the symbol with grep.' };
  const { places, total } = references;
  return {
    ...serving(references.server),
    references: places,
    count: total,
    ...(total > places.length && { truncated: true }),
  };
}

type PlaceOrder<K extends AnswerKind> = {
  answer: K;
  place: NamedPlace;
  context: QuestionContext;
  method: string;
  ability: keyof Capabilities;
  extraParams?: Record<string, unknown>;
};

/** Asks about one position in a file. */
export function askAt<K extends AnswerKind>(
  path: string,
  { place, context, method, ability, answer, extraParams }: PlaceOrder<K>,
) {
  return askServer(path, context, async ({ server, document, served }) => {
    if (!server.capabilities[ability]) return lacks(server, ability);
    const position = positionFor(document, place, server);
    const params = { textDocument: { uri: document.uri }, position, ...extraParams };
    const wait = { signal: context.signal, mostMs: context.lsp.answerMs };
    const result = readServerAnswer(answer, await server.request(method, params, wait));
    return { result, server, document, served };
  });
}

type Places = { server: LiveServer; places: FoundPlace[]; total: number };

async function placesAt(
  path: string,
  order: PlaceOrder<'locations'>,
  tool: string,
): Promise<Places | Omit<UnservedAnswer, 'fallback'>> {
  const answer = await askAt(path, order);
  if (isUnanswered(answer)) return unserved(answer, '');
  const { result, server } = answer;
  const found = [result ?? []]
    .flat()
    .map((location) =>
      'uri' in location ? location : { uri: location.targetUri, range: location.targetSelectionRange },
    );
  const firstPlaces = found.slice(0, mostListed);
  const places = describePlaces(firstPlaces, tool, order.context, server);
  // Places that a rule denies are not counted either.
  return { server, places, total: found.length - (firstPlaces.length - places.length) };
}
