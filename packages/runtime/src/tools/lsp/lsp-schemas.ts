// Input and output of the code tools. Lines and characters count from 0, characters in UTF-16 code units, as in the Language Server
// Protocol.
import { largestPosition, lazily, type PlanDraft, phrase } from '@codelab/protocol';
import * as z from 'zod/mini';
import type { PlanContext, Planned } from '../../tool/define-tool.ts';
import { regular } from '../../workspace/read-bytes.ts';

/** Loads the code that asks a language server at the first question. */
export const loadLookUp = lazily(() => import('../../lsp/look-up.ts'));

const wholeNumber = () => z.int().check(z.minimum(0), z.maximum(largestPosition));
const Position = () => z.strictObject({ line: z.int(), character: z.int() });
export const RangeSchema = () => z.strictObject({ start: Position(), end: Position() });

/** A place in a file: a line with a character, or with a name that occurs in it. */
export const placeInput = () => ({
  path: z.string(),
  line: wholeNumber(),
  character: z.optional(wholeNumber()),
  symbol: z.optional(z.string().check(z.minLength(1), z.maxLength(500))),
});

/** The state of the server, and what to do when it does not answer. */
export const lspAnswerFields = () => ({
  ok: z.boolean(),
  server_status: z.enum(['active', 'not_installed', 'unsupported', 'error', 'unavailable']),
  server: z.optional(z.string()),
  message: z.optional(z.string()),
  install_hint: z.optional(z.string()),
  fallback: z.optional(z.string()),
});

export const FoundPlaceSchema = () =>
  z.strictObject({
    uri: z.string(),
    range: RangeSchema(),
    path: z.optional(z.string()),
    text: z.optional(z.string()),
  });

export type LspAnswer = {
  ok: boolean;
  server_status: 'active' | 'not_installed' | 'unsupported' | 'error' | 'unavailable';
  server?: string | undefined;
  message?: string | undefined;
  install_hint?: string | undefined;
  fallback?: string | undefined;
};

/** The server reads a file; nothing is changed. */
/** The question that the language server is asked. */
type LspQuestion = 'references' | 'diagnostics' | 'definition' | 'symbols' | 'hover' | 'renameSymbol';

export function planLspReading(
  requestedPath: string,
  question: LspQuestion,
  context: PlanContext,
): Planned<string> {
  const { workspace, limits, unsaved } = context;
  using place = workspace.locate(requestedPath, {
    followLast: true,
    access: 'read',
    pathChars: limits.pathChars,
  });
  const { path, links } = place;
  if (unsaved(path) === undefined) regular(place);
  const plan: PlanDraft = {
    summary: phrase(`plan.${question}`, { path }),
    risk: 'low',
    riskReason: phrase('risk.onlyReads'),
    touches: [{ asked: requestedPath, path, access: 'read' }],
    notes: links.map((link) => phrase('note.linkRead', { link, path })),
    basis: [],
  };
  return { plan, intents: [], prepared: path };
}

/** Tells a model why there is no answer, how to get one later, and what to do now. */
export function tellUnserved({ message, install_hint, fallback }: LspAnswer): string {
  const install = install_hint === undefined ? '' : ` To install it: ${install_hint}.`;
  return `${message ?? 'The language server gave no answer.'}${install}${fallback === undefined ? '' : ` ${fallback}`}`;
}

type Place = z.infer<ReturnType<typeof FoundPlaceSchema>>;

/** A place as people and compilers write it: counted from 1. */
export function tellPlace({ path, uri, range: { start }, text }: Place): string {
  return `${path ?? uri}:${start.line + 1}:${start.character + 1}${text === undefined ? '' : `: ${text}`}`;
}
