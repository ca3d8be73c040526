// The answers of servers, as far as they are used. A server is not trusted: an answer of another form is refused, and lists are bounded.
import { largestPosition } from '@codelab/protocol';
import * as z from 'zod/mini';

const wholeNumber = () => z.int().check(z.minimum(0), z.maximum(largestPosition));
const Position = () => z.object({ line: wholeNumber(), character: wholeNumber() });
const AnswerRange = () => z.object({ start: Position(), end: Position() });

const Location = () => z.object({ uri: z.string(), range: AnswerRange() });
const LocationLink = () => z.object({ targetUri: z.string(), targetSelectionRange: AnswerRange() });
const Locations = () => z.nullable(z.union([Location(), z.array(z.union([Location(), LocationLink()]))]));

const Diagnostic = () =>
  z.object({
    range: AnswerRange(),
    severity: z.optional(z.int()),
    code: z.optional(z.nullable(z.union([z.string(), z.number()]))),
    source: z.optional(z.nullable(z.string())),
    message: z.union([z.string(), z.object({ value: z.string() })]),
  });
export type AnswerDiagnostic = z.infer<ReturnType<typeof Diagnostic>>;

const Published = () =>
  z.object({ uri: z.string(), version: z.optional(z.nullable(z.int())), diagnostics: z.array(Diagnostic()) });

const Pulled = () => z.object({ kind: z.string(), items: z.optional(z.array(Diagnostic())) });

const TsserverPlace = () => z.object({ line: wholeNumber(), offset: wholeNumber() });
const Tsserver = () =>
  z.object({
    body: z.optional(
      z.array(
        z.object({
          start: TsserverPlace(),
          end: TsserverPlace(),
          text: z.string(),
          code: z.optional(z.number()),
          category: z.string(),
          source: z.optional(z.string()),
        }),
      ),
    ),
  });

// The usual form first: a form that does not fit is described before the next is tried.
const Marked = () => z.union([z.object({ value: z.string() }), z.string()]);
const Hover = () => z.nullable(z.object({ contents: z.union([Marked(), z.array(Marked())]) }));

/** A symbol of a document, with the symbols inside it, or a symbol of the workspace. */
export type AnswerSymbol = {
  name: string;
  kind: number;
  detail?: string | undefined;
  containerName?: string | null | undefined;
  selectionRange?: z.infer<ReturnType<typeof AnswerRange>> | undefined;
  location?: { uri: string; range?: z.infer<ReturnType<typeof AnswerRange>> | undefined } | undefined;
  children?: AnswerSymbol[] | undefined;
};
const Symbol_ = (): z.ZodMiniType<AnswerSymbol> =>
  z.object({
    name: z.string(),
    kind: z.int(),
    detail: z.optional(z.string()),
    containerName: z.optional(z.nullable(z.string())),
    selectionRange: z.optional(AnswerRange()),
    location: z.optional(z.object({ uri: z.string(), range: z.optional(AnswerRange()) })),
    children: z.optional(z.array(z.lazy(Symbol_))),
  });

const TextEdit = () => z.object({ range: AnswerRange(), newText: z.string() });
export type AnswerEdit = z.infer<ReturnType<typeof TextEdit>>;

// Operations that create, rename or delete files have a `kind` and are not accepted.
const WorkspaceEdit = () =>
  z.nullable(
    z.object({
      changes: z.optional(z.nullable(z.record(z.string(), z.array(TextEdit())))),
      documentChanges: z.optional(
        z.nullable(
          z.array(
            z.strictObject({
              textDocument: z.object({ uri: z.string(), version: z.optional(z.nullable(z.int())) }),
              edits: z.array(TextEdit()),
            }),
          ),
        ),
      ),
    }),
  );
export type AnswerWorkspaceEdit = NonNullable<z.infer<ReturnType<typeof WorkspaceEdit>>>;

const Initialized = () =>
  z.object({
    capabilities: z.object({
      positionEncoding: z.optional(z.string()),
      diagnosticProvider: z.optional(z.unknown()),
      hoverProvider: z.optional(z.unknown()),
      definitionProvider: z.optional(z.unknown()),
      referencesProvider: z.optional(z.unknown()),
      documentSymbolProvider: z.optional(z.unknown()),
      workspaceSymbolProvider: z.optional(z.unknown()),
      renameProvider: z.optional(z.unknown()),
      executeCommandProvider: z.optional(z.unknown()),
    }),
  });
export type Capabilities = z.infer<ReturnType<typeof Initialized>>['capabilities'];

const shapes = {
  initialized: Initialized,
  published: Published,
  pulled: Pulled,
  tsserver: Tsserver,
  hover: Hover,
  locations: Locations,
  symbols: () => z.nullable(z.array(Symbol_())),
  workspaceEdit: WorkspaceEdit,
} as const;

type Shapes = { [K in keyof typeof shapes]: z.infer<ReturnType<(typeof shapes)[K]>> };

export type AnswerKind = keyof Shapes;

/** The answer of a server does not follow the protocol. */
export class OddAnswer extends Error {}

const builtShapes = new Map<keyof Shapes, z.ZodMiniType>();

export function readServerAnswer<K extends keyof Shapes>(kind: K, answer: unknown): Shapes[K] {
  const shape: z.ZodMiniType = builtShapes.get(kind) ?? shapes[kind]();
  builtShapes.set(kind, shape);
  const parsed = shape.safeParse(answer ?? null);
  if (parsed.success) return parsed.data as Shapes[K];
  const [issue] = parsed.error.issues;
  throw new OddAnswer(
    `Its answer has an unknown form (${issue?.path.map(String).join('.') || 'at the top'}).`,
  );
}
