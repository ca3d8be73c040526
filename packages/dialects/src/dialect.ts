// What a dialect is: a table with a row per tool, and two pure functions between wire messages and the neutral model.
import type { ApprovalRequest, Decision, DialectName, Failure, Outcome } from '@codelab/protocol';
import type * as z from 'zod/mini';

export type Json = Record<string, unknown>;

/** How a dialect writes a path that the core names from the root of the workspace. */
export type PathSpelling = {
  toCore(path: string): string;
  /** A core path in the manner of a path the caller wrote. */
  like(core: string, asked: string): string;
  /** The folder that relative paths start from, as the core names it; the workspace's own when undefined. */
  workingDir?: string;
};

/** A call as a peer spelled it, and what it means in the core. Answers repeat the peer's spelling. */
export type WireCall = {
  id: string;
  wire: { tool: string; args: Json };
  tool: string;
  args: Json;
  requiresApproval: boolean;
  /** The call belongs to a session that goes on, so what was read in it before is known. */
  isLasting?: true;
};

/** One row of a dialect's table. */
export type WireTool = {
  /** The name on the wire, and the core tool it stands for. */
  name: string;
  tool: string;
  /** Made when it is needed: a short command needs one of them. */
  input: () => z.ZodMiniObject;
  /** Arguments that do not fit `input`, with what other harnesses say in fields of their own put into ours. */
  reshape?(args: Json): Json;
  /** Wire arguments, already checked against `input`, to core arguments. */
  toCore(args: Json, session: { isLasting: boolean; isLenient: boolean; paths: PathSpelling }): Json;
  /** Arguments that the core calls otherwise, by their names on the wire. */
  names?: Readonly<Record<string, string>>;
  /** Core arguments that the wire has other values for, as the wire has them. */
  fromCore?(args: Json): Json;
  /** The core tool's data to the wire's result; `asked` are the wire arguments, for answering in the caller's spelling. */
  toWire(data: Json, asked: Json): Json | string;
  /**
   * What a client that carried the call out says of it, as the core tool's data; `args` are the core's. What the client does not tell is
   * taken from the arguments, or is none.
   */
  fromWire?(said: Json, args: Json): Json;
  /** A word on fields that mean something else on another wire. */
  notes?: Readonly<Record<string, string>>;
  /** No argument of it is a path, whatever it is called. */
  isPathless?: true;
  /** Beyond the wire's own document: peers may call it, but a client of this wire is not expected to have it. */
  isExtension?: true;
  /** What a dialect that keeps facts about a result beside it says there. */
  metadata?(data: Json, asked: Json): Json;
  /** What a dialect that says how a call ended adds to its answer, when the tool can end badly and still have a result. */
  ending?(data: Json): Json;
  /** What a dialect that answers a failure in the place of a result says there; undefined when it is no answer of the tool. */
  failed?(error: Failure, asked: Json): Json | string | undefined;
};

export type DialectMessage =
  | { type: 'call'; call: WireCall }
  /** Written only: what a peer sends in its place reads as a call that requires approval. */
  | { type: 'approval'; asked: WireCall; approval: ApprovalRequest }
  /** The arguments of an edit stand here as the wire spells them; `settle` gives them their meaning. */
  | { type: 'decision'; callId: string; decision: Decision }
  /** Read from a wire, `data` is the wire's own result and `asked` knows only what the message says. */
  | { type: 'result'; asked: Pick<WireCall, 'id' | 'wire'>; outcome: Outcome }
  /** Before the result: what the call has come to so far. Only dialects with `streams` have a form for it. */
  | { type: 'progress'; asked: Pick<WireCall, 'id' | 'wire'>; data: Json };

export type CallInput = {
  id: string;
  tool: string;
  args: Json;
  requiresApproval?: boolean;
  isLasting?: boolean;
  /** A model wrote it: names and forms of other harnesses are taken where they can only mean one thing. */
  isLenient?: boolean;
};

export type Dialect = {
  name: DialectName;
  tools: readonly WireTool[];
  /** Whether it can tell how far a call is. */
  streams: boolean;
  /** Reads a call given by name and arguments; throws TOOL_NOT_FOUND or INVALID_ARGUMENTS. */
  ask(given: CallInput): WireCall;
  /** A core call as this dialect would have asked it; a tool it has no row for keeps its own name and arguments. */
  spell(call: { id: string; tool: string; args: Json; requiresApproval?: boolean | undefined }): WireCall;
  /** A failure of a core tool with the names that this dialect has for the tool and its arguments. */
  renameFailure(tool: string, error: Failure): Failure;
  /** A decision read from this dialect as the core takes it: edited arguments are checked and translated by the tool's row. */
  settle(asked: Pick<WireCall, 'wire' | 'isLasting'>, decision: Decision): Decision;
  /** Reads any message a peer may send; lenient about spelling. */
  decode(wire: unknown, session?: { isLasting?: boolean }): DialectMessage;
  /** Writes a message strictly in the dialect's own form. */
  encode(message: DialectMessage): Json;
};
