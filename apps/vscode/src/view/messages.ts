// The messages between the extension and its chat view. The view only shows and asks: it reaches no gateway and no file by itself.
import type { NeutralMessage, Risk } from '@codelab/protocol';
import * as z from 'zod/mini';

/** A pending approval, as the view shows it. */
export type ApprovalView = {
  key: string;
  tool: string;
  risk: Risk;
  description: string;
  /** In milliseconds since 1970. */
  deadline: number;
  args: Record<string, unknown>;
  /** The program and its arguments. */
  command?: string;
  change?: {
    path: string;
    isNew: boolean;
    /** A unified diff of one file. */
    diff: string;
    hunks: number;
  };
  isSending: boolean;
};

export type ChatConnectionState = 'starting' | 'live' | 'lost' | 'failed';

export type ViewState = {
  connection: ChatConnectionState;
  /** Why the chat is not live, and the button that helps. */
  problem: string;
  /** Label and command of the button. */
  remedy?: { label: string; command: string };
  agents: readonly string[];
  isTrusted: boolean;
  isStreaming: boolean;
  hasFolder: boolean;
};

/** The context that a message would include. */
export type EditorContext = { file: string; lines: string; problems: number };

export type HostMessage =
  | { type: 'frames'; frames: readonly NeutralMessage[]; isReset: boolean }
  | { type: 'approvals'; approvals: readonly ApprovalView[] }
  | { type: 'state'; state: ViewState }
  | { type: 'context'; context: EditorContext | null }
  | { type: 'draft'; text: string }
  | { type: 'notice'; text: string };

const key = () => z.string();

export const ViewMessage = () =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('ready') }),
    z.strictObject({
      type: z.literal('send'),
      text: z.string().check(z.minLength(1), z.maxLength(200_000)),
      agent: z.string(),
      withContext: z.boolean(),
    }),
    z.strictObject({ type: z.literal('cancel') }),
    z.strictObject({ type: z.literal('approve'), key: key(), hunks: z.optional(z.array(z.int())) }),
    z.strictObject({ type: z.literal('reject'), key: key(), reason: z.string() }),
    z.strictObject({ type: z.literal('review'), key: key() }),
    z.strictObject({ type: z.literal('openFile'), path: z.string() }),
    z.strictObject({ type: z.literal('remedy') }),
    z.strictObject({ type: z.literal('run'), command: z.enum(['undoLastTurn', 'newChat', 'openFolder']) }),
  ]);
export type ViewMessage = z.infer<ReturnType<typeof ViewMessage>>;
