// The symbols of a file, or the workspace symbols that match a query.
import { visible } from '@codelab/protocol';
import { type AnswerSymbol, readServerAnswer } from './answers.ts';
import type { LspRange } from './places.ts';
import { askServer, describePlaces, isUnanswered, type QuestionContext } from './questions.ts';
import type { OpenDocument } from './server/documents.ts';
import type { LiveServer } from './server/live-server.ts';
import { lacks, serving, unserved } from './standing.ts';

const mostListed = 200;

export type FoundSymbol = {
  name: string;
  kind: string;
  range?: LspRange;
  container?: string;
  path?: string;
  uri?: string;
};

export async function symbolsIn(path: string, query: string | undefined, context: QuestionContext) {
  const answer = await askServer(path, context, async ({ server, document }) => {
    const ability = query === undefined ? 'documentSymbolProvider' : 'workspaceSymbolProvider';
    if (!server.capabilities[ability]) return lacks(server, ability);
    const [method, params] =
      query === undefined
        ? ['textDocument/documentSymbol', { textDocument: { uri: document.uri } }]
        : ['workspace/symbol', { query }];
    const wait = { signal: context.signal, mostMs: context.lsp.answerMs };
    const answer = readServerAnswer('symbols', await server.request(method as string, params, wait));
    return { result: answer, server, document };
  });
  if (isUnanswered(answer)) return unserved(answer, 'Search for definitions with grep, or read the file.');
  const { server, document } = answer;
  const symbols = flatSymbols(answer.result ?? []);
  const firstSymbols = symbols.slice(0, mostListed);
  const described = firstSymbols.flatMap((symbol) => describeSymbol(symbol, { document, server, context }));
  return {
    ...serving(server),
    symbols: described,
    count: symbols.length - (firstSymbols.length - described.length),
    ...(symbols.length > mostListed && { truncated: true }),
  };
}

type ListedSymbol = AnswerSymbol & { container: string };

function flatSymbols(symbols: readonly AnswerSymbol[], container = '', depth = 0): ListedSymbol[] {
  if (depth > 20) return [];
  return symbols.flatMap((symbol) => [
    { ...symbol, container: container || (symbol.containerName ?? '') },
    ...flatSymbols(
      symbol.children ?? [],
      container === '' ? symbol.name : `${container}.${symbol.name}`,
      depth + 1,
    ),
  ]);
}

type Around = { document: OpenDocument; server: LiveServer; context: QuestionContext };

function describeSymbol(symbol: ListedSymbol, { document, server, context }: Around): FoundSymbol[] {
  const { location } = symbol;
  const ownLocation = { uri: document.uri, range: symbol.selectionRange ?? location?.range };
  const { uri, range } = location === undefined ? ownLocation : { uri: location.uri, range: location.range };
  const zero = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  const [place] = describePlaces([{ uri, range: range ?? zero }], 'lsp_symbols', context, server);
  if (place === undefined) return [];
  return [
    {
      name: visible(symbol.name.slice(0, 200)),
      kind: kinds[symbol.kind] ?? 'symbol',
      ...(range !== undefined && { range: place.range }),
      ...(symbol.container !== '' && { container: visible(symbol.container.slice(0, 200)) }),
      ...(place.path === undefined ? { uri: place.uri } : { path: place.path }),
    },
  ];
}

const kinds = [
  ...[
    'symbol',
    'file',
    'module',
    'namespace',
    'package',
    'class',
    'method',
    'property',
    'field',
    'constructor',
  ],
  ...[
    'enum',
    'interface',
    'function',
    'variable',
    'constant',
    'string',
    'number',
    'boolean',
    'array',
    'object',
  ],
  ...['key', 'null', 'enum member', 'struct', 'event', 'operator', 'type parameter'],
];
